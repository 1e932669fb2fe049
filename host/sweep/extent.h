// Judges for which a target has an extent: a share of a box's sample points, or pixels of a view.
#pragma once

#include <array>
#include <cstdint>

#include "host/config/value.h"
#include "host/world/area_target.h"
#include "host/world/view.h"

namespace sightline::host {

/// `target: {box_m, samples, at_least}` of a line of sight: seen if that share of the samples is.
struct AreaSettings {
  AreaTarget area;
  double at_least = 1;  ///< above 0, up to 1
};
/// `box_m` is one size or three; `samples` a number per axis, one or three. Throws InputError.
AreaSettings parse_area(const ConfigValue& target);
bool operator<(const AreaSettings& a, const AreaSettings& b);

/// `view: {box_m, width, height, horizontal_deg, vertical_deg, range_m, min_pixels}`: seen if the
/// target's box covers so many pixels of the view from the observer's pose. Angles are full ones.
struct ViewSettings {
  VisibilityQuery query;
  CameraSettings camera{64, 48, 90, 0, 100};
  std::array<double, 3> box_m{1, 1, 1};
  std::int64_t min_pixels = 1;
};
/// Checks every key that is given, by itself: a map may be incomplete until it is laid over
/// another.
void check_view_keys(const ConfigValue& view);
/// Throws InputError.
ViewSettings parse_view(const ConfigValue& view, const VisibilityQuery& query);
bool operator<(const ViewSettings& a, const ViewSettings& b);

}  // namespace sightline::host
