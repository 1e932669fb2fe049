// How a ray steps through cells with no branch per axis: dilated places and an exact clock.
//
// The place of a voxel is one number whose bits are, from the low end, its index in its word, the
// word's in its brick, the brick's in its node, and the node's in the root (kernels/occupancy.h):
//
//     bit   .. 18 | 17 16 15 14 13 12 | 11 10  9  8  7  6 | 5  4  3  2  1  0
//            root |  z  z  y  y  x  x |  z  z  y  y  x  x | z  z  y  y  x  x
//
// Each axis owns its bits (a "dilated" integer). Adding a dilated +1 or -1 while the foreign bits
// are ones carries across the gaps, so a step along any set of axes is three masked additions, and
// the place is the address of the voxel. The place of a word is the same number without its low six
// bits: the same gait walks words.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/lattice_ray.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

constexpr int kPlaceRootShift = 18;  ///< where the root index begins in a voxel's place

/// The bits of an axis in the place of a voxel.
SL_HD inline std::uint64_t place_mask(const GridLayout& layout, int axis) {
  int below = 0;
  for (int a = 0; a < axis; ++a) below += layout.root_bits[a];
  const std::uint64_t root = (std::uint64_t{1} << layout.root_bits[axis]) - 1;
  return std::uint64_t{0x3 | 0x3 << 6 | 0x3 << 12} << (2 * axis) | root
                                                                       << (kPlaceRootShift + below);
}

/// A voxel index, on the bits of its axis.
SL_HD inline std::uint64_t place_of(const GridLayout& layout, int axis, std::int32_t v) {
  int below = 0;
  for (int a = 0; a < axis; ++a) below += layout.root_bits[a];
  const auto u = static_cast<std::uint64_t>(v);
  const std::uint64_t in_node = (u & 3) | (u & 12) << 4 | (u & 48) << 8;
  return in_node << (2 * axis) | (u >> kNodeBits) << (kPlaceRootShift + below);
}

/// The voxel index that place_of put there.
SL_HD inline std::int32_t index_of(const GridLayout& layout, int axis, std::uint64_t place) {
  int below = 0;
  for (int a = 0; a < axis; ++a) below += layout.root_bits[a];
  const std::uint64_t p = place >> (2 * axis);
  const std::uint64_t root = (place & place_mask(layout, axis)) >> (kPlaceRootShift + below);
  return static_cast<std::int32_t>((p & 3) | (p >> 4 & 12) | (p >> 8 & 48) | root << kNodeBits);
}

/// The moments at which a ray crosses faces, as exact integers: a distance of n lattice units along
/// axis a is reached at n * scale[a], where scale[a] is the product of the other axes' spans.
struct FaceClock {
  std::int64_t scale[3];
  double inverse_scale[3];

  /// All moments must fit 62 bits: rays up to 6,000 voxels along each axis at 8 lattice bits.
  SL_HD static bool fits(const LatticeRay& ray) {
    double product = 1;
    for (int a = 0; a < 3; ++a) {
      product *=
          static_cast<double>(ray.span[a]) + static_cast<double>(std::int64_t{4} << ray.bits);
    }
    return product < 0x1p62;
  }

  SL_HD explicit FaceClock(const LatticeRay& ray) {
    std::int64_t span[3];  // an axis without motion scales nothing
    for (int a = 0; a < 3; ++a) span[a] = ray.span[a] == 0 ? 1 : ray.span[a];
    scale[0] = span[1] * span[2];
    scale[1] = span[0] * span[2];
    scale[2] = span[0] * span[1];
    for (int a = 0; a < 3; ++a) inverse_scale[a] = 1.0 / static_cast<double>(scale[a]);
  }

