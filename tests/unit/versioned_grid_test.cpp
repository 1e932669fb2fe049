// Versions of a grid: what an edit stores, what it shares, and what it refuses.
#include "host/world/versioned_grid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::Edit;
using host::edit_voxel;
using host::GridGeometry;
using host::OccupancyGrid;
using host::VersionedGrid;
using host::VoxelState;

constexpr std::size_t kBrick = kernels::kBrickWords, kNode = kernels::kNodeWords;

GridGeometry of_size(const std::array<std::int64_t, 3>& dims) {
  GridGeometry geometry;
  geometry.dims = dims;
  return geometry;
}

/// Scattered voxels: no brick is uniform, so that every edit has to copy one.
VersionedGrid scattered(const std::array<std::int64_t, 3>& dims, bool with_unknown = false) {
  Random random(301);
  return VersionedGrid(to_grid(make_world(WorldKind::kScattered, dims, with_unknown, random)));
}

std::size_t words_of(const VersionedGrid& grid, std::int64_t version) {
  return grid.version(version).num_words - grid.version(version - 1).num_words;
}

/// Another state than the voxel has.
VoxelState other(const VersionedGrid& grid, std::int64_t i, std::int64_t j, std::int64_t k) {
  const bool occupied = grid.grid(grid.latest()).at(i, j, k) == VoxelState::kOccupied;
  return occupied ? VoxelState::kFree : VoxelState::kOccupied;
}

TEST(VersionedGrid, KeepsEveryVersionAsItWas) {
  VersionedGrid grid(OccupancyGrid(of_size({40, 40, 40})));
  const OccupancyGrid empty = grid.grid(0);
  EXPECT_EQ(grid.edit({edit_voxel(3, 4, 5, VoxelState::kOccupied)}), 1);
  EXPECT_EQ(grid.edit({{{0, 0, 0}, {40, 40, 20}, VoxelState::kUnknown}}), 2);
  EXPECT_EQ(grid.edit({edit_voxel(3, 4, 5, VoxelState::kFree)}), 3);
  EXPECT_EQ(grid.num_versions(), 4);
  const VoxelState expected[] = {VoxelState::kFree, VoxelState::kOccupied, VoxelState::kUnknown,
                                 VoxelState::kFree};
  for (std::int64_t v = 0; v < 4; ++v) EXPECT_EQ(grid.grid(v).at(3, 4, 5), expected[v]) << v;
  EXPECT_EQ(empty.at(3, 4, 5), VoxelState::kFree);  // a grid outlives later edits
  EXPECT_EQ(grid.grid(1).at(3, 4, 6), VoxelState::kFree);
  EXPECT_EQ(grid.grid(2).at(3, 4, 6), VoxelState::kUnknown);
  EXPECT_FALSE(grid.grid(1).has_unknown());
  EXPECT_TRUE(grid.grid(2).has_unknown());
}

TEST(VersionedGrid, StoresTheChangedBrickAndItsNode) {
  VersionedGrid grid = scattered({130, 70, 70});
  grid.edit({edit_voxel(70, 20, 20, other(grid, 70, 20, 20))});
  EXPECT_EQ(words_of(grid, 1), kBrick + kNode);
  EXPECT_EQ(grid.version(1).num_bricks, 1);
  EXPECT_EQ(grid.version(1).num_nodes, 1);
  ASSERT_EQ(grid.version(1).regions.size(), 1u);
  EXPECT_EQ(grid.version(1).regions[0].entry, 1u);
}

TEST(VersionedGrid, SharesOneTreeBetweenPlanesWithoutUnknownSpace) {
  VersionedGrid grid = scattered({64, 64, 64});
  Edit corner{{0, 0, 0}, {1, 1, 1}, VoxelState::kUnknown};
  grid.edit({corner});
  const std::size_t both_planes = 2 * (kBrick + kNode);
  EXPECT_EQ(words_of(grid, 1), both_planes -
                                   kBrick * (grid.grid(0).at(0, 0, 0) == VoxelState::kFree) -
                                   kNode * (grid.grid(0).at(0, 0, 0) == VoxelState::kFree));
  // Far from the unknown voxel, the planes still share a brick; their nodes differ.
  grid.edit({edit_voxel(40, 40, 40, other(grid, 40, 40, 40))});
  EXPECT_EQ(words_of(grid, 2), kBrick + 2 * kNode);
}

TEST(VersionedGrid, SharesTreesBetweenThePlanesOfTheFirstVersion) {
  Random random(303);
  OccupancyGrid first = to_grid(make_world(WorldKind::kScattered, {128, 64, 64}, false, random));
  first.set(0, 0, 0, VoxelState::kFree);
  const std::size_t num_words = VersionedGrid(first).words().size();
  first.set(0, 0, 0, VoxelState::kUnknown);
  VersionedGrid grid(first);
  constexpr std::size_t kRoot = 1;  // two regions of four bytes
  EXPECT_EQ(grid.words().size(), num_words + kRoot + kBrick + kNode);
  grid.edit({edit_voxel(0, 0, 0, VoxelState::kFree)});
  EXPECT_FALSE(grid.version(1).has_unknown);
}

