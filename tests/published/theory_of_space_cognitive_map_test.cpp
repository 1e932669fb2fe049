// cogmap.jsonl of the conformance data.
#include <gtest/gtest.h>

#include "host/config/json_text.h"
#include "host/theory_of_space/cognitive_map.h"
#include "host/theory_of_space/cognitive_map_json.h"
#include "support/theory_of_space.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;  ///< of square roots and exponentials of another library

bool is_score(const std::optional<MapScore>& score, const Json& expected) {
  if (expected.is_null() || !score) return expected.is_null() && !score;
  return std::abs(score->direction - expected[0].get<double>()) < kTolerance &&
         std::abs(score->facing - expected[1].get<double>()) < kTolerance &&
         std::abs(score->position - expected[2].get<double>()) < kTolerance &&
         std::abs(score->overall() - expected[3].get<double>()) < kTolerance;
}

std::uint64_t items_named(const Scene& scene, const Json& names) {
  std::uint64_t items = 0;
  for (const Json& name : names) items |= std::uint64_t{1} << scene.item_named(name);
  return items;
}

TEST(TheoryOfSpaceCognitiveMap, ScoresAsTheCode) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("cogmap"));
  const auto scenes = conformance_scenes();
  Conformance conformance("cogmap");
  for (const Json& line : conformance_lines("cogmap")) {
    const Scene& scene = scenes.at(line["scene"]);
    MapContext context{scene, {}, 0, 0, 0};
    context.pose.cell = {line["pose"][0], line["pose"][1]};
    context.pose.heading = heading_of(line["pose"][2].get<std::string>()[0]).value();
    context.pose.rooms = scene.rooms_at(context.pose.cell);
    context.seen = items_named(scene, line["observed"]);
    context.in_view = visible_items(scene, context.pose, FieldOfView::k90);
    context.first_seen = items_named(scene, line["newly"]);
    const auto global = parse_global_map(host::json_text(line["pred_global"]), scene);
    const auto local =
        parse_local_map(host::json_text(line["pred_local"]), scene, context.pose.heading);
    ASSERT_TRUE(global && local);
    MapScores scores = score_maps(context, *global, *local);
    const auto check = [&](const char* key, const std::optional<MapScore>& score) {
      conformance.check(is_score(score, line[key]), [&] {
        const MapScore s = score.value_or(MapScore{});
        return std::string(key) + " is " +
               host::json_text(Json{s.direction, s.facing, s.position}) + " " +
               host::json_text(line);
      });
    };
    conformance.check(std::abs(map_scale(scene) - line["L"].get<double>()) < kTolerance,
                      [&] { return scene.id + " L"; });
    check("g", scores.update);
    check("full", scores.correctness);
    check("agent", scores.tracking);
    check("local", scores.local);
    check("local_newly", scores.perception);
    check("local_vs_global", scores.local_and_global);
  }
}

}  // namespace
}  // namespace sightline::tests
