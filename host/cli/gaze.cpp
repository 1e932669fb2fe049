// sightline gaze: what a batch of looks, or one, meets first.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/world_options.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/sweep/pose_csv.h"
#include "host/sweep/ray_set.h"
#include "host/world/binary_file.h"
#include "host/world/formats.h"
#include "host/world/gaze.h"
#include "host/world/hits_file.h"

namespace sightline::cli {
namespace {

using namespace host;

struct GazeArguments {
  WorldArguments world;
  RayArguments rays;
  std::string poses, out;
  std::int64_t max_rays = 0;
  bool quiet = false;
  VisibilityQuery query;
  DeviceArguments device;
};

void check(const GazeArguments& a) {
  if (a.poses.empty()) {
    check_ray_options(a.rays);
  } else if (!a.rays.files().empty() || a.rays.is_one_ray() || a.rays.cross ||
             !(a.rays.range_m > 0)) {
    throw InputError("--poses FILE.csv needs --range METRES above 0, and no other option for rays");
  }
  check_told(a.rays, a.out, a.quiet);
  if (a.out.empty()) return;
  std::vector<std::string> inputs = a.rays.files();
  inputs.insert(inputs.end(), {a.world.file, a.poses});
  check_output(a.out, inputs);
  const std::string extension = extension_of(a.out);
  if (extension != ".npy" && extension != ".csv") {
    throw InputError("--out " + a.out + ": hits are written as .npy or .csv; change the extension");
  }
}

RayBatch rays_of(const GazeArguments& a, const World& world) {
  if (a.poses.empty()) return read_rays(a.rays);
  return gaze_rays(read_posed_csv(a.poses, world.frame), a.rays.range_m);
}

void write_hits(const GazeArguments& a, const RayBatch& rays,
                const std::vector<kernels::FirstHit>& hits) {
  if (extension_of(a.out) == ".csv") {
    write_hits_csv(a.out, hits);
  } else {
    write_hits_npy(a.out, hits, {}, a.rays.shape(rays));
  }
}

/// "voxel 5 1 5 at 3.95 m, normal -1 0 0".
std::string hit_text(const kernels::FirstHit& hit) {
  if (hit.sight == kernels::Visibility::kVisible) return "nothing hit";
  if (hit.sight == kernels::Visibility::kUnknown) return "only unknown space";
  const kernels::Vec3 n = normal_of(hit.face);
  return fmt::format("voxel {} {} {} at {:.6g} m, normal {} {} {}{}", hit.voxel[0], hit.voxel[1],
                     hit.voxel[2], hit.distance_m, static_cast<int>(n.x), static_cast<int>(n.y),
                     static_cast<int>(n.z), hit.through_unknown ? ", through unknown space" : "");
}

void print_counts(const GazeArguments& a, const std::vector<kernels::FirstHit>& hits) {
  const auto num_with = [&](kernels::Visibility sight) {
    return std::count_if(hits.begin(), hits.end(),
                         [&](const kernels::FirstHit& hit) { return hit.sight == sight; });
  };
  fmt::print("{}: {} meet something, {} nothing, {} only unknown space -> {}\n",
             plural(hits.size(), "gaze"), num_with(kernels::Visibility::kHidden),
             num_with(kernels::Visibility::kVisible), num_with(kernels::Visibility::kUnknown),
             a.out);
}

void run(const GazeArguments& a) {
  check(a);
  const World world = open_world(a.world);
  const RayBatch rays = rays_of(a, world);
  Device device = make_device(a.device);
  print_warnings_of(device);
  device.set_max_rays_per_batch(a.max_rays);
  const std::vector<kernels::FirstHit> hits =
      naming_files(a.rays, [&] { return first_hit(world, rays, a.query, device); });
  if (!a.out.empty()) write_hits(a, rays, hits);
  if (a.quiet) return;
  if (a.rays.is_one_ray()) {
    fmt::print("{}\n", hit_text(hits.front()));
  } else {
    print_counts(a, hits);
  }
  warn_of_points_outside(world, rays);
}

}  // namespace

void add_gaze(CLI::App& app) {
  auto arguments = std::make_shared<GazeArguments>();
  GazeArguments& a = *arguments;
  CLI::App* gaze = add_command(app, "gaze", "What a batch of looks, or one, meets first");
  gaze->add_option("--world", a.world.file, "World file: " + readable_formats());
  add_world_options(*gaze, a.world);
  gaze->add_option("--poses", a.poses,
                   "Looks of --range metres from a .csv: x, y, z, yaw_deg, pitch_deg");
  add_ray_options(*gaze, a.rays);
  add_policy_options(*gaze, a.query);
  add_exact_options(*gaze, a.query);
  gaze->add_option("--out", a.out,
                   "First hits: .npy (a structured array) or .csv; one ray does without");
  gaze->add_option("--batch", a.max_rays, "Rays in one piece; does not change an answer")
      ->check(at_least_one());
  gaze->add_flag("--quiet", a.quiet, "Print nothing");
  add_device_options(*gaze, a.device);
  gaze->footer(
      "Per ray: distance to where the first voxel that blocks is entered, that voxel, and the\n"
      "normal of the face through which it is entered. The voxel that holds the start does not\n"
      "count, the one at the end does if the ray has a length in it: one that ends on the face\n"
      "through which it would enter does not meet it, unless --tie-rule supercover.\n\n"
      "Examples:\n"
      "  sightline gaze --world map.bt --from 1 1 1.5 --to 4 3 2\n"
      "  sightline gaze --world map.bt --poses robot.csv --range 20 --out hits.csv\n"
      "  sightline gaze --world map.bt --observers a.npy --targets b.npy --out hits.npy");
  gaze->callback([arguments] { run(*arguments); });
}

}  // namespace sightline::cli
