// Waves of rays on vector units (kernels/wave.h): on every instruction set of this machine the
// answers are those of the ops, ray by ray, bit for bit. Marches: vector_marches_test.cpp.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "host/brick_tables.h"
#include "kernels/kernels.h"
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

constexpr std::uint64_t kSeed = 20261122;
class Vectors : public OnEachTarget {
 protected:
  void expect_equal_exact(const host::OccupancyGrid& grid, const host::RayBatch& rays,
                          const oracle::Frame& frame, const kernels::ExactRules& rules) {
    expect_equal_exact(grid, lattice_rays(rays, frame, rules.lattice_bits), rules);
  }

  void expect_equal_exact(const host::OccupancyGrid& grid, const LatticeRays& rays,
                          const kernels::ExactRules& rules) {
    const std::vector<kernels::LatticePoint>&from = rays.from, &to = rays.to;
    const std::int64_t num_rays = rays.num();
    host::BrickTables tables;
    const kernels::GridView view = with_tables(grid, &tables);
    std::vector<kernels::Visibility> plain(from.size()), waves(from.size()), cubes(from.size());
    const auto run = [&](const kernels::Executor& executor, const kernels::GridView& of,
                         kernels::Visibility* out) {
      line_of_sight_exact(executor, of, from.data(), to.data(), {}, rules, num_rays, out);
    };
    run(kRayByRay, grid.view(), plain.data());
    run(in_waves_, grid.view(), waves.data());
    run(in_waves_, view, cubes.data());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain[i], waves[i]) << "seed " << kSeed << ", " << describe(rays, i);
      ASSERT_EQ(plain[i], cubes[i]) << "by cubes, seed " << kSeed << ", " << describe(rays, i);
    }
    expect_equal_hits(grid, from, to, rules);
  }

  void expect_equal_hits(const host::OccupancyGrid& grid,
                         const std::vector<kernels::LatticePoint>& from,
                         const std::vector<kernels::LatticePoint>& to,
                         const kernels::ExactRules& rules) {
    host::BrickTables tables;
    const kernels::GridView view = with_tables(grid, &tables);
    const auto num_rays = static_cast<std::int64_t>(from.size());
    std::vector<kernels::FirstHit> plain(from.size()), cubes(from.size());
    first_hit(kRayByRay, grid.view(), grid.voxel_frame(), from.data(), to.data(), {}, rules,
              num_rays, plain.data());
    first_hit(in_waves_, view, grid.voxel_frame(), from.data(), to.data(), {}, rules, num_rays,
              cubes.data());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain[i], cubes[i]) << "first hit " << i << ", seed " << kSeed;
    }
  }

  kernels::SpacePolicy any_policy() {
    return static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
  }
  kernels::ExactRules any_exact_rules() {
    kernels::ExactRules rules;
    rules.lattice_bits = static_cast<int>(random_.integer(0, 16));
    rules.unknown = any_policy();
    rules.outside = any_policy();
    return rules;
  }
  Random random_{kSeed};
};

TEST_P(Vectors, AnswerAsTheOpsDoForEveryWorldAndRay) {
  const OnlyTarget only(GetParam());
  ASSERT_EQ(kernels::vector_target(), std::string(hwy::TargetName(GetParam())));
  for_each_world_and_ray(kOddFrame, effort(3000), random_,
                         [&](const host::OccupancyGrid& grid, const host::RayBatch& rays) {
                           expect_equal_exact(grid, rays, kOddFrame, any_exact_rules());
                           expect_equal_exact(grid, from_shared_observers(rays, 1500, random_),
                                              kOddFrame, any_exact_rules());
                         });
}

TEST_P(Vectors, AnswerAsTheOpsDoForAwkwardNumbersOfRays) {
  const OnlyTarget only(GetParam());
  for_each_number_of_rays(kAwkwardNumbers, false, random_,
                          [&](const host::OccupancyGrid& grid, const host::RayBatch& rays) {
                            expect_equal_exact(grid, rays, {}, any_exact_rules());
                          });
  for (const oracle::Index3& dims : {kFarDims, kFarthestDims}) {
    const host::OccupancyGrid grid = grid_of_boxes(dims, random_);
    for (const std::int64_t num_rays : kAwkwardNumbers) {
      SCOPED_TRACE(num_rays);
      expect_equal_exact(grid, to_batch(make_rays(RayKind::kRandom, dims, num_rays, random_)), {},
                         any_exact_rules());
    }
  }
}

TEST_P(Vectors, AnswerAsTheOpsDoWhereAnExecutorNamesTheirSet) {
  using kernels::InstructionSet;
  in_waves_.instructions = GetParam() == HWY_AVX2 ? InstructionSet::kAvx2 : InstructionSet::kAvx512;
  ASSERT_TRUE(kernels::has_instruction_set(in_waves_.instructions));
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  const host::RayBatch rays =
      to_batch(make_rays(RayKind::kRandom, dense.dims(), effort(3000), random_));
  expect_equal_exact(*world.grid, rays, {}, any_exact_rules());
}