  /// Puts the ray just after a moment: every face crossed up to and including it is behind.
  SL_HD void put(LatticeRay& ray, std::int64_t moment) const {
    for (int a = 0; a < 3; ++a) {
      if (ray.span[a] == 0) continue;
      // The float estimate is within one unit of the exact quotient; the integers settle it.
      auto travelled = static_cast<std::int64_t>(static_cast<double>(moment) * inverse_scale[a]);
      const std::int64_t rest = moment - travelled * scale[a];
      travelled += (rest >= scale[a]) - (rest < 0);
      ray.cell.v[a] = ray.after(a, travelled);
    }
  }
};

/// A ray's place and its next crossing on each axis. Cells of 2^cell_bits voxels.
struct Gait {
  std::uint64_t x, y, z;                 ///< the place, axis by axis
  std::uint64_t step_x, step_y, step_z;  ///< dilated +1 or -1
  std::uint64_t mask_x, mask_y, mask_z;
  std::int64_t at_x, at_y, at_z;        ///< moment of the next crossing
  std::int64_t tick_x, tick_y, tick_z;  ///< one cell

  /// masks, place: of the cells' own numbering, per axis.
  SL_HD Gait(const LatticeRay& ray, const FaceClock& clock, int cell_bits,
             const std::uint64_t mask[3], const std::uint64_t place[3]) {
    std::uint64_t step[3];
    std::int64_t at[3], tick[3];
    for (int a = 0; a < 3; ++a) {
      step[a] = ray.step[a] > 0 ? mask[a] & (~mask[a] + 1) : mask[a];
      at[a] = INT64_MAX;  // an axis without motion never crosses
      tick[a] = 0;
      if (ray.span[a] == 0) continue;
      const std::int32_t low = ray.cell.v[a] >> cell_bits << cell_bits;
      const std::int64_t size = std::int64_t{1} << cell_bits;
      const std::int64_t distance = ray.step[a] > 0
                                        ? ((low + size) << ray.bits) - ray.start[a]
                                        : ray.start[a] - (std::int64_t{low} << ray.bits);
      at[a] = distance * clock.scale[a];
      tick[a] = clock.scale[a] << (ray.bits + cell_bits);
    }
    x = place[0], y = place[1], z = place[2];
    step_x = step[0], step_y = step[1], step_z = step[2];
    mask_x = mask[0], mask_y = mask[1], mask_z = mask[2];
    at_x = at[0], at_y = at[1], at_z = at[2];
    tick_x = tick[0], tick_y = tick[1], tick_z = tick[2];
  }

  SL_HD std::uint64_t place() const { return x | y | z; }

  /// Crosses the next face, or the two or three that a tie crosses at once. Returns the moment.
  SL_HD std::int64_t advance() {
    const std::int64_t xy = at_x < at_y ? at_x : at_y;
    const std::int64_t moment = xy < at_z ? xy : at_z;
    const std::int64_t move_x = -static_cast<std::int64_t>(at_x == moment);
    const std::int64_t move_y = -static_cast<std::int64_t>(at_y == moment);
    const std::int64_t move_z = -static_cast<std::int64_t>(at_z == moment);
    at_x += tick_x & move_x;
    at_y += tick_y & move_y;
    at_z += tick_z & move_z;
    x = ((x | ~mask_x) + (step_x & static_cast<std::uint64_t>(move_x))) & mask_x;
    y = ((y | ~mask_y) + (step_y & static_cast<std::uint64_t>(move_y))) & mask_y;
    z = ((z | ~mask_z) + (step_z & static_cast<std::uint64_t>(move_z))) & mask_z;
    return moment;
  }
};

/// The voxel word at the place of a word.
SL_HD inline std::uint64_t word_at(const PlaneView& plane, std::uint64_t word_place) {
  const std::uint64_t* node = plane.words + plane.root[word_place >> (kPlaceRootShift - 6)];
  const std::uint64_t* brick =
      plane.words +
      PlaneView::child_offset(node, static_cast<std::uint32_t>(word_place >> 6) & 63u);
  return brick[1 + (word_place & 63)];
}

}  // namespace sightline::kernels
