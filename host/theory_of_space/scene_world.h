// A scene as a world of voxels, so that what is seen of it can be rendered.
//
// The vision counterpart of Theory of Space (ToS), section 2 and B.1, with plain boxes for things.
// Frame kMapZUp: x east, y north, z up; a cell is a metre, and its middle has the cell's numbers as
// coordinates. Walls are thin and stand in the middle of their cells, doors are closed leaves in
// them: so what is within the field of view and in the room shows, and what is in another room does
// not, as observe() says. A thing is lower than the eye and stands on the floor with a mark of
// another colour on the side where it faces and from there to the middle of its top.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"
#include "host/world/view_pictures.h"
#include "host/world/world.h"

namespace sightline::host::tos {

constexpr double kVoxel_m = 0.125;     ///< an eighth: all edges lie on voxels, exactly
constexpr double kWallHeight_m = 2.5;  ///< over doors too
constexpr double kDoorHeight_m = 2;
constexpr double kThingWidth_m = 0.75, kThingHeight_m = 0.5;
constexpr double kEyeHeight_m = 0.8;  ///< as in the published scenes

/// The labels of an item's voxels, and of those of the mark where it faces, which are part of it.
constexpr std::int32_t label_of_item(int item) { return 2 * item + 1; }
constexpr std::int32_t label_of_mark(int item) { return 2 * item; }
constexpr int item_of_label(std::int32_t label) { return label / 2; }

/// What an item fills, without the space around it.
struct ItemBox {
  int item = 0;
  Bounds box_m;
};

struct SceneWorldOptions {
  bool doors_are_open = false;
  /// The item that stands there is left out, a door's leaf too: somebody stands in its place.
  std::optional<Cell> free_cell;
};

struct SceneWorld {
  host::World world;           ///< of voxels; tos::World is what an agent acts in
  std::vector<ItemBox> boxes;  ///< of the things and door leaves that are there
  VoxelLabels labels;          ///< the same, voxel by voxel, and marks
};

SceneWorld scene_world(const Scene& scene, const SceneWorldOptions& options = {});

/// id (the item's index), min_x, ..., max_z: a table as `sightline render --labels` reads it.
std::string boxes_csv(const std::vector<ItemBox>& boxes);

/// Of labels: those of items are color_of_item().
IdColors scene_colors(const Scene& scene);

/// Where an agent's eye is, and where it looks.
kernels::Pose eye_pose(const Pose& pose, double pitch_deg = 0);

}  // namespace sightline::host::tos
