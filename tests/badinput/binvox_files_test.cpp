// Malformed binvox files: each is refused with its name, what is wrong and what to do.
#include <gtest/gtest.h>

#include "support/world_files.h"

namespace sightline {
namespace {

using tests::WorldFiles;

class BinvoxFiles : public WorldFiles {
 protected:
  static std::string file(const std::string& header, const std::string& runs) {
    return "#binvox 1\n" + header + "data\n" + runs;
  }
  const std::string place_ = "dim 2 4 3\ntranslate -1 0.5 2\nscale 2\n";
  const std::string runs_ = std::string("\0\x05\x01\x01\0\x12", 6);  ///< voxel 5 of 24 is solid
};

TEST_F(BinvoxFiles, GoodOneIsRead) {
  tests::write_text(path("w.binvox"), file(place_, runs_));
  const host::OccupancyGrid grid = *host::load_world(path("w.binvox")).grid;
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{2, 3, 4}));
  EXPECT_EQ(grid.geometry().origin_m, (std::array<double, 3>{-1, 0.5, 2}));
  EXPECT_EQ(grid.geometry().voxel_m, (std::array<double, 3>{0.5, 0.5, 0.5}));
  EXPECT_EQ(grid.count().occupied, 1);
  EXPECT_EQ(grid.at(0, 2, 1), host::VoxelState::kOccupied);  // (0 * 4 + 1) * 3 + 2 = 5
}

TEST_F(BinvoxFiles, CutShortAreRefusedAtEveryLength) {
  const std::string good = file(place_, runs_);
  for (std::size_t length = 0; length < good.size(); ++length) {
    tests::write_text(path("w.binvox"), good.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.binvox")), host::InputError) << length;
  }
}

TEST_F(BinvoxFiles, OfAFaultyHeaderAreRefused) {
  expect_bad_world("w.binvox", "#vinbox 1\n", "is not a binvox file");
  expect_bad_world("w.binvox", file("dim 2 4\n", runs_), "no three numbers after 'dim'");
  expect_bad_world("w.binvox", file("dim 2 x 3\n", runs_), "no three numbers after 'dim'");
  expect_bad_world("w.binvox", file("scale 2\n", runs_), "no line 'dim'");
  expect_bad_world("w.binvox", file("dim 0 4 3\n", runs_), "has 0 voxels along an axis");
  expect_bad_world("w.binvox", file("dim 2 4 3\nscale 0\n", runs_), "no length above 0");
  expect_bad_world("w.binvox", file("dim 2 4 3\nscale nan\n", runs_), "no length above 0");
  expect_bad_world("w.binvox", file("dim 2 4 3\ntranslate 0 nan 0\n", runs_), "origin");
  expect_bad_world("w.binvox", file("dims 2 4 3\n", runs_), "unknown keyword 'dims'");
}

TEST_F(BinvoxFiles, OfAnAbsurdSizeAreRefusedBeforeAnythingIsAllocated) {
  expect_bad_world("w.binvox", file("dim 4000000 4000000 4000000\n", runs_), "6 bytes of runs");
  expect_bad_world("w.binvox", file("dim 2 -4 3\n", runs_), "-4 voxels along an axis");
  expect_bad_world("w.binvox", file("dim 9000000000 4 3\n", runs_), "9000000000 voxels along");
}

TEST_F(BinvoxFiles, WithFaultyRunsAreRefused) {
  expect_bad_world("w.binvox", file(place_, runs_ + std::string("\0\1", 2)),
                   "goes on for 2 bytes after its last voxel");
  expect_bad_world("w.binvox", file(place_, runs_ + "x"), "goes on for 1 byte after");
  expect_bad_world("w.binvox", file(place_, std::string("\2\x18", 2)), "24 voxels of value 2");
  expect_bad_world("w.binvox", file(place_, std::string("\1\0\1\x18", 4)), "run of 0 voxels");
  expect_bad_world("w.binvox", file(place_, std::string("\1\x17", 2)), "holds 23 of 24");
  expect_bad_world("w.binvox", file(place_, std::string("\1\x17\1", 3)), "within a run");
}

}  // namespace
}  // namespace sightline
