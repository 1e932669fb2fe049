// The march over a voxel grid: along the words, and to the samples only in words that are not
// empty.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/gait.h"
#include "kernels/hd.h"
#include "kernels/kernels.h"
#include "kernels/sample_series.h"
#include "kernels/word_walk.h"

namespace sightline::kernels {

/// One ray, for all step sizes of a pass. A sample is judged by the cell that holds
/// origin + direction * t, computed in voxels in double precision. The ends' cells do not count.
class GridMarch {
 public:
  SL_HD GridMarch(const GridView& grid, const VoxelFrame& frame, const MarchRules& rules,
                  const SampledRay& ray)
      : grid_(grid), rules_(rules) {
    const double p[3] = {ray.from.x, ray.from.y, ray.from.z};
    const double t[3] = {ray.to.x, ray.to.y, ray.to.z};
    const double direction[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
    for (int a = 0; a < 3; ++a) {
      segment_.origin[a] = (p[a] - frame.origin_m[a]) / frame.voxel_m[a];
      const double inverse = frame.voxel_m[a] / (t[a] - p[a]);
      segment_.inverse[a] = std::fabs(inverse) < kStandsStill ? inverse : INFINITY;
      direction_[a] = direction[a] / frame.voxel_m[a];
      from_.v[a] = floor_of(segment_.origin[a]);
      to_.v[a] = floor_of((t[a] - frame.origin_m[a]) / frame.voxel_m[a]);
    }
  }

  SL_HD bool same_cell() const { return from_ == to_; }

  /// Fills in the answers.
  template <bool kUniform>
  SL_HD void run(SeriesSet<kUniform>& set, double length_m) const {
    const double unit = kUniform ? 1 : length_m;  // the parameter at the far end
    if (rules_.outside != SpacePolicy::kFree) look_outside(set);
    const double slack = clock_slack();
    if (slack > kMaxSlack) {  // all but parallel to an axis: the clock is of no use
      const Word none{{{-1, -1, -1}}, 0};
      return look(set, none, 0, unit);
    }
    double enter = 0, leave = 1;
    if ((outside(from_) || outside(to_)) && !clip(enter, leave)) return;
    enter -= 4 * slack;
    leave += 4 * slack;
    if (enter > leave) return;
    walk(set, unit, enter, leave, slack);
  }

  /// How far the clock and a sample may disagree about the crossing of a face, as a fraction of the
  /// ray. Points lie within 2^26 voxels, so rounding moves a sample by less than 2^-22 voxel; a
  /// walk has less than 2^21 crossings per axis, so the clock is wrong by less than 2^-30.
  SL_HD double clock_slack() const {
    double slowest = 0;
    for (int a = 0; a < 3; ++a) {
      const double per_voxel = std::fabs(segment_.inverse[a]);
      const double moving = per_voxel < kStandsStill ? per_voxel : 0;
      slowest = moving > slowest ? moving : slowest;
    }
    return kMargin_vox * slowest + kClockError;
  }
  static constexpr double kMargin_vox = 0x1p-20;
  static constexpr double kClockError = 0x1p-30;
  static constexpr double kMaxSlack = 0.125;  ///< beyond, the clock is of no use
  /// From this inverse extent on, an axis moves no sample: it has none, of either sign.
  static constexpr double kStandsStill = 1e300;

 private:
  struct Word {
    Cell corner;  ///< its lowest voxel
    std::uint64_t bits;
  };

  /// The part of the ray inside the grid, to within rounding; false if there is none.
  SL_HD bool clip(double& enter, double& leave) const {
    for (int a = 0; a < 3; ++a) {
      const double size = grid_.layout.dims[a];
      if (segment_.inverse[a] == INFINITY) {  // stands still: 0 times that is no number
        if (outside_on(a, still_cell(a))) return false;
        continue;
      }
      const double zero = (0 - segment_.origin[a]) * segment_.inverse[a];
      const double full = (size - segment_.origin[a]) * segment_.inverse[a];
      enter = std::fmax(enter, std::fmin(zero, full));
      leave = std::fmin(leave, std::fmax(zero, full));
    }
    return true;
  }

  /// See kernels/word_walk.h for why this misses no sample.
  template <bool kUniform>
  SL_HD void walk(SeriesSet<kUniform>& set, double unit, double enter, double leave,
                  double slack) const {
    const PlaneView plane = grid_.opaque(rules_.unknown);
    Cell first = from_;
    for (int a = 0; a < 3; ++a) {
      if (segment_.inverse[a] == INFINITY) {
        first.v[a] = still_cell(a);
      } else if (enter > 0) {
        first.v[a] = floor_of(segment_.origin[a] + enter / segment_.inverse[a]);
      }
    }
    WordWalk walk(grid_.layout, segment_, first, leave);
    const std::uint64_t end = walk.end(), brief = to_ticks(2 * slack);
    std::uint64_t entered = to_ticks(enter > 0 ? enter : 0);
    for (;;) {
      const std::uint64_t bits = word_at(plane, walk.place());
      const std::uint64_t left = walk.leaves_at();
      if (bits != 0 || left - entered <= brief) {
        look(set, {corner_of_word(grid_.layout, walk.place()), bits}, to_fraction(entered) - slack,
             (to_fraction(left) + slack) * unit);
        if (set.open == 0) return;
      }
      if (left > end) return;
      walk.cross(left);
      entered = left;
    }
  }

  /// Looks at the samples from a fraction of the ray up to a parameter. Quick for those in `word`.
  template <bool kUniform>
  SL_HD void look(SeriesSet<kUniform>& set, const Word& word, double from, double to_t) const {
    for (int k = 0; k < set.num; ++k) {
      if (!set.is_open(k)) continue;
      SampleSeries<kUniform>& series = set.series[k];
      const double stop = to_t < series.last_t ? to_t : series.last_t;
      const double first = series.first_from(from);
      double i = first > series.next ? first : series.next;
      for (double t; (t = series.at(i)) <= stop; i += 1) {
        const Visibility v = sample(t, word);
        if (v == Visibility::kVisible) continue;
        set.meet(k, v);
        if (v == Visibility::kHidden) break;
      }
      series.next = i;
    }
  }

  /// What the sample at t meets inside the grid.
  SL_HD Visibility sample(double t, const Word& word) const {
    const double x = segment_.origin[0] + direction_[0] * t;
    const double y = segment_.origin[1] + direction_[1] * t;
    const double z = segment_.origin[2] + direction_[2] * t;
    const double xy = x < y ? x : y;
    if ((xy < z ? xy : z) < 0) return Visibility::kVisible;  // outside; from here, floor is a cast
    const Cell cell{
        {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), static_cast<std::int32_t>(z)}};
    const int dx = cell.v[0] ^ word.corner.v[0];
    const int dy = cell.v[1] ^ word.corner.v[1];
    const int dz = cell.v[2] ^ word.corner.v[2];
    if (((dx | dy | dz) & ~3) == 0) {
      if (((word.bits >> (dx | dy << 2 | dz << 4)) & 1u) == 0) return Visibility::kVisible;
    } else if (outside(cell) ||
               !grid_.opaque(rules_.unknown).get(cell.v[0], cell.v[1], cell.v[2])) {
      return Visibility::kVisible;
    }
    return meet(cell);
  }

