#include "host/theory_of_space/scene_world.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "host/theory_of_space/scene_drawing.h"
#include "host/world/voxelise.h"

namespace sightline::host::tos {
namespace {

using kernels::Vec3;

constexpr double kHalfCell_m = 0.5, kHalfWall_m = kVoxel_m;  // walls are two voxels thick

/// A box by what lies ahead of a cell's middle along a heading, and to the right of it.
Bounds box_at(Cell cell, Heading heading, double back_m, double front_m, double half_width_m,
              double low_m, double high_m) {
  const Cell ahead = vector_of(heading), aside = vector_of(turned(heading, 90));
  const auto corner = [&](double forward, double right, double up) {
    return Vec3{cell.x + forward * ahead.x + right * aside.x,
                cell.y + forward * ahead.y + right * aside.y, up};
  };
  const Vec3 a = corner(back_m, -half_width_m, low_m), b = corner(front_m, half_width_m, high_m);
  return {{std::min(a.x, b.x), std::min(a.y, b.y), low_m},
          {std::max(a.x, b.x), std::max(a.y, b.y), high_m}};
}

class SceneBuild {
 public:
  SceneBuild(const Scene& scene, const SceneWorldOptions& options)
      : scene_(scene), options_(options), grid_(grid_over(bounds(), Frame::kMapZUp, kVoxel_m)) {}

  SceneWorld build() {
    fill({{bounds().min.x, bounds().min.y, -kVoxel_m}, {bounds().max.x, bounds().max.y, 0}});
    for (int x = 0; x < scene_.mask.width; ++x) {
      for (int y = 0; y < scene_.mask.height; ++y) add_walls({x, y});
    }
    for (int item = 0; item < scene_.num_items(); ++item) {
      if (options_.free_cell && *options_.free_cell == scene_.cell_of(item)) continue;
      scene_.is_door(item) ? add_leaf(item) : add_thing(item);
    }
    built_.world.name = scene_.id;
    built_.world.frame = Frame::kMapZUp;
    built_.world.bounds_m = bounds();
    built_.world.grid = std::move(grid_);
    return std::move(built_);
  }

 private:
  Bounds bounds() const {
    return {{-kHalfCell_m, -kHalfCell_m, -kVoxel_m},
            {scene_.mask.width - kHalfCell_m, scene_.mask.height - kHalfCell_m, kWallHeight_m}};
  }

  void fill(const Bounds& box) {
    const VoxelBox voxels = voxels_meeting(box, grid_.geometry());
    grid_.set_box(voxels.lo, voxels.hi, VoxelState::kOccupied);
  }

  bool is_wall(Cell cell) const { return scene_.mask.at(cell) == mask::kWall; }
  bool is_door(Cell cell) const { return scene_.mask.at(cell) >= mask::kDoorAlongX; }

  /// A post, and a wall from it to every wall and door beside it; over a door, to both sides.
  void add_walls(Cell cell) {
    if (!is_wall(cell) && !is_door(cell)) return;
    const double low_m = is_wall(cell) ? 0 : kDoorHeight_m;
    for (int quarter = 0; quarter < kNumHeadings; ++quarter) {
      const auto heading = static_cast<Heading>(quarter);
      const Cell beside = cell + vector_of(heading);
      const bool goes_on = is_wall(beside) || (is_wall(cell) && is_door(beside));
      const double end_m = goes_on ? kHalfCell_m : is_wall(cell) ? kHalfWall_m : 0;
      if (end_m > 0) {
        fill(box_at(cell, heading, -kHalfWall_m, end_m, kHalfWall_m, low_m, kWallHeight_m));
      }
    }
  }

  void add_leaf(int item) {
    if (options_.doors_are_open) return;
    const Door& door = scene_.door(item);
    add_item(item, box_at(door.cell, door.into[0], -kHalfWall_m, kHalfWall_m, kHalfCell_m, 0,
                          kDoorHeight_m));
  }

  void add_thing(int item) {
    constexpr double kHalf_m = kThingWidth_m / 2;
    const SceneObject& object = scene_.object(item);
    add_item(item,
             box_at(object.cell, object.facing, -kHalf_m, kHalf_m, kHalf_m, 0, kThingHeight_m));
    if (!object.has_facing) return;
    const auto mark = [&](double back_m, double half_width_m, double low_m) {
      const Bounds box =
          box_at(object.cell, object.facing, back_m, kHalf_m, half_width_m, low_m, kThingHeight_m);
      built_.labels.add_box(grid_, box.min, box.max, label_of_mark(item));
    };
    mark(kHalf_m - kVoxel_m, 2 * kVoxel_m, kVoxel_m);
    mark(0, kVoxel_m, kThingHeight_m - kVoxel_m);
  }

  void add_item(int item, const Bounds& box) {
    fill(box);
    built_.boxes.push_back({item, box});
    built_.labels.add_box(grid_, box.min, box.max, label_of_item(item));
  }

  const Scene& scene_;
  const SceneWorldOptions& options_;
  OccupancyGrid grid_;
  SceneWorld built_;
};

}  // namespace

SceneWorld scene_world(const Scene& scene, const SceneWorldOptions& options) {
  return SceneBuild(scene, options).build();
}

std::string boxes_csv(const std::vector<ItemBox>& boxes) {
  std::string text = "id,min_x,min_y,min_z,max_x,max_y,max_z\n";
  for (const ItemBox& box : boxes) {
    const Vec3 &low = box.box_m.min, &high = box.box_m.max;
    text += fmt::format("{},{},{},{},{},{},{}\n", box.item, low.x, low.y, low.z, high.x, high.y,
                        high.z);
  }
  return text;
}

IdColors scene_colors(const Scene& scene) {
  IdColors colors;
  for (int item = 0; item < scene.num_items(); ++item) {
    colors[label_of_item(item)] = color_of_item(scene, item);
    colors[label_of_mark(item)] = kFacingColor;
  }
  return colors;
}

kernels::Pose eye_pose(const Pose& pose, double pitch_deg) {
  const double yaw_deg = 90 - 90.0 * static_cast<int>(pose.heading);  // north is 90, east 0
  return make_pose_deg(
      Frame::kMapZUp,
      {static_cast<double>(pose.cell.x), static_cast<double>(pose.cell.y), kEyeHeight_m}, yaw_deg,
      pitch_deg);
}

}  // namespace sightline::host::tos
