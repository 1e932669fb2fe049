// Batch visibility on a world: what users of the library call.
//
// Checks the input (throws InputError with the row), rounds endpoints to the lattice where the
// method is exact, sends the batch to the device in pieces that fit, and returns answers that do
// not depend on device, threads or pieces. Definitions: README, "What the answers mean".
#pragma once

#include <cstdint>
#include <vector>

#include "host/device.h"
#include "host/world/world.h"

namespace sightline::host {

enum class Method : std::uint8_t { kMarch, kMarchUniform, kDda, kHdda };
/// Which of a world's geometries a march samples. Exact methods walk the grid.
enum class Geometry : std::uint8_t { kGrid, kAnalytic };

struct VisibilityQuery {
  Method method = Method::kHdda;
  Geometry geometry = Geometry::kGrid;
  kernels::SpacePolicy unknown = kernels::SpacePolicy::kFree;
  kernels::SpacePolicy outside = kernels::SpacePolicy::kFree;
  // dda, hdda
  int lattice_bits = 8;  ///< 0..16
  kernels::TieRule tie_rule = kernels::TieRule::kDiagonal;
  // march
  kernels::EndRule end_rule = kernels::EndRule::kBeforeTarget;
};

/// Endpoints of a batch, metres, world frame, and how rays pair them up.
struct RayBatch {
  std::vector<kernels::Vec3> observers;
  std::vector<kernels::Vec3> targets;
  kernels::RayShape shape = kernels::RayShape::kElementwise;
  std::vector<std::int64_t> pairs;  ///< [num_rays, 2], only for kPairs

  std::int64_t num_rays() const;
};

/// Targets at observer + range_m * direction, one per direction: one origin, many directions.
/// Directions are normalised; throws InputError on a zero or non-finite one.
RayBatch rays_from_origin(kernels::Vec3 origin_m, const std::vector<kernels::Vec3>& directions,
                          double range_m);

/// "hidden", "visible" or "unknown".
const char* name_of(kernels::Visibility sight);

/// Line of sight for every ray. Returns [num_rays]. step_m is for the marches only (metres, > 0).
std::vector<kernels::Visibility> line_of_sight(const World& world, const RayBatch& rays,
                                               const VisibilityQuery& query, double step_m,
                                               Device& device);

/// The marches for many steps in one pass over the rays. Returns [num_steps][num_rays].
std::vector<std::vector<kernels::Visibility>> line_of_sight_steps(
    const World& world, const RayBatch& rays, const VisibilityQuery& query,
    const std::vector<double>& steps_m, Device& device);

/// Which rays' targets lie in each field of view of the observers' poses ([num_observers], whose
/// positions replace rays.observers). Returns [num_fovs][num_rays], 0 or 1.
std::vector<std::vector<std::uint8_t>> in_field_of_view(
    const std::vector<kernels::Pose>& poses, const RayBatch& rays,
    const std::vector<kernels::FieldOfView>& fovs, Device& device);

/// "0 of 2 observers and 1 of 2 targets lie outside the grid": what is likely a mistake, in words.
/// Empty if all of them lie inside.
std::string outside_text(const World& world, const RayBatch& rays);

/// Is each point solid? On a grid: occupied voxel (outside: no). Returns [num_points], 0 or 1.
std::vector<std::uint8_t> solid_at(const World& world, Geometry geometry,
                                   const std::vector<kernels::Vec3>& points);

/// Rounds metres to the lattice of a grid (half to even). Throws InputError naming `what` and the
/// row on NaN, infinity, or a point outside +-2^(30 - lattice_bits) voxels of the grid's origin.
std::vector<kernels::LatticePoint> to_lattice(const OccupancyGrid& grid, int lattice_bits,
                                              const std::vector<kernels::Vec3>& points,
                                              const char* what, const kernels::Executor& cpu = {});

}  // namespace sightline::host
