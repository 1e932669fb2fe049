#include "support/rays.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace sightline::tests {
namespace {

using oracle::Index3;
using oracle::Point3;

Point3 point_in(const Index3& dims, Random& random) {
  Point3 p{};
  for (int axis = 0; axis < 3; ++axis) p[axis] = random.uniform(0, static_cast<double>(dims[axis]));
  return p;
}

/// A voxel corner plus `offset` on each axis.
Point3 corner_in(const Index3& dims, double offset, Random& random) {
  Point3 p{};
  for (int axis = 0; axis < 3; ++axis) {
    p[axis] = static_cast<double>(random.integer(0, dims[axis] - 1)) + offset;
  }
  return p;
}

Point3 face_point_in(const Index3& dims, Random& random) {
  Point3 p = point_in(dims, random);
  const int axis = static_cast<int>(random.integer(0, 2));
  p[axis] = std::floor(p[axis]);
  if (random.chance(0.5)) p[(axis + 1) % 3] = std::floor(p[(axis + 1) % 3]);
  return p;
}

/// Beyond the grid on at least one axis, up to twice its size away.
Point3 point_outside(const Index3& dims, Random& random) {
  Point3 p = point_in(dims, random);
  const int beyond = static_cast<int>(random.integer(0, 2));
  for (int axis = 0; axis < 3; ++axis) {
    if (axis != beyond && random.chance(0.5)) continue;
    const double size = static_cast<double>(dims[axis]);
    p[axis] =
        random.chance(0.5) ? random.uniform(-2 * size, -0.001) : random.uniform(size, 3 * size);
  }
  return p;
}

VoxelRay axis_parallel(Point3 from, const Index3& dims, Random& random) {
  const int axis = static_cast<int>(random.integer(0, 2));
  Point3 to = from;
  to[axis] = random.uniform(0, static_cast<double>(dims[axis]));
  return {from, to};
}

/// Slides along a face: one coordinate stays on a face plane, and mostly a second one too.
VoxelRay along_face(const Index3& dims, Random& random) {
  VoxelRay ray{point_in(dims, random), point_in(dims, random)};
  const int axis = static_cast<int>(random.integer(0, 2));
  ray.from[axis] = ray.to[axis] = static_cast<double>(random.integer(0, dims[axis]));
  if (random.chance(0.7)) {
    const int second = (axis + 1) % 3;
    ray.from[second] = std::floor(ray.from[second]);
    ray.to[second] = ray.from[second];
  }
  return ray;
}

VoxelRay nearly_axis_parallel(const Index3& dims, Random& random) {
  constexpr double kSlope = 1e-6;
  VoxelRay ray = axis_parallel(
      random.chance(0.5) ? corner_in(dims, 0, random) : point_in(dims, random), dims, random);
  double length = 0;
  for (int axis = 0; axis < 3; ++axis) length += std::fabs(ray.to[axis] - ray.from[axis]);
  for (int axis = 0; axis < 3; ++axis) {
    if (ray.to[axis] == ray.from[axis]) {
      ray.to[axis] += (random.chance(0.5) ? kSlope : -kSlope) * length;
    }
  }
  return ray;
}

VoxelRay exact_diagonal(const Index3& dims, Random& random) {
  VoxelRay ray;
  ray.from = corner_in(dims, random.chance(0.5) ? 0.5 : 0.0, random);
  ray.to = ray.from;
  const double steps = static_cast<double>(random.integer(1, 12));
  const int still = static_cast<int>(random.integer(0, 3));  // 3: none
  for (int axis = 0; axis < 3; ++axis) {
    if (axis != still) ray.to[axis] += random.chance(0.5) ? steps : -steps;
  }
  return ray;
}

VoxelRay make_ray(RayKind kind, const Index3& dims, Random& random) {
  switch (kind) {
    case RayKind::kRandom:
      return {point_in(dims, random), point_in(dims, random)};
    case RayKind::kCentreToCentre:
      return {corner_in(dims, 0.5, random), corner_in(dims, 0.5, random)};
    case RayKind::kCornerToCorner:
      return {corner_in(dims, 0, random), corner_in(dims, 0, random)};
    case RayKind::kFaceToFace:
      return {face_point_in(dims, random), face_point_in(dims, random)};
    case RayKind::kAxisParallel:
      return axis_parallel(point_in(dims, random), dims, random);
    case RayKind::kAlongFace:
      return along_face(dims, random);
    case RayKind::kNearlyAxisParallel:
      return nearly_axis_parallel(dims, random);
    case RayKind::kObserverOutside:
      return {point_outside(dims, random), point_in(dims, random)};
    case RayKind::kBothOutside:
      return {point_outside(dims, random), point_outside(dims, random)};
    case RayKind::kShort: {
      const Point3 from = point_in(dims, random);
      return {from,
              {from[0] + random.uniform(-2, 2), from[1] + random.uniform(-2, 2),
               from[2] + random.uniform(-2, 2)}};
    }
    case RayKind::kExactDiagonal:
      return exact_diagonal(dims, random);
  }
  return {};
}

}  // namespace

