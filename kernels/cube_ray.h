// One ray's walk over empty cubes, in floats that know when they are in doubt: what a lane of a
// warp runs (warp_walk.h). wave_cubes-inl.h walks vectors of rays the same way, and says why the
// floats may be trusted: their error is bounded, and of some rays the places lie further apart. Any
// other that comes within it of an edge is settled by integers on the spot, where a wave lists it
// for later.
//
// A GPU does additions and multiplications of floats at twice the rate of comparisons, shifts and
// other integer operations, and these bound the walk: so cells are kept as the bits of floats
// (intrinsics.h, whole_bits), and one moment tells that a ray ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/brick_table.h"
#include "kernels/cube_place.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"
#include "kernels/lattice_ray.h"

namespace sightline::kernels {

/// What a walk is asked.
struct SightWalk {
  static constexpr bool kEndCounts = false;  ///< does the voxel of the end count?
  static constexpr bool kMayLeave = false;   ///< may the ray end outside the grid?
};
struct HitWalk {
  static constexpr bool kEndCounts = true;
  static constexpr bool kMayLeave = true;
};

template <class Walk>
class CubeRay : public CubePlace {
 public:
  /// Starts; false: not a ray for floats, which in the longest grids are off by a quarter of a
  /// voxel and more, or one that stays within a voxel.
  SL_HD bool begin(const CubeField& field, const LatticeSegment& ray) {
    const std::int32_t from[3] = {ray.from.x, ray.from.y, ray.from.z};
    const std::int32_t to[3] = {ray.to.x, ray.to.y, ray.to.z};
    const std::uint32_t voxel = std::uint32_t{1} << field.lattice_bits;
    bool ours = true, apart = false, ends_above = false;
    std::uint32_t starts = voxel, extents = voxel;  // their bits, together
    float longest = 0;
    last_ = -INFINITY;
    for (int a = 0; a < 3; ++a) {
      const std::int32_t from_cell = from[a] >> field.lattice_bits;
      const std::int32_t to_cell = to[a] >> field.lattice_bits;
      const Way way = from_to(from[a], to[a]);
      const auto span = static_cast<Span>(way < 0 ? Span{0} - static_cast<Span>(way) : way);
      ours &= is_inside(from_cell, field.dims[a]);
      ours &= Walk::kMayLeave ? span < kExactFloat : is_inside(to_cell, field.dims[a]);
      apart |= from_cell != to_cell;
      extent_[a] = static_cast<float>(span) * field.unit;
      inverse_[a] = reciprocal(extent_[a]);
      longest = std::fmax(longest, extent_[a]);
      starts |= way == 0 ? 0 : static_cast<std::uint32_t>(from[a]);
      extents |= static_cast<std::uint32_t>(span);
      ends_above |= way < 0 && (static_cast<std::uint32_t>(to[a]) & (voxel - 1)) == 0;
      begin_axis(field, a, from[a], from_cell, to_cell, way);
    }
    const float length = Walk::kMayLeave ? std::fmin(longest, field.size) : longest;
    constexpr float kRounding = 0x1.02p-24f;  // a little more than 2^-24: it is rounded too
    error_ = std::fmaf(2.0f, length, field.size) * kRounding;
    const float inner = 0.5f - 2 * error_;
    // Of a ray that is sure, what is near a face is on it: CubeQueue::sure of wave_cube_rays-inl.h.
    const float unit = common_unit(starts) * common_unit(extents) * (field.unit * field.unit);
    const bool is_sure = !ends_above && 2.5f * error_ * longest < unit;
    inner_ = is_sure ? INFINITY : inner;
    armed_ = 0;
    return ours && apart && inner > 0;
  }

  /// Is this the voxel of its end? A step may meet it where it lies next to the end: it does not
  /// count for a sight, and whoever asks for one asks this too, once for each ray.
  SL_HD bool is_at_target(const CubeField& field) const {
    bool at_target = true;
    for (int a = 0; a < 3; ++a) at_target &= (cell_[a] ^ kWholeBits) == target(field, a);
    return at_target;
  }

  /// Leaves the largest cube that a plane's table knows to be empty around the ray.
  SL_HD CubeStep step(const CubeField& field, const BrickRecord* bricks) {
    std::uint32_t is_set = 0;
    const std::int32_t corner_mask = look(field, bricks, is_set);
    armed_ = 1;
    float moment[3];
    for (int a = 0; a < 3; ++a) {
      const std::int32_t bound = (cell_[a] & corner_mask) - corner_mask;
      moment[a] = (whole_of(bound) - start_[a]) * inverse_[a];
    }
    const float left = std::fmin(std::fmin(moment[0], moment[1]), moment[2]);
    const bool ends = left > last_;  // the cube holds the end
    if (is_set != 0 || ends) {
      return is_set != 0 && (Walk::kEndCounts || !ends) ? CubeStep::kMet : CubeStep::kClear;
    }
    // Does the ray enter the next voxel, or end on it?
    if (Walk::kEndCounts && left > 1 - 0x1p-20f) return CubeStep::kLeft;
    std::int32_t beyond[3];  // the cells, the faces within reach of rounding being behind
    bool is_near[3];         // to a face, by twice that
    for (int a = 0; a < 3; ++a) {
      const float place = std::fmaf(extent_[a], left, start_[a]);
      beyond[a] = whole_bits(place + error_);
      is_near[a] = std::fabs(place - whole_of(beyond[a]) - 0.5f) > inner_;
    }
    // One axis is near the face that the ray leaves by. Two: it passes close to an edge.
    if ((is_near[0] & is_near[1]) | (is_near[2] & (is_near[0] | is_near[1]))) {
      return CubeStep::kEdge;
    }
    for (int a = 0; a < 3; ++a) cell_[a] = beyond[a];
    return Walk::kMayLeave && is_outside(field) ? CubeStep::kClear : CubeStep::kGoesOn;
  }

