// Where a ray is that walks over empty cubes, and what a plane's table knows of the cube around it:
// what the walks of warps (cube_ray.h, march_ray.h) have in common.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/brick_table.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"
#include "kernels/lattice_ray.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

/// What walks read of a grid: the words of its block, by halves, and how tables are indexed.
struct CubeField {
  const std::uint32_t* halves;
  std::int32_t dims[3];
  std::int32_t flip[3];             ///< mirrors a voxel index: the padded grid's highest
  std::int32_t y_stride, z_stride;  ///< of a table's regions
  std::int32_t lattice_bits;
  float unit;  ///< of the lattice, in voxels
  float size;  ///< of the padded grid along its longest axis, in voxels

  CubeField(const GridView& grid, int bits_of_lattice)
      : halves(reinterpret_cast<const std::uint32_t*>(grid.words)),
        y_stride(1 << brick_table_bits(grid.layout, 0)),
        z_stride(y_stride << brick_table_bits(grid.layout, 1)),
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
  kMet,    ///< a set voxel, the ray's cell
  kClear,  ///< nothing to the end
  kEdge,   ///< next to an edge: settle() has to decide
  kLeft    ///< not for this walk
};

/// A voxel of a ray. Every axis is mirrored so that the ray goes up.
class CubePlace {
 public:
  /// The voxel where the ray is.
  SL_HD std::int32_t voxel(int a) const { return cell_[a] ^ flip_[a]; }

 protected:
  SL_HD static bool is_inside(std::int32_t cell, std::int32_t dim) {
    return static_cast<std::uint32_t>(cell) < static_cast<std::uint32_t>(dim);
  }
  SL_HD bool is_outside(const CubeField& field) const {
    bool outside = false;
    for (int a = 0; a < 3; ++a) outside |= cell_[a] > (field.flip[a] | kWholeBits);
    return outside;
  }

  /// The bits that all voxels of the cube around the ray share, and whether the ray's voxel is set.
  SL_HD std::int32_t look(const CubeField& field, const BrickRecord* bricks,
                          std::uint32_t& is_set) const {
    const std::int32_t x = voxel(0), y = voxel(1), z = voxel(2);
    const std::int32_t region =
        (x >> kBrickBits) + (y >> kBrickBits) * field.y_stride + (z >> kBrickBits) * field.z_stride;
    const std::uint32_t word = child_index(x, y, z, kWordBits), bit = child_index(x, y, z, 0);
    const BrickRecord::Half half = load(bricks[region].half + (word >> 5));
    if (half.brick < 0) return static_cast<std::int32_t>(~std::uint32_t{0} << (half.brick & 31));
    std::uint32_t children = half.filled, child = word;
    std::int32_t one = -(1 << kWordBits), block = 2 * one;
    if (((half.filled >> (word & 31)) & 1u) != 0) {
      constexpr int kMaskHalves = 2;  // a brick's own mask lies before its words
      const auto first = static_cast<std::uint32_t>(half.brick) + 2 * word;
      children = load(field.halves + kMaskHalves + (first + (bit >> 5)));
      child = bit;
      one = -1;
      block = -2;
      is_set = (children >> (bit & 31)) & armed_;
    }
    return half_block_is_empty(children, child) ? block : one;
  }

  std::int32_t cell_[3], flip_[3];  ///< with kWholeBits
  std::uint32_t armed_;             ///< 0 in a voxel that does not count, as the observer's; else 1

 private:
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
};

}  // namespace sightline::kernels
