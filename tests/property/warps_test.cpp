// Persistent warps (kernels/warp_walk.h), run here by a warp of 32 variables: its answers are those
// of the ops, ray by ray, bit for bit, whenever lanes are looked after.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "host/brick_tables.h"
#include "host/world/world.h"
#include "kernels/ops.h"
#include "kernels/warp_cpu.h"
#include "support/lattice_rays.h"
#include "support/marches.h"
#include "support/rays.h"
#include "support/samples.h"
#include "support/worlds_and_rays.h"

namespace sightline::tests {
namespace {

using kernels::FirstHit;
using kernels::LatticePoint;
using kernels::StepAnswers;
using kernels::Visibility;
using kernels::WarpEffort;
using kernels::WarpRhythm;

constexpr std::uint64_t kSeed = 20261123;
constexpr kernels::Executor kRayByRay{kernels::Backend::kCpu, 1, nullptr,
                                      kernels::InstructionSet::kPortable};
constexpr WarpRhythm kRhythms[] = {{}, {1, 1}, {32, 1, 1}, {7, 5, 33}};
constexpr Visibility kNotAnswered = static_cast<Visibility>(77);

/// A grid with tables of its bricks.
struct TabledGrid {
  host::BrickTables tables;
  kernels::GridView view;

  explicit TabledGrid(const host::OccupancyGrid& grid) : view(grid.view()) {
    constexpr std::int64_t kWorthAnyTable = std::int64_t{1} << 40;
    kernels::ExactRules served_anywhere;
    served_anywhere.lattice_bits = 0;
    tables.add_to(&view, grid.host_grid(), served_anywhere, kWorthAnyTable, {});
  }
};

class Warps : public testing::Test {
 protected:
  void expect_equal_sight(const host::OccupancyGrid& grid, const LatticeRays& rays,
                          const kernels::ExactRules& rules) {
    const TabledGrid tabled(grid);
    std::vector<Visibility> plain(rays.from.size());
    line_of_sight_exact(kRayByRay, grid.view(), rays.from.data(), rays.to.data(), {}, rules,
                        rays.num(), plain.data());
    for (const WarpRhythm& rhythm : kRhythms) {
      std::vector<Visibility> walked(plain.size(), kNotAnswered);
      const kernels::ExactLineOfSight op{tabled.view, rays.from.data(), rays.to.data(), {},
                                         rules,       walked.data()};
      ASSERT_TRUE(cubes_serve(op));
      note(walk_cpu(rays.num(), kernels::SightJob(op), rhythm), rays.num());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(plain[i], walked[i]) << "ray " << i << ", seed " << kSeed;
      }
    }
  }

  void expect_equal_hits(const host::OccupancyGrid& grid, const LatticeRays& rays,
                         kernels::ExactRules rules) {
    rules.outside = kernels::SpacePolicy::kFree;
    if (rules.unknown == kernels::SpacePolicy::kUnknown) rules.unknown = rules.outside;
    const TabledGrid tabled(grid);
    std::vector<FirstHit> plain(rays.from.size());
    first_hit(kRayByRay, grid.view(), grid.voxel_frame(), rays.from.data(), rays.to.data(), {},
              rules, rays.num(), plain.data());
    for (const WarpRhythm& rhythm : kRhythms) {
      std::vector<FirstHit> walked(plain.size());
      for (FirstHit& hit : walked) hit.sight = kNotAnswered;
      const kernels::ExactFirstHit op{gaze_rules(tabled.view, grid.voxel_frame(), rules),
                                      rays.from.data(),
                                      rays.to.data(),
                                      {},
                                      walked.data()};
      ASSERT_TRUE(cubes_serve(op));
      note(walk_cpu(rays.num(), kernels::HitJob<kernels::ExactFirstHit>(op), rhythm), rays.num());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(plain[i], walked[i]) << "first hit " << i << ", seed " << kSeed;
      }
    }
  }

