// The words that a segment passes, one after the other, on a clock that may be a little wrong.
//
// A march must not miss a sample on the strength of a rounded number; but neither need it know the
// exact moment at which its ray leaves a word. Between the two stands a slack: the clock shows
// every crossing of a face to within that slack. Whoever looks at all samples from `entered -
// slack` to `left + slack`, in every word that is not empty and every word passed in at most twice
// the slack, has looked at every sample that lies in a word that is not empty:
//
//     Let a sample lie in word C while the clock has the ray in word V. Along each axis on which
//     they differ, the clock crosses the face between them within slack of the sample. If it
//     crosses one face only in that time, C is the word just before it or just after it. If it
//     crosses more, a word between two of them is passed in at most twice the slack.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/gait.h"
#include "kernels/hd.h"
#include "kernels/lattice_ray.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

/// A segment in voxels, from `origin` over the extent 1 / inverse (infinite: no extent).
struct VoxelSegment {
  double origin[3];
  double inverse[3];
};

/// Time on a segment: 2^60 ticks from end to end. Fractions from 0 to 4 fit.
SL_HD inline std::uint64_t to_ticks(double fraction) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(fraction * 0x1p60));
}
SL_HD inline double to_fraction(std::uint64_t ticks) {
  return static_cast<double>(static_cast<std::int64_t>(ticks)) * 0x1p-60;
}

class WordWalk {
 public:
  /// From the word around a cell until the fraction `end` of the segment, at most 2. Beyond the
  /// grid the walk goes on, over words of no meaning.
  SL_HD WordWalk(const GridLayout& layout, const VoxelSegment& segment, const Cell& cell,
                 double end)
      : place_(0), end_((to_ticks(end) & kWholeTicks) - 1) {
    std::uint64_t at[3], period[3];
    for (int a = 0; a < 3; ++a) {
      const std::uint64_t up = segment.inverse[a] > 0;
      mask_[a] = place_mask(layout, a) >> 6;
      minus_step_[a] = mask_[a] & ((~mask_[a] + 1) | (0 - up));
      place_ |= (place_of(layout, a, cell.v[a]) >> 6) & mask_[a];
      const double face = (cell.v[a] & ~3) + 4 * static_cast<std::int32_t>(up);
      const double first = (face - segment.origin[a]) * segment.inverse[a];
      const double word = 4 * std::fabs(segment.inverse[a]);
      const double soon = first > 0 ? first : 0;
      // Multiples of 4 ticks plus the axis: no two axes ever cross at once.
      at[a] = (to_ticks(soon < end ? soon : end) & kWholeTicks) + static_cast<std::uint64_t>(a);
      period[a] = to_ticks(word < end ? word : end) & kWholeTicks;
    }
    at_x_ = at[0], at_y_ = at[1], at_z_ = at[2];
    period_x_ = period[0], period_y_ = period[1], period_z_ = period[2];
  }

  /// Place of the word (kernels/gait.h, without the low six bits).
  SL_HD std::uint64_t place() const { return place_; }

  /// A walk is over when it leaves a word later than this.
  SL_HD std::uint64_t end() const { return end_; }
  /// When the ray leaves the word.
  SL_HD std::uint64_t leaves_at() const {
    const std::uint64_t xy = at_x_ < at_y_ ? at_x_ : at_y_;
    return xy < at_z_ ? xy : at_z_;
  }

  /// Crosses the face that is due at `now` = leaves_at().
  SL_HD void cross(std::uint64_t now) {
    const std::uint64_t is_x = 0 - static_cast<std::uint64_t>(at_x_ < now + 1);
    const std::uint64_t is_y = 0 - static_cast<std::uint64_t>(at_y_ < now + 1);
    const std::uint64_t is_z = 0 - static_cast<std::uint64_t>(at_z_ < now + 1);
    at_x_ += period_x_ & is_x;
    at_y_ += period_y_ & is_y;
    at_z_ += period_z_ & is_z;
    const std::uint64_t axis = (is_y & 1) | (is_z & 2);
    const std::uint64_t mask = mask_[axis];
    place_ = (place_ & ~mask) | (((place_ & mask) - minus_step_[axis]) & mask);
  }

 private:
  static constexpr std::uint64_t kWholeTicks = ~std::uint64_t{3};

  std::uint64_t place_, end_;
  std::uint64_t mask_[3], minus_step_[3];  ///< dilated, per axis
  std::uint64_t at_x_, at_y_, at_z_;       ///< next crossing
  std::uint64_t period_x_, period_y_, period_z_;
};

/// The lowest voxel of the word at a place.
SL_HD inline Cell corner_of_word(const GridLayout& layout, std::uint64_t place) {
  const int root_y = layout.root_bits[0], root_z = root_y + layout.root_bits[1];
  const std::uint64_t root = place >> (kPlaceRootShift - 6);
  const std::uint64_t x = root & ((std::uint64_t{1} << root_y) - 1);
  const std::uint64_t y = (root & ((std::uint64_t{1} << root_z) - 1)) >> root_y;
  const std::uint64_t z = root >> root_z;
  return {{static_cast<std::int32_t>((place & 3) << 2 | (place >> 2 & 48) | x << 6),
           static_cast<std::int32_t>((place & 12) | (place >> 4 & 48) | y << 6),
           static_cast<std::int32_t>((place >> 2 & 12) | (place >> 6 & 48) | z << 6)}};
}

}  // namespace sightline::kernels
