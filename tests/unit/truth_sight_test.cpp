// Line of sight through solids, exactly: by hand, and against samples of the solids.
#include "host/truth/sight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/random.h"
#include "host/world/load.h"
#include "host/world/scene_builder.h"
#include "host/world/vec3.h"

namespace sightline::tests {
namespace {

using host::Bounds;
using host::is_clear;
using kernels::Vec3;

host::SceneBuilder yard() { return {"yard", host::Frame::kSceneYUp, {{0, 0, 0}, {10, 10, 10}}}; }

TEST(TruthSight, ABoxStandsInTheWayAndItsOpeningDoesNot) {
  host::SceneBuilder builder = yard();
  builder.add_box({{4, 0, 0}, {5, 10, 10}}, {{{{4, 2, 2}, {5, 4, 4}}}});
  const host::AnalyticSolid wall = builder.build().solid;
  EXPECT_FALSE(is_clear(wall, {1, 6, 6}, {9, 6, 6}));
  EXPECT_TRUE(is_clear(wall, {1, 3, 3}, {9, 3, 3})) << "through the opening";
  EXPECT_TRUE(is_clear(wall, {1, 6, 6}, {3.9, 6, 6})) << "before it";
  EXPECT_TRUE(is_clear(wall, {5.1, 6, 6}, {9, 6, 6})) << "behind it";
  EXPECT_FALSE(is_clear(wall, {1, 3, 3}, {4.5, 6, 3})) << "an end inside";
  EXPECT_FALSE(is_clear(wall, {3.5, 3, 0.5}, {5.5, 3, 4.5})) << "past a jamb of the opening";
}

TEST(TruthSight, LengthsInSolidsAddUp) {
  host::SceneBuilder builder = yard();
  builder.add_box({{2, 0, 0}, {3, 10, 10}}, {{{{2, 4, 4}, {3, 6, 6}}}});
  builder.add_sphere({7, 5, 5}, 1.5);
  const host::AnalyticSolid solids = builder.build().solid;
  EXPECT_NEAR(host::length_in_solids_m(solids, {0, 5, 5}, {10, 5, 5}), 3, 1e-12);
  EXPECT_NEAR(host::length_in_solids_m(solids, {0, 1, 5}, {10, 1, 5}), 1, 1e-12);
  EXPECT_NEAR(host::length_in_solids_m(solids, {2.5, 1, 5}, {2.75, 1, 5}), 0.25, 1e-12);
  EXPECT_EQ(host::length_in_solids_m(solids, {4, 1, 5}, {5, 1, 5}), 0);
}

TEST(TruthSight, ALineThatTouchesIsClear) {
  host::SceneBuilder builder = yard();
  builder.add_box({{4, 0, 0}, {5, 5, 5}});
  const host::AnalyticSolid block = builder.build().solid;
  EXPECT_TRUE(is_clear(block, {3.5, 1, 4.5}, {4.5, 1, 5.5})) << "an edge";
  EXPECT_FALSE(is_clear(block, {3.5, 1, 4.4}, {4.5, 1, 5.4})) << "0.14 m of a corner";
}

TEST(TruthSight, TurnedBoxesSlabsCylindersAndBalls) {
  host::SceneBuilder builder = yard();
  const double eighth = std::atan(1.0);
  builder.add_rotated_box({{4, 0, 4}, {6, 2, 6}}, eighth);  // a diamond of half-diagonal 1.414
  const host::AnalyticSolid diamond = builder.build().solid;
  EXPECT_FALSE(is_clear(diamond, {3, 1, 5}, {3.7, 1, 5}));
  EXPECT_TRUE(is_clear(diamond, {3, 1, 5}, {3.5, 1, 5}));
  EXPECT_TRUE(is_clear(diamond, {3, 1, 3.9}, {3.9, 1, 3.9})) << "where the unturned corner was";

  // 4 m long and 0.4 m thick, turned by a quarter of a right angle: not like its mirror image.
  builder = yard();
  builder.add_rotated_box({{3, 0, 4.8}, {7, 2, 5.2}}, eighth / 2);
  const host::AnalyticSolid leaf = builder.build().solid;
  const auto at = [](double along, double across) {
    const double c = std::cos(std::atan(1.0) / 2), s = std::sin(std::atan(1.0) / 2);
    return Vec3{5 + along * c - across * s, 1, 5 + along * s + across * c};
  };
  const bool is_turned_so = leaf.view().solid_at(at(1.9, 0));
  const double side = is_turned_so ? 1 : -1;
  const auto seen_at = [&](double along, double across) {
    const Vec3 p = at(along, across);
    return Vec3{p.x, p.y, 5 + side * (p.z - 5)};
  };
  EXPECT_FALSE(is_clear(leaf, seen_at(1.8, 1), seen_at(1.8, -1)));
  EXPECT_TRUE(is_clear(leaf, seen_at(2.2, 1), seen_at(2.2, -1)));
  EXPECT_TRUE(is_clear(leaf, seen_at(-2.5, 0.3), seen_at(2.5, 0.3))) << "along its face";

  builder = yard();
  builder.add_diagonal_slab({{0, 0, 0}, {10, 10, 10}}, {1, 0, 1}, 10, 0.5);
  const host::AnalyticSolid slab = builder.build().solid;
  EXPECT_FALSE(is_clear(slab, {1, 1, 1}, {9, 1, 9}));
  EXPECT_TRUE(is_clear(slab, {1, 1, 8}, {8, 1, 1})) << "along it, 0.7 m beside";

  builder = yard();
  builder.add_cylinder({5, 0, 5}, 1, 3);
  builder.add_sphere({2, 8, 2}, 1);
  const host::AnalyticSolid round = builder.build().solid;
  EXPECT_FALSE(is_clear(round, {1, 1, 5}, {9, 1, 5}));
  EXPECT_TRUE(is_clear(round, {1, 1, 3.9}, {9, 1, 3.9}));
  EXPECT_TRUE(is_clear(round, {1, 3.1, 5}, {9, 3.1, 5})) << "over it";
  EXPECT_FALSE(is_clear(round, {5, 4, 5}, {5, 1, 5})) << "along its axis";
  EXPECT_TRUE(is_clear(round, {6.5, 4, 5}, {6.5, 1, 5}));
  EXPECT_FALSE(is_clear(round, {2, 8, 0}, {2, 8, 4}));
  EXPECT_TRUE(is_clear(round, {2.8, 8.8, 0}, {2.8, 8.8, 4}));
}

/// Is a sample of the open line in the solid? The step is far below the thinnest wall.
bool meets_samples(const host::AnalyticSolid& solid, const Vec3& from, const Vec3& to) {
  constexpr double kStep_m = 0.01;
  const Vec3 along = kernels::minus(to, from);
  const auto count = static_cast<int>(std::sqrt(kernels::dot(along, along)) / kStep_m);
  for (int i = 1; i < count; ++i) {
    const double share = static_cast<double>(i) / count;
    if (solid.view().solid_at(host::plus(from, host::scaled(share, along)))) return true;
  }
  return false;
}

class TruthSightIn : public testing::TestWithParam<const char*> {};

TEST_P(TruthSightIn, AgreesWithSamples) {
  const host::World world = host::make_world(host::parse_world_spec(host::ConfigValue::parse_yaml(
      "{scene: " + std::string(GetParam()) + ", solid: analytic}", "truth_sight_test")));
  constexpr int kLines = 300;
  int blocked = 0, grazed = 0;
  host::RandomItem random(1, 2, 3);
  const auto somewhere = [&] {
    const Bounds& b = world.bounds_m;
    const auto between = [&](double low, double high) {
      return low + (high - low) * random.uniform();
    };
    const double x = between(b.min.x, b.max.x), y = between(b.min.y, b.max.y);
    return Vec3{x, y, between(b.min.z, b.max.z)};
  };
  for (int i = 0; i < kLines; ++i) {
    const Vec3 from = somewhere(), to = somewhere();
    const bool clear = is_clear(*world.analytic, from, to);
    const bool sampled = meets_samples(*world.analytic, from, to);
    EXPECT_FALSE(clear && sampled) << "line " << i << ": a sample lies in a solid";
    blocked += !clear;
    grazed += !clear && !sampled;
  }
  EXPECT_GT(blocked, kLines / 5);
  EXPECT_LT(blocked, kLines);
  EXPECT_LE(grazed, kLines / 100) << "what samples miss is shorter than their step";
}

INSTANTIATE_TEST_SUITE_P(Scenes, TruthSightIn,
                         testing::Values("{name: village, seed: 5, size_m: [40, 10, 40]}",
                                         "{name: rooms, seed: 5}", "{name: clutter, seed: 5}",
                                         "{name: terrain, seed: 5, relief_m: 10}"),
                         [](const auto& scene) { return "Number" + std::to_string(scene.index); });

}  // namespace
}  // namespace sightline::tests
