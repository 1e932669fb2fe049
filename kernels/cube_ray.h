// One ray's walk over empty cubes, in floats that know when they are in doubt: what a lane of a
// warp runs (warp_walk.h). wave_cubes-inl.h walks vectors of rays the same way, and says why the
// floats may be trusted: their error is bounded, and a ray that comes within it of an edge is in
// doubt.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/brick_table.h"
#include "kernels/hd.h"
#include "kernels/lattice_ray.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

/// What walks read of a grid: the words of its block, by halves, and how tables are indexed.
struct CubeField {
  const std::uint32_t* halves;
  std::int32_t dims[3];
  std::int32_t flip[3];  ///< mirrors a voxel index: the padded grid's highest
  std::int32_t y_bits, z_bits, lattice_bits;
  float unit;  ///< of the lattice, in voxels
  float size;  ///< of the padded grid along its longest axis, in voxels

  CubeField(const GridView& grid, int bits_of_lattice)
      : halves(reinterpret_cast<const std::uint32_t*>(grid.words)),
        y_bits(brick_table_bits(grid.layout, 0)),
        z_bits(y_bits + brick_table_bits(grid.layout, 1)),
        lattice_bits(bits_of_lattice),
        unit(std::ldexp(1.0f, -bits_of_lattice)),
        size(0) {
    for (int a = 0; a < 3; ++a) {
      dims[a] = grid.layout.dims[a];
      flip[a] = (1 << (grid.layout.root_bits[a] + kNodeBits)) - 1;
      size = std::fmax(size, static_cast<float>(flip[a] + 1));
    }
  }
};

enum class CubeStep : std::int32_t {
  kGoesOn,
  kMet,      ///< a set voxel, the ray's cell
  kClear,    ///< nothing to the end
  kDoubtful  ///< integers have to decide
};

/// What a walk is asked.
struct SightWalk {
  static constexpr bool kEndCounts = false;  ///< does the voxel of the end count?
  static constexpr bool kMayLeave = false;   ///< may the ray end outside the grid?
};
struct HitWalk {
  static constexpr bool kEndCounts = true;
  static constexpr bool kMayLeave = true;
};

/// Every axis is mirrored so that the ray goes up.
template <class Walk>
class CubeRay {
 public:
  /// Starts; false: not a ray for floats, or one that stays within a voxel.
  SL_HD bool begin(const CubeField& field, const LatticeSegment& ray) {
    const std::int32_t from[3] = {ray.from.x, ray.from.y, ray.from.z};
    const std::int32_t to[3] = {ray.to.x, ray.to.y, ray.to.z};
    bool ours = true, apart = false;
    float longest = 0;
    for (int a = 0; a < 3; ++a) {
      const std::int32_t from_cell = from[a] >> field.lattice_bits;
      const std::int32_t to_cell = to[a] >> field.lattice_bits;
      const std::int64_t way = std::int64_t{to[a]} - from[a];
      const std::int64_t span = way < 0 ? -way : way;
      ours &= is_inside(from_cell, field.dims[a]);
      ours &= Walk::kMayLeave ? span < kExactFloat : is_inside(to_cell, field.dims[a]);
      apart |= from_cell != to_cell;
      begin_axis(field, a, from[a], from_cell, to_cell, way);
      extent_[a] = static_cast<float>(span) * field.unit;
      inverse_[a] = 1.0f / extent_[a];
      longest = std::fmax(longest, extent_[a]);
    }
    const float length = Walk::kMayLeave ? std::fmin(longest, field.size) : longest;
    constexpr float kRounding = 0x1.02p-24f;  // a little more than 2^-24: it is rounded too
    near_face_ = std::fmaf(2.0f, length, field.size) * kRounding;
    fresh_ = true;
    return ours && apart;
  }

  /// The voxel where the ray is.
  SL_HD std::int32_t voxel(int a) const { return cell_[a] ^ flip_[a]; }