// Or the tests above would compare the ops with themselves.
TEST_P(Vectors, AnswerOrdinaryRaysThemselves) {
  const OnlyTarget only(GetParam());
  constexpr int kNumRays = 2000;
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  for (const RayKind kind : {RayKind::kRandom, RayKind::kCentreToCentre}) {
    const host::RayBatch rays = to_batch(make_rays(kind, dense.dims(), kNumRays, random_));
    const auto [from, to] = lattice_rays(rays, {}, 8);
    for (const kernels::SpacePolicy unknown :
         {kernels::SpacePolicy::kFree, kernels::SpacePolicy::kBlocks,
          kernels::SpacePolicy::kUnknown}) {
      std::vector<kernels::Visibility> exact(kNumRays);
      kernels::ExactRules exact_rules;
      exact_rules.unknown = unknown;
      host::BrickTables tables;
      for (const kernels::GridView& view :
           {world.grid->view(), with_tables(*world.grid, &tables)}) {
        const kernels::ExactLineOfSight op{view, from.data(), to.data(),
                                           {},   exact_rules, exact.data()};
        EXPECT_GT(kernels::exact_wave(op, 0, kNumRays), kNumRays * 9 / 10) << name_of(kind);
      }
      if (unknown != kernels::SpacePolicy::kUnknown) {
        std::vector<kernels::FirstHit> hits(kNumRays);
        const kernels::ExactFirstHit op{
            gaze_rules(with_tables(*world.grid, &tables), world.grid->voxel_frame(), exact_rules),
            from.data(),
            to.data(),
            {},
            hits.data()};
        EXPECT_GT(kernels::first_hit_wave(op, 0, kNumRays), kNumRays * 9 / 10);
      }
    }
  }
}

TEST_P(Vectors, CountEachRayThatIsLeftToTheOpOnce) {
  const OnlyTarget only(GetParam());
  constexpr int kNumRays = 100;
  host::OccupancyGrid grid(host::GridGeometry{{60, 40, 50}});
  host::BrickTables tables;
  const std::vector<kernels::LatticePoint> from(kNumRays, {-500, 999, 999}),
      to(kNumRays, {9000, 999, 999});
  for (const kernels::SpacePolicy policy :
       {kernels::SpacePolicy::kFree, kernels::SpacePolicy::kUnknown}) {
    kernels::ExactRules rules;
    rules.unknown = rules.outside = policy;
    std::vector<kernels::Visibility> out(kNumRays);
    const kernels::ExactLineOfSight op{
        with_tables(grid, &tables), from.data(), to.data(), {}, rules, out.data()};
    EXPECT_EQ(kernels::exact_wave(op, 0, kNumRays), 0);  // rays from outside
  }
}

// By the edges of occupied voxels, as near as the lattice has points, on either side and on the
// edge itself: nearer than floats can tell.
TEST_P(Vectors, AnswerAsTheOpsDoNextToEdges) {
  const OnlyTarget only(GetParam());
  constexpr std::int64_t kDims[3] = {200, 150, 130};
  host::OccupancyGrid grid(host::GridGeometry{{kDims[0], kDims[1], kDims[2]}});
  std::vector<std::array<std::int64_t, 3>> voxels;
  for (int i = 0; i < 500; ++i) {
    voxels.push_back({random_.integer(50, kDims[0] - 50), random_.integer(50, kDims[1] - 50),
                      random_.integer(50, kDims[2] - 50)});
    grid.set(voxels.back()[0], voxels.back()[1], voxels.back()[2], host::VoxelState::kOccupied);
  }
  host::BrickTables tables;
  const kernels::GridView view = with_tables(grid, &tables);
  for (const int bits : {4, 8, 14, 16}) {
    const std::int64_t unit = std::int64_t{1} << bits;
    std::vector<kernels::LatticePoint> from, to;
    for (int i = 0; i < 20000; ++i) {
      const auto& voxel = voxels[static_cast<std::size_t>(i) % voxels.size()];
      const std::int64_t along = random_.integer(0, 2);  // the axis of the edge
      std::int32_t p[3], t[3];
      for (int a = 0; a < 3; ++a) {
        const std::int64_t edge =
            voxel[static_cast<std::size_t>(a)] * unit + random_.integer(0, 1) * unit;
        const std::int64_t on_edge = a == along ? edge - random_.integer(0, unit) : edge;
        // Moved at its far start, a ray passes the edge at a thirty-first of that.
        const std::int64_t step = random_.integer(-3 * unit / 2, 3 * unit / 2);
        p[a] = static_cast<std::int32_t>(on_edge + 30 * step + random_.integer(-9, 9));
        t[a] = static_cast<std::int32_t>(on_edge - step);
      }
      from.push_back({p[0], p[1], p[2]});
      to.push_back({t[0], t[1], t[2]});
    }
    kernels::ExactRules rules;
    rules.lattice_bits = bits;
    const auto num_rays = static_cast<std::int64_t>(from.size());
    std::vector<kernels::Visibility> plain(from.size()), cubes(from.size());
    line_of_sight_exact(kRayByRay, grid.view(), from.data(), to.data(), {}, rules, num_rays,
                        plain.data());
    line_of_sight_exact(in_waves_, view, from.data(), to.data(), {}, rules, num_rays, cubes.data());
    EXPECT_EQ(plain, cubes) << bits << " bits, seed " << kSeed;
    expect_equal_hits(grid, from, to, rules);
    const auto num_hidden = std::count(plain.begin(), plain.end(), kernels::Visibility::kHidden);
    EXPECT_GT(num_hidden, num_rays / 10) << bits << " bits";
    EXPECT_LT(num_hidden, num_rays * 9 / 10) << bits << " bits";
  }
}

