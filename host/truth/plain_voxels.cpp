#include "host/truth/plain_voxels.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "host/error.h"

namespace sightline::host {
namespace {

/// A fraction with a positive denominator. Numerators stay below 2^32, denominators below 2^31.
struct Fraction {
  std::int64_t over = 0, under = 1;
  bool operator<(const Fraction& other) const { return over * other.under < other.over * under; }
};

struct Line {
  LatticePlace from, to;
};

/// Has the line positive length in the voxels [lo, hi)? Along an axis on which it does not move,
/// its place must be in them: half-open, the upper face is not.
bool has_length_in(const Line& line, const VoxelIndex& lo, const VoxelIndex& hi) {
  Fraction enters{0, 1}, leaves{1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t begin = lo[axis] * kLatticePerVoxel, end = hi[axis] * kLatticePerVoxel;
    const std::int64_t from = line.from[axis], step = line.to[axis] - from;
    if (step == 0) {
      if (from < begin || from >= end) return false;
      continue;
    }
    const Fraction in{step > 0 ? begin - from : from - end, std::abs(step)};
    const Fraction out{step > 0 ? end - from : from - begin, std::abs(step)};
    enters = std::max(enters, in);
    leaves = std::min(leaves, out);
  }
  return enters < leaves;
}

/// Calls use(voxel) for every voxel of [lo, hi) in which the line has length.
template <class Use>
void halve(const Line& line, const VoxelIndex& lo, const VoxelIndex& hi, const Use& use) {
  if (!has_length_in(line, lo, hi)) return;
  std::size_t longest = 0;
  for (std::size_t axis = 1; axis < 3; ++axis) {
    if (hi[axis] - lo[axis] > hi[longest] - lo[longest]) longest = axis;
  }
  if (hi[longest] - lo[longest] == 1) return use(lo);
  VoxelIndex middle_hi = hi, middle_lo = lo;
  middle_hi[longest] = middle_lo[longest] = lo[longest] + (hi[longest] - lo[longest]) / 2;
  halve(line, lo, middle_hi, use);
  halve(line, middle_lo, hi, use);
}

std::int64_t floor_of(std::int64_t lattice) {
  return lattice >= 0 ? lattice / kLatticePerVoxel
                      : -((-lattice + kLatticePerVoxel - 1) / kLatticePerVoxel);
}

std::size_t size_of(const VoxelIndex& dims) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 22;
  std::int64_t size = 1;
  for (const std::int64_t length : dims) {
    if (length < 1 || length > kLongest || size > PlainVoxels::kMostVoxels / length) {
      throw InputError("a plain array holds axes of 1 to 4194304 voxels and at most " +
                       std::to_string(PlainVoxels::kMostVoxels) + " together, not " +
                       std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " +
                       std::to_string(dims[2]) + "; take larger voxels or a smaller world");
    }
    size *= length;
  }
  return static_cast<std::size_t>(size);
}

}  // namespace

VoxelIndex voxel_of(const LatticePlace& place) {
  return {floor_of(place[0]), floor_of(place[1]), floor_of(place[2])};
}

PlainVoxels::PlainVoxels(const VoxelIndex& dims) : dims_(dims), solid_(size_of(dims), 0) {}

bool PlainVoxels::holds(const VoxelIndex& voxel) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (voxel[axis] < 0 || voxel[axis] >= dims_[axis]) return false;
  }
  return true;
}

bool PlainVoxels::is_solid(const VoxelIndex& voxel) const {
  return holds(voxel) && solid_[static_cast<std::size_t>(place_of(voxel))] != 0;
}

void PlainVoxels::apply(const VoxelChange& change) {
  VoxelIndex lo, hi;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lo[axis] = std::max<std::int64_t>(change.lo[axis], 0);
    hi[axis] = std::min(change.hi[axis], dims_[axis]);
  }
  for (std::int64_t k = lo[2]; k < hi[2]; ++k) {
    for (std::int64_t j = lo[1]; j < hi[1]; ++j) {
      for (std::int64_t i = lo[0]; i < hi[0]; ++i) {
        solid_[static_cast<std::size_t>(place_of({i, j, k}))] = change.solid ? 1 : 0;
      }
    }
  }
}

std::vector<std::int64_t> PlainVoxels::crossed(const LatticePlace& from,
                                               const LatticePlace& to) const {
  const VoxelIndex first = voxel_of(from), last = voxel_of(to);
  VoxelIndex lo, hi;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lo[axis] = std::min(first[axis], last[axis]);
    hi[axis] = std::max(first[axis], last[axis]) + 1;
  }
  std::vector<std::int64_t> places;
  halve({from, to}, lo, hi, [&](const VoxelIndex& voxel) {
    if (voxel != first && voxel != last && holds(voxel)) places.push_back(place_of(voxel));
  });
  return places;
}

bool PlainVoxels::is_clear(const std::vector<std::int64_t>& crossed) const {
  return std::none_of(crossed.begin(), crossed.end(), [&](std::int64_t place) {
    return solid_[static_cast<std::size_t>(place)] != 0;
  });
}

}  // namespace sightline::host
