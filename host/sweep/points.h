// Where observers stand and where targets are: point generators of a sweep file.
//
// Every random generator is counter-based: point i is a function of (seed, stream, i) alone, so a
// set does not depend on how many points are drawn at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/config/value.h"
#include "host/world/visibility.h"
#include "host/world/world.h"

namespace sightline::host {

struct Range {
  double low = 0, high = 0;
};

/// Points given one by one.
struct ListPoints {
  std::vector<kernels::Vec3> points_m;
};

/// Every combination of three evenly spaced axes; x outermost, z fastest.
struct LatticePoints {
  struct Axis {
    double start = 0, step = 1;
    std::int64_t count = 1;
  };
  Axis axes[3];
};

/// Uniform in the free space of the world, at heights above its floor.
struct RandomFreePoints {
  std::int64_t count = 0;
  Range up_m;                      ///< above the floor
  bool has_range = false;          ///< up_m is given as up_range_m, not as height_m
  std::optional<double> floor_m;   ///< along the up axis; absent: the context's
  double clearance_m = 0;          ///< free for this far to the sides
  std::optional<double> within_m;  ///< level distance from the context's point of the same index
  std::optional<std::uint64_t> seed;
};

/// Uniform in a box.
struct UniformPoints {
  std::int64_t count = 0;
  Range axes_m[3];
  /// Only points outside the analytic solid that the first observer sees through so many metres of
  /// it: 0 to 0, in open sight; from the march's step on, behind what no step leaps over.
  std::optional<Range> solid_m;
  std::optional<std::uint64_t> seed;
};

/// Uniform in a box by splitmix64 (Steele, Lea and Flood 2014) with state = 100 seed + stream and
/// double = (word >> 11) 2^-53; x, y, z drawn in this order. What Spatial Memory Must Store (2026),
/// experiment E5.
struct Splitmix64Points {
  std::uint64_t stream = 0;
  std::int64_t count = 0;
  Range axes_m[3];
};

/// `.npy` [N, 3] (x, y, z), or a `.csv` with a header
/// that names x, y, z and maybe yaw_deg, pitch_deg.
struct FilePoints {
  std::string path;
};

struct PointSpec;

/// The points of each part, one after the other.
struct UnionPoints {
  std::vector<PointSpec> parts;
};

struct PointSpec {
  std::variant<ListPoints, LatticePoints, RandomFreePoints, UniformPoints, Splitmix64Points,
               FilePoints, UnionPoints>
      generator;
  std::string place;  ///< of the generator in the sweep file, for messages; may be empty
};

/// Reads the generator of a points map; the caller has checked the map's other keys. Throws
/// InputError unless exactly one generator is named and its values are in bounds.
PointSpec parse_point_spec(const ConfigValue& points);

/// The stream of targets, and of memories that are placed at such points.
constexpr std::uint32_t kTargetStream = 2;

/// What generators may need to know.
struct PointContext {
  const World* world = nullptr;
  Geometry geometry = Geometry::kGrid;  ///< which of the world's geometries says what is free
  std::optional<double> floor_m;        ///< along the up axis; absent: map_floor_m(world)
  const std::vector<kernels::Vec3>* around =
      nullptr;  ///< what within_m and solid_m are measured from
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;  ///< tells apart sets drawn with one seed; below 2^16
};

/// Points in metres, world frame, and where the file says so, headings.
struct PointSet {
  std::vector<kernels::Vec3> points_m;
  std::vector<double> yaw_deg, pitch_deg;  ///< [num_points], or empty
};

/// All points of a spec. Throws InputError, at the spec's place, for an unreadable file or a world
/// without free space.
PointSet generate_points(const PointSpec& spec, const PointContext& context);

/// Can the spec be drawn from without end (random_free, uniform, splitmix64)?
bool is_endless(const PointSpec& spec);
/// Points [first, first + count) of an endless spec, whatever its own count says.
std::vector<kernels::Vec3> draw_points(const PointSpec& spec, const PointContext& context,
                                       std::int64_t first, std::int64_t count);

/// Number of points of a spec. Reads point files.
std::int64_t num_points(const PointSpec& spec);
/// Files a spec reads, appended to `files`.
void append_files(const PointSpec& spec, std::vector<std::string>* files);

}  // namespace sightline::host
