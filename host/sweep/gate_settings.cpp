#include "host/sweep/gate_settings.h"

#include <utility>

#include "index/dense_kind.h"
#include "index/error.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kMostCandidates = std::int64_t{1} << 31;
constexpr int kMaxGateDepth = 16;

Gate parse(const ConfigValue& gate, const WorldSpec* world, int depth);

std::vector<Gate> parse_parts(const ConfigValue& list, const WorldSpec* world, int depth) {
  if (list.items().empty()) list.fail("needs at least one gate");
  std::vector<Gate> parts;
  for (const ConfigValue& part : list.items()) parts.push_back(parse(part, world, depth + 1));
  return parts;
}

kernels::Vec3 parse_point(const ConfigValue& point) {
  const std::vector<double> xyz = point.as_numbers(3);
  return {xyz[0], xyz[1], xyz[2]};
}

DenseGate parse_dense(const ConfigValue& dense) {
  dense.allow_only({"kind", "count", "probes", "ef_search", "seed"});
  DenseGate gate;
  gate.count = dense.at("count").as_integer(1, kMostCandidates);
  if (const ConfigValue* kind = dense.find("kind")) {
    gate.kind = kind->as_text();
    try {
      index::parse_dense_kind(gate.kind);
    } catch (const index::BadInput& error) {
      kind->fail(error.what());
    }
  }
  if (const ConfigValue* probes = dense.find("probes")) {
    gate.num_probes = probes->as_integer(1, kMostCandidates);
  }
  if (const ConfigValue* ef_search = dense.find("ef_search")) {
    gate.ef_search = ef_search->as_integer(1, kMostCandidates);
  }
  if (const ConfigValue* seed = dense.find("seed")) {
    gate.seed = static_cast<std::uint64_t>(seed->as_integer(0));
  }
  return gate;
}

BoxGate parse_box(const ConfigValue& box) {
  box.allow_only({"min", "max"});
  const BoxGate gate{parse_point(box.at("min")), parse_point(box.at("max"))};
  if (!(gate.min.x <= gate.max.x && gate.min.y <= gate.max.y && gate.min.z <= gate.max.z)) {
    box.fail("needs min <= max on every axis");
  }
  return gate;
}

PolygonGate parse_polygon(const ConfigValue& polygon) {
  polygon.allow_only({"outline", "up_range"});
  constexpr std::size_t kFewestCorners = 3;
  constexpr double kAnyHeight_m = 1e150;  // the most that a finder takes
  PolygonGate gate;
  for (const ConfigValue& corner : polygon.at("outline").items()) {
    const std::vector<double> xy = corner.as_numbers(2);
    gate.outline_m.push_back({xy[0], xy[1]});
  }
  if (gate.outline_m.size() < kFewestCorners) polygon.at("outline").fail("needs three corners");
  gate.low_m = -kAnyHeight_m;
  gate.high_m = kAnyHeight_m;
  if (const ConfigValue* range = polygon.find("up_range")) {
    const std::vector<double> low_high = range->as_numbers(2);
    if (!(low_high[0] <= low_high[1])) range->fail("needs low <= high");
    gate.low_m = low_high[0];
    gate.high_m = low_high[1];
  }
  return gate;
}

SightGate parse_sight_gate(const ConfigValue& sight, const WorldSpec* world) {
  if (!world)
    sight.fail(
        "line of sight needs a world; give `world` in a sweep file, --world or --scene at a "
        "terminal");
  SightGate gate;
  ConfigValue how = sight;
  if (const ConfigValue* when = sight.find("when")) {
    gate.at_encoding = when->as_choice({"now", "encoding"}) == 1;
    how.erase_entry("when");
  }
  const SightSettings settings = parse_sight(how, *world);
  if (settings.area) sight.fail("a memory is a point here; `target` is for visibility sweeps");
  gate.query = settings.query;
  gate.step_m = settings.step_m;
  return gate;
}

Gate parse(const ConfigValue& gate, const WorldSpec* world, int depth) {
  if (depth > kMaxGateDepth) gate.fail("gates are nested too deeply");
  gate.allow_only({"radius_m", "nearest", "dense", "box_m", "polygon_m", "region", "object",
                   "around", "field_of_view", "line_of_sight", "all", "any", "not"});
  if (gate.entries().empty()) gate.fail("tests nothing; give radius_m, line_of_sight or another");
  if (gate.entries().size() > 1) {
    AllGate all;
    for (const ConfigValue::Entry& entry : gate.entries()) {
      all.parts.push_back(parse(ConfigValue::map({entry}), world, depth + 1));
    }
    return {std::move(all)};
  }
  const auto& [test, value] = gate.entries().front();
  if (test == "radius_m") return {RadiusGate{value.as_number(0)}};
  if (test == "nearest") return {NearestGate{value.as_integer(1, kMostCandidates)}};
  if (test == "dense") return {parse_dense(value)};
  if (test == "box_m") return {parse_box(value)};
  if (test == "polygon_m") return {parse_polygon(value)};
  if (test == "region") {
    if (value.as_text().empty()) value.fail("needs the name of a region");
    return {RegionGate{value.as_text()}};
  }
  if (test == "object") {
    if (value.as_text().empty()) value.fail("needs the key of an object");
    return {ObjectGate{value.as_text()}};
  }
  if (test == "around") {
    if (!value.as_bool()) value.fail("is true or left out; {not: {around: true}} turns it round");
    return {AroundGate{}};
  }
  if (test == "field_of_view") return {FieldOfViewGate{parse_field_of_view(value)}};
  if (test == "line_of_sight") return {parse_sight_gate(value, world)};
  if (test == "all") return {AllGate{parse_parts(value, world, depth)}};
  if (test == "any") return {AnyGate{parse_parts(value, world, depth)}};
  return {NotGate{{parse(value, world, depth + 1)}}};
}

}  // namespace

Gate parse_gate(const ConfigValue& gate, const WorldSpec* world) { return parse(gate, world, 0); }

Gate parse_verdict(const ConfigValue& verdict, const WorldSpec* world) {
  Gate gate = parse(verdict, world, 0);
  if (compares_memories(gate)) {
    verdict.fail(
        "`nearest` and `dense` compare memories; they cannot tell of one whether it is visible");
  }
  return gate;
}

SightGate parse_verify(const ConfigValue& verify, const WorldSpec* world) {
  return parse_sight_gate(verify, world);
}

}  // namespace sightline::host
