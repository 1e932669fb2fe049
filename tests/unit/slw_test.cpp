// Sightline world files: what is written is read back, bit for bit.
#include "host/world/slw.h"

#include <gtest/gtest.h>

#include "host/world/load.h"
#include "support/run_program.h"
#include "support/worlds.h"

namespace sightline {
namespace {

using tests::TemporaryFolder;
using tests::WorldKind;

constexpr std::uint64_t kSeed = 5;

host::OccupancyGrid example(WorldKind kind, bool with_unknown) {
  tests::Random random(kSeed);
  oracle::Frame frame;
  frame.origin_m = {-1.25, 3, 1e6};
  frame.voxel_m = {0.08, 0.1, 0.3};
  return tests::to_grid(tests::make_world(kind, {41, 70, 33}, with_unknown, random), frame);
}

TEST(SlwFile, KeepsBlockAndGeometry) {
  for (const WorldKind kind : tests::kAllWorldKinds) {
    for (const bool with_unknown : {false, true}) {
      SCOPED_TRACE(std::string(name_of(kind)) + (with_unknown ? " with unknown" : ""));
      const host::OccupancyGrid grid = example(kind, with_unknown);
      const TemporaryFolder folder;
      host::write_slw(grid, folder / "w.slw");
      const host::OccupancyGrid read = host::read_slw(folder / "w.slw");
      EXPECT_EQ(read.words(), grid.compacted().words());
      EXPECT_EQ(read.geometry().dims, grid.geometry().dims);
      EXPECT_EQ(read.geometry().origin_m, grid.geometry().origin_m);
      EXPECT_EQ(read.geometry().voxel_m, grid.geometry().voxel_m);
      EXPECT_EQ(read.has_unknown(), grid.has_unknown());
      EXPECT_EQ(read.count().occupied, grid.count().occupied);
      EXPECT_EQ(read.count().unknown, grid.count().unknown);
    }
  }
}

TEST(SlwFile, KeepsTheFrame) {
  host::GridGeometry geometry;
  geometry.dims = {3, 3, 3};
  for (const host::Frame frame : {host::Frame::kSceneYUp, host::Frame::kMapZUp}) {
    geometry.frame = frame;
    const TemporaryFolder folder;
    host::write_slw(host::OccupancyGrid(geometry), folder / "w.slw");
    EXPECT_EQ(host::load_world(folder / "w.slw").frame, frame);
  }
}

TEST(SlwFile, HasTheLayoutThatIsDocumented) {
  const TemporaryFolder folder;
  const host::OccupancyGrid grid = example(WorldKind::kSparse, false);
  host::write_slw(grid, folder / "w.slw");
  const std::string bytes = tests::read_text(folder / "w.slw");
  const host::OccupancyGrid compact = grid.compacted();
  ASSERT_EQ(bytes.size(), 128 + 8 * compact.words().size());
  EXPECT_EQ(bytes.substr(0, 8), "\x89SLW\r\n\x1a\n");
  EXPECT_EQ(bytes.substr(8, 4), "\x04\x03\x02\x01");
  EXPECT_EQ(bytes[12], 1);
  EXPECT_EQ(bytes[24], 41);
  EXPECT_EQ(bytes.compare(128, std::string::npos,
                          reinterpret_cast<const char*>(compact.words().data()), compact.bytes()),
            0);
}

TEST(SlwFile, LeavesTheOldFileWhenTheNewOneCannotBeWritten) {
  const TemporaryFolder folder;
  const host::OccupancyGrid grid = example(WorldKind::kSparse, false);
  EXPECT_ANY_THROW(host::write_slw(grid, folder / "absent/w.slw"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace sightline
