#include "host/studies/occlusion_pictures.h"

#include <algorithm>
#include <cmath>

#include "host/memory/parallel_rows.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::int64_t kMostPixels = std::int64_t{1} << 20;  ///< rendered at a time
constexpr double kLeastAhead_m = 1e-3;  ///< of a camera, below which a projection is of no use

/// Some pictures, rendered.
struct Pictures {
  const kernels::Camera& camera;
  const std::vector<kernels::Pose>& poses;
  const Views& views;
};

/// The direction, ahead 1, through the middle of a pixel.
Vec3 through_pixel(const kernels::Camera& camera, const kernels::Pose& pose, std::int64_t row,
                   std::int64_t column) {
  const double right = (2 * (static_cast<double>(column) + 0.5) / camera.width - 1);
  const double up = (1 - 2 * (static_cast<double>(row) + 0.5) / camera.height);
  return plus(pose.forward, plus(scaled(right * camera.tan_horizontal, pose.right),
                                 scaled(up * camera.tan_vertical, pose.up)));
}

/// At how many lengths of `along` from `from` a cube is met; below 0 if it is not.
double cube_entry(const Vec3& from, const Vec3& along, const Vec3& centre, double edge_m) {
  double enter = 0, leave = HUGE_VAL;
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = component(centre, axis) - component(from, axis);
    const double low = middle - edge_m / 2, high = middle + edge_m / 2;
    const double slope = component(along, axis);
    if (slope == 0) {
      if (low > 0 || high < 0) return -1;
      continue;
    }
    enter = std::max(enter, std::min(low / slope, high / slope));
    leave = std::min(leave, std::max(low / slope, high / slope));
  }
  return enter <= leave ? enter : -1;
}

/// The pixels whose middles may show a cube; none if part of it is beside or behind the camera.
struct PixelRange {
  std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;  ///< [first, last)
};

PixelRange pixels_of(const kernels::Camera& camera, const kernels::Pose& pose, const Vec3& centre,
                     double edge_m) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](int bit) { return corner & bit ? 0.5 * edge_m : -0.5 * edge_m; };
    const Vec3 d = kernels::minus(plus(centre, {side(1), side(2), side(4)}), pose.position);
    const double ahead = kernels::dot(d, pose.forward);
    if (!(ahead > kLeastAhead_m)) return {};
    const double at[2] = {kernels::dot(d, pose.right) / ahead / camera.tan_horizontal,
                          -kernels::dot(d, pose.up) / ahead / camera.tan_vertical};
    for (int a = 0; a < 2; ++a) {
      low[a] = std::min(low[a], at[a]);
      high[a] = std::max(high[a], at[a]);
    }
  }
  const auto pixel = [](double at, std::int32_t num) {
    return static_cast<std::int64_t>(
        std::clamp(std::floor((at + 1) / 2 * num), -1.0, static_cast<double>(num)));
  };
  // A pixel more on either side: rounding must not cut any off.
  PixelRange range;
  range.first_column = std::max<std::int64_t>(0, pixel(low[0], camera.width) - 1);
  range.last_column = std::min<std::int64_t>(camera.width, pixel(high[0], camera.width) + 2);
  range.first_row = std::max<std::int64_t>(0, pixel(low[1], camera.height) - 1);
  range.last_row = std::min<std::int64_t>(camera.height, pixel(high[1], camera.height) + 2);
  return range;
}

bool shows(const Pictures& pictures, const PictureRule& rule, std::int64_t picture,
           const Vec3& target_m) {
  const kernels::Camera& camera = pictures.camera;
  const kernels::Pose& pose = pictures.poses[static_cast<std::size_t>(picture)];
  const PixelRange range = pixels_of(camera, pose, target_m, rule.box_m);
  std::int64_t num_shown = 0, num_of_cube = 0;
  for (std::int64_t row = range.first_row; row < range.last_row; ++row) {
    for (std::int64_t column = range.first_column; column < range.last_column; ++column) {
      const Vec3 along = through_pixel(camera, pose, row, column);
      const double entry = cube_entry(pose.position, along, target_m, rule.box_m);
      const double away_m = entry * std::sqrt(kernels::dot(along, along));
      if (entry < 0 || away_m > camera.range_m) continue;
      ++num_of_cube;
      const auto slot = static_cast<std::size_t>(picture * pictures.views.pixels_per_view() +
                                                 row * camera.width + column);
      // Without a hit the distance is infinite.
      num_shown += pictures.views.hits[slot].distance_m >= away_m;
    }
  }
  return num_shown >= rule.min_pixels &&
         static_cast<double>(num_shown) >= rule.min_share * static_cast<double>(num_of_cube);
}

}  // namespace

std::vector<std::uint8_t> shows_in_pictures(const World& world,
                                            const std::vector<kernels::Pose>& poses,
                                            const kernels::Camera& camera, const PictureRule& rule,
                                            const std::vector<Sighted>& asked, Device& device) {
  std::vector<std::uint8_t> shown(asked.size());
  const auto per_call = static_cast<std::size_t>(
      std::max<std::int64_t>(1, kMostPixels / (std::int64_t{camera.width} * camera.height)));
  auto begin = asked.begin();
  for (std::size_t first = 0; first < poses.size(); first += per_call) {
    const std::size_t last = std::min(poses.size(), first + per_call);
    const std::vector<kernels::Pose> some(poses.begin() + static_cast<std::ptrdiff_t>(first),
                                          poses.begin() + static_cast<std::ptrdiff_t>(last));
    const Views views = render_views(world, some, camera, {}, {}, device);
    const auto end = std::find_if(begin, asked.end(), [&](const Sighted& one) {
      return one.picture >= static_cast<std::int64_t>(last);
    });
    const std::ptrdiff_t row_0 = begin - asked.begin();
    for_each_row(end - begin, device.num_threads(), [&](std::int64_t row) {
      const auto i = static_cast<std::size_t>(row_0 + row);
      shown[i] = shows({camera, some, views}, rule,
                       asked[i].picture - static_cast<std::int64_t>(first), asked[i].target_m);
    });
    begin = end;
  }
  return shown;
}

kernels::Pose look_at(Frame frame, const Vec3& from_m, const Vec3& at_m) {
  const FrameAxes axes = frame_axes(frame);
  const Vec3 d = kernels::minus(at_m, from_m);
  const double ahead = kernels::dot(d, axes.yaw_0), aside = kernels::dot(d, axes.yaw_90);
  const double high = kernels::dot(d, axes.up);
  const double level = std::sqrt(ahead * ahead + aside * aside);
  kernels::Pose pose = make_pose_deg(frame, from_m, 0, 0);
  if (!(level > 0)) return pose;
  const double length = std::sqrt(level * level + high * high);
  const double cos_yaw = ahead / level, sin_yaw = aside / level;
  const double cos_pitch = level / length, sin_pitch = high / length;
  // Where yaw grows is to the right in the left-handed scene, to the left in a map (make_pose).
  const double right = frame == Frame::kMapZUp ? -1 : 1;
  pose.level_forward = plus(scaled(cos_yaw, axes.yaw_0), scaled(sin_yaw, axes.yaw_90));
  pose.right = scaled(right, plus(scaled(cos_yaw, axes.yaw_90), scaled(-sin_yaw, axes.yaw_0)));
  pose.forward = plus(scaled(cos_pitch, pose.level_forward), scaled(sin_pitch, axes.up));
  pose.up = plus(scaled(cos_pitch, axes.up), scaled(-sin_pitch, pose.level_forward));
  return pose;
}

}  // namespace sightline::host
