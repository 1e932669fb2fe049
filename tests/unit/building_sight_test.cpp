// Straight lines past buildings and through voxels.
#include "host/meta_memory/building_sight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/errors.h"
#include "support/random.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::BuildingRing;
using host::BuildingSight;
using host::EndsInBuildings;
using kernels::Vec3;

/// A U open to the north, and a triangle given closed and the other way round.
std::vector<BuildingRing> two_buildings() {
  return {{{0, 0}, {6, 0}, {6, 6}, {4, 6}, {4, 2}, {2, 2}, {2, 6}, {0, 6}},
          {{10, 0}, {10, 4}, {14, 0}, {10, 0}}};
}

TEST(BuildingSight, BlockedByWallsFreeInTheYard) {
  const BuildingSight sight(two_buildings());
  EXPECT_TRUE(sight.is_free({3, 8, 0}, {3, 3, 0}));    // into the yard
  EXPECT_FALSE(sight.is_free({3, 8, 0}, {3, -1, 0}));  // and through its far side
  EXPECT_FALSE(sight.is_free({-1, 5, 0}, {7, 5, 0}));  // across both wings
  EXPECT_TRUE(sight.is_free({8, -1, 0}, {8, 8, 0}));   // between the buildings
  EXPECT_TRUE(sight.is_free({13, 2, 0}, {11, 4, 0}));  // in the triangle's box, past it
  EXPECT_FALSE(sight.is_free({9, 1, 0}, {15, 1, 0}));
  EXPECT_TRUE(sight.is_free({8, 8, 99}, {8, 8, 0}));  // a point; heights do not count
}

TEST(BuildingSight, TouchingIsBlocked) {
  const BuildingSight sight(two_buildings());
  EXPECT_FALSE(sight.is_free({-1, 6, 0}, {7, 6, 0}));    // along two walls
  EXPECT_FALSE(sight.is_free({8, 6, 0}, {12, 2, 0}));    // along the long side of the triangle
  EXPECT_FALSE(sight.is_free({13, -1, 0}, {15, 1, 0}));  // past its corner
  EXPECT_TRUE(sight.is_free({12, 3, 0}, {16, -1, 0}));
}

TEST(BuildingSight, EndsInBuildings) {
  const BuildingSight sight(two_buildings());
  const Vec3 in_wing{1, 3, 0}, in_other_wing{5, 3, 0}, outside{-3, 3, 0}, in_triangle{11, 1, 0};
  const Vec3 beyond{18, 1, 0};
  EXPECT_TRUE(sight.is_inside(in_wing));
  EXPECT_FALSE(sight.is_inside({3, 3, 0}));
  EXPECT_FALSE(sight.is_free(in_wing, {1, 4, 0}));
  EXPECT_FALSE(sight.is_free(in_wing, in_wing));
  EXPECT_FALSE(sight.is_free(in_wing, outside));
  const auto passes = [&](const Vec3& from, const Vec3& to) {
    return sight.is_free(from, to, EndsInBuildings::kPassOwnWalls);
  };
  EXPECT_TRUE(passes(in_wing, outside));
  EXPECT_TRUE(passes(outside, in_wing));
  EXPECT_TRUE(passes(in_wing, in_other_wing));  // one building
  EXPECT_TRUE(passes(in_wing, in_triangle));    // two, and both hold an end
  EXPECT_FALSE(passes(in_wing, beyond));        // the triangle holds none
  EXPECT_FALSE(passes(outside, beyond));
}

TEST(BuildingSight, NoBuildingsBlockNothing) {
  const BuildingSight sight({});
  EXPECT_TRUE(sight.is_free({0, 0, 0}, {1e6, 1, 0}));
  EXPECT_FALSE(sight.is_inside({0, 0, 0}));
}

TEST(BuildingSight, BadRingsAreNumbered) {
  EXPECT_EQ(input_error_of([] {
              BuildingSight({{{0, 0}, {1, 0}, {0, 0}}});
            }),
            "building ring 0 has 2 corners; an outline has at least 3");
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(input_error_of([&] {
              BuildingSight({{{0, 0}, {1, 0}, {0, 1}}, {{0, 0}, {1, infinite}, {0, 1}}});
            }),
            "building ring 1 has an infinite corner");
  EXPECT_EQ(input_error_of([] {
              BuildingSight({}).are_free({{0, 0, 0}}, {});
            }),
            "lines past buildings: 1 begin and 0 end");
}