  void expect_equal_marches(const host::OccupancyGrid& grid, const host::RayBatch& batch,
                            const kernels::MarchRules& rules, const std::vector<double>& steps_m) {
    const TabledGrid tabled(grid);
    const auto num = static_cast<std::int64_t>(batch.observers.size());
    std::vector<StepAnswers> plain(batch.observers.size());
    line_of_sight_march(kRayByRay, grid.view(), grid.voxel_frame(), batch.observers.data(),
                        batch.targets.data(), {}, rules, steps_m.data(),
                        static_cast<int>(steps_m.size()), num, plain.data());
    for (const WarpRhythm& rhythm : kRhythms) {
      std::vector<StepAnswers> walked(plain.size(), StepAnswers{~0u, ~0u});
      const kernels::MarchGrid op{
          tabled.view,
          grid.voxel_frame(),
          batch.observers.data(),
          batch.targets.data(),
          {},
          rules,
          kernels::step_sizes(steps_m.data(), static_cast<int>(steps_m.size())),
          walked.data()};
      ASSERT_TRUE(cubes_serve(op));
      note(walk_cpu(num, kernels::MarchJob(op), rhythm), num);
      for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(plain[i].hidden, walked[i].hidden) << "march " << i << ", seed " << kSeed;
        ASSERT_EQ(plain[i].unknown, walked[i].unknown) << "march " << i << ", seed " << kSeed;
      }
    }
  }

  kernels::ExactRules any_rules() {
    kernels::ExactRules rules;
    rules.lattice_bits = static_cast<int>(random_.integer(0, 13));
    rules.unknown = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
    rules.outside = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
    return rules;
  }

  void note(const WarpEffort& effort, std::int64_t num_rays) {
    num_rays_ += num_rays;
    num_left_ += effort.left;
    EXPECT_GE(effort.begun, num_rays);
  }

  std::int64_t num_rays_ = 0, num_left_ = 0;
  Random random_{kSeed};
};

TEST_F(Warps, AnswerAsTheOpsDoForEveryWorldAndRay) {
  for_each_world_and_ray(
      kOddFrame, 1500, random_, [&](const host::OccupancyGrid& grid, const host::RayBatch& batch) {
        const kernels::ExactRules rules = any_rules();
        const LatticeRays rays = lattice_rays(batch, kOddFrame, rules.lattice_bits);
        expect_equal_sight(grid, rays, rules);
        expect_equal_hits(grid, rays, rules);
      });
}

