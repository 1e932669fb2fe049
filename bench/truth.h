// The right answers of a ray set, and how an engine's answers compare.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/engine.h"

namespace sightline::bench {

/// Exact answers under both tie rules, 1 = visible. Where they differ, the ray meets an edge or a
/// corner that decides, and an engine without a tie rule is right either way.
struct Truth {
  std::vector<std::uint8_t> diagonal, supercover;
  /// dda equals hdda, and the supercover, which touches more voxels, sees no ray more.
  bool consistent = false;
};

Truth find_truth(const host::OccupancyGrid& grid, const RaySet& set);

/// Words of 4^3 voxels that a walk without skips looks at, on average: those that a ray passes from
/// its observer to its target, or to the voxel that hides it.
double words_per_ray(const host::OccupancyGrid& grid, const RaySet& set);

/// Share of rays that the engine answers as neither tie rule does; for an exact engine (max_wrong
/// 0) as TieRule::kDiagonal does not.
double wrong_share(const Engine& engine, const RaySet& set, const Truth& truth);

/// The same of visible answers [set.size()] at hand, for engines without a tie rule. Takes the
/// vectors' word for the diagonal rule, and walks the supercover only where the answers differ.
double wrong_share(const std::vector<std::uint8_t>& visible, const host::OccupancyGrid& grid,
                   const RaySet& set);

}  // namespace sightline::bench
