// What a cognitive map says as JSON and shows as a drawing.
#include "host/meta_memory/cognitive_map_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "support/street.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using tests::asked;
using tests::at;
using tests::of;
using tests::street;
using Relation = GlobalQuery::Relation;

TEST(CognitiveMapText, IsJsonWithNullForWhatWasNotMeasured) {
  const CognitiveMap map = asked(of(Relation::kRoute), {at(60, 3)});
  const auto json = host::parse_json<nlohmann::json>(cognitive_map_json(map));
  EXPECT_EQ(json.at("status"), "found");
  EXPECT_EQ(json.at("selected"), 0);
  EXPECT_EQ(json.at("relation"), "route");
  EXPECT_TRUE(json.at("k").is_null());
  EXPECT_TRUE(json.at("direction").is_null());
  EXPECT_EQ(json.at("start").at("pos"), nlohmann::json({0.0, 0.0, 0.0}));
  EXPECT_EQ(json.at("start").at("snap"), 0.0);
  EXPECT_EQ(json.at("end").at("node"), json.at("waypoints").back().at("node"));
  EXPECT_EQ(json.at("waypoints").size(), 11U);
  EXPECT_EQ(json.at("waypoints")[1].at("s"), 10.0);
  EXPECT_EQ(json.at("length"), 100.0);
  const nlohmann::json& candidate = json.at("candidates")[0];
  EXPECT_EQ(candidate.at("instance"), 0);
  EXPECT_EQ(candidate.at("s_along"), 60.0);
  EXPECT_EQ(candidate.at("d_path"), 3.0);
  for (const char* of_others :
       {"d_euclid", "d_walk", "u_between", "d_perp", "bearing_deg", "sector", "los"}) {
    EXPECT_TRUE(candidate.at(of_others).is_null()) << of_others;
  }
}

TEST(CognitiveMapText, TellsTheSectorOfADirection) {
  GlobalQuery question = of(Relation::kDirection);
  question.direction = Cardinal::kEast;
  const std::vector<Landmark> here{{"a", {0, 0, 0}}};
  const auto told = [&](const GlobalQuery& query) {
    return host::parse_json<nlohmann::json>(
        cognitive_map_json(asked(query, {at(30, 20), at(0, 40)}, here)));
  };
  auto json = told(question);
  EXPECT_EQ(json.at("direction"), host::parse_json<nlohmann::json>(
                                      R"({"name": "east", "axis_deg": 90.0, "half_deg": 45.0})"));
  EXPECT_EQ(json.at("candidates")[0].at("sector"), true);
  EXPECT_EQ(json.at("candidates")[1].at("sector"), false);
  EXPECT_TRUE(json.at("end").is_null());
  question.direction = Cardinal::kNortheast;
  json = told(question);
  EXPECT_EQ(json.at("direction").at("half_deg"), 22.5);
  question = of(Relation::kKth);
  question.k = 2;
  EXPECT_EQ(
      host::parse_json<nlohmann::json>(cognitive_map_json(asked(question, {at(60, 3)}))).at("k"),
      2);
}

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
    ++count;
  }
  return count;
}

TEST(CognitiveMapText, DrawsWhatItHolds) {
  CognitiveMap map = asked(of(Relation::kRoute), {at(60, 3), at(20, 2)},
                           {{"the <old> library", {0, 0, 0}}, {"b", {100, 0, 0}}});
  const std::string svg = cognitive_map_svg(map, street());
  EXPECT_NE(svg.find("the &lt;old&gt; library"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<polyline"), 1U);
  EXPECT_EQ(count_of(svg, "<circle class=\"landmark\""), 2U);
  EXPECT_EQ(count_of(svg, "<circle class=\"candidate\""), 1U);
  EXPECT_EQ(count_of(svg, "<circle class=\"answer\""), 1U);
  EXPECT_EQ(count_of(svg, "class=\"sector\""), 0U);
}

/// "viewBox=\"0 0 720 360\"".
std::pair<double, double> size_of(const std::string& svg) {
  std::pair<double, double> size;
  EXPECT_EQ(std::sscanf(svg.c_str() + svg.find("viewBox"), "viewBox=\"0 0 %lf %lf", &size.first,
                        &size.second),
            2);
  return size;
}

TEST(CognitiveMapText, ShowsWhatIsAroundASinglePlaceAndNoThinStrip) {
  CognitiveMap one;
  one.candidates = {at(50, 0)};
  const std::string svg = cognitive_map_svg(one, street());
  EXPECT_EQ(size_of(svg), std::pair(720.0, 720.0));
  std::size_t near = 0;
  for (const Vec3& node : street().position_m) near += std::fabs(node.x - 50) <= 30;
  ASSERT_GT(near, 3u);
  EXPECT_GE(count_of(svg, "<circle class=\"node\""), near);
  CognitiveMap straight;
  straight.candidates = {at(0, 0), at(100, 0)};
  EXPECT_GE(size_of(cognitive_map_svg(straight, street())).second, 360);
}

TEST(CognitiveMapText, DrawsEveryNodeAndTheSector) {
  // Three nodes, of which one has no edge.
  const TopologicalMap map = topological_map_of({{0, 0, 0}, {4, 0, 0}, {60, 40, 0}}, {{0, 1}});
  ASSERT_EQ(map.num_nodes(), 3);
  ASSERT_EQ(map.first_edge[3] - map.first_edge[2], 0);
  GlobalQuery question = of(Relation::kDirection);
  question.direction = Cardinal::kEast;
  const CognitiveMap asked_map =
      integrate(question, {{"a", {0, 0, 0}}}, {at(60, 40)}, map, {}, IntegrationRules{});
  const std::string svg = cognitive_map_svg(asked_map, map);
  EXPECT_EQ(count_of(svg, "<circle class=\"node\""), 3U);
  ASSERT_EQ(count_of(svg, "<path class=\"sector\""), 1U);
  // From the landmark up and to the right, to as far below it: east is right.
  double x = 0, y = 0, x1 = 0, y1 = 0, r = 0, x2 = 0, y2 = 0;
  const std::size_t d = svg.find("d=\"", svg.find("class=\"sector\""));
  ASSERT_EQ(std::sscanf(svg.c_str() + d, "d=\"M%lf %lfL%lf %lfA%lf %*f 0 0 1 %lf %lfZ", &x, &y, &x1,
                        &y1, &r, &x2, &y2),
            7);
  constexpr double kRounding = 0.2;  // of numbers with a decimal
  EXPECT_NEAR(std::hypot(x1 - x, y1 - y), r, kRounding);
  EXPECT_NEAR(x1, x2, kRounding);
  EXPECT_NEAR(y - y1, x1 - x, kRounding);
  EXPECT_NEAR(y2 - y, x1 - x, kRounding);
  EXPECT_GT(x1, x);
}

}  // namespace
}  // namespace sightline::host