TEST_F(Warps, AnswerAsTheOpsDoOnEdgesOfCoarseLattices) {
  const oracle::Index3 dims{500, 300, 100};
  host::OccupancyGrid grid(host::GridGeometry{{dims[0], dims[1], dims[2]}});
  for (int i = 0; i < 150000; ++i) {
    grid.set(random_.integer(0, dims[0] - 1), random_.integer(0, dims[1] - 1),
             random_.integer(0, dims[2] - 1), host::VoxelState::kOccupied);
  }
  for (int coarse_bits = 0; coarse_bits <= 5; ++coarse_bits) {
    kernels::ExactRules rules;
    rules.lattice_bits = static_cast<int>(random_.integer(coarse_bits, 10));
    for (const double reach : {1.0, 0.05}) {
      const LatticeRays rays =
          coarse_rays(dims, rules.lattice_bits, coarse_bits, reach, 4000, random_);
      expect_equal_sight(grid, rays, rules);
      expect_equal_hits(grid, rays, rules);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(Warps, MarchAsTheOpDoesForEveryWorldAndRay) {
  for (const oracle::Frame& frame : {kOddFrame, oracle::Frame{{0, 0, 0}, {1, 1, 1}}}) {
    for_each_world_and_ray(frame, 1500, random_,
                           [&](const host::OccupancyGrid& grid, const host::RayBatch& rays) {
                             expect_equal_marches(grid, rays, any_march_rules(random_),
                                                  any_steps_m(frame.voxel_m[0], random_));
                           });
  }
}

TEST_F(Warps, AnswerAsTheOpsDoForAwkwardNumbersOfRays) {
  constexpr int kNumbers[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1000};
  for_each_number_of_rays(kNumbers, true, random_,
                          [&](const host::OccupancyGrid& grid, const host::RayBatch& batch) {
                            const kernels::ExactRules rules = any_rules();
                            const LatticeRays rays = lattice_rays(batch, {}, rules.lattice_bits);
                            expect_equal_sight(grid, rays, rules);
                            expect_equal_hits(grid, rays, rules);
                          });
}

// Or the tests above would compare the ops with themselves.
TEST_F(Warps, AnswerOrdinaryRaysThemselves) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  const LatticeRays rays =
      lattice_rays(to_batch(make_rays(RayKind::kRandom, dense.dims(), 5000, random_)), {}, 8);
  expect_equal_sight(*world.grid, rays, {});
  expect_equal_hits(*world.grid, rays, {});
  EXPECT_LT(num_left_, num_rays_ / 20);
  EXPECT_GT(num_left_, 0);
}

TEST_F(Warps, MarchOrdinaryRaysThemselves) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  const host::RayBatch rays = to_batch(make_rays(RayKind::kRandom, dense.dims(), 5000, random_));
  for (const bool uniform : {false, true}) {
    kernels::MarchRules rules;
    rules.uniform = uniform;
    expect_equal_marches(*world.grid, rays, rules, {0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4});
  }
  EXPECT_LT(num_left_, num_rays_ / 20);
  EXPECT_GT(num_left_, 0);
}

TEST_F(Warps, MarchAsTheOpDoesNextToCorners) {
  const host::OccupancyGrid grid = scattered_voxels(random_);
  for (const double off : kOffCorners_vox) {
    const host::RayBatch rays = rays_by_corners(off, 4000, random_);
    expect_equal_marches(grid, rays, any_march_rules(random_), any_steps_m(1, random_));
    expect_equal_marches(grid, rays, any_march_rules(random_), {0.125, 0.25, 0.5, 1, 2});
  }
}

TEST_F(Warps, MarchAsTheOpDoesToFaces) {
  for (int i = 0; i < 100; ++i) {
    const MarchCase of = marches_to_faces(300, random_);
    expect_equal_marches(of.grid, of.rays, any_march_rules(random_), of.steps_m);
    expect_equal_marches(of.grid, of.rays, {}, of.steps_m);
  }
}

TEST_F(Warps, MarchAsTheOpDoesPastFloats) {
  for (const MarchCase& of : marches_past_floats()) {
    for (int i = 0; i < 10; ++i) {
      expect_equal_marches(of.grid, of.rays, any_march_rules(random_), of.steps_m);
    }
    expect_equal_marches(of.grid, of.rays, {}, of.steps_m);
  }
}

TEST_F(Warps, AnswerAsTheOpsDoNextToEdges) {
  constexpr std::int64_t kDims[3] = {200, 150, 130};
  host::OccupancyGrid grid(host::GridGeometry{{kDims[0], kDims[1], kDims[2]}});
  std::vector<std::array<std::int64_t, 3>> voxels;
  for (int i = 0; i < 500; ++i) {
    voxels.push_back({random_.integer(50, kDims[0] - 50), random_.integer(50, kDims[1] - 50),
                      random_.integer(50, kDims[2] - 50)});
    grid.set(voxels.back()[0], voxels.back()[1], voxels.back()[2], host::VoxelState::kOccupied);
  }
  for (const int bits : {4, 8, 14, 16}) {
    const std::int64_t unit = std::int64_t{1} << bits;
    LatticeRays rays;
    for (int i = 0; i < 5000; ++i) {
      const auto& voxel = voxels[static_cast<std::size_t>(i) % voxels.size()];
      const std::int64_t along = random_.integer(0, 2);  // the axis of the edge
      std::int32_t p[3], t[3];
      for (int a = 0; a < 3; ++a) {
        const std::int64_t edge =
            (voxel[static_cast<std::size_t>(a)] + random_.integer(0, 1)) * unit;
        const std::int64_t on_edge = a == along ? edge - random_.integer(0, unit) : edge;
        // Moved at its far start, a ray passes the edge at a thirty-first of that.
        const std::int64_t step = random_.integer(-3 * unit / 2, 3 * unit / 2);
        p[a] = static_cast<std::int32_t>(on_edge + 30 * step + random_.integer(-9, 9));
        t[a] = static_cast<std::int32_t>(on_edge - step);
      }
      rays.from.push_back({p[0], p[1], p[2]});
      rays.to.push_back({t[0], t[1], t[2]});
    }
    kernels::ExactRules rules;
    rules.lattice_bits = bits;
    expect_equal_sight(grid, rays, rules);
    expect_equal_hits(grid, rays, rules);
  }
  EXPECT_LT(num_left_, num_rays_ / 50);  // settled where they are
}

// So long that rounding may be off by whole voxels: floats are of no use, and the op is asked.
TEST_F(Warps, LeaveTheLongestGridsToTheOp) {
  constexpr std::int64_t kLength = std::int64_t{1} << 22;
  constexpr int kBits = 2;
  host::OccupancyGrid grid(host::GridGeometry{{kLength, 8, 8}});
  for (int i = 0; i < 3000; ++i) {
    grid.set(random_.integer(0, kLength - 1), random_.integer(0, 7), random_.integer(0, 7),
             host::VoxelState::kOccupied);
  }
  LatticeRays rays;
  for (int i = 0; i < 300; ++i) {
    const auto any = [&](std::int64_t size) {
      return static_cast<std::int32_t>(random_.integer(0, (size << kBits) - 1));
    };
    rays.from.push_back({any(kLength), any(8), any(8)});
    rays.to.push_back({any(kLength), any(8), any(8)});
  }
  kernels::ExactRules rules;
  rules.lattice_bits = kBits;
  expect_equal_sight(grid, rays, rules);
  expect_equal_hits(grid, rays, rules);
  EXPECT_EQ(num_left_, num_rays_);
}

TEST_F(Warps, RenderAsTheOpDoes) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, false, random_);
  const host::World world = to_engine(dense);
  const TabledGrid tabled(*world.grid);
  const std::vector<kernels::Pose> poses = {
      make_pose_deg(host::Frame::kSceneYUp, {30.2, 20.1, 25.7}, 10, 5),
      make_pose_deg(host::Frame::kSceneYUp, {10.5, 11.5, 12.5}, 97, -20)};
  const kernels::Camera camera{50, 40, 1.1, 0.8, 45};
  const std::int64_t num_pixels = 2 * 50 * 40 - 7;
  std::vector<FirstHit> plain(static_cast<std::size_t>(num_pixels)), walked(plain.size());
  render_views(kRayByRay, world.grid->view(), world.grid->voxel_frame(), poses.data(), camera, {},
               7, num_pixels, plain.data());
  const kernels::RenderViews op{gaze_rules(tabled.view, world.grid->voxel_frame(), {}),
                                world.grid->voxel_frame(),
                                camera,
                                poses.data(),
                                7,
                                walked.data()};
  note(walk_cpu(num_pixels, kernels::HitJob<kernels::RenderViews>(op)), num_pixels);
  EXPECT_EQ(plain, walked);
  EXPECT_LT(num_left_, num_pixels);
}

// What refilling is for: the steps of a warp are those of its rays, not 32 times the longest's.
TEST_F(Warps, KeepTheirLanesBusy) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {90, 70, 150}, false, random_);
  const host::World world = to_engine(dense);
  const TabledGrid tabled(*world.grid);
  const LatticeRays rays =
      lattice_rays(to_batch(make_rays(RayKind::kRandom, dense.dims(), 20000, random_)), {}, 8);
  std::vector<Visibility> out(rays.from.size());
  const kernels::SightJob job(
      kernels::ExactLineOfSight{tabled.view, rays.from.data(), rays.to.data(), {}, {}, out.data()});
  const auto busy_share = [&](const WarpRhythm& rhythm) {
    const WarpEffort effort = walk_cpu(rays.num(), job, rhythm);
    return static_cast<double>(effort.lane_steps) /
           static_cast<double>(effort.steps * kernels::kWarpLanes);
  };
  const double refilled = busy_share({}), one_by_one = busy_share({kernels::kWarpLanes, 1});
  EXPECT_GT(refilled, 0.7);
  EXPECT_GT(refilled, 1.5 * one_by_one);
}

}  // namespace
}  // namespace sightline::tests