  /// A step that came to an edge, by integers: leaves the cube on the axis, or the axes at one
  /// moment, whose bound comes first.
  SL_HD CubeStep settle(const CubeField& field, const BrickRecord* bricks) {
    std::uint32_t is_set = 0;
    const std::int32_t corner_mask = look(field, bricks, is_set);
    std::int32_t from[3], way[3];
    std::int64_t ahead = 0, most = 0;  // the first leaves after ahead / most of the ray
    for (int a = 0; a < 3; ++a) {
      way[a] = on_lattice(field, extent_[a]);
      from[a] = on_lattice(field, start_[a]);
      const std::int32_t bound = ((cell_[a] & corner_mask) - corner_mask) ^ kWholeBits;
      if (way[a] == 0 || bound > target(field, a)) continue;
      const std::int64_t before = (std::int64_t{bound} << field.lattice_bits) - from[a];
      if (most == 0 || before * most < ahead * way[a]) {
        ahead = before;
        most = way[a];
      }
    }
    if (most == 0) return CubeStep::kClear;  // the cube holds the end
    for (int a = 0; a < 3; ++a) {
      if (way[a] == 0) continue;
      // Whether the face next to the place is behind, and the end is not.
      const float moment = static_cast<float>(ahead) / static_cast<float>(most);
      const auto face =
          static_cast<std::int32_t>(std::rint(std::fmaf(extent_[a], moment, start_[a])));
      const std::int64_t past_face = ((std::int64_t{face} << field.lattice_bits) - from[a]) * most;
      const std::int32_t cell = way[a] * ahead >= past_face ? face : face - 1;
      const std::int32_t last = target(field, a);
      cell_[a] = (cell < last ? cell : last) | kWholeBits;
    }
    return Walk::kMayLeave && is_outside(field) ? CubeStep::kClear : CubeStep::kGoesOn;
  }

 private:
  /// Of points that are both inside: those of a sight that floats may walk.
  using Way = std::conditional_t<Walk::kMayLeave, std::int64_t, std::int32_t>;
  using Span = std::make_unsigned_t<Way>;

  /// The largest power of two that divides all numbers whose bits these are.
  SL_HD static float common_unit(std::uint32_t bits) {
    return static_cast<float>(static_cast<std::int32_t>(bits & (~bits + 1)));
  }

  SL_HD static Way from_to(std::int32_t from, std::int32_t to) {
    return static_cast<Way>(static_cast<Span>(to) - static_cast<Span>(from));
  }

  SL_HD void begin_axis(const CubeField& field, int a, std::int32_t from, std::int32_t from_cell,
                        std::int32_t to_cell, Way way) {
    const bool down = way < 0;
    const std::int32_t flip = down ? field.flip[a] : 0;
    const std::int32_t cell = from_cell ^ flip;
    const auto target = down ? static_cast<std::int32_t>(from_to(to_cell, field.flip[a])) : to_cell;
    // Down, index v becomes flip - v and the place p becomes flip + 1 - p. An axis without motion
    // stays within its voxel, on a face or not: in its middle it is near no face.
    const std::int32_t top = (field.flip[a] + 1) << field.lattice_bits;
    const std::int32_t lattice = down ? static_cast<std::int32_t>(from_to(from, top)) : from;
    start_[a] =
        way == 0 ? static_cast<float>(cell) + 0.5f : static_cast<float>(lattice) * field.unit;
    // As step() has it, so that a cube's moment is above this one or is not, as its bound is. An
    // axis that the ray stays on gives none: infinite below zero, or no number.
    last_ = std::fmax(last_, (static_cast<float>(target) - start_[a]) * inverse_[a]);
    cell_[a] = cell | kWholeBits;
    flip_[a] = flip | kWholeBits;
  }

  /// Where the ray is on an axis after a part of it, in units of the lattice.
  SL_HD static std::int32_t on_lattice(const CubeField& field, float place) {
    const float scale = static_cast<float>(std::int32_t{1} << field.lattice_bits);
    return static_cast<std::int32_t>(computed_here(place) * scale);
  }
  /// The cell of the ray's end, which lies on the lattice. On a face it is in the upper of two
  /// voxels, of which the ray, mirrored, meets the other one first.
  SL_HD std::int32_t target(const CubeField& field, int a) const {
    const std::int32_t end = on_lattice(field, start_[a]) + on_lattice(field, extent_[a]);
    return (end - (flip_[a] != kWholeBits ? 1 : 0)) >> field.lattice_bits;
  }

  float start_[3], extent_[3], inverse_[3];
  float last_;   ///< the moment at which the ray enters the voxel of its end, or nearly
  float error_;  ///< of a place, in voxels
  float inner_;  ///< how far from the middle between two faces a place is near none
};

}  // namespace sightline::kernels
