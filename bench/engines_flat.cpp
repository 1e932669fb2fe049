// Baselines: what a careful programmer writes in an afternoon, one bit per voxel and float rays.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include "bench/engine.h"

namespace sightline::bench {
namespace {

/// One bit per voxel, x fastest, inside a free border: rounding may carry a walk one voxel too far.
class FlatGrid {
 public:
  explicit FlatGrid(const host::OccupancyGrid& grid) {
    const std::int32_t* dims = grid.layout().dims;
    stride_[0] = 1;
    stride_[1] = dims[0] + 2 * kBorder;
    stride_[2] = stride_[1] * (dims[1] + 2 * kBorder);
    bits_.resize(static_cast<std::size_t>(stride_[2] * (dims[2] + 2 * kBorder) + 63) / 64);
    for_each_occupied(grid, [this](std::int32_t x, std::int32_t y, std::int32_t z) {
      const std::int64_t i = index(x, y, z);
      bits_[i >> 6] |= std::uint64_t{1} << (i & 63);
    });
  }
  std::int64_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return (x + kBorder) + (y + kBorder) * stride_[1] + (z + kBorder) * stride_[2];
  }
  std::int64_t stride(int axis) const { return stride_[axis]; }
  bool get(std::int64_t i) const { return (bits_[i >> 6] >> (i & 63)) & 1u; }
  std::size_t bytes() const { return bits_.size() * sizeof(std::uint64_t); }

 private:
  static constexpr std::int64_t kBorder = 2;
  std::int64_t stride_[3];
  std::vector<std::uint64_t> bits_;
};

std::int32_t voxel_of(float v) { return static_cast<std::int32_t>(v); }  // v >= 0

/// One axis of a walk: the parameter of the next face, from face to face, and one voxel's stride.
struct Axis {
  float next, delta;
  std::int64_t stride;
};

Axis axis_of(float from, float to, std::int64_t stride) {
  const float d = to - from;
  if (d == 0) return {std::numeric_limits<float>::infinity(), 0, 0};
  const float cell = static_cast<float>(voxel_of(from));
  const float face = d > 0 ? cell + 1 : cell;
  return {(face - from) / d, std::fabs(1 / d), d > 0 ? stride : -stride};
}

/// Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987), with selections
/// in place of branches.
bool walk_sees(const FlatGrid& grid, const FloatRay& ray) {
  std::int64_t steps = 0;
  for (int a = 0; a < 3; ++a) steps += std::abs(voxel_of(ray.to[a]) - voxel_of(ray.from[a]));
  Axis x = axis_of(ray.from[0], ray.to[0], grid.stride(0));
  Axis y = axis_of(ray.from[1], ray.to[1], grid.stride(1));
  Axis z = axis_of(ray.from[2], ray.to[2], grid.stride(2));
  std::int64_t i = grid.index(voxel_of(ray.from[0]), voxel_of(ray.from[1]), voxel_of(ray.from[2]));
  for (; steps > 1; --steps) {
    const bool go_x = (x.next <= y.next) & (x.next <= z.next);
    const bool go_y = !go_x & (y.next <= z.next);
    const bool go_z = !(go_x | go_y);
    i += go_x ? x.stride : go_y ? y.stride : z.stride;
    x.next += go_x ? x.delta : 0;
    y.next += go_y ? y.delta : 0;
    z.next += go_z ? z.delta : 0;
    if (grid.get(i)) return false;
  }
  return true;
}

/// Samples every 0.5 voxel. The ends are in free voxels, so these need no check of their own.
bool march_sees(const FlatGrid& grid, const FloatRay& ray) {
  constexpr float kStep_vox = 0.5f;
  const float d[3] = {ray.to[0] - ray.from[0], ray.to[1] - ray.from[1], ray.to[2] - ray.from[2]};
  const float length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (length == 0) return true;
  const float per_voxel = 1 / length;
  const float unit[3] = {d[0] * per_voxel, d[1] * per_voxel, d[2] * per_voxel};
  for (std::int32_t k = 1;; ++k) {
    const float t = static_cast<float>(k) * kStep_vox;
    if (t >= length) return true;
    const std::int64_t i =
        grid.index(voxel_of(ray.from[0] + unit[0] * t), voxel_of(ray.from[1] + unit[1] * t),
                   voxel_of(ray.from[2] + unit[2] * t));
    if (grid.get(i)) return false;
  }
}

template <bool (*sees)(const FlatGrid&, const FloatRay&)>
Engine make_flat(const host::OccupancyGrid& grid, double max_wrong) {
  const auto flat = std::make_shared<const FlatGrid>(grid);
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(flat->bytes(), grid);
  engine.max_wrong = max_wrong;
  engine.run = [flat](const RaySet& set, std::int64_t begin, std::int64_t end,
                      std::uint8_t* visible) {
    for (std::int64_t i = begin; i < end; ++i) visible[i - begin] = sees(*flat, set.rays[i]);
  };
  return engine;
}

}  // namespace

Engine make_flat_walk(const host::OccupancyGrid& grid) {
  return make_flat<walk_sees>(grid, kRoundingMaxWrong);
}
Engine make_flat_march(const host::OccupancyGrid& grid) {
  return make_flat<march_sees>(grid, kHalfStepMaxWrong);
}

}  // namespace sightline::bench
