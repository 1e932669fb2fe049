// Analytic solids: which points belong to them, and the march through them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/world/visibility.h"
#include "support/oracle.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::Geometry;
using host::Method;
using kernels::Primitive;
using kernels::PrimitiveKind;
using kernels::Vec3;
using kernels::Visibility;
using oracle::Point3;

constexpr std::uint64_t kSeed = 20260606;

Primitive box(Vec3 min, Vec3 max) {
  Primitive shape;
  shape.min = min;
  shape.max = max;
  return shape;
}

host::World world_of(std::vector<Primitive> solids, std::vector<Primitive> openings = {}) {
  host::World world;
  world.analytic = host::AnalyticSolid{std::move(solids), std::move(openings)};
  return world;
}

bool solid(const host::World& world, Vec3 p) {
  return host::solid_at(world, Geometry::kAnalytic, {p})[0] != 0;
}

TEST(AnalyticBox, HoldsItsFacesWhereTheyAreClosed) {
  Primitive shape = box({1, 2, 3}, {4, 5, 6});
  const Vec3 on_face[6] = {{1, 3, 4}, {4, 3, 4}, {2, 2, 4}, {2, 5, 4}, {2, 3, 3}, {2, 3, 6}};
  for (int face = 0; face < 6; ++face) {
    shape.closed_faces = kernels::kAllFacesClosed;
    EXPECT_TRUE(solid(world_of({shape}), on_face[face])) << "face " << face;
    shape.closed_faces = static_cast<std::uint8_t>(kernels::kAllFacesClosed & ~(1 << face));
    EXPECT_FALSE(solid(world_of({shape}), on_face[face])) << "face " << face;
    EXPECT_TRUE(solid(world_of({shape}), on_face[(face + 1) % 6])) << "face " << face;
    EXPECT_TRUE(solid(world_of({shape}), {2, 3, 4}));
  }
}

TEST(AnalyticOpening, CutsOnlyTheSolidThatNamesIt) {
  Primitive wall = box({0, 0, 0}, {1, 10, 10});
  wall.num_openings = 2;
  const Primitive behind = box({2, 0, 0}, {3, 10, 10});
  const std::vector<Primitive> openings{box({-1, 2, 2}, {5, 4, 4}), box({-1, 6, 6}, {5, 8, 8})};
  const host::World world = world_of({wall, behind}, openings);
  EXPECT_FALSE(solid(world, {0.5, 3, 3}));
  EXPECT_FALSE(solid(world, {0.5, 7, 7}));
  EXPECT_TRUE(solid(world, {0.5, 5, 5}));
  EXPECT_TRUE(solid(world, {2.5, 3, 3}));
}

TEST(AnalyticOpening, ThatIsHalfOpenLeavesItsOpenEdgeSolid) {
  Primitive wall = box({0, 0, 0}, {1, 10, 10}), gap = box({0, 0, 4}, {1, 10, 6});
  wall.num_openings = 1;
  gap.closed_faces = kernels::kAllFacesClosed & ~(1 << 5);  // z = 6 is not part of the gap
  const host::World world = world_of({wall}, {gap});
  EXPECT_FALSE(solid(world, {0.5, 1, 4}));
  EXPECT_TRUE(solid(world, {0.5, 1, 6}));
}

/// A primitive and its set as the oracle states it.
struct Shape {
  const char* name;
  Primitive primitive;
  std::function<bool(const Point3&)> inside;
};

bool within(double value, double low, double high) { return low <= value && value <= high; }

Shape rotated_box(int up, double angle_rad) {
  Primitive shape = box({2, 3, 4}, {6, 5, 9});
  shape.kind = PrimitiveKind::kRotatedBox;
  shape.up_axis = static_cast<std::uint8_t>(up);
  shape.cos_turn = std::cos(angle_rad);
  shape.sin_turn = std::sin(angle_rad);
  // The axes across up, first turned towards second; undone here by turning the other way.
  const int first = 0, second = up == 1 ? 2 : 1;
  const Point3 centre{4, 4, 6.5}, half{2, 1, 2.5};
  return {up == 1 ? "rotated box, y up" : "rotated box, z up", shape, [=](const Point3& p) {
            const double u = p[first] - centre[first], v = p[second] - centre[second];
            const double back_u = u * std::cos(-angle_rad) - v * std::sin(-angle_rad);
            const double back_v = u * std::sin(-angle_rad) + v * std::cos(-angle_rad);
            return std::fabs(back_u) <= half[first] && std::fabs(back_v) <= half[second] &&
                   std::fabs(p[up] - centre[up]) <= half[up];
          }};
}

Shape cylinder(int up) {
  Primitive shape = box({1, 1, 1}, {5, 5, 5});
  shape.kind = PrimitiveKind::kCylinder;
  shape.up_axis = static_cast<std::uint8_t>(up);
  const int second = up == 1 ? 2 : 1;
  return {up == 1 ? "cylinder, y up" : "cylinder, z up", shape, [=](const Point3& p) {
            return std::hypot(p[0] - 3, p[second] - 3) <= 2 && within(p[up], 1, 5);
          }};
}

std::vector<Shape> all_shapes() {
  Primitive sphere = box({0, 2, 4}, {6, 8, 10});
  sphere.kind = PrimitiveKind::kSphere;
  return {{"box", box({2, 1, 0}, {3, 9, 8}),
           [](const Point3& p) {
             return within(p[0], 2, 3) && within(p[1], 1, 9) && within(p[2], 0, 8);
           }},
          rotated_box(1, 0.6),
          rotated_box(2, -2.1),
          cylinder(1),
          cylinder(2),
          {"sphere", sphere,
           [](const Point3& p) { return std::hypot(p[0] - 3, p[1] - 5, p[2] - 7) <= 3; }}};
}