TEST(VersionedGrid, SharesTheTreeAgainWhenUnknownSpaceIsGone) {
  VersionedGrid grid = scattered({64, 64, 64});
  grid.edit({edit_voxel(0, 0, 0, VoxelState::kFree)});
  grid.edit({edit_voxel(0, 0, 0, VoxelState::kUnknown)});
  EXPECT_TRUE(grid.version(2).has_unknown);
  const host::RegionRoots split = grid.version(2).regions.at(0);
  EXPECT_NE(split.occupied, split.not_free);
  grid.edit({edit_voxel(0, 0, 0, VoxelState::kFree)});
  EXPECT_FALSE(grid.version(3).has_unknown);
  EXPECT_EQ(words_of(grid, 3), 0u);  // the plane takes its twin's tree
  EXPECT_EQ(grid.version(3).counts.unknown, 0);
}

TEST(VersionedGrid, StoresNothingForAnEditThatChangesNothing) {
  VersionedGrid grid = scattered({64, 64, 64}, true);
  const VoxelState state = grid.grid(0).at(9, 9, 9);
  const VoxelState otherwise =
      state == VoxelState::kOccupied ? VoxelState::kFree : VoxelState::kOccupied;
  EXPECT_EQ(grid.edit({edit_voxel(9, 9, 9, state)}), 1);
  EXPECT_EQ(grid.edit({edit_voxel(9, 9, 9, otherwise), edit_voxel(9, 9, 9, state)}), 2);
  EXPECT_EQ(grid.edit({}), 3);
  for (std::int64_t v = 1; v < 4; ++v) {
    EXPECT_EQ(words_of(grid, v), 0u) << v;
    EXPECT_TRUE(grid.version(v).regions.empty()) << v;
  }
  EXPECT_EQ(grid.version(2).edits.size(), 2u);  // what was asked for is still told
}

TEST(VersionedGrid, CopiesABrickOnceHoweverOftenAnEditTouchesIt) {
  VersionedGrid grid = scattered({64, 64, 64});
  std::vector<Edit> edits;
  for (std::int64_t i = 0; i < 16; ++i) {
    edits.push_back(edit_voxel(i, 3, 3, other(grid, i, 3, 3)));
    edits.push_back(edit_voxel(i, 4, 9, other(grid, i, 4, 9)));
  }
  grid.edit(edits);
  EXPECT_EQ(words_of(grid, 1), kBrick + kNode);
}

TEST(VersionedGrid, StoresUniformSpaceInNoMemory) {
  VersionedGrid grid = scattered({128, 64, 64});
  grid.edit({{{0, 0, 0}, {64, 64, 64}, VoxelState::kOccupied},
             {{64, 0, 0}, {128, 64, 64}, VoxelState::kFree}});
  EXPECT_EQ(words_of(grid, 1), 0u);
  EXPECT_EQ(grid.version(1).counts.occupied, 64 * 64 * 64);
  // The last voxel of a brick fills it, as the next one empties it.
  grid.edit({{{64, 0, 0}, {80, 16, 15}, VoxelState::kOccupied}});
  EXPECT_EQ(words_of(grid, 2), kBrick + kNode);
  grid.edit({{{64, 0, 15}, {80, 16, 16}, VoxelState::kOccupied}});
  EXPECT_EQ(words_of(grid, 3), kNode);
  grid.edit({{{64, 0, 0}, {80, 16, 16}, VoxelState::kFree}});
  EXPECT_EQ(words_of(grid, 4), 0u);
}

TEST(VersionedGrid, CountsVoxelsByStateInEveryVersion) {
  VersionedGrid grid = scattered({90, 50, 70}, true);
  Random random(302);
  for (int edit = 0; edit < 30; ++edit) {
    const std::int64_t x = random.integer(0, 80), y = random.integer(0, 45);
    grid.edit({{{x, y, 3},
                {x + random.integer(1, 40), y + 9, 60},
                static_cast<VoxelState>(random.integer(0, 2))}});
  }
  for (std::int64_t v = 0; v < grid.num_versions(); ++v) {
    const OccupancyGrid::Counts counted = grid.checkout(v).count();
    EXPECT_EQ(grid.version(v).counts.free, counted.free) << v;
    EXPECT_EQ(grid.version(v).counts.occupied, counted.occupied) << v;
    EXPECT_EQ(grid.version(v).counts.unknown, counted.unknown) << v;
    EXPECT_EQ(grid.version(v).has_unknown, counted.unknown > 0) << v;
  }
}

