// Reading point generators from a sweep file.
#include <cmath>

#include "host/sweep/points.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::int64_t kMaxPoints = std::int64_t{1} << 31;  ///< bounds one set's memory
constexpr double kWholeStepTolerance = 1e-9;  ///< steps; (stop - start) / step is rounded by this

Vec3 parse_vec3(const ConfigValue& value) {
  const std::vector<double> xyz = value.as_numbers(3);
  return {xyz[0], xyz[1], xyz[2]};
}

Range parse_range(const ConfigValue& value) {
  const std::vector<double> ends = value.as_numbers(2);
  if (ends[0] > ends[1]) value.fail("needs [low, high] with low <= high");
  return {ends[0], ends[1]};
}

std::int64_t parse_count(const ConfigValue& map) {
  return map.at("count").as_integer(1, kMaxPoints);
}

std::optional<std::uint64_t> parse_seed(const ConfigValue& map) {
  const ConfigValue* seed = map.find("seed");
  if (!seed) return std::nullopt;
  return static_cast<std::uint64_t>(seed->as_integer(0));
}

ListPoints parse_list(const ConfigValue& list) {
  ListPoints spec;
  for (const ConfigValue& item : list.items()) spec.points_m.push_back(parse_vec3(item));
  if (spec.points_m.empty()) list.fail("needs at least one point [x, y, z]");
  return spec;
}

/// A number, or {start, stop, step} with `stop` included.
LatticePoints::Axis parse_lattice_axis(const ConfigValue& value) {
  if (value.is_number()) return {value.as_number(), 1, 1};
  value.allow_only({"start", "stop", "step"});
  const double start = value.at("start").as_number(), stop = value.at("stop").as_number();
  const double step = value.at("step").as_positive();
  if (!std::isfinite(start) || !std::isfinite(stop) || stop < start) {
    value.fail("needs finite numbers with start <= stop");
  }
  const double steps = std::floor((stop - start) / step + kWholeStepTolerance);
  if (steps >= static_cast<double>(kMaxPoints)) value.fail("asks for too many points");
  return {start, step, static_cast<std::int64_t>(steps) + 1};
}

LatticePoints parse_lattice(const ConfigValue& map) {
  map.allow_only({"x", "y", "z"});
  LatticePoints spec;
  const char* names[3] = {"x", "y", "z"};
  std::int64_t total = 1;
  for (int axis = 0; axis < 3; ++axis) {
    spec.axes[axis] = parse_lattice_axis(map.at(names[axis]));
    if (spec.axes[axis].count > kMaxPoints / total) map.fail("asks for too many points");
    total *= spec.axes[axis].count;
  }
  return spec;
}

RandomFreePoints parse_random_free(const ConfigValue& map) {
  map.allow_only({"count", "height_m", "up_range_m", "floor_m", "clearance_m", "within_m", "seed"});
  RandomFreePoints spec;
  spec.count = parse_count(map);
  const ConfigValue* height = map.find("height_m");
  const ConfigValue* range = map.find("up_range_m");
  if ((height != nullptr) == (range != nullptr)) {
    map.fail("needs height_m or up_range_m: [low, high], metres above the floor");
  }
  spec.has_range = range != nullptr;
  spec.up_m = range ? parse_range(*range) : Range{height->as_number(), height->as_number()};
  if (const ConfigValue* floor = map.find("floor_m")) spec.floor_m = floor->as_number();
  if (const ConfigValue* clearance = map.find("clearance_m")) {
    spec.clearance_m = clearance->as_number(0, 1e3);
  }
  if (const ConfigValue* within = map.find("within_m")) spec.within_m = within->as_positive();
  spec.seed = parse_seed(map);
  return spec;
}

void parse_axes(const ConfigValue& map, Range (&axes_m)[3]) {
  axes_m[0] = parse_range(map.at("x"));
  axes_m[1] = parse_range(map.at("y"));
  axes_m[2] = parse_range(map.at("z"));
}

UniformPoints parse_uniform(const ConfigValue& map) {
  map.allow_only({"x", "y", "z", "count", "seed", "solid_m"});
  UniformPoints spec;
  spec.count = parse_count(map);
  parse_axes(map, spec.axes_m);
  if (const ConfigValue* solid = map.find("solid_m")) spec.solid_m = parse_range(*solid);
  spec.seed = parse_seed(map);
  return spec;
}

Splitmix64Points parse_splitmix64(const ConfigValue& map) {
  map.allow_only({"stream", "count", "x", "y", "z"});
  Splitmix64Points spec;
  spec.stream = static_cast<std::uint64_t>(map.at("stream").as_integer(0));
  spec.count = parse_count(map);
  parse_axes(map, spec.axes_m);
  return spec;
}

UnionPoints parse_union(const ConfigValue& parts) {
  UnionPoints spec;
  for (const ConfigValue& part : parts.items()) {
    part.allow_only({"list", "lattice", "random_free", "uniform", "splitmix64", "file"});
    if (const ConfigValue* within = part.find_path("random_free.within_m")) {
      within->fail("needs a generator that is alone, not a part of a union");
    }
    spec.parts.push_back(parse_point_spec(part));
  }
  if (spec.parts.empty()) parts.fail("needs at least one generator");
  return spec;
}

}  // namespace

PointSpec parse_point_spec(const ConfigValue& points) {
  const ConfigValue* named = nullptr;
  std::string name;
  for (const char* key :
       {"list", "lattice", "random_free", "uniform", "splitmix64", "file", "union"}) {
    const ConfigValue* value = points.find(key);
    if (!value) continue;
    if (named) value->fail("is a second generator beside " + name + "; join them with union: [..]");
    named = value;
    name = key;
  }
  if (!named) {
    points.fail(
        "names no generator; give list, lattice, random_free, uniform, splitmix64, file or "
        "union");
  }
  const std::string place = named->where();
  if (name == "list") return {parse_list(*named), place};
  if (name == "lattice") return {parse_lattice(*named), place};
  if (name == "random_free") return {parse_random_free(*named), place};
  if (name == "uniform") return {parse_uniform(*named), place};
  if (name == "splitmix64") return {parse_splitmix64(*named), place};
  if (name == "file") return {FilePoints{named->as_text()}, place};
  return {parse_union(*named), place};
}

}  // namespace sightline::host
