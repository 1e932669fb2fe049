#include "host/world/formats.h"

#include <algorithm>
#include <array>
#include <utility>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/binvox.h"
#include "host/world/nanovdb_world.h"
#include "host/world/npy_world.h"
#include "host/world/obj.h"
#include "host/world/octomap_reader.h"
#include "host/world/octomap_writer.h"
#include "host/world/ply.h"
#include "host/world/reframe.h"
#include "host/world/slw.h"
#include "host/world/text_scan.h"
#include "host/world/uniform_boxes.h"
#include "host/world/vox.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

constexpr const char* kTurned =
    "y is up in this world and z in the file: it is written turned (forward, left, up = z, -x, y)";

std::string three_texts(const std::array<double, 3>& numbers) {
  return exact_text(numbers[0]) + " " + exact_text(numbers[1]) + " " + exact_text(numbers[2]);
}

/// Does the origin come back, bit for bit, as a number of voxels times their size?
bool is_on_lattice(const GridGeometry& geometry) {
  const Index3 corner = vox_corner(geometry);
  for (int axis = 0; axis < 3; ++axis) {
    if (static_cast<double>(corner[axis]) * geometry.voxel_m[axis] != geometry.origin_m[axis]) {
      return false;
    }
  }
  return true;
}

/// Does `holds(lo, hi)` for the layer of voxels at one of the grid's six sides?
template <typename Holds>
bool at_a_side(const OccupancyGrid& grid, const Holds& holds) {
  const Index3& dims = grid.geometry().dims;
  for (int axis = 0; axis < 3; ++axis) {
    for (const std::int64_t layer : {std::int64_t{0}, dims[axis] - 1}) {
      Index3 lo{0, 0, 0}, hi = dims;
      lo[axis] = layer;
      hi[axis] = layer + 1;
      if (holds(lo, hi)) return true;
    }
  }
  return false;
}

std::vector<std::string> octomap_losses(const OccupancyGrid& grid) {
  std::vector<std::string> losses;
  if (grid.geometry().frame != Frame::kMapZUp) losses.push_back(kTurned);
  if (at_a_side(grid, [&](const Index3& lo, const Index3& hi) {
        return uniform_state(grid, lo, hi) == VoxelState::kUnknown;
      })) {
    losses.push_back("layers of unknown voxels at the sides are left out: the file has no size");
  }
  if (!is_on_lattice(in_frame(grid.geometry(), Frame::kMapZUp))) {
    losses.push_back("the origin is rounded to a multiple of the voxel size, in its last digits");
  }
  return losses;
}

std::vector<std::string> vox_losses(const OccupancyGrid& grid) {
  std::vector<std::string> losses;
  const GridGeometry geometry = in_frame(grid.geometry(), Frame::kMapZUp);
  if (grid.geometry().frame != Frame::kMapZUp) losses.push_back(kTurned);
  if (!is_on_lattice(geometry)) {
    losses.push_back("the file places the grid in whole voxels; read it with --origin " +
                     three_texts(geometry.origin_m));
  }
  return losses;
}

WorldFormat make_format(const char* extension, const char* name, const char* holds) {
  WorldFormat format;
  format.extension = extension;
  format.name = name;
  format.holds = holds;
  return format;
}

WorldFormat octomap_format(const char* extension, const char* name) {
  WorldFormat format = make_format(
      extension, name, "free, occupied and unknown cubes on multiples of their size; z up");
  format.keeps_unknown = true;
  format.read = [](const std::string& path, const Placement&) { return read_octomap(path); };
  return format;
}

WorldFormat octomap_binary_format() {
  WorldFormat format = octomap_format(".bt", "OctoMap, binary tree");
  format.write = write_octomap;
  format.more_losses = octomap_losses;
  return format;
}

WorldFormat binvox_format() {
  WorldFormat format = make_format(".binvox", "binvox", "occupied cubes, size and place");
  format.frame = Source::kPlacement;
  format.read = read_binvox;
  format.write = write_binvox;
  return format;
}

WorldFormat vox_format() {
  WorldFormat format =
      make_format(".vox", "MagicaVoxel", "occupied cubes, placed in whole voxels; z up");
  format.voxel_m = Source::kPlacement;
  format.origin_m = Source::kEither;
  format.read = read_vox;
  format.write = write_vox;
  format.more_losses = vox_losses;
  return format;
}

std::vector<std::string> nanovdb_losses(const OccupancyGrid& grid) {
  std::vector<std::string> losses;
  if (at_a_side(grid,
                [&](const Index3& lo, const Index3& hi) { return !any_occupied(grid, lo, hi); })) {
    losses.push_back(
        "layers without occupied voxels at the sides are left out: the file has no size");
  }
  const GridGeometry& geometry = grid.geometry();
  const std::array<double, 3> centre = nanovdb_centre(geometry);
  for (int axis = 0; axis < 3; ++axis) {
    if (centre[axis] - geometry.voxel_m[axis] / 2 == geometry.origin_m[axis]) continue;
    losses.push_back("the origin is rounded in its last digits: the file places centres of voxels");
    break;
  }
  return losses;
}

WorldFormat nanovdb_format() {
  WorldFormat format = make_format(
      ".nvdb", has_nanovdb() ? "NanoVDB" : "NanoVDB (needs a build with libnanovdb-dev)",
      "occupied voxels, size and place");
  format.frame = Source::kPlacement;
  format.read = read_nanovdb;
  format.write = write_nanovdb;
  format.more_losses = nanovdb_losses;
  return format;
}

