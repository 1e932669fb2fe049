// A march looks only at samples near something. Here every sample is looked at, in the arithmetic
// that the definition states (double, no contraction), so the answers must agree on every ray:
// also on those that put samples within rounding of the edges between the engine's 4x4x4 words.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "host/world/visibility.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using kernels::Visibility;
using oracle::Index3;
using oracle::Point3;
using oracle::State;

constexpr std::uint64_t kSeed = 20260606;
constexpr std::int64_t kWord = 4;  ///< edge of a word, voxels

struct Place {
  Point3 position_vox;
  Index3 voxel;
};

Place place_of(const oracle::Frame& frame, const Point3& p_m) {
  Place place;
  place.position_vox = frame.to_voxels(p_m);
  for (int a = 0; a < 3; ++a) {
    place.voxel[a] = static_cast<std::int64_t>(std::floor(place.position_vox[a]));
  }
  return place;
}

/// Every sample from the observer, one by one. Unknown and outside space are free.
Visibility march_every_sample(const DenseWorld& world, const oracle::Frame& frame,
                              const Point3& from_m, const Point3& to_m, double step_m) {
  const Point3 d{to_m[0] - from_m[0], to_m[1] - from_m[1], to_m[2] - from_m[2]};
  const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const Place from = place_of(frame, from_m), to = place_of(frame, to_m);
  if (from.voxel == to.voxel) return Visibility::kVisible;
  for (std::int64_t k = 1; static_cast<double>(k) * step_m < length; ++k) {
    const double t = static_cast<double>(k) * step_m;
    Index3 voxel;
    for (int a = 0; a < 3; ++a) {
      const double v = from.position_vox[a] + d[a] / length / frame.voxel_m[a] * t;
      voxel[a] = static_cast<std::int64_t>(std::floor(v));
    }
    if (voxel == from.voxel || voxel == to.voxel || !world.view().contains(voxel)) continue;
    if (world.at(voxel) == State::kOccupied) return Visibility::kHidden;
  }
  return Visibility::kVisible;
}

/// One occupied voxel in a corner of every third word or so.
DenseWorld corner_world(const Index3& dims, Random& random) {
  DenseWorld world(dims);
  Index3 word;
  for (word[2] = 0; word[2] < dims[2]; word[2] += kWord) {
    for (word[1] = 0; word[1] < dims[1]; word[1] += kWord) {
      for (word[0] = 0; word[0] < dims[0]; word[0] += kWord) {
        if (!random.chance(0.3)) continue;
        Index3 voxel;
        for (int a = 0; a < 3; ++a) voxel[a] = word[a] + (random.chance(0.5) ? kWord - 1 : 0);
        if (world.view().contains(voxel)) world.set(voxel, State::kOccupied);
      }
    }
  }
  return world;
}

/// A ray whose sample `k` lies, but for rounding, on an edge or a corner of a word.
void add_edge_ray(const Index3& dims, const oracle::Frame& frame, double step_m, Random& random,
                  host::RayBatch& rays) {
  const std::int64_t along = random.integer(0, 3);  // 3: a corner
  Point3 edge_m, u;
  double norm = 0;
  for (int a = 0; a < 3; ++a) {
    const double edge_vox = a == along
                                ? random.uniform(0, static_cast<double>(dims[a]))
                                : static_cast<double>(kWord * random.integer(0, dims[a] / kWord));
    edge_m[a] = frame.origin_m[a] + edge_vox * frame.voxel_m[a];
    u[a] = random.chance(0.15) ? 0.5 : random.uniform(-1, 1);
    norm += u[a] * u[a];
  }
  const double before_m = step_m * static_cast<double>(random.integer(1, 20));
  const double after_m = step_m * random.uniform(1, 20);
  Point3 from, to;
  for (int a = 0; a < 3; ++a) {
    u[a] /= std::sqrt(norm);
    from[a] = edge_m[a] - u[a] * before_m;
    to[a] = edge_m[a] + u[a] * after_m;
  }
  rays.observers.push_back(to_engine(from));
  rays.targets.push_back(to_engine(to));
}

void expect_same_as_every_sample(const DenseWorld& world, const oracle::Frame& frame,
                                 const host::RayBatch& rays, const std::vector<double>& steps_m) {
  host::Device device(host::DeviceChoice::kCpu);
  host::VisibilityQuery query;
  query.method = host::Method::kMarch;
  const auto answers = line_of_sight_steps(to_engine(world, frame), rays, query, steps_m, device);
  for (std::size_t s = 0; s < steps_m.size(); ++s) {
    for (std::size_t i = 0; i < rays.observers.size(); ++i) {
      const kernels::Vec3 p = rays.observers[i], t = rays.targets[i];
      ASSERT_EQ(answers[s][i],
                march_every_sample(world, frame, {p.x, p.y, p.z}, {t.x, t.y, t.z}, steps_m[s]))
          << "seed " << kSeed << ", step " << steps_m[s] << " m, " << describe(rays, i);
    }
  }
}

TEST(MarchSkips, NoSampleThatMattersNearTheEdgesOfWords) {
  Random random(kSeed);
  constexpr int kWorlds = 24;
  constexpr int kRaysPerWorld = 3000;
  for (int round = 0; round < kWorlds; ++round) {
    const Index3 dims{random.integer(1, 60), random.integer(1, 90), random.integer(1, 40)};
    const oracle::Frame frame =
        round % 2 == 0 ? oracle::Frame{} : oracle::Frame{{-3.7, 11.2, 0.4}, {0.08, 0.11, 0.3}};
    const DenseWorld world = corner_world(dims, random);
    const double step_m = random.uniform(0.2, 2) * frame.voxel_m[0];
    host::RayBatch rays;
    for (int i = 0; i < kRaysPerWorld; ++i) add_edge_ray(dims, frame, step_m, random, rays);
    expect_same_as_every_sample(world, frame, rays, {step_m, 3 * step_m});
    if (HasFatalFailure()) return;
  }
}

// From 0 to -0 is no way, and neither is one that no inverse tells from none.
TEST(MarchSkips, NoSampleThatMattersWhereARayStandsStillOnAFace) {
  Random random(kSeed + 2);
  const Index3 dims{37, 70, 21};
  const oracle::Frame frame{{-4, 0, 0}, {1, 1, 1}};
  const DenseWorld world = make_world(WorldKind::kScattered, dims, false, random);
  host::RayBatch rays;
  for (int i = 0; i < 2000; ++i) {
    const double x = random.chance(0.5) ? 0.0 : 4.9e-324;
    rays.observers.push_back({x, random.uniform(0, 70), random.uniform(0, 21)});
    rays.targets.push_back({-x, random.uniform(0, 70), random.uniform(0, 21)});
  }
  expect_same_as_every_sample(world, frame, rays, {0.03, 0.5, 2.0});
}

TEST(MarchSkips, NoSampleThatMattersOnAnyKindOfRay) {
  Random random(kSeed + 1);
  for (const WorldKind kind : kAllWorldKinds) {
    const Index3 dims{37, 70, 21};
    const oracle::Frame frame{{5.5, -0.25, 100}, {0.25, 0.25, 0.25}};
    const DenseWorld world = make_world(kind, dims, false, random);
    for (const RayKind ray_kind : kAllRayKinds) {
      SCOPED_TRACE(std::string(name_of(kind)) + ", " + name_of(ray_kind));
      const host::RayBatch rays = to_batch(make_rays(ray_kind, dims, 200, random), frame);
      expect_same_as_every_sample(world, frame, rays, {0.03, 0.125, 0.3, 1.0, 7.0});
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
