// How a ray steps through cells with no branch per axis: dilated places and an exact clock.
//
// The place of a voxel is one number whose bits are, from the low end, its index in its word, the
// word's in its brick, the brick's in its node, and the node's in the root (kernels/occupancy.h):
//
//     bit   .. 18 | 17 16 15 14 13 12 | 11 10  9  8  7  6 | 5  4  3  2  1  0
//            root |  z  z  y  y  x  x |  z  z  y  y  x  x | z  z  y  y  x  x
//
// Each axis owns its bits (a "dilated" integer). Taking away a dilated -1 or +1 while the foreign
// bits are zeros borrows across the gaps, so a step along any set of axes is three masked
// subtractions, and the place is the address of the voxel. The place of a word is the same number
// without its low six bits: the same gait walks words.
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

SL_HD inline std::uint64_t place_of_cell(const GridLayout& layout, const Cell& cell) {
  return place_of(layout, 0, cell.v[0]) | place_of(layout, 1, cell.v[1]) |
         place_of(layout, 2, cell.v[2]);
}

/// The voxel index that place_of put there.
SL_HD inline std::int32_t index_of(const GridLayout& layout, int axis, std::uint64_t place) {
  int below = 0;
  for (int a = 0; a < axis; ++a) below += layout.root_bits[a];
  const std::uint64_t p = place >> (2 * axis);
  const std::uint64_t root = (place & place_mask(layout, axis)) >> (kPlaceRootShift + below);
  return static_cast<std::int32_t>((p & 3) | (p >> 4 & 12) | (p >> 8 & 48) | root << kNodeBits);
}

/// From the moment at which something is entered to the one at which it is left.
struct MomentRange {
  std::int64_t entered, until;
};

/// The moments at which a ray crosses faces, as exact integers: a distance of n lattice units along
/// axis a is reached at n * scale[a], where scale[a] is the product of the other axes' spans.
struct FaceClock {
  std::int64_t scale[3];

  /// Later than any moment of a ray, and its voxels last no longer.
  static constexpr std::int64_t kNever = std::int64_t{1} << 60;

  /// All moments must lie before kNever: rays up to 4,000 voxels along each axis at 8 lattice bits.
  SL_HD static bool fits(const LatticeRay& ray) {
    double product = 1;
    for (int a = 0; a < 3; ++a) {
      product *=
          static_cast<double>(ray.span[a]) + static_cast<double>(std::int64_t{4} << ray.bits);
    }
    return product < static_cast<double>(kNever);
  }

  SL_HD explicit FaceClock(const LatticeRay& ray) {
    std::int64_t span[3];  // an axis without motion scales nothing
    for (int a = 0; a < 3; ++a) span[a] = ray.span[a] == 0 ? 1 : ray.span[a];
    scale[0] = span[1] * span[2];
    scale[1] = span[0] * span[2];
    scale[2] = span[0] * span[1];
  }

  /// When the ray leaves its cell of 2^cell_bits voxels along axis a. An axis without motion ticks
  /// once in kNever, ahead of time by less than one tick: it never gets there, yet counting back
  /// finds its voxel like any other.
  SL_HD std::int64_t leaves_at(const LatticeRay& ray, int a, int cell_bits) const {
    const std::int32_t size = std::int32_t{1} << cell_bits;
    const std::int32_t low = ray.cell.v[a] & -size;
    if (ray.span[a] == 0) return (std::int64_t{low} + size - ray.cell.v[a]) * kNever - 1;
    const std::int64_t distance = ray.step[a] > 0
                                      ? ((std::int64_t{low} + size) << ray.bits) - ray.start[a]
                                      : ray.start[a] - (std::int64_t{low} << ray.bits);
    return distance * scale[a];
  }

  /// The moments between which the ray lies in [0, dims), given that it does: it is past the faces
  /// due at `entered`, and those due at `until` part its last cell from what it does not visit.
  SL_HD MomentRange inside(const LatticeRay& ray, const std::int32_t dims[3]) const {
    MomentRange range{0, kNever};
    for (int a = 0; a < 3; ++a) {
      if (ray.span[a] == 0) continue;
      const std::int64_t size = std::int64_t{dims[a]} << ray.bits;
      const std::int64_t to_zero = ray.start[a], to_size = size - ray.start[a];
      const bool up = ray.step[a] > 0;
      const std::int64_t near = up ? -to_zero : -to_size, far = up ? to_size : to_zero;
      if (near > 0 && near * scale[a] > range.entered) range.entered = near * scale[a];
      const std::int64_t until = (far < ray.span[a] ? far : ray.span[a]) * scale[a];
      if (until < range.until) range.until = until;
    }
    return range;
  }

