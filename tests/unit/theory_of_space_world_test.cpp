// Scenes as worlds of voxels: what stands where, and whose it is.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_world.h"
#include "host/world/labels_csv.h"
#include "host/world/load.h"
#include "host/world/visibility.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using kernels::Vec3;

Scene two_rooms() { return parse_scene(kTwoRooms, "two rooms"); }

bool is_solid(const SceneWorld& built, const Vec3& point) {
  return host::solid_at(built.world, host::Geometry::kGrid, {point}).front() != 0;
}

/// The label of the voxel that holds a point; kNoLabel: nobody's.
std::int32_t label_at(const SceneWorld& built, const Vec3& point) {
  const host::GridGeometry& geometry = built.world.grid->geometry();
  const double at[] = {point.x, point.y, point.z};
  std::int64_t voxel = 0;
  for (int axis = 2; axis >= 0; --axis) {
    const auto i = static_cast<std::size_t>(axis);
    voxel = voxel * geometry.dims[i] +
            static_cast<std::int64_t>((at[i] - geometry.origin_m[i]) / geometry.voxel_m[i]);
  }
  const std::vector<std::int64_t> voxels = built.labels.voxels();
  const auto found = std::lower_bound(voxels.begin(), voxels.end(), voxel);
  if (found == voxels.end() || *found != voxel) return kernels::kNoLabel;
  return built.labels.ids()[static_cast<std::size_t>(found - voxels.begin())];
}

TEST(TheoryOfSpaceWorld, HasAFloorThinWallsAndThings) {
  const SceneWorld built = scene_world(two_rooms());
  EXPECT_EQ(built.world.frame, host::Frame::kMapZUp);
  EXPECT_TRUE(is_solid(built, {2, 1, -0.06})) << "the floor";
  EXPECT_FALSE(is_solid(built, {2, 1, 0.06}));
  EXPECT_TRUE(is_solid(built, {0.06, 2, 1})) << "the west wall, up to 0.125";
  EXPECT_FALSE(is_solid(built, {0.19, 2, 1}));
  EXPECT_TRUE(is_solid(built, {0.06, 2, 2.4}));
  EXPECT_TRUE(is_solid(built, {0.06, 2.45, 1})) << "walls go on from cell to cell";
  EXPECT_TRUE(is_solid(built, {0.06, 0.06, 1})) << "and round corners";
  EXPECT_TRUE(is_solid(built, {4, 1.4, 1})) << "and up to doors";
  EXPECT_TRUE(is_solid(built, {1.3, 3.3, 0.45})) << "the sofa";
  EXPECT_FALSE(is_solid(built, {1.3, 3.3, 0.55}));
  EXPECT_FALSE(is_solid(built, {1.45, 3, 0.2}));
}

TEST(TheoryOfSpaceWorld, HasDoorsThatOpen) {
  const Scene scene = two_rooms();
  const Vec3 leaf{4.06, 2.4, 1}, lintel{4.06, 2.4, 2.25};
  SceneWorldOptions open, standing;
  open.doors_are_open = true;
  standing.free_cell = Cell{4, 2};
  EXPECT_TRUE(is_solid(scene_world(scene), leaf));
  EXPECT_TRUE(is_solid(scene_world(scene), lintel));
  EXPECT_EQ(label_at(scene_world(scene), leaf), label_of_item(3));
  EXPECT_EQ(label_at(scene_world(scene), lintel), kernels::kNoLabel);
  for (const SceneWorldOptions& options : {open, standing}) {
    const SceneWorld built = scene_world(scene, options);
    EXPECT_FALSE(is_solid(built, leaf));
    EXPECT_TRUE(is_solid(built, lintel));
    EXPECT_EQ(label_at(built, leaf), kernels::kNoLabel);
    EXPECT_EQ(built.boxes.size(), 3u);
  }
}

TEST(TheoryOfSpaceWorld, LeavesOutWhatStandsInTheFreeCell) {
  SceneWorldOptions options;
  options.free_cell = Cell{1, 3};
  const SceneWorld built = scene_world(two_rooms(), options);
  EXPECT_FALSE(is_solid(built, {1, 3, 0.2}));
  EXPECT_TRUE(is_solid(built, {3, 1, 0.2}));
  EXPECT_EQ(built.boxes.size(), 3u);
}

TEST(TheoryOfSpaceWorld, MarksWhereAThingFaces) {
  for (const Heading facing : {Heading::kNorth, Heading::kEast, Heading::kSouth, Heading::kWest}) {
    Scene scene = two_rooms();
    scene.objects[0].facing = facing;
    const SceneWorld built = scene_world(scene);
    for (int quarter = 0; quarter < kNumHeadings; ++quarter) {
      const auto side = static_cast<Heading>(quarter);
      const Cell step = vector_of(side);
      const auto at = [&](double away, double up) {
        return Vec3{1 + away * step.x + 0.06 * step.y, 3 + away * step.y + 0.06 * step.x, up};
      };
      const std::int32_t expected = side == facing ? label_of_mark(0) : label_of_item(0);
      EXPECT_EQ(label_at(built, at(0.3, 0.3)), expected) << name_of(facing) << quarter;
      EXPECT_EQ(label_at(built, at(0.2, 0.45)), expected) << name_of(facing) << quarter;
      EXPECT_EQ(label_at(built, at(0.3, 0.06)), label_of_item(0)) << "below the mark";
    }
    EXPECT_EQ(label_at(built, {3, 1.3, 0.3}), label_of_item(1)) << "a lamp faces nowhere";
  }
}

TEST(TheoryOfSpaceWorld, IsKeptByFilesWithItsLabels) {
  const TemporaryFolder folder;
  const SceneWorld built = scene_world(two_rooms());
  host::save_world(built.world, folder / "room.slw");
  write_text(folder / "room.csv", boxes_csv(built.boxes));
  const host::World world = host::load_world(folder / "room.slw");
  EXPECT_EQ(world.grid->count().occupied, built.world.grid->count().occupied);
  const host::VoxelLabels labels = host::read_labels_csv(folder / "room.csv", *world.grid);
  EXPECT_EQ(labels.voxels(), built.labels.voxels());
  std::vector<std::int32_t> items = built.labels.ids();
  for (std::int32_t& label : items) label = item_of_label(label);
  EXPECT_EQ(labels.ids(), items);
}

}  // namespace
}  // namespace sightline::tests
