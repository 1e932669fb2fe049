#include "host/theory_of_space/scene_views.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "host/error.h"
#include "host/theory_of_space/scene_drawing.h"
#include "host/world/canvas.h"
#include "host/world/text_scan.h"
#include "host/world/view_folder.h"
#include "host/world/voxelise.h"

namespace sightline::host::tos {
namespace {

kernels::Camera square_camera(std::int64_t side_px, double angle_deg = 90) {
  CameraSettings settings;
  settings.horizontal_deg = angle_deg;
  settings.width = settings.height = side_px;
  settings.range_m = kViewRange_m;
  return make_camera(settings);
}

Views views_of(const SceneWorld& built, const kernels::Pose& pose, const kernels::Camera& camera,
               Device& device) {
  return render_views(built.world, {pose}, camera, VisibilityQuery{}, built.labels, device);
}

/// "4,7", `where` being named in errors.
Cell cell_of(const std::string& text, const std::string& where) {
  const std::size_t comma = text.find(',');
  Cell cell;
  if (comma == std::string::npos || !parse_number(text.substr(0, comma), cell.x) ||
      !parse_number(text.substr(comma + 1), cell.y)) {
    throw InputError(where + ": a cell is its column and row, as 4,7");
  }
  return cell;
}

ViewFiles scene_files() {
  ViewFiles files;
  files.min_pixels = 1;
  return files;
}

/// A square hall without a ceiling, where posts of one radius and height are put.
class Hall {
 public:
  Hall() : grid_(grid_over(kBounds, Frame::kMapZUp, kFine_m)) {
    const auto& dims = grid_.geometry().dims;
    grid_.set_box({0, 0, 0}, dims, VoxelState::kOccupied);
    grid_.set_box({1, 1, 1}, {dims[0] - 1, dims[1] - 1, dims[2]}, VoxelState::kFree);
  }

  void add_post(double east_m, double north_m, std::int32_t id) {
    const VoxelBox box = voxels_meeting({{east_m - kRadius_m, north_m - kRadius_m, 0},
                                         {east_m + kRadius_m, north_m + kRadius_m, kThingHeight_m}},
                                        grid_.geometry());
    const auto middle = [](std::int64_t voxel) {
      return kBounds.min.x + (static_cast<double>(voxel) + 0.5) * kFine_m;
    };
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
      for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i) {
        if (std::hypot(middle(i) - east_m, middle(j) - north_m) > kRadius_m) continue;
        grid_.set_box({i, j, box.lo[2]}, {i + 1, j + 1, box.hi[2]}, VoxelState::kOccupied);
        for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) {
          hall_.labels.add_voxel(grid_, {i, j, k}, id);
        }
      }
    }
  }

  SceneWorld build() {
    hall_.world.frame = Frame::kMapZUp;
    hall_.world.grid = std::move(grid_);
    return std::move(hall_);
  }

 private:
  static constexpr double kFine_m = kVoxel_m / 4, kHalf_m = 6, kRadius_m = 0.125;
  static constexpr Bounds kBounds{{-kHalf_m, -kHalf_m, -kFine_m},
                                  {kHalf_m, kHalf_m, kWallHeight_m}};

  OccupancyGrid grid_;
  SceneWorld hall_;
};

constexpr std::int64_t kPortrait_px = 144;

/// An object alone that faces south, seen from a cell and a half away; its room is as large as a
/// view needs.
Image portrait(SceneObject object, Heading from, Rgb color, Device& device) {
  constexpr int kSide = 5, kMiddle = 2;
  Scene scene;
  scene.mask = {kSide, kSide, std::vector<std::int8_t>(kSide * kSide, 1)};
  object.cell = {kMiddle, kMiddle};
  object.facing = Heading::kSouth;
  scene.objects = {std::move(object)};
  constexpr double kAway_m = 1.5, kPitch_deg = -20, kAngle_deg = 60;
  kernels::Pose pose = eye_pose({{}, turned(from, 180), {}}, kPitch_deg);
  const Cell step = vector_of(from);
  pose.position = {kMiddle + kAway_m * step.x, kMiddle + kAway_m * step.y, kEyeHeight_m};
  const SceneWorld built = scene_world(scene);
  const Views views = views_of(built, pose, square_camera(kPortrait_px, kAngle_deg), device);
  return shaded_picture(views, 0, built.world.frame,
                        {{label_of_item(0), color}, {label_of_mark(0), kFacingColor}});
}

}  // namespace

