// The formats of world files: which there are, what each can do, and what it keeps. Readers and
// writers, messages, `--help` and the README's table all take their list from here.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// What a file of some formats leaves open. Unset: the format's default, or what the file says.
struct Placement {
  std::optional<std::array<double, 3>> voxel_m;   ///< positive
  std::optional<std::array<double, 3>> origin_m;  ///< low corner of voxel (0, 0, 0)
  std::optional<Frame> frame;
};

/// A geometry without dims: what is unset is 1 m, 0 0 0 and the frame given.
GridGeometry geometry_of(const Placement& placement, Frame default_frame);

/// Where a property of a grid comes from.
enum class Source : std::uint8_t {
  kFile,       ///< the file says it, or the format has one for all
  kPlacement,  ///< Placement says it, or else the format's default is taken
  kEither,     ///< the file says it, Placement may say otherwise
  kRequired    ///< Placement must say it
};

struct WorldFormat {
  std::string extension;  ///< ".bt"
  std::string name;       ///< "OctoMap binary tree"
  std::string holds;      ///< what the file keeps of a world, for people
  Source voxel_m = Source::kFile;
  Source origin_m = Source::kFile;
  Source frame = Source::kFile;
  bool keeps_unknown = false;  ///< else unknown voxels are written as free
  OccupancyGrid (*read)(const std::string& path, const Placement& placement) = nullptr;
  void (*write)(const OccupancyGrid& grid, const std::string& path) = nullptr;  ///< null: cannot
  /// What of this grid the file will not say, beyond the fields above; one sentence each.
  std::vector<std::string> (*more_losses)(const OccupancyGrid& grid) = nullptr;
};

/// All formats, in the order in which they are listed.
const std::vector<WorldFormat>& world_formats();

/// The format of a path, by its extension in any case; null if there is none.
const WorldFormat* find_format(const std::string& path);

/// Extensions for a message: ".bt, .ot, .npy and .yaml (a scene)", ".slw or .npy".
std::string readable_formats();
std::string writable_formats();

/// The formats, a line or two each, for `--help`.
std::string format_table();

/// What a file of this format will not say of this grid, and how to say it when the file is read:
/// one sentence each, for people. Empty: reading gives the same grid again.
std::vector<std::string> losses(const WorldFormat& format, const OccupancyGrid& grid);

/// Throws InputError, naming the key, if `placement` sets what the format says itself, or does not
/// set what it needs.
void check_placement(const WorldFormat& format, const std::string& path,
                     const Placement& placement);

}  // namespace sightline::host