TEST(VersionedGrid, LetsAGridOfAVersionBeEditedAsACopy) {
  VersionedGrid grid = scattered({64, 64, 64}, true);
  OccupancyGrid copy = grid.grid(0);
  const VoxelState before = copy.at(1, 2, 3);
  EXPECT_EQ(copy.host_grid().id, grid.grid(0).host_grid().id);
  copy.set(1, 2, 3, other(grid, 1, 2, 3));
  EXPECT_NE(copy.host_grid().id, grid.grid(0).host_grid().id);
  EXPECT_NE(copy.at(1, 2, 3), before);
  EXPECT_EQ(grid.grid(0).at(1, 2, 3), before);
  EXPECT_EQ(copy.at(1, 2, 4), grid.grid(0).at(1, 2, 4));
}

TEST(VersionedGrid, OutlivesItselfInItsGrids) {
  OccupancyGrid first{of_size({1, 1, 1})}, last{of_size({1, 1, 1})};
  {
    VersionedGrid grid(OccupancyGrid(of_size({20, 20, 20})));
    grid.edit({edit_voxel(1, 1, 1, VoxelState::kOccupied)});
    first = grid.grid(0);
    last = grid.grid(1);
  }
  EXPECT_EQ(first.at(1, 1, 1), VoxelState::kFree);
  EXPECT_EQ(last.at(1, 1, 1), VoxelState::kOccupied);
}

TEST(VersionedGrid, ClipsBoxesAndKeepsWhatWasEdited) {
  VersionedGrid grid(OccupancyGrid(of_size({20, 20, 20})));
  grid.edit({{{-5, 3, 3}, {4, 4, 400}, VoxelState::kOccupied}}, {"a wall", 12.5});
  ASSERT_EQ(grid.version(1).edits.size(), 1u);
  EXPECT_EQ(grid.version(1).edits[0].lo, (std::array<std::int64_t, 3>{0, 3, 3}));
  EXPECT_EQ(grid.version(1).edits[0].hi, (std::array<std::int64_t, 3>{4, 4, 20}));
  EXPECT_EQ(grid.version(1).note.text, "a wall");
  EXPECT_EQ(grid.version(1).note.time_s, 12.5);
  EXPECT_EQ(grid.version(1).counts.occupied, 4 * 17);
}

TEST(VersionedGrid, RefusesBoxesWithNothingInTheGridAndChangesNothing) {
  VersionedGrid grid(OccupancyGrid(of_size({20, 20, 20})));
  const Edit good = edit_voxel(1, 1, 1, VoxelState::kOccupied);
  EXPECT_EQ(input_error_of([&] {
              grid.edit({good, {{3, 3, 3}, {4, 3, 4}, VoxelState::kFree}});
            }),
            "edit 1: the box from (3, 3, 3) to (4, 3, 4) is empty; its end must lie above its "
            "start on each axis");
  EXPECT_EQ(input_error_of([&] { grid.edit({edit_voxel(0, 20, 0, VoxelState::kFree)}); }),
            "edit 0: the box from (0, 20, 0) to (1, 21, 1) lies outside the grid of (20, 20, 20) "
            "voxels");
  EXPECT_EQ(grid.num_versions(), 1);
  EXPECT_EQ(grid.grid(0).at(1, 1, 1), VoxelState::kFree);
}

TEST(VersionedGrid, RefusesVersionsThatDoNotExist) {
  VersionedGrid grid(OccupancyGrid(of_size({4, 4, 4})));
  EXPECT_EQ(input_error_of([&] { grid.grid(1); }),
            "version 1 does not exist; the world has version 0 only");
  grid.edit({});
  EXPECT_EQ(input_error_of([&] { grid.checkout(-1); }),
            "version -1 does not exist; the world has versions 0 to 1");
  EXPECT_THROW(grid.bytes(2), host::InputError);
}

TEST(VersionedGrid, FindsTheVersionOfATime) {
  VersionedGrid grid(OccupancyGrid(of_size({4, 4, 4})));
  grid.edit({}, {"", 10.0});
  grid.edit({}, {"as old as the one before", {}});
  grid.edit({}, {"", 20.0});
  EXPECT_EQ(grid.version_at(-1e9), 0);
  EXPECT_EQ(grid.version_at(9.99), 0);
  EXPECT_EQ(grid.version_at(10), 2);
  EXPECT_EQ(grid.version_at(19.99), 2);
  EXPECT_EQ(grid.version_at(20), 3);
  EXPECT_THROW(grid.edit({}, {"", 19.0}), host::InputError);
  EXPECT_THROW(grid.edit({}, {"", std::nan("")}), host::InputError);
  EXPECT_EQ(grid.edit({}, {"", 20.0}), 4);
}

}  // namespace
}  // namespace sightline::tests