WorldFormat mesh_format(const char* extension, const char* name, const char* holds) {
  WorldFormat format = make_format(extension, name, holds);
  format.voxel_m = Source::kRequired;
  format.origin_m = Source::kEither;
  format.frame = Source::kPlacement;
  return format;
}

WorldFormat ply_format() {
  WorldFormat format =
      mesh_format(".ply", "PLY, text or binary", "surfaces or points, as voxels of the size given");
  format.read = read_ply_world;
  return format;
}

WorldFormat obj_format() {
  WorldFormat format = mesh_format(".obj", "Wavefront", "surfaces, as voxels of the size given");
  format.read = read_obj_world;
  return format;
}

WorldFormat npy_format() {
  WorldFormat format =
      make_format(".npy", "NumPy, bool or uint8 [nx, ny, nz]", "0 free, 1 occupied, 2 unknown");
  format.voxel_m = format.origin_m = format.frame = Source::kPlacement;
  format.keeps_unknown = true;
  format.read = read_grid_npy;
  format.write = write_grid_npy;
  return format;
}

WorldFormat slw_format() {
  WorldFormat format = make_format(".slw", "Sightline world", "everything");
  format.keeps_unknown = true;
  format.read = [](const std::string& path, const Placement&) { return read_slw(path); };
  format.write = write_slw;
  return format;
}

/// "a, b and c"
std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + last + " " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

GridGeometry geometry_of(const Placement& placement, Frame default_frame) {
  GridGeometry geometry;
  if (placement.voxel_m) geometry.voxel_m = *placement.voxel_m;
  if (placement.origin_m) geometry.origin_m = *placement.origin_m;
  geometry.frame = placement.frame.value_or(default_frame);
  return geometry;
}

const std::vector<WorldFormat>& world_formats() {
  static const std::vector<WorldFormat> formats{slw_format(),
                                                octomap_binary_format(),
                                                octomap_format(".ot", "OctoMap, full tree"),
                                                npy_format(),
                                                binvox_format(),
                                                vox_format(),
                                                nanovdb_format(),
                                                ply_format(),
                                                obj_format()};
  return formats;
}

const WorldFormat* find_format(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const WorldFormat& format : world_formats()) {
    if (format.extension == extension) return &format;
  }
  return nullptr;
}

std::string readable_formats() {
  std::vector<std::string> words;
  for (const WorldFormat& format : world_formats()) {
    if (format.read) words.push_back(format.extension);
  }
  words.push_back(".yaml (a scene)");
  return joined(words, "and");
}

std::string writable_formats() {
  std::vector<std::string> words;
  for (const WorldFormat& format : world_formats()) {
    if (format.write) words.push_back(format.extension);
  }
  return joined(words, "or");
}

std::string format_table() {
  std::string text = "World files:\n";
  for (const WorldFormat& format : world_formats()) {
    std::string extension = format.extension;
    extension.resize(std::max<std::size_t>(extension.size(), 8), ' ');
    text += "  " + extension + (format.write ? " read, write  " : " read         ") + format.name +
            "\n                        " + format.holds + "\n";
  }
  return text;
}

std::vector<std::string> losses(const WorldFormat& format, const OccupancyGrid& grid) {
  const GridGeometry assumed;
  std::vector<std::string> losses;
  const auto left_open = [](Source source) {
    return source == Source::kPlacement || source == Source::kRequired;
  };
  // A file that has a way up of its own, and no size of voxels, has z up.
  const bool is_turned = format.frame == Source::kFile && left_open(format.voxel_m);
  const GridGeometry geometry =
      is_turned ? in_frame(grid.geometry(), Frame::kMapZUp) : grid.geometry();
  if (left_open(format.voxel_m) && geometry.voxel_m != assumed.voxel_m) {
    losses.push_back("the file does not say its voxel size; read it with --voxel " +
                     three_texts(geometry.voxel_m));
  }
  if (left_open(format.origin_m) && geometry.origin_m != assumed.origin_m) {
    losses.push_back("the file does not say its origin; read it with --origin " +
                     three_texts(geometry.origin_m));
  }
  if (left_open(format.frame) && geometry.frame != assumed.frame) {
    losses.push_back("the file does not say which way is up; read it with --frame z_up");
  }
  if (!format.keeps_unknown && grid.has_unknown()) {
    const std::int64_t num_unknown = grid.count().unknown;
    if (num_unknown > 0) {
      losses.push_back(std::to_string(num_unknown) +
                       " unknown voxels are written as free: the format has no unknown space");
    }
  }
  if (format.more_losses) {
    for (std::string& loss : format.more_losses(grid)) losses.push_back(std::move(loss));
  }
  return losses;
}

void check_placement(const WorldFormat& format, const std::string& path,
                     const Placement& placement) {
  const auto check = [&](Source source, bool is_set, const char* key, const char* what) {
    if (source == Source::kFile && is_set) {
      throw InputError(path + " says itself where it lies: a " + format.extension + " file holds " +
                       what + "; leave " + key + " out");
    }
    if (source == Source::kRequired && !is_set) {
      throw InputError(path + ": a " + format.extension + " file does not say " + what + "; give " +
                       key);
    }
  };
  check(format.voxel_m, placement.voxel_m.has_value(), "voxel_m (--voxel)", "its voxel size");
  check(format.origin_m, placement.origin_m.has_value(), "origin_m (--origin)", "its origin");
  check(format.frame, placement.frame.has_value(), "frame (--frame)", "its frame");
}

}  // namespace sightline::host