/// Is the answer the same all around the point, so that rounding cannot decide it?
bool is_clear(const std::function<bool(const Point3&)>& inside, const Point3& p) {
  for (int corner = 0; corner < 8; ++corner) {
    Point3 q = p;
    for (int axis = 0; axis < 3; ++axis) {
      q[axis] += (corner >> axis & 1) ? oracle::kDoubt_m : -oracle::kDoubt_m;
    }
    if (inside(q) != inside(p)) return false;
  }
  return true;
}

TEST(AnalyticShapes, HoldThePointsOfTheirDefinition) {
  Random random(kSeed);
  for (const Shape& shape : all_shapes()) {
    const host::World world = world_of({shape.primitive});
    int inside = 0;
    for (int i = 0; i < 4000; ++i) {
      const Point3 p{random.uniform(-1, 10), random.uniform(-1, 10), random.uniform(-1, 10)};
      if (!is_clear(shape.inside, p)) continue;
      ASSERT_EQ(solid(world, to_engine(p)), shape.inside(p))
          << "seed " << kSeed << ", " << shape.name << ", " << p[0] << ' ' << p[1] << ' ' << p[2];
      inside += shape.inside(p);
    }
    EXPECT_GT(inside, 20) << shape.name;
  }
}

class AnalyticMarch : public testing::TestWithParam<Method> {
 protected:
  Visibility sight(const host::World& world, Vec3 from, Vec3 to, double step_m) {
    host::VisibilityQuery query;
    query.method = GetParam();
    query.geometry = Geometry::kAnalytic;
    host::RayBatch ray;
    ray.observers = {from};
    ray.targets = {to};
    return line_of_sight(world, ray, query, step_m, device_)[0];
  }

  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(AnalyticMarch, AgreesWithTheOracleThroughEveryShape) {
  Random random(kSeed + 1);
  std::vector<Primitive> primitives;
  std::vector<std::function<bool(const Point3&)>> sets;
  for (const Shape& shape : all_shapes()) {
    primitives.push_back(shape.primitive);
    sets.push_back(shape.inside);
  }
  Primitive door = box({2, 3, 2}, {3, 6, 6});
  primitives[0].num_openings = 1;
  const auto wall = sets[0];
  sets[0] = [wall](const Point3& p) {
    return wall(p) && !(within(p[1], 3, 6) && within(p[2], 2, 6));
  };
  const host::World world = world_of(primitives, {door});
  const oracle::Sampler sampler = [&sets](const Point3& p) {
    for (const auto& set : sets) {
      if (set(p)) return oracle::Sample::kBlocker;
    }
    return oracle::Sample::kNothing;
  };
  int doubtful = 0, visible = 0;
  constexpr int kRays = 3000;
  for (int i = 0; i < kRays; ++i) {
    const auto anywhere = [&] { return random.uniform(-3, 13); };
    const Point3 from{anywhere(), anywhere(), anywhere()}, to{anywhere(), anywhere(), anywhere()};
    const double step_m = random.uniform(0.02, 1.5);
    const oracle::Sampled truth = GetParam() == Method::kMarch
                                      ? march(sampler, from, to, step_m)
                                      : march_uniform(sampler, from, to, step_m);
    doubtful += truth.doubtful;
    visible += truth.answer == oracle::Answer::kVisible;
    if (truth.doubtful) continue;
    ASSERT_EQ(sight(world, to_engine(from), to_engine(to), step_m), to_engine(truth.answer))
        << "seed " << kSeed + 1 << ", ray " << i << ", step " << step_m;
  }
  EXPECT_LT(doubtful, kRays / 100);
  EXPECT_GT(visible, kRays / 20);
}

TEST_P(AnalyticMarch, CountsSolidAtTheEndsButNotTheEndsThemselves) {
  const host::World world = world_of({box({4, -1, -1}, {5, 1, 1})});
  // Samples at 1, 2, 3; the target lies on the closed face x = 4 and is no sample.
  EXPECT_EQ(sight(world, {0, 0, 0}, {4, 0, 0}, 1), Visibility::kVisible);
  EXPECT_EQ(sight(world, {0, 0, 0}, {4.5, 0, 0}, 0.25), Visibility::kHidden);
  EXPECT_EQ(sight(world, {4.5, 0, 0}, {0, 0, 0}, 0.25), Visibility::kHidden);
  EXPECT_EQ(sight(world, {4.5, 0, 0}, {4.5, 0, 0}, 0.25), Visibility::kVisible);
}

TEST_P(AnalyticMarch, NeverMissesASlabThickerThanItsStep) {
  Random random(kSeed + 2);
  const host::World world = world_of({box({9.5, -50, -50}, {10.5, 50, 50})});
  for (int i = 0; i < 500; ++i) {
    const Vec3 from{random.uniform(0, 9), random.uniform(-5, 5), random.uniform(-5, 5)};
    const Vec3 to{random.uniform(11.6, 30), random.uniform(-5, 5), random.uniform(-5, 5)};
    ASSERT_EQ(sight(world, from, to, 0.99), Visibility::kHidden) << "seed " << kSeed + 2;
  }
}

INSTANTIATE_TEST_SUITE_P(Method, AnalyticMarch,
                         testing::Values(Method::kMarch, Method::kMarchUniform));

}  // namespace
}  // namespace sightline::tests
