// Tables of the bricks of a grid: what they say, and when they are made.
#include "host/brick_tables.h"

#include <gtest/gtest.h>

#include "host/world/versioned_grid.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::BrickTables;
using kernels::BrickRecord;

constexpr std::int64_t kManyRays = 1000000;
const kernels::Executor kCpu;

kernels::GridView tables_of(const host::OccupancyGrid& grid, BrickTables* tables,
                            std::int64_t num_rays = kManyRays,
                            const kernels::ExactRules& rules = {},
                            const kernels::Executor& executor = kCpu) {
  kernels::GridView view = grid.view();
  tables->add_to(&view, grid.host_grid(), rules, num_rays, executor);
  return view;
}

const BrickRecord& record_of(const kernels::GridView& view, const BrickRecord* table, int x, int y,
                             int z) {
  const int y_bits = brick_table_bits(view.layout, 0);
  const int z_bits = y_bits + brick_table_bits(view.layout, 1);
  return table[(x >> 4) | (y >> 4) << y_bits | (z >> 4) << z_bits];
}

/// As waves look a voxel up.
bool is_set(const kernels::GridView& view, const BrickRecord* table, int x, int y, int z) {
  const BrickRecord& record = record_of(view, table, x, y, z);
  const std::uint32_t word = kernels::child_index(x, y, z, kernels::kWordBits);
  const BrickRecord::Half& half = record.half[word >> 5];
  if (((half.filled >> (word & 31)) & 1u) == 0) return false;
  const std::uint64_t voxels = view.words[half.brick / 2 + 1 + static_cast<int>(word)];
  return (voxels >> kernels::child_index(x, y, z, 0)) & 1u;
}

TEST(BrickTables, HoldWhatTheGridHolds) {
  Random random{20261123};
  const DenseWorld dense = make_world(WorldKind::kRooms, {70, 40, 90}, true, random);
  const host::World world = to_engine(dense);
  BrickTables tables;
  const kernels::GridView view = tables_of(*world.grid, &tables);
  ASSERT_NE(view.occupied_bricks, view.not_free_bricks);
  for (int z = 0; z < 90; ++z) {
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 70; ++x) {
        ASSERT_EQ(is_set(view, view.occupied_bricks, x, y, z), view.occupied().get(x, y, z));
        ASSERT_EQ(is_set(view, view.not_free_bricks, x, y, z), view.not_free().get(x, y, z));
      }
    }
  }
}

TEST(BrickTables, TellHowLargeAnEmptyCubeIs) {
  host::OccupancyGrid grid(host::GridGeometry{{256, 128, 64}});
  grid.set(0, 0, 0, host::VoxelState::kOccupied);
  grid.set_box({128, 0, 0}, {192, 64, 64}, host::VoxelState::kOccupied);  // a whole region
  BrickTables tables;
  const kernels::GridView view = tables_of(grid, &tables);
  EXPECT_EQ(view.occupied_bricks, view.not_free_bricks);
  const auto bits = [&](int x, int y, int z) {
    const BrickRecord& record = record_of(view, view.occupied_bricks, x, y, z);
    EXPECT_EQ(record.half[0].brick, record.half[1].brick);
    EXPECT_EQ(record.half[0].filled | record.half[1].filled, 0u);
    return record.half[0].brick < 0 ? record.half[0].brick & 15 : -1;
  };
  EXPECT_EQ(bits(20, 3, 3), 4);   // beside the voxel's brick
  EXPECT_EQ(bits(40, 3, 3), 5);   // in the next half of its region
  EXPECT_EQ(bits(100, 3, 3), 6);  // in a region without a voxel
  EXPECT_EQ(bits(140, 100, 3), 6);
  EXPECT_TRUE(is_set(view, view.occupied_bricks, 0, 0, 0));
  EXPECT_FALSE(is_set(view, view.occupied_bricks, 1, 0, 0));
  EXPECT_TRUE(is_set(view, view.occupied_bricks, 191, 63, 63));
}

TEST(BrickTables, AreMadeForManyRaysAndThenKept) {
  host::OccupancyGrid grid(host::GridGeometry{{256, 256, 256}});
  BrickTables tables;
  EXPECT_EQ(tables_of(grid, &tables, 10).occupied_bricks, nullptr);
  EXPECT_EQ(tables.bytes(), 0u);
  const BrickRecord* made = tables_of(grid, &tables).occupied_bricks;
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(tables.bytes(), 16u * 16 * 16 * sizeof(BrickRecord));
  EXPECT_EQ(tables_of(grid, &tables, 10).occupied_bricks, made);
  const host::OccupancyGrid other(host::GridGeometry{{256, 256, 256}});
  EXPECT_EQ(tables_of(other, &tables, 10).occupied_bricks, nullptr);
}

