// A world seen from above: a horizontal cut, and how points lie on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/world/visibility.h"
#include "host/world/world.h"

namespace sightline::host::report {

constexpr double kBand_m = 0.75;  ///< what is this close to the cut is drawn on it

/// A point seen from above: metres along the two axes that are not up.
using PlanPoint = std::array<double, 2>;

/// A horizontal cut through a world. Rectangles: low and high along the first axis, then the
/// second.
struct PlanView {
  std::array<double, 4> world_m{};   ///< what the states cover
  std::array<double, 4> window_m{};  ///< what is shown
  std::int64_t rows = 0, columns = 0;
  std::vector<std::uint8_t> states;  ///< 0 free, 1 solid, 2 unknown: [rows, columns], top to bottom
  double height_m = 0;
  const char* first_axis = "x";
  const char* second_axis = "z";
};

/// The coordinate of a point along a world axis (0, 1, 2).
double coordinate(kernels::Vec3 p, int axis);

/// The plan's axes: the two that are not up.
struct PlanAxes {
  int first, second, up;
  PlanPoint project(kernels::Vec3 p) const;
};
PlanAxes plan_axes(Frame frame);

/// The cut at a height, through the geometry that is asked.
PlanView cut_world(World world, Geometry geometry, double height_m);

/// The rectangle that holds the points, with a margin, and no more beyond the world than needed.
std::array<double, 4> window_around(const PlanView& plan, PlanAxes axes,
                                    const std::vector<kernels::Vec3>& points);

}  // namespace sightline::host::report
