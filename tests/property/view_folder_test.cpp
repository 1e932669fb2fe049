// A folder of views that come in blocks holds the files of one of all views at once.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "host/world/view.h"
#include "host/world/view_folder.h"
#include "support/random.h"
#include "support/run_program.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

/// Files of a folder by name.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    found[entry.path().filename().string()] = read_text(entry.path().string());
  }
  return found;
}

TEST(ViewFolders, AreTheSameInBlocksAndAtOnce) {
  constexpr std::uint64_t kSeed = 20261127;
  Random random(kSeed);
  const host::World world =
      to_engine(make_world(WorldKind::kRooms, {50, 30, 45}, false, random), oracle::Frame{});
  host::VoxelLabels labels;
  for (int i = 0; i < 20'000; ++i) {
    labels.add_voxel(*world.grid,
                     {random.integer(0, 49), random.integer(0, 29), random.integer(0, 44)},
                     static_cast<std::int32_t>(random.integer(0, 9)));
  }
  std::vector<kernels::Pose> poses;
  for (int i = 0; i < 7; ++i) {
    poses.push_back(make_pose(host::Frame::kSceneYUp,
                              {random.uniform(0, 50), random.uniform(0, 30), random.uniform(0, 45)},
                              random.uniform(-4, 4), random.uniform(-1.2, 1.2)));
  }
  const kernels::Camera camera = host::make_camera({19, 11, 80, 0, 60});
  host::Device device(host::DeviceChoice::kCpu);
  host::ViewFiles files;
  files.min_pixels = 2;
  files.hits = true;
  const TemporaryFolder folder;
  write_view_folder(folder / "whole", render_views(world, poses, camera, {}, labels, device),
                    host::Frame::kSceneYUp, files);
  const auto expected = files_in(folder / "whole");
  ASSERT_EQ(expected.size(), 3 * poses.size() + 2);
  for (const std::int64_t views_at_once : {1, 3, 7}) {
    const std::string name = folder / std::to_string(views_at_once);
    host::ViewFolder out(name, camera, 7, host::Frame::kSceneYUp, files);
    render_views_in_blocks(world, poses, camera, {}, labels, views_at_once * 19 * 11 * 28, device,
                           [&](const host::Views& views) { out.add(views); });
    out.commit();
    EXPECT_TRUE(files_in(name) == expected) << views_at_once << " views at a time";
  }
}

}  // namespace
}  // namespace sightline::tests
