// Waves of rays on one instruction set of the CPU at a time.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <array>
#include <cstdint>

#include "host/brick_tables.h"
#include "host/world/world.h"
#include "kernels/empty_box.h"
#include "kernels/kernels.h"
#include "support/lattice_rays.h"
#include "support/oracle.h"
#include "support/random.h"

namespace sightline::tests {

constexpr kernels::Executor kRayByRay{kernels::Backend::kCpu, 1, nullptr,
                                      kernels::InstructionSet::kPortable};
constexpr kernels::Executor kInWaves{kernels::Backend::kCpu, 1, nullptr};

/// The view of a grid with tables of its bricks, by which waves walk in floats.
inline kernels::GridView with_tables(const host::OccupancyGrid& grid, host::BrickTables* tables) {
  constexpr std::int64_t kWorthAnyTable = std::int64_t{1} << 40;
  kernels::ExactRules served_anywhere;
  served_anywhere.lattice_bits = 0;
  kernels::GridView view = grid.view();
  tables->add_to(&view, grid.host_grid(), served_anywhere, kWorthAnyTable, kInWaves);
  return view;
}

/// Boxes of up to 20 voxels, some beyond the grid's faces, in a grid of whatever length.
inline host::OccupancyGrid grid_of_boxes(const oracle::Index3& dims, Random& random) {
  host::OccupancyGrid grid(host::GridGeometry{{dims[0], dims[1], dims[2]}});
  for (int k = 0; k < 300; ++k) {
    std::array<std::int64_t, 3> low, high;
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = random.integer(0, dims[a] - 1);
      high[a] = low[a] + random.integer(1, 20);
    }
    grid.set_box(low, high, host::VoxelState::kOccupied);
  }
  return grid;
}

/// From points of voxels that are not set, 1000 rays each, through faces, edges and corners of the
/// box around the voxel, or past them by two units of the lattice on an axis; or to such places.
inline LatticeRays rays_by_edges_of_boxes(const host::OccupancyGrid& grid, int bits,
                                          int num_observers, Random& random) {
  host::BrickTables tables;
  const kernels::GridView view = with_tables(grid, &tables);
  const kernels::EmptyBoxes boxes(view, view.occupied_bricks);
  const std::int64_t unit = std::int64_t{1} << bits;
  LatticeRays rays;
  for (int n = 0; n < num_observers; ++n) {
    kernels::Cell voxel;
    do {  // where scattered_voxels stand
      voxel = {{static_cast<std::int32_t>(random.integer(60, 140)),
                static_cast<std::int32_t>(random.integer(60, 90)),
                static_cast<std::int32_t>(random.integer(60, 70))}};
    } while (!boxes.is_empty({voxel, voxel}));
    const kernels::CellBox box = boxes.around(voxel);
    const std::int64_t middle = unit / 2;
    const bool from_centre = random.chance(0.5);
    std::int64_t from[3];
    for (int a = 0; a < 3; ++a) {
      from[a] = voxel.v[a] * unit + (from_centre ? middle : random.integer(0, unit - 1));
    }
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t times = random.integer(1, 4);
      std::int32_t to[3];
      for (int a = 0; a < 3; ++a) {
        const std::int64_t low = box.low.v[a] * unit, high = (box.high.v[a] + 1) * unit;
        std::int64_t by = random.chance(0.5) ? low : high;
        if (random.chance(0.3)) by = random.integer(low, high);
        const std::int64_t way = by + random.integer(-2, 2) - from[a];
        to[a] = static_cast<std::int32_t>(from[a] + times * way);
      }
      rays.from.push_back({int(from[0]), int(from[1]), int(from[2])});
      rays.to.push_back({to[0], to[1], to[2]});
    }
  }
  return rays;
}

/// Of rays, next to those of lanes, of sets of them and of pieces.
constexpr int kAwkwardNumbers[] = {0,  1,  3,  7,    8,    9,    15,   16,   17,
                                   31, 32, 33, 47,   48,   49,   63,   64,   65,
                                   95, 96, 97, 1023, 1024, 1025, 8191, 8192, 8193};

/// Grids that waves walk as far ones (kernels/wave_cube_tables-inl.h): beyond the
/// nearest caches lie the words, then the table too.
constexpr std::array<std::int64_t, 3> kFarDims{512, 500, 130}, kFarthestDims{700, 520, 600};

/// Lets the kernels use one instruction set only while it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~OnlyTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Skipped on a CPU that has not the parameter's instructions.
class OnEachTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    if ((hwy::SupportedTargets() & GetParam()) == 0) {
      GTEST_SKIP() << "this CPU has no " << hwy::TargetName(GetParam());
    }
  }

  kernels::Executor in_waves_ = kInWaves;
};

}  // namespace sightline::tests