// Many rays from one point leave the box around it (kernels/empty_box.h) at once: by its edges and
// corners, and as near to them as the lattice has points.
TEST_P(Vectors, AnswerAsTheOpsDoWhereRaysLeaveASharedBoxByItsEdges) {
  const OnlyTarget only(GetParam());
  const host::OccupancyGrid grid = scattered_voxels(random_);
  for (const int bits : {1, 4, 8, 14}) {
    const LatticeRays rays = rays_by_edges_of_boxes(grid, bits, effort(15), random_);
    kernels::ExactRules rules;
    rules.lattice_bits = bits;
    expect_equal_exact(grid, rays, rules);
    if (HasFatalFailure()) return;
  }
}

// And out of a grid that fills its padding, beyond whose last voxels a table has its first ones
// again.
TEST_P(Vectors, AnswerAsTheOpsDoWhereASharedBoxEndsWithTheGrid) {
  const OnlyTarget only(GetParam());
  const oracle::Index3 dims{64, 128, 64};
  host::OccupancyGrid grid(host::GridGeometry{{dims[0], dims[1], dims[2]}});
  for (int i = 0; i < 100; ++i) {
    grid.set(random_.integer(0, dims[0] - 1), random_.integer(0, dims[1] - 1),
             random_.integer(0, dims[2] - 1), host::VoxelState::kOccupied);
  }
  grid.set_box({0, 0, 0}, {1, dims[1], dims[2]}, host::VoxelState::kOccupied);
  grid.set_box({0, 0, 0}, {dims[0], 1, dims[2]}, host::VoxelState::kOccupied);
  grid.set_box({0, 0, 0}, {dims[0], dims[1], 1}, host::VoxelState::kOccupied);
  const host::RayBatch outward =
      reversed(to_batch(make_rays(RayKind::kObserverOutside, dims, effort(5000), random_)));
  expect_equal_exact(grid, from_shared_observers(outward, 1250, random_), {}, {});
}

// Between points of coarse lattices, which are on edges or far from them: of some rays the floats
// are sure, of longer ones they are not. In dust a ray that takes the wrong side of an edge shows.
TEST_P(Vectors, AnswerAsTheOpsDoOnEdgesOfCoarseLattices) {
  const OnlyTarget only(GetParam());
  for (const oracle::Index3& dims : {oracle::Index3{500, 300, 200}, oracle::Index3{1500, 20, 20}}) {
    host::OccupancyGrid grid(host::GridGeometry{{dims[0], dims[1], dims[2]}});
    for (std::int64_t i = 0; i < dims[0] * dims[1] * dims[2] / 100; ++i) {
      grid.set(random_.integer(0, dims[0] - 1), random_.integer(0, dims[1] - 1),
               random_.integer(0, dims[2] - 1), host::VoxelState::kOccupied);
    }
    for (int coarse_bits = 0; coarse_bits <= 5; ++coarse_bits) {
      kernels::ExactRules rules;
      rules.lattice_bits = static_cast<int>(random_.integer(coarse_bits, 10));
      const std::vector<LatticeRays> kinds = {
          coarse_rays(dims, rules.lattice_bits, coarse_bits, 1.0, effort(3000), random_),
          coarse_rays(dims, rules.lattice_bits, coarse_bits, 0.05, effort(3000), random_)};
      for (const LatticeRays& rays : kinds) expect_equal_exact(grid, rays, rules);
      if (HasFatalFailure()) return;
    }
  }
}

