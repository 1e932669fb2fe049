// The op of exact line of sight: one ray in, one answer out.
#pragma once

#include "kernels/exact_sight.h"
#include "kernels/supercover.h"

namespace sightline::kernels {

struct ExactLineOfSight {
  GridView grid;
  const LatticePoint* observers;
  const LatticePoint* targets;
  RayIndexing rays;
  ExactRules rules;
  Visibility* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ends = ray_ends(rays, i);
    out[i] = answer(observers[ends.observer], targets[ends.target]);
  }

  SL_HD Visibility answer(LatticePoint p, LatticePoint t) const {
    const int bits = rules.lattice_bits;
    Between between{grid, cell_of(p, bits), cell_of(t, bits),
                    rules.unknown == SpacePolicy::kUnknown};
    if (between.from == between.to) return Visibility::kVisible;
    const PlaneView plane = grid.opaque(rules.unknown);
    const bool outside_counts = rules.outside != SpacePolicy::kFree;
    bool outside = false;
    if (rules.tie_rule == TieRule::kSupercover) {
      outside = !outside_counts;  // not asked for: as good as known
      SupercoverWalk(p, t, bits).walk(plane, between, outside);
    } else {
      walk_diagonal(p, t, bits, plane, rules.skip_empty_space, between);
      outside = outside_counts && leaves_grid(grid, p, t, bits, between);
    }
    return verdict(between, outside_counts && outside);
  }

  SL_HD Visibility verdict(const Between& between, bool outside) const {
    if (between.occupied) return Visibility::kHidden;
    if (outside && rules.outside == SpacePolicy::kBlocks) return Visibility::kHidden;
    return between.unknown || outside ? Visibility::kUnknown : Visibility::kVisible;
  }
};

}  // namespace sightline::kernels
