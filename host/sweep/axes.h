// Axes of a sweep file: from what is written under `axes:` to the points to visit.
//
//   axes:
//     visibility.step_m: [1, 0.5, 0.25]                     # a list, or {values: [...]}
//     world.scene: {values: [{...}, {...}], labels: [a, b]} # names for tables
//     seed: {range: {start: 0, stop: 49, step: 1}}          # stop included
//     a.b: {linspace: {start: 0, stop: 1, num: 11}}
//     a.c: {logspace: {start: 0.01, stop: 100, num: 5}}     # ends as values, not exponents
//     a.d: {random: {dist: uniform, low: 0, high: 1, n: 20, seed: 7}}
//     blend: {simplex: {dims: [w.x, w.y, w.z], step: 0.05}} # a label, then the keys it sets
//
// A simplex may name points beside its lattice: also: {retuned: [0.4, 0.45, 0.15]}.
//
// Values of `range` are start + i step; the last is `stop` itself if it lies within 1e-9 of a step.
// `random` has dist uniform or log_uniform {low, high}, normal {mean, std}, or integer {low, high}
// (both included, no value twice). Its draws are counter-based, keyed by its seed (default: the
// sweep's) and its key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

/// An axis, and a group of axes, has at most this many points.
constexpr std::int64_t kMaxAxisPoints = 1'000'000;

/// One point of one axis group: the keys it sets, in order.
struct AxisPoint {
  std::vector<ConfigValue::Entry> settings;  ///< dotted key, value
  std::vector<std::string> labels;           ///< one per setting: short text for tables
};

/// Axes that move together (`zip`, `simplex` and single axes alike), in the order written.
struct AxisGroup {
  std::vector<std::string> keys;
  std::vector<AxisPoint> points;
};

/// Is this the map form of an axis: nothing but `values` (with `labels`), `range`, `linspace`,
/// `logspace`, `random` or `simplex`?
bool is_axis_map(const ConfigValue& value);

/// The points of one entry of `axes:`. `name` is the key it sets, or the label of a simplex. Throws
/// InputError on an empty axis, a wrong sign, a bound, an unknown key.
AxisGroup expand_axis(const std::string& name, const ConfigValue& axis, std::uint64_t default_seed);

/// Joins axes that move together: point i sets what point i of each sets. Throws InputError, at
/// `zip`, if their lengths differ. `groups` is not empty.
AxisGroup zip_axes(const std::vector<AxisGroup>& groups, const ConfigValue& zip);

/// The keys of a group in a message: "a, b".
std::string joined_keys(const AxisGroup& group);

}  // namespace sightline::host
