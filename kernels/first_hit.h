// The op of the first hit (a gaze): the walk of exact line of sight, and where it stopped.
//
// The voxel that holds the start does not count; the end's does, if the ray has a length in it. So
// a ray to a hidden target stops at the voxel that hides it.
#pragma once

#include <cmath>

#include "kernels/exact_sight.h"
#include "kernels/supercover.h"

namespace sightline::kernels {

/// Where a ray enters a voxel: a function of its ends and the voxel alone, so every walk that finds
/// the voxel tells the same distance. At an edge or a corner the first of the axes counts.
struct Entry {
  Face face = Face::kNone;
  std::uint32_t num = 0, den = 1;  ///< at this fraction of the ray

  /// The voxel is one that the ray visits and does not start in.
  SL_HD Entry(const LatticeRay& ray, const Cell& voxel) {
    for (int a = 0; a < 3; ++a) {
      if (ray.span[a] == 0) continue;
      const std::int64_t to_face = distance_to(ray, voxel, a, ray.step[a] < 0);
      if (to_face < 0) continue;  // the ray starts beyond that face
      if (face != Face::kNone &&
          static_cast<std::uint64_t>(to_face) * den <= std::uint64_t{num} * ray.span[a]) {
        continue;
      }
      num = static_cast<std::uint32_t>(to_face);
      den = ray.span[a];
      face = face_of(a, ray.step[a] < 0);
    }
    // A supercover also visits voxels below a face on which the ray starts without crossing it.
    for (int a = 0; a < 3 && face == Face::kNone; ++a) {
      if (plane(ray, voxel, a, true) == ray.start[a]) face = face_of(a, true);
    }
  }

 private:
  /// Where on axis a the voxel's low or high face lies, in lattice units. Voxels outside the grid
  /// have negative indices, which C++17 lets nobody shift.
  SL_HD static std::int64_t plane(const LatticeRay& ray, const Cell& voxel, int a, bool high) {
    return (std::int64_t{voxel.v[a]} + high) * (std::int64_t{1} << ray.bits);
  }
  /// From the start, along the ray's direction on axis a, to that face.
  SL_HD static std::int64_t distance_to(const LatticeRay& ray, const Cell& voxel, int a,
                                        bool high) {
    const std::int64_t way = plane(ray, voxel, a, high) - ray.start[a];
    return ray.step[a] > 0 ? way : -way;
  }
  SL_HD static Face face_of(int axis, bool plus) {
    return static_cast<Face>(1 + 2 * axis + static_cast<int>(plus));
  }
};

/// Finds the first hit between two lattice points.
struct GazeRules {
  GridView grid;
  double lattice_m[3];  ///< size of a lattice unit on each axis, metres
  ExactRules rules;

  SL_HD FirstHit first_hit(LatticePoint p, LatticePoint t) const {
    FirstHit hit;
    hit.distance_m = INFINITY;
    if (p.x == t.x && p.y == t.y && p.z == t.z) return hit;  // looks nowhere
    const Cell start = cell_of(p, rules.lattice_bits);
    Between between{grid, start, start, rules.unknown == SpacePolicy::kUnknown};
    const bool outside = rules.tie_rule == TieRule::kSupercover ? walk_supercover(p, t, between)
                                                                : walk(p, t, between);
    hit.through_unknown = between.occupied && (between.unknown || outside);
    if (between.occupied) {
      enter(p, t, between.met, hit);
    } else if (between.unknown || outside) {
      hit.sight = Visibility::kUnknown;
    }
    return hit;
  }

  /// The hit of a ray that a walk stopped at this voxel.
  SL_HD FirstHit hit_at(LatticePoint p, LatticePoint t, const Cell& voxel) const {
    FirstHit hit;
    enter(p, t, voxel, hit);
    return hit;
  }

 private:
  SL_HD bool outside_counts() const { return rules.outside != SpacePolicy::kFree; }
  SL_HD bool outside_blocks() const { return rules.outside == SpacePolicy::kBlocks; }

  /// Did the ray visit space outside the grid (asked only if that counts) before it stopped?
  SL_HD bool walk(LatticePoint p, LatticePoint t, Between& between) const {
    const int bits = rules.lattice_bits;
    Cell cell;
    const bool starts_outside = outside_counts() && second_cell(p, t, bits, cell) &&
                                !grid.contains(cell.v[0], cell.v[1], cell.v[2]);
    if (starts_outside && outside_blocks()) {
      between.stop_at(cell);
      return false;
    }
    walk_diagonal(p, t, bits, grid.opaque(rules.unknown), rules.skip_empty_space, between);
    if (between.occupied || !outside_counts() || starts_outside) return starts_outside;
    LatticeRay ray(p, t, bits);
    ray.cross_at_start();
    if (!enter_grid(ray, grid.layout) || !leave_grid(ray, grid.layout)) return false;
    if (outside_blocks()) between.stop_at(ray.cell);
    return !outside_blocks();
  }

  SL_HD bool walk_supercover(LatticePoint p, LatticePoint t, Between& between) const {
    bool outside = !outside_counts();  // not asked for: as good as known
    between.outside_stops = outside_blocks();
    SupercoverWalk(p, t, rules.lattice_bits).walk(grid.opaque(rules.unknown), between, outside);
    return outside_counts() && !outside_blocks() && outside;
  }

  /// Fills in where the ray enters the voxel that it met.
  SL_HD void enter(LatticePoint p, LatticePoint t, const Cell& voxel, FirstHit& hit) const {
    const LatticeRay ray(p, t, rules.lattice_bits);
    const Entry entry(ray, voxel);
    double square_m2 = 0;
    for (int a = 0; a < 3; ++a) {
      const double along_m = static_cast<double>(ray.span[a]) * lattice_m[a];
      square_m2 += along_m * along_m;
      hit.voxel[a] = voxel.v[a];
    }
    hit.sight = Visibility::kHidden;
    hit.face = entry.face;
    hit.distance_m =
        static_cast<double>(entry.num) / static_cast<double>(entry.den) * std::sqrt(square_m2);
  }
};

struct ExactFirstHit {
  GazeRules gaze;
  const LatticePoint* starts;
  const LatticePoint* ends;
  RayIndexing rays;
  FirstHit* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ray = ray_ends(rays, i);
    out[i] = gaze.first_hit(starts[ray.observer], ends[ray.target]);
  }
};

}  // namespace sightline::kernels