/// The oracle: whole coordinates, so that orientations are exact.
struct Corner {
  std::int64_t x, y;
};
std::int64_t side(Corner a, Corner b, Corner p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}
bool on_segment(Corner a, Corner b, Corner p) {
  return side(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
         std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}
bool segments_meet(Corner a, Corner b, Corner c, Corner d) {
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  return (sign(side(a, b, c)) * sign(side(a, b, d)) < 0 &&
          sign(side(c, d, a)) * sign(side(c, d, b)) < 0) ||
         on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b);
}
bool is_blocked(const std::vector<std::vector<Corner>>& rings, Corner from, Corner to) {
  for (const std::vector<Corner>& ring : rings) {
    bool inside = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Corner a = ring[i], b = ring[(i + 1) % ring.size()];
      if (segments_meet(a, b, from, to)) return true;
      if ((a.y <= from.y) == (b.y <= from.y)) continue;
      if ((side(a, b, from) > 0) == (b.y > a.y)) inside = !inside;  // to the left of an edge up
    }
    if (inside) return true;
  }
  return false;
}

TEST(BuildingSight, AsExactCrossingsOfAllWalls) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    std::vector<std::vector<Corner>> exact;
    std::vector<BuildingRing> rings;
    for (int i = 0; i < 40; ++i) {
      const std::int64_t x = random.integer(0, 90), y = random.integer(0, 90);
      const std::int64_t w = random.integer(3, 9), h = random.integer(3, 9);
      exact.push_back({{x, y}, {x + w, y}, {x + w, y + h}, {x + 1, y + 2}});
      rings.emplace_back();
      for (const Corner& c : exact.back()) rings.back().push_back({double(c.x), double(c.y)});
    }
    const BuildingSight sight(rings);
    std::vector<Vec3> from, to;
    std::vector<std::uint8_t> expected;
    for (int i = 0; i < 4000; ++i) {
      const Corner a{random.integer(0, 100), random.integer(0, 100)};
      const Corner b{a.x + random.integer(-20, 20), a.y + random.integer(-20, 20)};
      from.push_back({double(a.x), double(a.y), 1});
      to.push_back({double(b.x), double(b.y), 2});
      expected.push_back(is_blocked(exact, a, b) ? 0 : 1);
    }
    EXPECT_EQ(sight.are_free(from, to, EndsInBuildings::kBlocked, 3), expected) << seed;
    EXPECT_EQ(host::free_of_buildings(sight)(from, to), expected) << seed;
    EXPECT_EQ(sight.are_free(to, from), expected) << "backwards, seed " << seed;
  }
}

TEST(FreeInWorld, WallsUnknownAndOutsideBlock) {
  DenseWorld dense({20, 20, 8});
  dense.set_box({10, 0, 0}, {11, 15, 4}, oracle::State::kOccupied);
  dense.set_box({10, 15, 0}, {11, 17, 8}, oracle::State::kUnknown);
  host::World world = to_engine(dense);
  world.frame = host::Frame::kMapZUp;
  host::Device device(host::DeviceChoice::kCpu, 1);
  const std::vector<Vec3> from{{5.5, 5.5, 1}, {5.5, 16.5, 1}, {5.5, 18.5, 1}, {5.5, 5.5, 1}};
  const std::vector<Vec3> to{{15.5, 5.5, 1}, {15.5, 16.5, 1}, {15.5, 18.5, 1}, {5.5, 25.5, 1}};
  EXPECT_EQ(host::free_in_world(world, 0.5, device)(from, to),
            (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_EQ(host::free_in_world(world, 4.5, device)(from, to),  // over the wall
            (std::vector<std::uint8_t>{1, 0, 1, 0}));
  world.frame = host::Frame::kSceneYUp;
  world.name = "den";
  EXPECT_EQ(input_error_of([&] { host::free_in_world(world, 1, device); }),
            "world den: ways need a voxel grid in which z points up (an OctoMap, or a world "
            "converted with --frame z_up)");
}

}  // namespace
}  // namespace sightline::tests