  /// Looks for samples outside the grid. The grid is convex and the cells of the samples move one
  /// way on each axis, so those outside come first or last, but for the ones in the ends' cells.
  template <bool kUniform>
  SL_HD void look_outside(SeriesSet<kUniform>& set) const {
    for (int k = 0; k < set.num; ++k) {
      const SampleSeries<kUniform>& series = set.series[k];
      double i = 1, j = series.last;
      while (i < j && is_end(cell_at(series.at(i)))) i += 1;
      while (i < j && is_end(cell_at(series.at(j)))) j -= 1;
      if (i > j) continue;  // no samples
      const Cell first = cell_at(series.at(i));
      const Cell last = cell_at(series.at(j));
      if ((outside(first) && !is_end(first)) || (outside(last) && !is_end(last))) {
        set.meet(k, met(rules_.outside));
      }
    }
  }

  SL_HD Cell cell_at(double t) const {
    Cell cell;
    for (int a = 0; a < 3; ++a) cell.v[a] = floor_of(segment_.origin[a] + direction_[a] * t);
    return cell;
  }
  /// Floor without a call of the C library, which the baseline instruction set would need.
  SL_HD static std::int32_t floor_of(double v) {
    const auto truncated = static_cast<std::int32_t>(v);
    return truncated - (v < static_cast<double>(truncated) ? 1 : 0);
  }
  /// Where a ray is on an axis that it stands still on: it may yet cross a face at 0, and then is
  /// where there are voxels.
  SL_HD std::int32_t still_cell(int a) const {
    return outside_on(a, from_.v[a]) ? to_.v[a] : from_.v[a];
  }
  SL_HD bool outside_on(int a, std::int32_t cell) const {
    return cell < 0 || cell >= grid_.layout.dims[a];
  }
  SL_HD bool outside(const Cell& c) const { return !grid_.contains(c.v[0], c.v[1], c.v[2]); }
  SL_HD bool is_end(const Cell& cell) const { return cell == from_ || cell == to_; }

  /// A set voxel of the plane under test.
  SL_HD Visibility meet(const Cell& cell) const {
    if (is_end(cell)) return Visibility::kVisible;
    const bool occupied = rules_.unknown == SpacePolicy::kFree ||
                          grid_.occupied().get(cell.v[0], cell.v[1], cell.v[2]);
    return occupied ? Visibility::kHidden : met(rules_.unknown);
  }
  SL_HD static Visibility met(SpacePolicy policy) {
    if (policy == SpacePolicy::kFree) return Visibility::kVisible;
    return policy == SpacePolicy::kBlocks ? Visibility::kHidden : Visibility::kUnknown;
  }

  const GridView& grid_;
  const MarchRules& rules_;
  Cell from_, to_;
  VoxelSegment segment_;
  double direction_[3];
};

}  // namespace sightline::kernels
