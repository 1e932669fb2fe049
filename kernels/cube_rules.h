// Which rays may walk over empty cubes, in waves (wave_sight-inl.h) or in warps (warp_walk.h), and
// where those of each op start and end.
#pragma once

#include <cstdint>

#include "kernels/brick_table.h"
#include "kernels/line_of_sight.h"
#include "kernels/march.h"
#include "kernels/view.h"

namespace sightline::kernels {

/// Where an op's ray starts and ends.
SL_HD inline LatticeSegment segment_of(const ExactLineOfSight& op, std::int64_t ray) {
  const RayEnds ends = ray_ends(op.rays, ray);
  return {op.observers[ends.observer], op.targets[ends.target]};
}
SL_HD inline LatticeSegment segment_of(const ExactFirstHit& op, std::int64_t ray) {
  const RayEnds ends = ray_ends(op.rays, ray);
  return {op.starts[ends.observer], op.ends[ends.target]};
}
SL_HD inline LatticeSegment segment_of(const RenderViews& op, std::int64_t ray) {
  return op.ends(ray);
}

/// Is it the rule to skip empty space, and to visit no cell that is only touched?
inline bool rules_skip_cubes(const ExactRules& rules) {
  return rules.skip_empty_space && rules.tie_rule == TieRule::kDiagonal;
}
/// Has the grid tables of its bricks that are of use?
inline bool has_cubes(const GridView& grid, const ExactRules& rules) {
  return grid.occupied_bricks != nullptr && grid.not_free_bricks != nullptr &&
         brick_table_serves(grid.layout, rules.lattice_bits);
}

inline bool cubes_serve(const ExactLineOfSight& op) {
  return rules_skip_cubes(op.rules) && has_cubes(op.grid, op.rules);
}
/// First hits: only where nothing but a voxel stops a ray or counts.
inline bool cubes_serve(const GazeRules& gaze) {
  return rules_skip_cubes(gaze.rules) && gaze.rules.unknown != SpacePolicy::kUnknown &&
         gaze.rules.outside == SpacePolicy::kFree && has_cubes(gaze.grid, gaze.rules);
}
/// Marches, by any rules. Their walk puts a ray's start on a lattice (MarchRay::kPerLattice) as
/// fine as that of the usual exact rules.
inline bool cubes_serve(const MarchGrid& op) { return has_cubes(op.grid, ExactRules{}); }
inline bool cubes_serve(const ExactFirstHit& op) { return cubes_serve(op.gaze); }
inline bool cubes_serve(const RenderViews& op) { return cubes_serve(op.gaze); }

/// The table of the voxels that stop a ray, or at least make it ask.
inline const BrickRecord* opaque_bricks(const GridView& grid, SpacePolicy unknown) {
  return unknown == SpacePolicy::kFree ? grid.occupied_bricks : grid.not_free_bricks;
}

}  // namespace sightline::kernels
