#include "host/report/plan_view.h"

#include <algorithm>
#include <cmath>

#include "host/world/slice.h"

namespace sightline::host::report {
namespace {

using kernels::Vec3;

constexpr double kMargin = 0.08, kMinMargin_m = 2.0, kRim_m = 0.5;
constexpr std::uint8_t kFreeState = 0, kSolidState = 1, kUnknownState = 2;

}  // namespace

double coordinate(Vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

PlanPoint PlanAxes::project(Vec3 p) const { return {coordinate(p, first), coordinate(p, second)}; }

PlanAxes plan_axes(Frame frame) {
  return frame == Frame::kSceneYUp ? PlanAxes{0, 2, 1} : PlanAxes{0, 1, 2};
}

PlanView cut_world(World world, Geometry geometry, double height_m) {
  const PlanAxes axes = plan_axes(world.frame);
  if (geometry == Geometry::kAnalytic) world.grid.reset();
  SliceOptions options;
  options.axis = axes.up;
  options.at_m = height_m;
  options.palette = {Rgb{kFreeState, 0, 0}, Rgb{kSolidState, 0, 0}, Rgb{kUnknownState, 0, 0}};
  const Slice slice = render_slice(world, options);

  PlanView plan;
  plan.height_m = height_m;
  plan.second_axis = axes.second == 2 ? "z" : "y";
  plan.rows = slice.image.height;
  plan.columns = slice.image.width;
  plan.world_m = {
      slice.left_m, slice.left_m + slice.right_m_per_px * static_cast<double>(plan.columns),
      slice.bottom_m, slice.bottom_m + slice.up_m_per_px * static_cast<double>(plan.rows)};
  for (std::size_t i = 0; i < slice.image.rgb.size(); i += 3) {
    plan.states.push_back(slice.image.rgb[i]);
  }
  return plan;
}

std::array<double, 4> window_around(const PlanView& plan, PlanAxes axes,
                                    const std::vector<Vec3>& points) {
  std::array<double, 4> window{INFINITY, -INFINITY, INFINITY, -INFINITY};
  const auto include = [&](Vec3 point) {
    const PlanPoint p = axes.project(point);
    window = {std::min(window[0], p[0]), std::max(window[1], p[0]), std::min(window[2], p[1]),
              std::max(window[3], p[1])};
  };
  for (const Vec3 point : points) include(point);
  const double width = std::max(window[1] - window[0], window[3] - window[2]);
  const double margin = std::max(kMinMargin_m, kMargin * width);
  for (const std::size_t side : {0u, 2u}) {
    window[side] =
        std::min(window[side] - kRim_m, std::max(window[side] - margin, plan.world_m[side]));
    window[side + 1] = std::max(window[side + 1] + kRim_m,
                                std::min(window[side + 1] + margin, plan.world_m[side + 1]));
  }
  return window;
}

}  // namespace sightline::host::report
