// trajectories.jsonl of the conformance data: what the environment answers to the actions in it.
#include <gtest/gtest.h>

#include "host/config/json_text.h"
#include "host/theory_of_space/episode.h"
#include "support/theory_of_space.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;  ///< of shares that the data round to ten digits

TEST(TheoryOfSpaceEpisodes, GoAsThoseOfTheCode) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("trajectories"));
  const auto scenes = conformance_scenes();
  Conformance conformance("trajectories: environment");
  for (const Json& line : conformance_lines("trajectories")) {
    const Scene& scene = scenes.at(line["scene"]);
    Episode episode(scene);
    for (const Json& recorded : line["turns"]) {
      const std::string actions = recorded["a"];
      const Turn& turn = episode.act(actions);
      const auto what = [&] {
        return scene.id + " " + host::json_text(line["policy"]) + " " + host::json_text(recorded) +
               turn.error;
      };
      Json ok = Json::array();
      for (const ExecutedAction& action : turn.actions) ok.push_back(action.ok ? 1 : 0);
      conformance.check(ok == recorded["ok"], what);
      const Pose& pose = turn.pose;
      conformance.check(
          Json{pose.cell.x, pose.cell.y, std::string(1, letter_of(pose.heading))} == recorded["p"],
          what);
      const Observation seen = turn.observation.value_or(Observation{});
      conformance.check(seen_tokens(seen) == recorded["v"], what);
      conformance.check(pair_tokens(seen) == recorded["x"], what);
      conformance.check(
          std::abs(episode.node_coverage() - recorded["nc"].get<double>()) < kTolerance, what);
      conformance.check(
          std::abs(episode.edge_coverage() - recorded["ec"].get<double>()) < kTolerance, what);
    }
  }
}

}  // namespace
}  // namespace sightline::tests
