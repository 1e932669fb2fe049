// Line of sight through solids, exactly: no voxels, no steps.
//
// The truth that experiments are held to, by a way of its own: what marches and walks answer is
// compared with it. What Spatial Memory Must Store (2026), section 10: "an independent geometry
// kernel that has no read path to the memory tables".
#pragma once

#include "host/world/world.h"

namespace sightline::host {

/// Below this length of it inside a solid, metres, a line only touches the solid, and is free.
constexpr double kTouch_m = 1e-9;

/// Is the line between two places free: does it share with no solid, less the solid's openings,
/// more than kTouch_m? Each primitive is convex and so is each opening: the line is cut with them
/// by their planes and quadrics. Metres, world frame.
bool is_clear(const AnalyticSolid& solid, const kernels::Vec3& from_m, const kernels::Vec3& to_m);

/// How much of the line between two places lies in solids, metres; where solids overlap, in each.
double length_in_solids_m(const AnalyticSolid& solid, const kernels::Vec3& from_m,
                          const kernels::Vec3& to_m);

}  // namespace sightline::host
