#include "host/sweep/extent.h"

#include <limits>
#include <tuple>

#include "host/error.h"

namespace sightline::host {
namespace {

constexpr double kMaxAngleDeg = 179.9;
constexpr double kMaxLength_m = 1e6;
constexpr std::int64_t kMaxEdge = 16'384;
constexpr std::int64_t kMaxPixels = std::int64_t{1} << 20;  ///< per view: one is drawn per observer

/// One value for all axes, or a list of three.
template <class T, class Read>
std::array<T, 3> per_axis(const ConfigValue& value, const Read& read) {
  std::array<T, 3> values{};
  if (!value.is_list()) {
    values.fill(read(value));
    return values;
  }
  if (value.items().size() != 3) value.fail("needs one value, or three: x, y, z");
  for (std::size_t a = 0; a < 3; ++a) values[a] = read(value.items()[a]);
  return values;
}

std::array<double, 3> box_size(const ConfigValue& box) {
  return per_axis<double>(box, [](const ConfigValue& v) { return v.as_number(0, kMaxLength_m); });
}

}  // namespace

AreaSettings parse_area(const ConfigValue& target) {
  target.allow_only({"box_m", "samples", "at_least"});
  AreaSettings settings;
  settings.area.size_m = box_size(target.at("box_m"));
  if (const ConfigValue* samples = target.find("samples")) {
    settings.area.num = per_axis<std::int64_t>(
        *samples, [](const ConfigValue& v) { return v.as_integer(1, kMaxAreaSamples); });
    if (settings.area.num_samples() > kMaxAreaSamples) {
      samples->fail("makes " + std::to_string(settings.area.num_samples()) +
                    " samples per target; must be at most " + std::to_string(kMaxAreaSamples));
    }
  }
  if (const ConfigValue* share = target.find("at_least")) {
    settings.at_least = share->as_number(0, 1);
    if (settings.at_least == 0) share->fail("must be above 0: a share of 0 is always seen");
  }
  return settings;
}

void check_view_keys(const ConfigValue& view) {
  view.allow_only(
      {"box_m", "width", "height", "horizontal_deg", "vertical_deg", "range_m", "min_pixels"});
}

ViewSettings parse_view(const ConfigValue& view, const VisibilityQuery& query) {
  check_view_keys(view);
  ViewSettings settings;
  settings.query = query;
  settings.box_m = box_size(view.at("box_m"));
  CameraSettings& camera = settings.camera;
  const auto read_pixels = [&](const char* key, std::int64_t most, std::int64_t* pixels) {
    if (const ConfigValue* value = view.find(key)) *pixels = value->as_integer(1, most);
  };
  read_pixels("width", kMaxEdge, &camera.width);
  read_pixels("height", kMaxEdge, &camera.height);
  if (camera.width * camera.height > kMaxPixels) {
    view.fail("has " + std::to_string(camera.width * camera.height) +
              " pixels; must have at most " + std::to_string(kMaxPixels));
  }
  read_pixels("min_pixels", camera.width * camera.height, &settings.min_pixels);
  const auto read_angle = [&](const char* key, double* degrees) {
    const ConfigValue* value = view.find(key);
    if (!value) return;
    *degrees = value->as_number(0, kMaxAngleDeg);
    if (*degrees == 0) value->fail("must be above 0");
  };
  read_angle("horizontal_deg", &camera.horizontal_deg);
  read_angle("vertical_deg", &camera.vertical_deg);
  if (const ConfigValue* range = view.find("range_m")) {
    range->as_positive();
    camera.range_m = range->as_number(0, kMaxLength_m);
  }
  return settings;
}

bool operator<(const AreaSettings& a, const AreaSettings& b) {
  return std::tie(a.area.size_m, a.area.num, a.at_least) <
         std::tie(b.area.size_m, b.area.num, b.at_least);
}

bool operator<(const ViewSettings& a, const ViewSettings& b) {
  const auto fields = [](const ViewSettings& s) {
    return std::tie(s.query.method, s.query.unknown, s.query.outside, s.query.lattice_bits,
                    s.query.tie_rule, s.camera.width, s.camera.height, s.camera.horizontal_deg,
                    s.camera.vertical_deg, s.camera.range_m, s.box_m, s.min_pixels);
  };
  return fields(a) < fields(b);
}

}  // namespace sightline::host