// Through a grid as long as floats hold, to an edge at its far end, which rays miss by up to three
// units of the lattice: the bound on the error of a place (kernels/wave_cubes-inl.h) is three
// there. Errors reach two thirds of it. With a third of the bound, one ray in fifty is answered
// wrongly.
TEST_P(Vectors, AnswerAsTheOpsDoWhereErrorsAreLargest) {
  const OnlyTarget only(GetParam());
  constexpr int kBits = 15, kNumRays = effort(20000);
  constexpr std::int64_t kSize = 512, kUnit = std::int64_t{1} << kBits, kCorner = 500;
  host::OccupancyGrid grid(host::GridGeometry{{kSize, kSize, 8}});
  ASSERT_TRUE(kernels::brick_table_serves(grid.layout(), kBits));
  grid.set_box({kCorner, kCorner - 1, 0}, {kCorner + 1, kCorner, 8}, host::VoxelState::kOccupied);
  host::BrickTables tables;
  const kernels::GridView view = with_tables(grid, &tables);
  std::vector<kernels::LatticePoint> from, to;
  for (int i = 0; i < kNumRays; ++i) {
    // The ray crosses the edge's plane of x after `ahead` of its `span`, and its y is then
    // `missed` units, and less than one, above the edge.
    const std::int64_t beyond = random_.integer(2 * kUnit, 9 * kUnit),
                       missed = random_.integer(-3, 2);
    const std::int64_t ahead = random_.integer(480 * kUnit, kCorner * kUnit);
    const std::int64_t span = ahead + beyond, y_span = random_.integer(480 * kUnit, span);
    const std::int64_t x = kCorner * kUnit - ahead;
    const std::int64_t y = kCorner * kUnit + missed - y_span * ahead / span;
    from.push_back({int(x), int(y), kUnit / 2});
    to.push_back({int(x + span), int(y + y_span), kUnit / 2});
  }
  kernels::ExactRules rules;
  rules.lattice_bits = kBits;
  std::vector<kernels::Visibility> plain(kNumRays), cubes(kNumRays);
  line_of_sight_exact(kRayByRay, grid.view(), from.data(), to.data(), {}, rules, kNumRays,
                      plain.data());
  line_of_sight_exact(in_waves_, view, from.data(), to.data(), {}, rules, kNumRays, cubes.data());
  EXPECT_EQ(plain, cubes) << "seed " << kSeed;
  expect_equal_hits(grid, from, to, rules);
  const auto num_hidden = std::count(plain.begin(), plain.end(), kernels::Visibility::kHidden);
  EXPECT_NEAR(static_cast<double>(num_hidden), kNumRays / 2, kNumRays / 20);
}

// Where a lattice point is no exact float, tables are of no use.
TEST_P(Vectors, AnswerAsTheOpsDoBeyondWhatFloatsHold) {
  const OnlyTarget only(GetParam());
  for (const auto& [dims, bits] :
       {std::pair{oracle::Index3{300, 40, 40}, 16}, std::pair{oracle::Index3{300, 40, 40}, 15},
        std::pair{oracle::Index3{40, 65536, 30}, 9}, std::pair{oracle::Index3{40, 65536, 30}, 8}}) {
    host::OccupancyGrid grid(host::GridGeometry{{dims[0], dims[1], dims[2]}});
    for (int i = 0; i < 4000; ++i) {
      grid.set(random_.integer(0, dims[0] - 1), random_.integer(0, dims[1] - 1),
               random_.integer(0, dims[2] - 1), host::VoxelState::kOccupied);
    }
    kernels::ExactRules rules;
    rules.lattice_bits = bits;
    EXPECT_EQ(kernels::brick_table_serves(grid.layout(), bits), bits == 15 || bits == 8);
    expect_equal_exact(grid, to_batch(make_rays(RayKind::kRandom, dims, effort(20000), random_)),
                       {}, rules);
    if (HasFatalFailure()) return;
  }
}

// Rays as long as moments allow, and longer: those must go another way, and do.
TEST_P(Vectors, AnswerAsTheOpsDoForVeryLongRays) {
  const OnlyTarget only(GetParam());
  for (const oracle::Index3& dims :
       {oracle::Index3{3000, 3000, 3000}, oracle::Index3{4096, 4096, 4096},
        oracle::Index3{100000, 40, 60}}) {
    const host::OccupancyGrid grid = grid_of_boxes(dims, random_);
    const host::RayBatch rays = to_batch(make_rays(RayKind::kRandom, dims, 1000, random_));
    for (const int bits : {0, 8, 13}) {
      kernels::ExactRules rules;
      rules.lattice_bits = bits;
      expect_equal_exact(grid, rays, {}, rules);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Vectors, testing::Values(HWY_AVX2, HWY_AVX3),
                         [](const auto& target) { return hwy::TargetName(target.param); });

}  // namespace
}  // namespace sightline::tests