  /// Leaves the largest cube that a plane's table knows to be empty around the ray.
  SL_HD CubeStep step(const CubeField& field, const BrickRecord* bricks) {
    bool is_set = false;
    const int empty_bits = look(field, bricks, is_set);
    if (is_set && !fresh_ && (Walk::kEndCounts || !is_at_target())) return CubeStep::kMet;
    fresh_ = false;
    std::int32_t bound[3];
    float moment[3], left = INFINITY;
    for (int a = 0; a < 3; ++a) {
      bound[a] = ((cell_[a] >> empty_bits) + 1) << empty_bits;
      const float ahead = static_cast<float>(bound[a]) - start_[a];
      moment[a] = target_[a] < bound[a] ? INFINITY : ahead * inverse_[a];
      left = std::fmin(left, moment[a]);
    }
    if (left == INFINITY) return CubeStep::kClear;  // the cube holds the end
    int num_near = 0;
    bool outside = false;
    for (int a = 0; a < 3; ++a) {
      const float place = std::fmaf(extent_[a], left, start_[a]);
      num_near += std::fabs(place - std::rint(place)) < near_face_;
      const bool leaves = moment[a] == left;
      cell_[a] = leaves ? bound[a] : static_cast<std::int32_t>(place);
      outside |= leaves && bound[a] > field.flip[a];
    }
    // Two axes near a face: near an edge. And does the ray enter the next voxel, or end on it?
    if (num_near > 1 || (Walk::kEndCounts && left > 1 - 0x1p-20f)) return CubeStep::kDoubtful;
    return Walk::kMayLeave && outside ? CubeStep::kClear : CubeStep::kGoesOn;
  }

 private:
  SL_HD static bool is_inside(std::int32_t cell, std::int32_t dim) {
    return static_cast<std::uint32_t>(cell) < static_cast<std::uint32_t>(dim);
  }

  SL_HD void begin_axis(const CubeField& field, int a, std::int32_t from, std::int32_t from_cell,
                        std::int32_t to_cell, std::int64_t way) {
    const bool down = way < 0;
    flip_[a] = down ? field.flip[a] : 0;
    cell_[a] = from_cell ^ flip_[a];
    target_[a] = down ? field.flip[a] - to_cell : to_cell;
    // Down, index v becomes flip - v and the place p becomes flip + 1 - p. An axis without motion
    // stays within its voxel, on a face or not: in its middle it is near no face.
    const std::int32_t top = (field.flip[a] + 1) << field.lattice_bits;
    const std::int32_t lattice = down ? top - from : from;
    start_[a] =
        way == 0 ? static_cast<float>(cell_[a]) + 0.5f : static_cast<float>(lattice) * field.unit;
  }

  SL_HD bool is_at_target() const {
    return cell_[0] == target_[0] && cell_[1] == target_[1] && cell_[2] == target_[2];
  }

  /// Is the aligned 2x2x2 block around child `index` of a word empty? It lies in one half.
  SL_HD static bool half_block_is_empty(std::uint32_t half, std::uint32_t index) {
    return ((half >> (index & kHalfCorner & 31)) & static_cast<std::uint32_t>(kHalfBlock)) == 0;
  }

  static SL_HD BrickRecord::Half load(const BrickRecord::Half* half) {
#if defined(__CUDA_ARCH__)  // one read of eight bytes, which nobody writes
    const auto both = __ldg(reinterpret_cast<const unsigned long long*>(half));
    return {static_cast<std::int32_t>(both), static_cast<std::uint32_t>(both >> 32)};
#else
    return *half;
#endif
  }
  static SL_HD std::uint32_t load(const std::uint32_t* half) {
#if defined(__CUDA_ARCH__)
    return __ldg(half);
#else
    return *half;
#endif
  }

  /// The bits of the cube around the ray, and whether the ray's voxel is set.
  SL_HD int look(const CubeField& field, const BrickRecord* bricks, bool& is_set) const {
    const std::int32_t x = voxel(0), y = voxel(1), z = voxel(2);
    const std::int32_t region =
        (x >> kBrickBits) | (y >> kBrickBits) << field.y_bits | (z >> kBrickBits) << field.z_bits;
    const std::uint32_t word = child_index(x, y, z, kWordBits), bit = child_index(x, y, z, 0);
    const BrickRecord::Half half = load(bricks[region].half + (word >> 5));
    if (((half.filled >> (word & 31)) & 1u) == 0) {
      if (half.brick < 0) return half.brick & 15;
      return kWordBits + (half_block_is_empty(half.filled, word) ? 1 : 0);
    }
    constexpr std::uint32_t kMaskHalves = 2;  // a brick's own mask lies before its words
    const std::uint32_t voxels =
        load(field.halves + kMaskHalves + half.brick + 2 * word + (bit >> 5));
    is_set = ((voxels >> (bit & 31)) & 1u) != 0;
    return half_block_is_empty(voxels, bit) ? 1 : 0;
  }

  float start_[3], extent_[3], inverse_[3], near_face_;
  std::int32_t cell_[3], target_[3], flip_[3];
  bool fresh_;  ///< still in the voxel of the observer, which never counts
};

}  // namespace sightline::kernels
