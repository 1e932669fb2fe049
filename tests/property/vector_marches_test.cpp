// Marches on vector units (kernels/wave.h): on every instruction set of this machine, with tables
// of a grid's bricks and without, the answers are those of the op, ray by ray, bit for bit.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/ops.h"
#include "kernels/wave.h"
#include "support/effort.h"
#include "support/lattice_rays.h"
#include "support/marches.h"
#include "support/rays.h"
#include "support/samples.h"
#include "support/vectors.h"
#include "support/worlds_and_rays.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261127;
const std::vector<double> kSteps_m = {0.02, 0.11, 0.3, 1, 2.5};

class VectorMarches : public OnEachTarget {
 protected:
  void expect_equal_march(const host::OccupancyGrid& grid, const host::RayBatch& rays,
                          const kernels::MarchRules& rules, const std::vector<double>& steps_m) {
    const auto num_rays = static_cast<std::int64_t>(rays.observers.size());
    host::BrickTables tables;
    const kernels::GridView view = with_tables(grid, &tables);
    std::vector<kernels::StepAnswers> plain(rays.observers.size());
    const auto run = [&](const kernels::Executor& executor, const kernels::GridView& of,
                         kernels::StepAnswers* out) {
      line_of_sight_march(executor, of, grid.voxel_frame(), rays.observers.data(),
                          rays.targets.data(), {}, rules, steps_m.data(),
                          static_cast<int>(steps_m.size()), num_rays, out);
    };
    run(kRayByRay, grid.view(), plain.data());
    for (const bool by_cubes : {false, true}) {
      std::vector<kernels::StepAnswers> waves(plain.size(), {~0u, ~0u});
      run(in_waves_, by_cubes ? view : grid.view(), waves.data());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const std::string which = (by_cubes ? "by cubes, seed " : "seed ") + std::to_string(kSeed);
        ASSERT_EQ(plain[i].hidden, waves[i].hidden) << which << ", " << describe(rays, i);
        ASSERT_EQ(plain[i].unknown, waves[i].unknown) << which << ", " << describe(rays, i);
      }
    }
  }

  Random random_{kSeed};
};

TEST_P(VectorMarches, AnswerAsTheOpDoesForEveryWorldAndRay) {
  const OnlyTarget only(GetParam());
  for_each_world_and_ray(kOddFrame, effort(3000), random_,
                         [&](const host::OccupancyGrid& grid, const host::RayBatch& rays) {
                           expect_equal_march(grid, rays, any_march_rules(random_), kSteps_m);
                           expect_equal_march(grid, rays, any_march_rules(random_),
                                              any_steps_m(kOddFrame.voxel_m[0], random_));
                           expect_equal_march(grid, from_shared_observers(rays, 1500, random_),
                                              any_march_rules(random_), {0.11, 1});
                         });
}

TEST_P(VectorMarches, AnswerAsTheOpDoesForAwkwardNumbersOfRays) {
  const OnlyTarget only(GetParam());
  for_each_number_of_rays(kAwkwardNumbers, true, random_,
                          [&](const host::OccupancyGrid& grid, const host::RayBatch& rays) {
                            expect_equal_march(grid, rays, any_march_rules(random_), kSteps_m);
                          });
  for (const oracle::Index3& dims : {kFarDims, kFarthestDims}) {
    const host::OccupancyGrid grid = grid_of_boxes(dims, random_);
    for (const std::int64_t num_rays : kAwkwardNumbers) {
      SCOPED_TRACE(num_rays);
      expect_equal_march(grid, to_batch(make_rays(RayKind::kRandom, dims, num_rays, random_)),
                         any_march_rules(random_), {0.3, 1});
    }
  }
}

TEST_P(VectorMarches, AnswerAsTheOpDoesWhereAnExecutorNamesTheirSet) {
  using kernels::InstructionSet;
  in_waves_.instructions = GetParam() == HWY_AVX2 ? InstructionSet::kAvx2 : InstructionSet::kAvx512;
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  const host::RayBatch rays =
      to_batch(make_rays(RayKind::kRandom, dense.dims(), effort(3000), random_));
  expect_equal_march(*world.grid, rays, any_march_rules(random_), kSteps_m);
}

