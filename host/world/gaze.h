// Gazes: what a look in a direction meets first. A memory binds to that, not to where one stands.
//
// What Spatial Memory Must Store (2026), section 3: the gaze ray finds the subject of a memory.
#pragma once

#include <vector>

#include "host/world/visibility.h"

namespace sightline::host {

/// The first hit from every observer towards its target, up to the target: the voxel that stops
/// the ray, where it is entered, and through which face. The observer's own voxel does not count,
/// the target's does; between equal points (on the lattice) there is nothing. Returns [num_rays].
/// The query's method must be dda or hdda (InputError).
std::vector<kernels::FirstHit> first_hit(const World& world, const RayBatch& rays,
                                         const VisibilityQuery& query, Device& device);

/// Rays of range_m metres along each pose's forward axis, element by element.
RayBatch gaze_rays(const std::vector<kernels::Pose>& poses, double range_m);

/// Outward unit normal of a face; (0, 0, 0) for Face::kNone.
kernels::Vec3 normal_of(kernels::Face face);

}  // namespace sightline::host
