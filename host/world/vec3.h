// Component-wise access and arithmetic on points, where loops over axes are wanted.
#pragma once

#include <cmath>

#include "kernels/kernels.h"  // kernels::minus, kernels::dot

namespace sightline::host {

inline double component(const kernels::Vec3& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
inline double& component(kernels::Vec3& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
inline kernels::Vec3 plus(const kernels::Vec3& a, const kernels::Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline kernels::Vec3 scaled(double factor, const kernels::Vec3& v) {
  return {factor * v.x, factor * v.y, factor * v.z};
}
inline double distance(const kernels::Vec3& a, const kernels::Vec3& b) {
  const kernels::Vec3 apart = kernels::minus(a, b);
  return std::sqrt(kernels::dot(apart, apart));
}

}  // namespace sightline::host