  /// How long a voxel lasts along axis a.
  SL_HD std::int64_t tick(const LatticeRay& ray, int a) const {
    return ray.span[a] == 0 ? kNever : scale[a] << ray.bits;
  }
};

/// One axis of a gait.
struct GaitAxis {
  std::uint64_t place;  ///< on the bits of the mask
  std::uint64_t mask;
  std::uint64_t minus_step;  ///< dilated -1 or +1
  std::int64_t at;           ///< moment of the next crossing
  std::int64_t tick;         ///< one cell

  SL_HD GaitAxis(std::uint64_t place_now, std::uint64_t axis_mask, bool up, std::int64_t leaves_at,
                 std::int64_t cell_tick)
      : place(place_now),
        mask(axis_mask),
        minus_step(up ? axis_mask : axis_mask & (~axis_mask + 1)),
        at(leaves_at),
        tick(cell_tick) {}

  SL_HD bool up() const { return minus_step == mask; }

  SL_HD void cross_at(std::int64_t moment) {
    const std::int64_t crosses = -static_cast<std::int64_t>(at == moment);
    at += tick & crosses;
    place = (place - (minus_step & static_cast<std::uint64_t>(crosses))) & mask;
  }

  /// The same ray by voxels, in the word it entered at a moment: the crossings still to come are
  /// counted back from the one that leaves the word.
  SL_HD GaitAxis by_voxels(std::uint64_t voxel_mask, int shift, std::int64_t entered) const {
    const std::int64_t voxel_tick = tick >> kWordBits;
    std::int64_t next = at;
    std::uint64_t ahead = 0;  // voxels of the word beyond the one that is entered
    for (int k = 0; k < 3; ++k) {
      const bool later = next - voxel_tick > entered;
      next -= later ? voxel_tick : 0;
      ahead += later;
    }
    return {(up() ? 3 - ahead : ahead) << shift, voxel_mask, up(), next, voxel_tick};
  }
};

/// A ray's place and its next crossing on each axis, by voxels or by words.
struct Gait {
  GaitAxis x, y, z;

  SL_HD std::uint64_t place() const { return x.place | y.place | z.place; }

  /// The moment of the next crossing.
  SL_HD std::int64_t leaves_at() const {
    const std::int64_t xy = x.at < y.at ? x.at : y.at;
    return xy < z.at ? xy : z.at;
  }

  /// By words: the same ray by the voxels of its word, from the moment at which it entered. Two
  /// bits of place per axis.
  SL_HD Gait by_voxels(std::int64_t entered) const {
    return {x.by_voxels(0x03, 0, entered), y.by_voxels(0x0c, 2, entered),
            z.by_voxels(0x30, 4, entered)};
  }

  /// Crosses the face that is due at `moment` = leaves_at(), or the two or three of a tie at once.
  SL_HD void cross_at(std::int64_t moment) {
    x.cross_at(moment);
    y.cross_at(moment);
    z.cross_at(moment);
  }
};

SL_HD inline GaitAxis gait_axis(const GridLayout& layout, const LatticeRay& ray,
                                const FaceClock& clock, int axis, int cell_bits) {
  const int drop = 3 * cell_bits;
  return {place_of(layout, axis, ray.cell.v[axis]) >> drop, place_mask(layout, axis) >> drop,
          ray.step[axis] > 0, clock.leaves_at(ray, axis, cell_bits),
          clock.tick(ray, axis) << cell_bits};
}

/// From the ray's cell, by cells of 2^cell_bits voxels: 0 voxels, kWordBits words.
SL_HD inline Gait gait_of(const GridLayout& layout, const LatticeRay& ray, int cell_bits) {
  const FaceClock clock(ray);
  return {gait_axis(layout, ray, clock, 0, cell_bits), gait_axis(layout, ray, clock, 1, cell_bits),
          gait_axis(layout, ray, clock, 2, cell_bits)};
}

/// The voxel word at the place of a word.
SL_HD inline std::uint64_t word_at(const PlaneView& plane, std::uint64_t word_place) {
  const std::uint64_t* node = plane.words + plane.root[word_place >> (kPlaceRootShift - 6)];
  const std::uint64_t* brick =
      plane.words +
      PlaneView::child_offset(node, static_cast<std::uint32_t>(word_place >> 6) & 63u);
  return brick[1 + (word_place & 63)];
}

}  // namespace sightline::kernels