const char* name_of(RayKind kind) {
  switch (kind) {
    case RayKind::kRandom:
      return "random";
    case RayKind::kCentreToCentre:
      return "centre to centre";
    case RayKind::kCornerToCorner:
      return "corner to corner";
    case RayKind::kFaceToFace:
      return "face to face";
    case RayKind::kAxisParallel:
      return "axis-parallel";
    case RayKind::kAlongFace:
      return "along a face";
    case RayKind::kNearlyAxisParallel:
      return "nearly axis-parallel";
    case RayKind::kObserverOutside:
      return "observer outside";
    case RayKind::kBothOutside:
      return "both outside";
    case RayKind::kShort:
      return "short";
    case RayKind::kExactDiagonal:
      return "exact diagonal";
  }
  return "?";
}

std::vector<VoxelRay> make_rays(RayKind kind, const Index3& dims, std::int64_t num_rays,
                                Random& random) {
  std::vector<VoxelRay> rays;
  rays.reserve(static_cast<std::size_t>(num_rays));
  for (std::int64_t i = 0; i < num_rays; ++i) {
    VoxelRay ray = make_ray(kind, dims, random);
    if (random.chance(0.5)) std::swap(ray.from, ray.to);
    rays.push_back(ray);
  }
  return rays;
}

host::RayBatch to_batch(const std::vector<VoxelRay>& rays, const oracle::Frame& frame) {
  host::RayBatch batch;
  for (const VoxelRay& ray : rays) {
    Point3 from{}, to{};
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = frame.origin_m[axis] + frame.voxel_m[axis] * ray.from[axis];
      to[axis] = frame.origin_m[axis] + frame.voxel_m[axis] * ray.to[axis];
    }
    batch.observers.push_back(to_engine(from));
    batch.targets.push_back(to_engine(to));
  }
  return batch;
}

oracle::Segment to_segment(const host::RayBatch& batch, std::size_t i, const oracle::Frame& frame,
                           int lattice_bits) {
  const kernels::Vec3 a = batch.observers[i], b = batch.targets[i];
  return {oracle::round_to_lattice(frame.to_voxels({a.x, a.y, a.z}), lattice_bits),
          oracle::round_to_lattice(frame.to_voxels({b.x, b.y, b.z}), lattice_bits)};
}

host::RayBatch to_batch(const std::vector<oracle::Segment>& segments, int lattice_bits) {
  std::vector<VoxelRay> rays(segments.size());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      rays[i].from[axis] = std::ldexp(static_cast<double>(segments[i].from[axis]), -lattice_bits);
      rays[i].to[axis] = std::ldexp(static_cast<double>(segments[i].to[axis]), -lattice_bits);
    }
  }
  return to_batch(rays);
}

host::RayBatch reversed(const host::RayBatch& rays) {
  host::RayBatch turned = rays;
  std::swap(turned.observers, turned.targets);
  return turned;
}

host::RayBatch from_shared_observers(const host::RayBatch& rays, int per_observer, Random& random) {
  host::RayBatch shared = rays;
  const auto in_a_row = static_cast<std::size_t>(per_observer);
  for (std::size_t i = 0; i < rays.observers.size(); ++i) {
    if (random.chance(0.9)) shared.observers[i] = rays.observers[i - i % in_a_row];
  }
  return shared;
}

std::string describe(const host::RayBatch& batch, std::size_t i) {
  const kernels::Vec3 a = batch.observers[i], b = batch.targets[i];
  std::ostringstream text;
  text << std::setprecision(17) << "ray " << i << ": (" << a.x << ", " << a.y << ", " << a.z
       << ") -> (" << b.x << ", " << b.y << ", " << b.z << ") m";
  return text.str();
}

}  // namespace sightline::tests
