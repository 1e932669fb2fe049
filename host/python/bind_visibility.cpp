#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/python/arrays.h"
#include "host/python/bindings.h"
#include "host/python/hit_items.h"
#include "host/python/settings.h"
#include "host/sweep/judge.h"
#include "host/world/gaze.h"
#include "host/world/visibility.h"

namespace sightline::python {

using namespace host;

namespace {

struct Rays {
  RayBatch batch;
  std::vector<py::ssize_t> shape;  ///< of the answers; empty: one ray
};

void take_pairs(const py::object& given, Rays* rays) {
  const std::optional<Integers> array = integers_of(given, "pairs");
  if (!array || array->ndim() != 2 || array->shape(1) != 2) {
    throw InputError("pairs: is no integer array [n, 2] of an observer and a target each");
  }
  const Integers& indices = *array;
  rays->batch.shape = kernels::RayShape::kPairs;
  rays->batch.pairs.assign(indices.data(), indices.data() + indices.size());
  rays->shape = {indices.shape(0)};
}

Rays rays_of(const py::object& observers, const py::object& targets, const py::object& pairs,
             bool cross) {
  Rays rays;
  rays.batch.observers = points_of(observers, "observers");
  rays.batch.targets = points_of(targets, "targets");
  const auto num_observers = static_cast<py::ssize_t>(rays.batch.observers.size());
  const auto num_targets = static_cast<py::ssize_t>(rays.batch.targets.size());
  if (cross && !pairs.is_none()) throw InputError("cross and pairs exclude each other; keep one");
  if (!pairs.is_none()) {
    take_pairs(pairs, &rays);
  } else if (cross || (num_observers == 1 && !is_single(targets))) {
    rays.batch.shape = kernels::RayShape::kCross;
    rays.shape = {num_targets};
    if (cross) rays.shape.insert(rays.shape.begin(), num_observers);
  } else if (num_observers != num_targets) {
    throw InputError("observers are " + std::to_string(num_observers) + ", targets " +
                     std::to_string(num_targets) +
                     ": one by one they must be as many; cross=True pairs each with each");
  } else if (!is_single(observers) || !is_single(targets)) {
    rays.shape = {num_targets};
  }
  return rays;
}

SightSettings sight_of(const PyWorld& world, const py::kwargs& settings, const char* function) {
  ConfigValue map = settings_of(settings, function);
  if (!map.find("method")) map.set_entry("method", ConfigValue::text("hdda"));
  SightSettings sight = parse_sight(map, world.spec);
  refuse_idle_step(map);
  if (sight.area) map.at("target").fail("is for sweeps; give each sample as a target of its own");
  return sight;
}

py::object line_of_sight_of(const PyWorld& world, const py::object& observers,
                            const py::object& targets, const py::object& pairs, bool cross,
                            const py::object& device, const py::kwargs& settings) {
  const SightSettings sight = sight_of(world, settings, "line_of_sight()");
  const Rays rays = rays_of(observers, targets, pairs, cross);
  std::vector<std::uint8_t> answers;
  on_device(device, [&](Device& on) {
    const std::vector<kernels::Visibility> seen =
        line_of_sight(world.world, rays.batch, sight.query, sight.step_m, on);
    answers.resize(seen.size());
    std::transform(seen.begin(), seen.end(), answers.begin(),
                   [](kernels::Visibility v) { return static_cast<std::uint8_t>(v); });
  });
  if (rays.shape.empty()) return py::int_(answers.front());
  return shaped(answers, rays.shape);
}

py::array first_hits_of(const PyWorld& world, const py::object& observers,
                        const py::object& targets, const py::object& pairs, bool cross,
                        const py::object& device, const py::kwargs& settings) {
  const SightSettings sight = sight_of(world, settings, "first_hits()");
  const Rays rays = rays_of(observers, targets, pairs, cross);
  std::vector<HitItem> items;
  on_device(device, [&](Device& on) {
    const std::vector<kernels::FirstHit> hits = first_hit(world.world, rays.batch, sight.query, on);
    items.reserve(hits.size());
    for (const kernels::FirstHit& hit : hits) items.push_back(item_of<HitItem>(hit));
  });
  return shaped(items, rays.shape);
}

constexpr const char* kRays =
    "\n\nobservers, targets: [n, 3] or [3], metres. One by one; one observer looks at all targets;"
    "\ncross=True: each at each, [num_observers, num_targets]; pairs: an integer array [n, 2] of"
    "\nrows.\n";

}  // namespace

void bind_visibility(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(HitItem, distance_m, voxel, normal, sight, through_unknown);
  module.attr("HIDDEN") = static_cast<int>(kernels::Visibility::kHidden);
  module.attr("VISIBLE") = static_cast<int>(kernels::Visibility::kVisible);
  module.attr("UNKNOWN") = static_cast<int>(kernels::Visibility::kUnknown);
  const std::string sight_doc =
      std::string("Line of sight: uint8, 0 HIDDEN, 1 VISIBLE, 2 UNKNOWN.") + kRays +
      "Further arguments are keys of `visibility` in a sweep file: method ('hdda' by default), "
      "step_m, unknown, outside, tie_rule, lattice_bits, solid, end_rule.";
  module.def("line_of_sight", &line_of_sight_of, py::arg("world"), py::arg("observers"),
             py::arg("targets"), py::kw_only(), py::arg("pairs") = py::none(),
             py::arg("cross") = false, py::arg("device") = py::none(), sight_doc.c_str());
  const std::string hit_doc =
      std::string(
          "What each ray meets first, up to its target: a structured array with "
          "distance_m (infinite without a hit), voxel, normal, sight, through_unknown.") +
      kRays + "Further arguments as of line_of_sight(), with method 'hdda' or 'dda'.";
  module.def("first_hits", &first_hits_of, py::arg("world"), py::arg("observers"),
             py::arg("targets"), py::kw_only(), py::arg("pairs") = py::none(),
             py::arg("cross") = false, py::arg("device") = py::none(), hit_doc.c_str());
}

}  // namespace sightline::python
