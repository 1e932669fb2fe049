// sightline render: what a camera at a pose sees of a world.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/ray_options.h"
#include "host/cli/world_options.h"
#include "host/config/place.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/sweep/pose_csv.h"
#include "host/world/binary_file.h"
#include "host/world/formats.h"
#include "host/world/labels_csv.h"
#include "host/world/view_folder.h"
#include "host/world/view_pictures.h"

namespace sightline::cli {
namespace {

using namespace host;

constexpr std::int64_t kMaxPixelBytes = std::int64_t{256} << 20;  ///< in memory at a time

struct RenderArguments {
  WorldArguments world;
  std::string poses, labels, out;
  std::vector<double> at_m;
  double yaw_deg = 0, pitch_deg = 0;
  double depth_unit_m = 0.001;
  std::int64_t min_pixels = 1;
  const CLI::Option* min_pixels_option = nullptr;
  bool raw = false;
  CameraSettings camera;
  VisibilityQuery query;
  DeviceArguments device;
};

void check(const RenderArguments& a) {
  if (a.min_pixels_option->count() > 0 && a.labels.empty()) {
    throw InputError("--min-pixels has no effect without --labels FILE; it is for pixels.csv");
  }
  if (a.poses.empty() == a.at_m.empty()) {
    throw InputError("give either --at X Y Z (with --yaw and --pitch) or --poses FILE.csv");
  }
  if (!a.poses.empty() && (a.yaw_deg != 0 || a.pitch_deg != 0)) {
    throw InputError("--yaw and --pitch go with --at; a file of poses has its own");
  }
  if (is_there(a.out) && !std::filesystem::is_directory(a.out)) {
    throw InputError("--out " + a.out + ": is a file; name a folder for the pictures");
  }
}

ViewFiles files_of(const RenderArguments& a) {
  ViewFiles files;
  files.depth_unit_m = a.depth_unit_m;
  files.hits = a.raw;
  if (!a.labels.empty()) files.min_pixels = a.min_pixels;
  return files;
}

void refuse_to_replace_inputs(const RenderArguments& a) {
  for (const std::string& file : files_to_replace(a.out, files_of(a))) {
    for (const std::string& input : {a.world.file, a.poses, a.labels}) {
      if (!same_file(input, file)) continue;
      throw InputError("--out " + a.out + ": the render would replace " + file +
                       ", which is one of the inputs; name another folder");
    }
  }
}

std::vector<kernels::Pose> poses_of(const RenderArguments& a, const World& world) {
  if (!a.poses.empty()) return read_posed_csv(a.poses, world.frame);
  return {make_pose_deg(world.frame, {a.at_m[0], a.at_m[1], a.at_m[2]}, a.yaw_deg, a.pitch_deg)};
}

void warn_of_cameras_outside(const World& world, const std::vector<kernels::Pose>& poses) {
  std::vector<kernels::Vec3> cameras;
  for (const kernels::Pose& pose : poses) cameras.push_back(pose.position);
  const std::int64_t outside = num_outside(world, cameras);
  if (outside == 0) return;
  print_warnings({fmt::format("{} of {} outside the grid", outside,
                              plural(cameras.size(), "camera lies", "cameras lie"))});
}

void draw(const RenderArguments& a) {
  check(a);
  refuse_to_replace_inputs(a);
  check_view_folder(a.out, files_of(a));
  const World world = open_world(a.world);
  if (!world.grid) throw InputError(world.name + " has no grid to render; give it voxels");
  const std::vector<kernels::Pose> poses = poses_of(a, world);
  warn_of_cameras_outside(world, poses);
  const VoxelLabels labels =
      a.labels.empty() ? VoxelLabels{} : read_labels_csv(a.labels, *world.grid);
  at_place(a.labels, [&] { check_picture_ids(labels.ids()); });
  const kernels::Camera camera = make_camera(a.camera);
  Device device = make_device(a.device);
  print_warnings_of(device);
  ViewFolder out(a.out, camera, static_cast<std::int64_t>(poses.size()), world.frame, files_of(a));
  render_views_in_blocks(world, poses, camera, a.query, labels, kMaxPixelBytes, device,
                         [&](const Views& views) { out.add(views); });
  out.commit();
  fmt::print("{} of {} x {} pixels -> {}\n", plural(poses.size(), "view"), camera.width,
             camera.height, a.out);
}

void run(const RenderArguments& a) {
  try {
    draw(a);
  } catch (const InputError& error) {
    const std::string fault = error.what(), row = "poses row 0: ";
    if (a.at_m.empty() || fault.rfind(row, 0) != 0) throw;
    throw InputError("--at: " + fault.substr(row.size()));
  }
}

void add_camera_options(CLI::App& render, RenderArguments& a) {
  render.add_option("--at", a.at_m, "Where the camera is, metres, world frame")
      ->expected(3)
      ->option_text("X Y Z");
  render.add_option("--yaw", a.yaw_deg, "Where it looks, degrees (0: +z, or +x where z is up)")
      ->check(angle_up_to(kMaxYaw_deg));
  render.add_option("--pitch", a.pitch_deg, "Degrees above the horizon, -90 to 90")
      ->check(angle_up_to(kMaxPitch_deg));
  render.add_option("--poses", a.poses, "Many at once: .csv with x, y, z, yaw_deg, pitch_deg");
  render.add_option("--width", a.camera.width, "Pixels (default 640)");
  render.add_option("--height", a.camera.height, "Pixels (default 480)");
  render
      .add_option("--fov", a.camera.horizontal_deg, "Full horizontal angle, degrees (default 90)")
      ->check(view_angle());
  render
      .add_option("--vertical-fov", a.camera.vertical_deg,
                  "Full vertical angle, degrees (default: square pixels)")
      ->check(view_angle());
  render.add_option("--range", a.camera.range_m, "How far it sees, metres (default 50)")
      ->check(length_above_zero());
}

}  // namespace

void add_render(CLI::App& app) {
  auto arguments = std::make_shared<RenderArguments>();
  RenderArguments& a = *arguments;
  a.camera.range_m = 50;
  CLI::App* render = add_command(app, "render", "Views of a world: depth, ids and shading as PNG");
  render->add_option("--world", a.world.file, "World file: " + readable_formats());
  add_world_options(*render, a.world);
  add_camera_options(*render, a);
  render->add_option("--labels", a.labels,
                     "Whose voxels: .csv with id and x, y, z, or min_x .. max_z of a box");
  a.min_pixels_option = render
                            ->add_option("--min-pixels", a.min_pixels,
                                         "In pixels.csv, a thing is visible from as many")
                            ->check(at_least_one());
  render->add_option("--depth-unit", a.depth_unit_m, "Metres per level of depth (default 0.001)");
  add_policy_options(*render, a.query);
  add_exact_options(*render, a.query);
  render->add_flag("--raw", a.raw, "Also views.npy: voxel, distance, normal and id per pixel");
  render->add_option("--out", a.out, "Folder to write into")->required();
  add_device_options(*render, a.device);
  render->footer(
      "Writes view_0000_depth.png (16 bits: distance along the pixel's ray in --depth-unit, 0:\n"
      "nothing), view_0000_id.png (16 bits: id + 1, 0: nobody's), view_0000_shaded.png, and with\n"
      "--labels pixels.csv: how many pixels of each view each id covers. An earlier render in the\n"
      "folder is replaced as a whole, once all of the new one is written (to unfinished_render/ "
      "in\n"
      "the folder: where that is left, a render was killed; render again). Other files there "
      "stay,\n"
      "and where one of them would have to go nothing is written.\n\n"
      "Examples:\n"
      "  sightline render --scene village --voxel 0.1 --at 6 1.6 4 --yaw 30 --out views\n"
      "  sightline render --world map.bt --poses robot.csv --labels things.csv --out views");
  render->callback([arguments] { run(*arguments); });
}

}  // namespace sightline::cli
