// stability.jsonl, uncertainty.jsonl and false_belief.jsonl of the conformance data.
#include <gtest/gtest.h>

#include "host/config/json_text.h"
#include "host/theory_of_space/episode.h"
#include "host/theory_of_space/false_belief.h"
#include "host/theory_of_space/map_stability.h"
#include "host/theory_of_space/proxies.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/unexplored.h"
#include "support/theory_of_space.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;  ///< of quotients of small numbers

bool is_value(const std::optional<double>& value, const Json& expected) {
  if (expected.is_null() || !value) return expected.is_null() && !value;
  return std::abs(*value - expected.get<double>()) < kTolerance;
}

SpatialMap map_of(const Json& items, const Scene& scene) {
  SpatialMap map;
  for (const auto& [name, row] : items.items()) {
    const int item = scene.item_named(name);
    map.items[name] = {
        {row[0], row[1]}, heading_of(row[2].get<std::string>()[0]), scene.is_door(item)};
  }
  return map;
}

TEST(TheoryOfSpaceStability, IsThatOfTheRelease) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("stability"));
  const auto scenes = conformance_scenes();
  Conformance conformance("stability");
  for (const Json& line : conformance_lines("stability")) {
    const Scene& scene = scenes.at(line["scene"]);
    const auto visible = line["visible"].get<std::set<std::string>>();
    const MapStability stability = map_stability(true_map(scene), map_of(line["prev"], scene),
                                                 map_of(line["cur"], scene), visible);
    const auto check = [&](const char* key, const std::optional<double>& value) {
      conformance.check(is_value(value, line[key]), [&] {
        return std::string(key) + " is " + std::to_string(value.value_or(-1)) + " " +
               host::json_text(line);
      });
    };
    check("position_update", stability.position_update);
    check("facing_update", stability.facing_update);
    check("position_stability", stability.position_stability);
    check("facing_stability", stability.facing_stability);
  }
}

TEST(TheoryOfSpaceUncertainty, CellsAreExploredAsInTheCode) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("uncertainty"));
  const auto scenes = conformance_scenes();
  Conformance conformance("uncertainty");
  for (const Json& line : conformance_lines("uncertainty")) {
    const Scene& scene = scenes.at(line["scene"]);
    ASSERT_EQ(line["policy"], "scout");
    UnexploredCells explored(scene);
    std::size_t turn = 0;
    Scout scout(scene);
    explore(scene, &scout, {}, Profile::kCode, [&](const Episode& episode, const RevisingBelief&) {
      if (!episode.last().observation) return;
      explored.observe(episode.pose());
      const Json expected = turn < line["unexplored"].size() ? line["unexplored"][turn] : Json();
      Json ours = Json::object();
      for (int room = 1; room <= scene.num_rooms(); ++room) {
        if (explored.rooms()[static_cast<std::size_t>(room) - 1].is_visited)
          ours[std::to_string(room)] = explored.text(room);
      }
      conformance.check(ours == expected, [&] {
        return scene.id + " " + host::json_text(ours) + " " + host::json_text(expected);
      });
      ++turn;
    });
    conformance.check(turn == line["unexplored"].size(), [&] { return scene.id + " turns"; });
  }
}

TEST(TheoryOfSpaceFalseBelief, IsScoredAndSeenAsInTheCode) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("false_belief"));
  const auto scenes = conformance_scenes();
  Conformance conformance("false_belief");
  for (const Json& line : conformance_lines("false_belief")) {
    const Scene& scene = scenes.at(line["scene"]);
    std::vector<SceneChange> changes;
    for (const Json& row : line["changes"]) {
      const Heading facing = heading_of(row[4].get<std::string>()[0]).value_or(Heading::kNorth);
      changes.push_back({scene.item_named(row[0]), row[1] == "pos", {row[2], row[3]}, facing});
    }
    const Scene after = changed_scene(scene, changes);
    std::uint64_t unseen = 0;
    for (const SceneChange& change : changes) unseen |= std::uint64_t{1} << change.item;
    Episode episode(after);
    Json newly = Json::array(), all_seen_after;
    for (const Json& actions : line["scout_actions"]) {
      episode.act(actions.get<std::string>());
      std::set<std::string> names;
      for (const SeenItem& seen : episode.last().observation.value_or(Observation{}).items) {
        if (unseen >> seen.item & 1) names.insert(after.name_of(seen.item));
        unseen &= ~(std::uint64_t{1} << seen.item);
      }
      newly.push_back(names);
      if (unseen == 0 && all_seen_after.is_null()) all_seen_after = episode.num_observes();
    }
    const auto what = [&] {
      return host::json_text(line) + " is " + host::json_text(newly) +
             host::json_text(all_seen_after);
    };
    conformance.check(newly == line["newly_seen"], what);
    conformance.check(all_seen_after == line["all_seen_after"], what);
    conformance.check(episode.num_observes() == line["n_observe"], what);
    Scout scout(after);
    const Exploration tour = explore(after, &scout);
    Json actions = Json::array();
    for (std::size_t i = 0; i + 1 < tour.turns.size(); ++i)
      actions.push_back(actions_text(after, tour.turns[i].actions));
    conformance.check(actions == line["scout_actions"],
                      [&] { return scene.id + host::json_text(actions); });
    for (const Json& f1 : line["f1"]) {
      std::vector<ReportedChange> reported;
      for (const Json& row : f1["reported"]) reported.push_back({row[0], row[1] == 1, row[2] == 1});
      const ChangeScores scores = score_changes(scene, changes, reported);
      const auto which = [&] { return host::json_text(f1); };
      conformance.check(is_value(scores.overall, f1["overall"]), which);
      conformance.check(is_value(scores.position, f1["position"]), which);
      conformance.check(is_value(scores.facing, f1["facing"]), which);
    }
  }
}

}  // namespace
}  // namespace sightline::tests
