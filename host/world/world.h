// A world: what is solid in it, in which frame. A voxel grid, an analytic solid, or both.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/world/versioned_grid.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Owns the primitives of an analytic solid (kernels/analytic.h).
struct AnalyticSolid {
  std::vector<kernels::Primitive> solids;
  std::vector<kernels::Primitive> openings;

  kernels::AnalyticView view() const {
    return {solids.data(), openings.data(), static_cast<std::int32_t>(solids.size())};
  }
};

/// An axis-aligned box in metres, world frame.
struct Bounds {
  kernels::Vec3 min, max;
};
/// Is a point in a box? Its faces are.
bool holds(const Bounds& box, const kernels::Vec3& p);

struct World {
  std::string name;  ///< file name or scene name, for people
  Frame frame = Frame::kSceneYUp;
  Bounds bounds_m;  ///< of a scene its own, whatever a grid of it covers: see extent_of()
  std::optional<OccupancyGrid> grid;  ///< what queries ask: of a world with versions, one of them
  std::optional<AnalyticSolid> analytic;
  std::shared_ptr<VersionedGrid> versions;  ///< null: the world was never edited
};

Bounds bounds_of(const GridGeometry& geometry);
/// What a world covers: its grid, or its bounds where it has none.
Bounds extent_of(const World& world);

/// The same world at another version of its grid, for every query: the versions are shared, not
/// copied. A world that was never edited has version 0 only. Throws InputError on other versions.
World at_version(const World& world, std::int64_t version);

/// The versions of a world with a grid, which becomes version 0 if it has none yet. Edits of them
/// do not change world.grid: ask at_version(world, world.versions->latest()).
VersionedGrid& start_versions(World& world);

/// How many points lie outside a world: its grid, or its bounds where it has none. 0
/// if it has neither.
std::int64_t num_outside(const World& world, const std::vector<kernels::Vec3>& points);

/// Unit vectors of a frame: where yaw 0 and yaw 90 degrees look, and which way is up.
struct FrameAxes {
  kernels::Vec3 yaw_0, yaw_90, up;
  int up_axis;  ///< 0, 1, 2
};
FrameAxes frame_axes(Frame frame);

/// The angles that files and options may give, either sign. Headings that were never wrapped, such
/// as odometry's, have turned many times: up to a million, beyond which columns are likely mixed up
/// (a time in seconds since 1970 is larger).
constexpr double kMaxYaw_deg = 360e6, kMaxPitch_deg = 90;

/// The pose of an observer that looks along a yaw (about up, from yaw_0 towards yaw_90) and a pitch
/// (positive up), both in radians. Multiples of 90 degrees give exact axes. Throws InputError if an
/// angle is not finite.
kernels::Pose make_pose(Frame frame, kernels::Vec3 position_m, double yaw_rad, double pitch_rad);

/// The same in degrees, of which whole turns can be left out exactly: they do not change a bit.
/// Throws InputError for angles beyond kMaxYaw_deg and kMaxPitch_deg, too.
kernels::Pose make_pose_deg(Frame frame, kernels::Vec3 position_m, double yaw_deg,
                            double pitch_deg);

}  // namespace sightline::host
