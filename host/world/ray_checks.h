// What batch queries check before any work, and how they describe a batch to the kernels. Internal
// to host/world. Every check throws InputError naming the list and the row.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/world/visibility.h"

namespace sightline::host {

/// "(1, 2, 3)", to nine digits.
std::string text_of(kernels::Vec3 p);

/// `what` names the list in messages.
void check_finite(const std::vector<kernels::Vec3>& points, const char* what);
void check_poses(const std::vector<kernels::Pose>& poses);
void check_fields_of_view(const std::vector<kernels::FieldOfView>& fovs);
/// Do the points fit the shape? num_observers replaces the batch's own, for posed observers.
void check_shape(const RayBatch& rays, std::size_t num_observers);
/// The length of a gaze, metres.
void check_range(double range_m);
/// The size of a box around a target, metres.
void check_box_size(const std::array<double, 3>& size_m);
/// What a march asks of finite points and of its steps.
void check_march_points(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                        const std::vector<double>& steps_m);
/// All that a march needs: points, shape, the geometry, steps.
void check_march(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                 const std::vector<double>& steps_m);

std::int64_t count_rays(const RayBatch& rays, std::size_t num_observers);
kernels::RayIndexing indexing(const RayBatch& rays);
/// A batch from ray `begin` on.
kernels::RayIndexing slice(kernels::RayIndexing rays, std::int64_t begin);

/// The geometry a query asks, or InputError with what to add to the world.
const OccupancyGrid& grid_of(const World& world);
const AnalyticSolid& analytic_of(const World& world);

/// The ends of a batch that fits its shape, on the lattice of a grid.
struct LatticeRays {
  std::vector<kernels::LatticePoint> observers, targets;
};
LatticeRays lattice_rays(const OccupancyGrid& grid, const VisibilityQuery& query,
                         const RayBatch& rays);

/// A bound on the length of any ray between these points, metres.
double longest_ray_m(const RayBatch& rays);

/// The rules of a query as the kernels take them.
kernels::ExactRules exact_rules(const VisibilityQuery& query);
kernels::MarchRules march_rules(const VisibilityQuery& query);

}  // namespace sightline::host