Views scene_views(const Scene& scene, const std::vector<Pose>& poses, Device& device,
                  std::int64_t side_px) {
  Views views;
  views.camera = square_camera(side_px);
  const SceneWorld closed = scene_world(scene);
  for (const Pose& pose : poses) {
    SceneWorldOptions options;
    options.free_cell = pose.cell;
    const bool is_free = scene.item_at(pose.cell) < 0;
    const Views view = views_of(is_free ? closed : scene_world(scene, options), eye_pose(pose),
                                views.camera, device);
    views.hits.insert(views.hits.end(), view.hits.begin(), view.hits.end());
    views.ids.insert(views.ids.end(), view.ids.begin(), view.ids.end());
  }
  return views;
}

Views with_item_ids(Views views) {
  for (std::int32_t& id : views.ids) {
    if (id != kernels::kNoLabel) id = item_of_label(id);
  }
  return views;
}

Pose parse_pose(const Scene& scene, const std::string& text) {
  const std::size_t comma = text.find_last_of(',');
  const bool has_letter = comma != std::string::npos && comma + 2 == text.size();
  const std::optional<Heading> heading = has_letter ? heading_of(text.back()) : std::nullopt;
  if (!heading) {
    throw InputError("pose \"" + text + "\": write column, row and heading, as 4,7,N");
  }
  Pose pose;
  pose.cell = cell_of(text.substr(0, comma), "pose \"" + text + "\"");
  pose.heading = *heading;
  pose.rooms = scene.rooms_at(pose.cell);
  if (pose.rooms == RoomSet{}) {
    throw InputError("pose \"" + text +
                     "\": nobody can stand there; cells of rooms and doors can " +
                     "be stood on (sightline space draw shows them)");
  }
  return pose;
}

Cell parse_room_cell(const Scene& scene, const std::string& text) {
  const Cell cell = cell_of(text, "cell \"" + text + "\"");
  const RoomSet rooms = scene.rooms_at(cell);
  if (rooms.first == 0 || rooms.second != 0) {
    throw InputError("cell \"" + text + "\": is in no room (sightline space draw shows them)");
  }
  return cell;
}

void write_scene_views(const std::string& folder, const Scene& scene, const Views& views) {
  const IdColors colors = scene_colors(scene);
  ViewFiles files = scene_files();
  for (std::int64_t view = 0; view < views.num_views(); ++view) {
    files.shaded.push_back(shaded_picture(views, view, Frame::kMapZUp, colors));
  }
  write_view_folder(folder, with_item_ids(views), Frame::kMapZUp, files);
}

void check_scene_views(const std::string& folder) { check_view_folder(folder, scene_files()); }

Image distance_reference(Device& device, std::int64_t side_px) {
  struct Post {
    double distance, bearing_deg;
    Rgb color;
  };
  constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180.0;
  const std::vector<Post> posts{{1, 0, {45, 98, 214}},
                                {2, 0, {214, 48, 49}},
                                {3, 0, {46, 160, 67}},
                                {2, -22.5, {240, 205, 40}}};
  Hall hall;
  IdColors colors;
  for (const Post& post : posts) {
    const double bearing = post.bearing_deg * kRadiansPerDegree;
    const auto id = static_cast<std::int32_t>(colors.size());
    hall.add_post(post.distance * std::sin(bearing), post.distance * std::cos(bearing), id);
    colors[id] = post.color;
  }
  const Views views =
      views_of(hall.build(), eye_pose({{}, Heading::kNorth, {}}), square_camera(side_px), device);
  return shaded_picture(views, 0, Frame::kMapZUp, colors);
}

Image orientation_reference(const Scene& scene, Device& device) {
  constexpr int kColumns = 3;
  constexpr std::int64_t kGap_px = 8, kScale = 2;
  const std::int64_t width = 2 * kPortrait_px + 3 * kGap_px,
                     height = kPortrait_px + 3 * kGap_px + Canvas::text_height(kScale);
  const int columns = std::max(1, std::min(kColumns, scene.num_objects()));
  const int rows = std::max(1, (scene.num_objects() + columns - 1) / columns);
  Canvas canvas(columns * width, rows * height, {255, 255, 255});
  for (int item = 0; item < scene.num_objects(); ++item) {
    const SceneObject& object = scene.object(item);
    const std::int64_t left = item % columns * width + kGap_px,
                       top = item / columns * height + kGap_px;
    canvas.text(left, top, kScale, symbol_of(scene, item) + ". " + object.name, {0, 0, 0});
    const std::int64_t below = top + Canvas::text_height(kScale) + kGap_px;
    const Rgb color = color_of_item(scene, item);
    canvas.paste(portrait(object, Heading::kSouth, color, device), left, below);
    if (!object.has_facing) continue;
    canvas.paste(portrait(object, Heading::kEast, color, device), left + kPortrait_px + kGap_px,
                 below);
  }
  return canvas.image();
}

}  // namespace sightline::host::tos