// 4096 records: worth 1024 rays, in whatever pieces they are asked.
TEST(BrickTables, AreMadeForManyRaysInPieces) {
  const host::OccupancyGrid grid(host::GridGeometry{{256, 256, 256}});
  const host::OccupancyGrid other(host::GridGeometry{{256, 256, 256}});
  BrickTables tables;
  EXPECT_EQ(tables_of(grid, &tables, 500).occupied_bricks, nullptr);
  EXPECT_EQ(tables_of(grid, &tables, 500).occupied_bricks, nullptr);
  EXPECT_EQ(tables_of(other, &tables, 500).occupied_bricks, nullptr);  // and begins anew
  EXPECT_EQ(tables_of(grid, &tables, 600).occupied_bricks, nullptr);
  EXPECT_NE(tables_of(grid, &tables, 600).occupied_bricks, nullptr);
}

TEST(BrickTables, AreNotMadeForWalksThatMakeNoUseOfThem) {
  const host::OccupancyGrid grid(host::GridGeometry{{256, 256, 256}});
  const auto has_tables = [&](const kernels::ExactRules& rules, const kernels::Executor& executor) {
    BrickTables tables;
    const bool has =
        tables_of(grid, &tables, kManyRays, rules, executor).occupied_bricks != nullptr;
    EXPECT_EQ(tables.bytes() > 0, has);
    return has;
  };
  kernels::ExactRules supercover, dda, fine;
  supercover.tie_rule = kernels::TieRule::kSupercover;
  dda.skip_empty_space = false;
  fine.lattice_bits = 16;
  kernels::Executor portable;
  portable.instructions = kernels::InstructionSet::kPortable;
  EXPECT_TRUE(has_tables({}, kCpu));
  EXPECT_TRUE(has_tables(fine, kCpu));
  EXPECT_FALSE(has_tables(supercover, kCpu));
  EXPECT_FALSE(has_tables(dda, kCpu));
  EXPECT_FALSE(has_tables({}, portable));
}

TEST(BrickTables, AreNotMadeWhereNumbersOrMemoryWouldNotDo) {
  BrickTables tables;
  const auto is_made = [&](const kernels::GridLayout& layout, std::size_t num_words) {
    kernels::GridView view;
    view.layout = layout;
    tables.add_to(&view, {view, num_words}, {}, std::int64_t{1} << 60, kCpu);
    return view.occupied_bricks != nullptr;
  };
  const host::OccupancyGrid small(host::GridGeometry{{64, 64, 64}});
  EXPECT_FALSE(is_made(small.layout(), std::size_t{kernels::kMostBlockWords}));
  // 2^31 records, though no axis is too long.
  const kernels::GridLayout huge = host::layout_of({{32768, 16384, 16384}});
  EXPECT_FALSE(kernels::brick_table_serves(huge, 8));
  EXPECT_FALSE(is_made(huge, 1000));
  // 256 MiB beside a grid of some words.
  const kernels::GridLayout empty = host::layout_of({{4096, 4096, 4096}});
  EXPECT_TRUE(kernels::brick_table_serves(empty, 8));
  EXPECT_FALSE(is_made(empty, 1000));
  EXPECT_EQ(tables.bytes(), 0u);
}

TEST(BrickTables, FollowEditsAndVersions) {
  host::OccupancyGrid grid(host::GridGeometry{{64, 64, 64}});
  BrickTables tables;
  kernels::GridView view = tables_of(grid, &tables);
  EXPECT_FALSE(is_set(view, view.occupied_bricks, 20, 30, 40));
  grid.set(20, 30, 40, host::VoxelState::kOccupied);
  view = tables_of(grid, &tables);
  EXPECT_TRUE(is_set(view, view.occupied_bricks, 20, 30, 40));

  host::VersionedGrid versions(grid);
  versions.edit({host::edit_voxel(20, 30, 40, host::VoxelState::kFree)});
  for (const int version : {0, 1, 0}) {
    const host::OccupancyGrid at = versions.grid(version);
    view = tables_of(at, &tables);
    EXPECT_EQ(is_set(view, view.occupied_bricks, 20, 30, 40), version == 0) << version;
  }
}

}  // namespace
}  // namespace sightline::tests
