// What batch queries check before any work, and how they describe a batch to the kernels. Internal
// to host/world. Every check throws InputError naming the list and the row.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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
/// All that a march needs beside the shape of its batch: points, the geometry, steps. Returns a
/// bound on the length of its rays, metres.
double check_march(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                   const std::vector<double>& steps_m, const kernels::Executor& cpu);
/// How many of such rays take 2^31 samples of a solid together, so that as many end within seconds
/// and can be interrupted; of a grid, which is not sampled where nothing is, `most`.
std::int64_t rays_at_once(const VisibilityQuery& query, double longest_m,
                          const std::vector<double>& steps_m, std::int64_t most);

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
                         const RayBatch& rays, const kernels::Executor& cpu);

/// Asks for `count` rays from `begin` on, whose ends and numbers are these.
using AskRays = std::function<void(const LatticeRays& ends, const kernels::RayIndexing& rays,
                                   std::int64_t begin, std::int64_t count)>;
/// Calls ask for parts of a batch, which fits its shape, that together are all of it.
void for_lattice_rays(const OccupancyGrid& grid, const VisibilityQuery& query, const RayBatch& rays,
                      const Device& device, const AskRays& ask);

/// Rays whose ends, or answers, stay in the CPU's caches: memory that is new to the process for
/// each batch takes longer than the rays. A GPU has pieces of its own: `most`.
std::int64_t rays_per_part(const Device& device, std::int64_t most);

/// The rules of a query as the kernels take them.
kernels::ExactRules exact_rules(const VisibilityQuery& query);
kernels::MarchRules march_rules(const VisibilityQuery& query);

}  // namespace sightline::host
