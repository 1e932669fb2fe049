#include "host/world/view_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/world/gaze.h"
#include "host/world/slice.h"

namespace sightline::host {
namespace {

using namespace kernels;

constexpr double kMaxLevel = std::numeric_limits<std::uint16_t>::max();
constexpr Rgb kSky{214, 228, 242};

std::size_t first_pixel(const Views& views, std::int64_t view) {
  return static_cast<std::size_t>(view * views.pixels_per_view());
}

Image16 blank(const Views& views) {
  Image16 image{views.camera.width, views.camera.height, {}};
  image.levels.resize(static_cast<std::size_t>(views.pixels_per_view()));
  return image;
}

std::array<double, 3> hue_of(std::int32_t id) {
  constexpr double kGoldenPart = 0.61803398874989485;
  const double hue = 6 * std::fmod(0.08 + kGoldenPart * id, 1.0);
  const auto channel = [&](double shift) {
    const double k = std::fmod(hue + shift, 6.0);
    return 235 - 150 * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
  };
  return {channel(5), channel(3), channel(1)};
}

std::array<double, 3> color_of(std::int32_t id, const IdColors& colors) {
  if (id == kNoLabel) return {226, 221, 209};
  const auto given = colors.find(id);
  if (given == colors.end()) return hue_of(id);
  const Rgb& color = given->second;
  return {static_cast<double>(color.red), static_cast<double>(color.green),
          static_cast<double>(color.blue)};
}

std::uint8_t level_of(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

/// As under an overcast sky: top faces are lightest, and the two upright pairs differ.
double light_on(Face face, const FrameAxes& axes) {
  const Vec3 n = normal_of(face);
  const double up = dot(n, axes.up), ahead = dot(n, axes.yaw_0);
  if (up != 0) return up > 0 ? 1.0 : 0.45;
  return ahead != 0 ? 0.82 : 0.66;
}

Rgb shade(const FirstHit& hit, const std::array<double, 3>& color, double range_m,
          const FrameAxes& axes) {
  if (hit.sight == Visibility::kVisible) return kSky;
  if (hit.sight == Visibility::kUnknown) return SlicePalette{}.unknown;
  const double near = 1 / (1 + 4 * hit.distance_m / range_m);
  const double light = light_on(hit.face, axes) * (0.35 + 0.65 * near);
  return {level_of(color[0] * light), level_of(color[1] * light), level_of(color[2] * light)};
}

}  // namespace

void check_depth_unit(const Camera& camera, double unit_m) {
  if (unit_m > 0 && camera.range_m / unit_m <= kMaxLevel) return;
  if (!(unit_m > 0)) throw InputError("depth unit " + short_text(unit_m) + " m: must be above 0");
  throw InputError("depth unit " + short_text(unit_m) + " m: 16 bits end at " +
                   short_text(unit_m * kMaxLevel) + " m, before the range of " +
                   short_text(camera.range_m) + " m; use a larger unit or a shorter range");
}

Image16 depth_picture(const Views& views, std::int64_t view, double unit_m) {
  check_depth_unit(views.camera, unit_m);
  Image16 image = blank(views);
  const FirstHit* hits = &views.hits[first_pixel(views, view)];
  for (std::size_t i = 0; i < image.levels.size(); ++i) {
    if (hits[i].sight != Visibility::kHidden) continue;
    // A hit at the lens is not "nothing".
    const double level = std::max(1.0, std::round(hits[i].distance_m / unit_m));
    image.levels[i] = static_cast<std::uint16_t>(std::min(level, kMaxLevel));
  }
  return image;
}

void check_picture_ids(const std::vector<std::int32_t>& ids) {
  for (const std::int32_t id : ids) {
    if (id < kMaxLevel) continue;
    throw InputError("label " + std::to_string(id) +
                     ": a picture of ids has 16 bits; use ids up to 65534");
  }
}

Image16 id_picture(const Views& views, std::int64_t view) {
  Image16 image = blank(views);
  const std::int32_t* ids = &views.ids[first_pixel(views, view)];
  check_picture_ids({ids, ids + image.levels.size()});
  for (std::size_t i = 0; i < image.levels.size(); ++i) {
    image.levels[i] = static_cast<std::uint16_t>(ids[i] + 1);
  }
  return image;
}

Rgb color_of_id(std::int32_t id) {
  const std::array<double, 3> hue = hue_of(id);
  return {level_of(hue[0]), level_of(hue[1]), level_of(hue[2])};
}

Image shaded_picture(const Views& views, std::int64_t view, Frame frame, const IdColors& colors) {
  const FrameAxes axes = frame_axes(frame);
  Image image{views.camera.width, views.camera.height, {}};
  const std::size_t first = first_pixel(views, view);
  const auto num_pixels = static_cast<std::size_t>(views.pixels_per_view());
  image.rgb.reserve(3 * num_pixels);
  for (std::size_t i = first; i < first + num_pixels; ++i) {
    const Rgb color =
        shade(views.hits[i], color_of(views.ids[i], colors), views.camera.range_m, axes);
    image.rgb.insert(image.rgb.end(), {color.red, color.green, color.blue});
  }
  return image;
}

}  // namespace sightline::host