// Or the tests above would compare the op with itself.
TEST_P(VectorMarches, AnswerOrdinaryRaysThemselves) {
  const OnlyTarget only(GetParam());
  constexpr int kNumRays = 2000;
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  host::BrickTables tables;
  for (const RayKind kind : {RayKind::kRandom, RayKind::kCentreToCentre}) {
    const host::RayBatch rays = to_batch(make_rays(kind, dense.dims(), kNumRays, random_));
    for (const kernels::SpacePolicy unknown :
         {kernels::SpacePolicy::kFree, kernels::SpacePolicy::kBlocks,
          kernels::SpacePolicy::kUnknown}) {
      for (const bool uniform : {false, true}) {
        std::vector<kernels::StepAnswers> march(kNumRays);
        kernels::MarchRules rules;
        rules.unknown = unknown;
        rules.uniform = uniform;
        for (const kernels::GridView& view :
             {world.grid->view(), with_tables(*world.grid, &tables)}) {
          const kernels::MarchGrid op{view,
                                      world.grid->voxel_frame(),
                                      rays.observers.data(),
                                      rays.targets.data(),
                                      {},
                                      rules,
                                      {{0.3}, 1},
                                      march.data()};
          EXPECT_GT(kernels::march_wave(op, 0, kNumRays), kNumRays * 9 / 10) << name_of(kind);
        }
      }
    }
  }
}

TEST_P(VectorMarches, AnswerAsTheOpDoesForVeryLongRays) {
  const OnlyTarget only(GetParam());
  for (const oracle::Index3& dims :
       {oracle::Index3{3000, 3000, 3000}, oracle::Index3{4096, 4096, 4096},
        oracle::Index3{65536, 60, 40}, oracle::Index3{100000, 40, 60}}) {
    const host::OccupancyGrid grid = grid_of_boxes(dims, random_);
    const host::RayBatch rays = to_batch(make_rays(RayKind::kRandom, dims, 1000, random_));
    for (int i = 0; i < 3; ++i) {
      expect_equal_march(grid, rays, any_march_rules(random_), {0.3, 1, 2.5, 40});
    }
  }
}

TEST_P(VectorMarches, AnswerAsTheOpDoesNextToCorners) {
  const OnlyTarget only(GetParam());
  const host::OccupancyGrid grid = scattered_voxels(random_);
  for (const double off : kOffCorners_vox) {
    const host::RayBatch rays = rays_by_corners(off, static_cast<int>(effort(4000)), random_);
    expect_equal_march(grid, rays, any_march_rules(random_), any_steps_m(1, random_));
    expect_equal_march(grid, rays, any_march_rules(random_), {0.125, 0.25, 0.5, 1, 2});
  }
}

// Many from one point leave the box around it (kernels/empty_box.h) at once: by its edges and
// corners, and as near to them as doubles have points.
TEST_P(VectorMarches, AnswerAsTheOpDoesWhereTheyLeaveASharedBoxByItsEdges) {
  const OnlyTarget only(GetParam());
  const host::OccupancyGrid grid = scattered_voxels(random_);
  for (const int bits : {1, 8, 14, 17, 20}) {
    const LatticeRays rays = rays_by_edges_of_boxes(grid, bits, effort(15), random_);
    expect_equal_march(grid, in_unit_voxels(rays, bits), any_march_rules(random_),
                       {0.02, 0.125, 0.25, 0.5, 1});
  }
}

// From the face of a voxel that is set, into it and away.
TEST_P(VectorMarches, AnswerAsTheOpDoesFromTheFacesOfASharedBox) {
  const OnlyTarget only(GetParam());
  const host::OccupancyGrid grid = scattered_voxels(random_);
  const kernels::PlaneView occupied = grid.view().occupied();
  host::RayBatch rays;
  for (int z = 60; z <= 70; z += 3) {
    for (int y = 60; y <= 90; y += 3) {
      for (int x = 60; x <= 140; ++x) {
        if (!occupied.get(x, y, z) || occupied.get(x + 1, y, z)) continue;
        for (int i = 0; i < 1000; ++i) {
          rays.observers.push_back({x + 1.0, y + 0.5, z + 0.5});
          rays.targets.push_back(
              {x + random_.uniform(-9, 9), y + random_.uniform(-9, 9), z + random_.uniform(-9, 9)});
        }
      }
    }
  }
  for (const bool uniform : {false, true}) {
    kernels::MarchRules rules;
    rules.uniform = uniform;
    expect_equal_march(grid, rays, rules, kSteps_m);
  }
}

TEST_P(VectorMarches, AnswerAsTheOpDoesToFaces) {
  const OnlyTarget only(GetParam());
  for (int i = 0; i < effort(100); ++i) {
    const MarchCase of = marches_to_faces(300, random_);
    expect_equal_march(of.grid, of.rays, any_march_rules(random_), of.steps_m);
    expect_equal_march(of.grid, of.rays, {}, of.steps_m);
  }
}

TEST_P(VectorMarches, AnswerAsTheOpDoesPastFloats) {
  const OnlyTarget only(GetParam());
  for (const MarchCase& of : marches_past_floats()) {
    for (int i = 0; i < 10; ++i) {
      expect_equal_march(of.grid, of.rays, any_march_rules(random_), of.steps_m);
    }
    expect_equal_march(of.grid, of.rays, {}, of.steps_m);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, VectorMarches, testing::Values(HWY_AVX2, HWY_AVX3),
                         [](const auto& target) { return hwy::TargetName(target.param); });

}  // namespace
}  // namespace sightline::tests
