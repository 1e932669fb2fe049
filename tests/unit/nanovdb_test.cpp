// NanoVDB grids: read as NanoVDB itself reads them, and written so that it and its programs do.
#include "host/world/nanovdb_world.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/grids.h"
#include "support/run_program.h"
#include "support/worlds.h"

#if __has_include(<nanovdb/NanoVDB.h>)
#include <nanovdb/util/IO.h>

#include <nanovdb/util/GridValidator.h>
#include <nanovdb/util/Primitives.h>

#include <cmath>

namespace sightline {
namespace {

using host::GridGeometry;
using host::OccupancyGrid;
using host::VoxelState;
using tests::run_program;
using tests::TemporaryFolder;

using Index3 = std::array<std::int64_t, 3>;

OccupancyGrid example() {
  tests::Random random(3);
  GridGeometry geometry;
  geometry.voxel_m = {0.1, 0.2, 0.4};
  geometry.origin_m = {-7.3, 0.15, 1e4};
  OccupancyGrid grid = tests::placed(
      tests::to_grid(tests::make_world(tests::WorldKind::kBlocks16, {150, 40, 70}, false, random)),
      geometry);
  grid.set(0, 0, 0, VoxelState::kOccupied);
  grid.set(149, 39, 69, VoxelState::kOccupied);
  return grid;
}

TEST(NanovdbWriter, IsReadByTheLibraryVoxelByVoxel) {
  const TemporaryFolder folder;
  const OccupancyGrid grid = example();
  host::write_nanovdb(grid, folder / "w.nvdb");
  const auto handle = nanovdb::io::readGrid(folder / "w.nvdb");
  const auto* mask = handle.grid<nanovdb::ValueMask>();
  ASSERT_NE(mask, nullptr);
  EXPECT_TRUE(nanovdb::isValid(*mask, true, true));
  EXPECT_EQ(static_cast<std::int64_t>(mask->activeVoxelCount()), grid.count().occupied);
  EXPECT_EQ(mask->indexBBox().min(), nanovdb::Coord(0, 0, 0));
  EXPECT_EQ(mask->indexBBox().max(), nanovdb::Coord(149, 39, 69));
  const auto accessor = mask->getAccessor();
  for (int i = 0; i < 150; ++i) {
    for (int j = 0; j < 40; ++j) {
      for (int k = 0; k < 70; ++k) {
        ASSERT_EQ(accessor.isActive({i, j, k}), grid.at(i, j, k) == VoxelState::kOccupied)
            << i << ' ' << j << ' ' << k;
      }
    }
  }
  constexpr double kRounding_m = 1e-11;
  const nanovdb::Vec3d centre = mask->indexToWorld(nanovdb::Vec3d(3, 4, 5));
  EXPECT_NEAR(centre[0], -7.3 + 3.5 * 0.1, kRounding_m);
  EXPECT_NEAR(centre[1], 0.15 + 4.5 * 0.2, kRounding_m);
  EXPECT_NEAR(centre[2], 1e4 + 5.5 * 0.4, kRounding_m);
}

TEST(NanovdbWriter, KeepsWholeNodesAsTiles) {
  GridGeometry geometry;
  geometry.dims = {200, 200, 200};
  OccupancyGrid grid(geometry);
  grid.set_box({0, 0, 0}, {200, 200, 200}, VoxelState::kOccupied);
  const TemporaryFolder folder;
  host::write_nanovdb(grid, folder / "w.nvdb");
  EXPECT_LT(std::filesystem::file_size(folder / "w.nvdb"), std::uintmax_t{2} << 20);
  tests::expect_same_grid(host::read_nanovdb(folder / "w.nvdb", {}), grid);
}

TEST(NanovdbWriter, RefusesAnEmptyWorld) {
  GridGeometry geometry;
  geometry.dims = {3, 3, 3};
  const TemporaryFolder folder;
  EXPECT_NE(tests::input_error_of([&] {
              host::write_nanovdb(OccupancyGrid(geometry), folder / "w.nvdb");
            }).find("nothing in this world is occupied"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// Every voxel of a read ball: which centres lie within the radius, but for those close to it.
void expect_ball(const OccupancyGrid& grid, double radius_m, double doubt_m) {
  const GridGeometry& geometry = grid.geometry();
  std::int64_t num_judged = 0;
  for (std::int64_t i = 0; i < geometry.dims[0]; ++i) {
    for (std::int64_t j = 0; j < geometry.dims[1]; ++j) {
      for (std::int64_t k = 0; k < geometry.dims[2]; ++k) {
        double squares = 0;
        const Index3 voxel{i, j, k};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double centre = geometry.origin_m[axis] +
                                (static_cast<double>(voxel[axis]) + 0.5) * geometry.voxel_m[axis];
          squares += centre * centre;
        }
        const double distance = std::sqrt(squares);
        if (std::fabs(distance - radius_m) < doubt_m) continue;
        ++num_judged;
        ASSERT_EQ(grid.at(i, j, k) == VoxelState::kOccupied, distance < radius_m)
            << i << ' ' << j << ' ' << k;
      }
    }
  }
  EXPECT_GT(num_judged, grid.num_voxels() / 2);
}

constexpr double kRadius_m = 5, kVoxel_m = 0.25;
constexpr double kFloatRounding_m = 1e-5;  ///< of the distances in a level set

TEST(NanovdbReader, FillsLevelSets) {
  const TemporaryFolder folder;
  auto handle = nanovdb::createLevelSetSphere<float>(static_cast<float>(kRadius_m),
                                                     nanovdb::Vec3f(0), kVoxel_m);
  nanovdb::io::writeGrid(folder / "ball.nvdb", handle);
  expect_ball(host::read_nanovdb(folder / "ball.nvdb", {}), kRadius_m, kFloatRounding_m);
}

TEST(NanovdbReader, TakesTheActiveVoxelsOfOtherGrids) {
  const TemporaryFolder folder;
  auto handle = nanovdb::createFogVolumeSphere<double>(kRadius_m, nanovdb::Vec3d(0), kVoxel_m);
  nanovdb::io::writeGrid(folder / "ball.nvdb", handle);
  const auto& fog = *handle.grid<double>();
  const OccupancyGrid grid = host::read_nanovdb(folder / "ball.nvdb", {});
  EXPECT_EQ(grid.count().occupied, static_cast<std::int64_t>(fog.activeVoxelCount()));
  const nanovdb::Coord low = fog.indexBBox().min();
  const auto accessor = fog.getAccessor();
  const Index3& dims = grid.geometry().dims;
  for (int i = 0; i < dims[0]; ++i) {
    for (int j = 0; j < dims[1]; ++j) {
      for (int k = 0; k < dims[2]; ++k) {
        ASSERT_EQ(grid.at(i, j, k) == VoxelState::kOccupied,
                  accessor.isActive({low[0] + i, low[1] + j, low[2] + k}));
      }
    }
  }
}

/// NanoVDB's own programs and what they think of a file of ours.
class NanovdbPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/bin/nanovdb_convert")) {
      GTEST_SKIP() << "nanovdb_convert is not installed (Debian: libnanovdb-tools)";
    }
  }
  void write_valid(const OccupancyGrid& grid) {
    host::write_nanovdb(grid, folder / "w.nvdb");
    const auto valid = run_program({"/usr/bin/nanovdb_validate", "-v", folder / "w.nvdb"});
    EXPECT_EQ(valid.exit_code, 0) << valid.out << valid.err;
    EXPECT_EQ(valid.err, "");
  }
  const TemporaryFolder folder;
};

TEST_F(NanovdbPrograms, ValidateAGridWithoutLeaves) {
  GridGeometry geometry;
  geometry.dims = {128, 256, 128};
  OccupancyGrid grid(geometry);
  grid.set_box({0, 0, 0}, {128, 256, 128}, VoxelState::kOccupied);
  write_valid(grid);
}

TEST_F(NanovdbPrograms, ValidateConvertAndGiveBackTheSameVoxels) {
  const OccupancyGrid grid = example();
  write_valid(grid);
  const auto out = run_program({"/usr/bin/nanovdb_convert", folder / "w.nvdb", folder / "w.vdb"});
  ASSERT_EQ(out.exit_code, 0) << out.out << out.err;
  const auto back = run_program({"/usr/bin/nanovdb_convert", folder / "w.vdb", folder / "b.nvdb"});
  ASSERT_EQ(back.exit_code, 0) << back.out << back.err;
  const OccupancyGrid read = host::read_nanovdb(folder / "b.nvdb", {});
  EXPECT_TRUE(tests::same_voxels(read, grid));
  constexpr double kRounding_m = 1e-9;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(read.geometry().origin_m[axis], grid.geometry().origin_m[axis], kRounding_m);
  }
}

}  // namespace
}  // namespace sightline
#endif
