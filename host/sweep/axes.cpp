#include "host/sweep/axes.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "host/config/number_text.h"
#include "host/random.h"

namespace sightline::host {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53
constexpr double kPi = 3.14159265358979323846;
// How far, in steps, `stop` may be from a multiple of the step and still be meant as one.
constexpr double kStepTolerance = 1e-9;

double finite_number(const ConfigValue& value) {
  const double number = value.as_number();
  if (!std::isfinite(number)) value.fail("must be finite");
  return number;
}

/// An axis with one key. Values keep their own marks; those without one get the axis's.
AxisGroup single_axis(const std::string& key, const ConfigValue& axis,
                      std::vector<ConfigValue> values) {
  if (values.empty()) axis.fail("the axis is empty");
  if (values.size() > static_cast<std::size_t>(kMaxAxisPoints)) {
    axis.fail("has " + std::to_string(values.size()) + " points; at most " +
              std::to_string(kMaxAxisPoints));
  }
  AxisGroup group;
  group.keys = {key};
  for (ConfigValue& value : values) {
    if (value.mark().source.empty()) value = value.with_mark(axis.mark());
    AxisPoint point;
    point.labels = {value.display()};
    point.settings.emplace_back(key, std::move(value));
    group.points.push_back(std::move(point));
  }
  return group;
}

void set_labels(const ConfigValue& labels, AxisGroup* group) {
  const std::vector<ConfigValue>& items = labels.items();
  if (items.size() != group->points.size()) {
    labels.fail("has " + std::to_string(items.size()) + " labels for " +
                std::to_string(group->points.size()) + " values");
  }
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_list() || items[i].is_map()) items[i].fail("a label must be a text");
    const std::string label = items[i].display();
    if (!seen.insert(label).second) items[i].fail("the label \"" + label + "\" is given twice");
    group->points[i].labels = {label};
  }
}

/// The least power of ten that makes whole numbers of both, as they are written; 0 if none does.
double decimal_scale(double a, double b) {
  constexpr double kLargestExactPower = 1e22;
  const auto serves = [](double value, double scale) {
    return std::abs(value) * scale <= kLargestExactInteger &&
           std::round(value * scale) / scale == value;
  };
  for (double scale = 1; scale <= kLargestExactPower; scale *= 10) {
    if (serves(a, scale) && serves(b, scale)) return scale;
  }
  return 0;
}

std::vector<ConfigValue> range_values(const ConfigValue& range) {
  range.allow_only({"start", "stop", "step"});
  const ConfigValue &start_value = range.at("start"), &stop_value = range.at("stop"),
                    &step_value = range.at("step");
  const double start = finite_number(start_value), stop = finite_number(stop_value),
               step = finite_number(step_value);
  if (step == 0) step_value.fail("must not be 0");
  const double steps = (stop - start) / step;
  if (steps < 0) step_value.fail("has the wrong sign: it leads away from stop");
  if (!(steps < static_cast<double>(kMaxAxisPoints))) {
    range.fail("has too many points; at most " + std::to_string(kMaxAxisPoints));
  }
  const auto last = static_cast<std::int64_t>(std::floor(steps + kStepTolerance));
  const bool ends_at_stop = std::abs(steps - static_cast<double>(last)) <= kStepTolerance;
  const auto is_integer = [](const ConfigValue& value) {
    return value.kind() == ConfigValue::Kind::kInteger;
  };
  const bool whole = is_integer(start_value) && is_integer(stop_value) && is_integer(step_value) &&
                     std::max(std::abs(start), std::abs(stop)) <= kLargestExactInteger;
  // In decimals, since sums of doubles would make 0.30000000000000004 of 0.1 and twice 0.1.
  const double scale = decimal_scale(start, step);
  const auto value_at = [&](double i) {
    const double units = std::fma(i, std::round(step * scale), std::round(start * scale));
    const bool exact = scale > 0 && std::abs(units) <= kLargestExactInteger;
    return exact ? units / scale : start + i * step;
  };
  std::vector<ConfigValue> values;
  for (std::int64_t i = 0; i <= last; ++i) {
    const double value = i == last && ends_at_stop ? stop : value_at(static_cast<double>(i));
    values.push_back(whole ? ConfigValue::integer(static_cast<std::int64_t>(value))
                           : ConfigValue::number(value));
  }
  return values;
}

/// `num` values from `start` to `stop`, both exact; between(i, last) gives those with 0 < i < last.
template <typename Between>
std::vector<ConfigValue> spaced_values(const ConfigValue& space, const Between& between) {
  const std::int64_t num = space.at("num").as_integer(2, kMaxAxisPoints);
  const double start = space.at("start").as_number(), stop = space.at("stop").as_number();
  std::vector<ConfigValue> values{ConfigValue::number(start)};
  for (std::int64_t i = 1; i + 1 < num; ++i) {
    const double value = between(static_cast<double>(i), static_cast<double>(num - 1));
    if (!std::isfinite(value)) space.fail("start and stop are too far apart");
    const double tidy = without_rounding_error(value), low = std::min(start, stop);
    const bool stays = low <= tidy && tidy <= std::max(start, stop);
    values.push_back(ConfigValue::number(stays ? tidy : value));
  }
  values.push_back(ConfigValue::number(stop));
  return values;
}

std::vector<ConfigValue> linspace_values(const ConfigValue& space) {
  space.allow_only({"start", "stop", "num"});
  const double start = finite_number(space.at("start")), stop = finite_number(space.at("stop"));
  const double nothing = 1e-15 * std::max(std::abs(start), std::abs(stop));  // after cancelling
  return spaced_values(space, [&](double i, double last) {
    const double value = start + (stop - start) * i / last;
    return std::abs(value) <= nothing ? 0 : value;
  });
}

std::vector<ConfigValue> logspace_values(const ConfigValue& space) {
  space.allow_only({"start", "stop", "num"});
  const double start = std::log10(space.at("start").as_positive());
  const double stop = std::log10(space.at("stop").as_positive());
  return spaced_values(space, [&](double i, double last) {
    return std::pow(10.0, start + (stop - start) * i / last);
  });
}

/// Draws of a `random` axis, item by item.
struct RandomAxis {
  std::uint64_t seed, stream;
  std::int64_t n;

  RandomItem item(std::int64_t i) const { return {seed, stream, static_cast<std::uint64_t>(i)}; }

  template <typename Draw>
  std::vector<ConfigValue> numbers(const Draw& draw) const {
    std::vector<ConfigValue> values;
    for (std::int64_t i = 0; i < n; ++i) {
      RandomItem random = item(i);
      values.push_back(ConfigValue::number(draw(random)));
    }
    return values;
  }
};

/// `low` and `high` of a `random` axis: finite, high above low.
struct Bounds {
  double low, high;

  explicit Bounds(const ConfigValue& random)
      : low(finite_number(random.at("low"))), high(finite_number(random.at("high"))) {
    if (!(high > low)) random.at("high").fail("must be above low");
    if (!std::isfinite(high - low)) random.fail("low and high are too far apart");
  }
};

std::vector<ConfigValue> uniform_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "low", "high"});
  const Bounds bounds(random);
  return axis.numbers(
      [&](RandomItem& item) { return bounds.low + (bounds.high - bounds.low) * item.uniform(); });
}

std::vector<ConfigValue> log_uniform_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "low", "high"});
  random.at("low").as_positive();
  const Bounds bounds(random);
  const double low = std::log(bounds.low), high = std::log(bounds.high);
  return axis.numbers([&](RandomItem& item) {
    return std::clamp(std::exp(low + (high - low) * item.uniform()), bounds.low, bounds.high);
  });
}

/// Box and Muller, "A Note on the Generation of Random Normal Deviates" (1958).
std::vector<ConfigValue> normal_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "mean", "std"});
  const double mean = finite_number(random.at("mean")), deviation = random.at("std").as_positive();
  return axis.numbers([&](RandomItem& item) {
    const double radius = std::sqrt(-2 * std::log(1 - item.uniform()));
    return mean + deviation * radius * std::cos(2 * kPi * item.uniform());
  });
}

/// Without replacement: two equal points would be one configuration twice.
std::vector<ConfigValue> integer_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "low", "high"});
  constexpr auto kLimit = static_cast<std::int64_t>(kLargestExactInteger);
  const std::int64_t low = random.at("low").as_integer(-kLimit, kLimit);
  const std::int64_t high = random.at("high").as_integer(low, kLimit);
  const std::int64_t count = high - low + 1;
  if (axis.n > count) {
    random.at("n").fail("asks for " + std::to_string(axis.n) + " different integers of " +
                        std::to_string(count));
  }
  std::unordered_set<std::int64_t> seen;
  std::vector<ConfigValue> values;
  for (std::int64_t i = 0; static_cast<std::int64_t>(values.size()) < axis.n; ++i) {
    const auto offset = axis.item(i).below(static_cast<std::uint64_t>(count));
    const std::int64_t value = low + static_cast<std::int64_t>(offset);
    if (seen.insert(value).second) values.push_back(ConfigValue::integer(value));
  }
  return values;
}

std::vector<ConfigValue> random_values(const std::string& key, const ConfigValue& random,
                                       std::uint64_t default_seed) {
  random.allow_only({"dist", "n", "seed", "low", "high", "mean", "std"});
  RandomAxis axis{default_seed, XXH64(key.data(), key.size(), 0),
                  random.at("n").as_integer(1, kMaxAxisPoints)};
  const ConfigValue* seed = random.find("seed");
  if (seed != nullptr) axis.seed = static_cast<std::uint64_t>(seed->as_integer(0));
  switch (random.at("dist").as_choice({"uniform", "log_uniform", "normal", "integer"})) {
    case 0:
      return uniform_values(random, axis);
    case 1:
      return log_uniform_values(random, axis);
    case 2:
      return normal_values(random, axis);
    default:
      return integer_values(random, axis);
  }
}

std::vector<std::string> simplex_keys(const ConfigValue& dims) {
  std::vector<std::string> keys;
  for (const ConfigValue& dim : dims.items()) {
    keys.push_back(dim.as_text());
    if (std::count(keys.begin(), keys.end(), keys.back()) > 1) dim.fail("is named twice");
  }
  if (keys.empty()) dims.fail("the axis is empty: name the keys that sum to 1");
  return keys;
}

/// Number of ways to write `whole` as an ordered sum of `parts` terms >= 0: C(whole+parts-1,
/// whole). At most kMaxAxisPoints + 1.
std::int64_t num_compositions(std::int64_t whole, std::int64_t parts) {
  std::int64_t count = 1;
  const std::int64_t smaller = std::min(whole, parts - 1), sum = whole + parts - 1;
  for (std::int64_t i = 1; i <= smaller && count <= kMaxAxisPoints; ++i) {
    count = count * (sum - smaller + i) / i;
  }
  return std::min(count, kMaxAxisPoints + 1);
}

/// The next composition in lexicographic order; false after the last, (whole, 0, ..., 0).
bool next_composition(std::vector<std::int64_t>& terms) {
  for (std::size_t i = terms.size() - 1; i > 0; --i) {
    if (terms[i] == 0) continue;
    const std::int64_t moved = terms[i] - 1;
    terms[i] = 0;
    ++terms[i - 1];
    terms.back() = moved;
    return true;
  }
  return false;
}

/// Named points beside the lattice; one that lies on it is there already.
void add_named_points(const ConfigValue& named, double whole, AxisGroup* group) {
  for (const auto& [name, value] : named.entries()) {
    const std::vector<double> numbers = value.as_numbers(group->keys.size());
    const auto on_lattice = [&](double number) {
      const double steps = number * whole;
      return number >= 0 && std::abs(steps - std::round(steps)) <= kStepTolerance * whole;
    };
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    if (std::abs(sum - 1) > kStepTolerance) value.fail("must add up to 1");
    if (std::all_of(numbers.begin(), numbers.end(), on_lattice)) continue;
    AxisPoint point;
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      point.settings.emplace_back(group->keys[d], value.items()[d]);
      point.labels.push_back(value.items()[d].display());
    }
    group->points.push_back(std::move(point));
  }
}

AxisGroup expand_simplex(const ConfigValue& simplex) {
  simplex.allow_only({"dims", "step", "also"});
  AxisGroup group;
  group.keys = simplex_keys(simplex.at("dims"));
  const ConfigValue& step = simplex.at("step");
  const double inverse = 1 / step.as_positive();
  const double whole = std::round(inverse);
  const bool divides = whole >= 1 && whole <= static_cast<double>(kMaxAxisPoints) &&
                       std::abs(inverse - whole) <= kStepTolerance * whole;
  if (!divides) step.fail("must be 1 divided by an integer, at most 1 and at least 1e-6");
  const auto parts = static_cast<std::int64_t>(group.keys.size());
  if (num_compositions(static_cast<std::int64_t>(whole), parts) > kMaxAxisPoints) {
    simplex.fail("has too many points; at most " + std::to_string(kMaxAxisPoints));
  }
  std::vector<std::int64_t> terms(group.keys.size(), 0);
  terms.back() = static_cast<std::int64_t>(whole);
  do {
    AxisPoint point;
    for (std::size_t d = 0; d < terms.size(); ++d) {
      const ConfigValue value = ConfigValue::number(static_cast<double>(terms[d]) / whole);
      point.labels.push_back(value.display());
      point.settings.emplace_back(group.keys[d], value.with_mark(simplex.mark()));
    }
    group.points.push_back(std::move(point));
  } while (next_composition(terms));
  if (const ConfigValue* also = simplex.find("also")) add_named_points(*also, whole, &group);
  return group;
}

/// The one word that says how the points are given; `labels` goes with `values`.
const ConfigValue::Entry& axis_form(const ConfigValue& axis) {
  axis.allow_only({"values", "labels", "range", "linspace", "logspace", "random", "simplex"});
  const ConfigValue::Entry* form = nullptr;
  for (const ConfigValue::Entry& entry : axis.entries()) {
    if (entry.first == "labels") continue;
    if (form != nullptr) {
      entry.second.fail_at_key("an axis has one form, and this one is given as " + form->first +
                               " already");
    }
    form = &entry;
  }
  if (form == nullptr) axis.fail("the axis is empty: give it values, or a range");
  const ConfigValue* labels = axis.find("labels");
  if (labels != nullptr && form->first != "values") labels->fail_at_key("labels go with values");
  return *form;
}

}  // namespace

bool is_axis_map(const ConfigValue& value) {
  if (!value.is_map() || value.entries().empty()) return false;
  const auto is_form = [](const ConfigValue::Entry& entry) {
    const std::string& word = entry.first;
    return word == "values" || word == "labels" || word == "range" || word == "linspace" ||
           word == "logspace" || word == "random" || word == "simplex";
  };
  return std::all_of(value.entries().begin(), value.entries().end(), is_form);
}

AxisGroup expand_axis(const std::string& name, const ConfigValue& axis,
                      std::uint64_t default_seed) {
  if (axis.is_list()) return single_axis(name, axis, axis.items());
  if (!axis.is_map()) {
    axis.fail("an axis must be a list of values or a map such as {range: {...}}, but is " +
              axis.display());
  }
  const auto& [form, content] = axis_form(axis);
  if (form == "simplex") return expand_simplex(content);
  if (form == "range") return single_axis(name, content, range_values(content));
  if (form == "linspace") return single_axis(name, content, linspace_values(content));
  if (form == "logspace") return single_axis(name, content, logspace_values(content));
  if (form == "random") {
    return single_axis(name, content, random_values(name, content, default_seed));
  }
  AxisGroup group = single_axis(name, content, content.items());
  const ConfigValue* labels = axis.find("labels");
  if (labels != nullptr) set_labels(*labels, &group);
  return group;
}

AxisGroup zip_axes(const std::vector<AxisGroup>& groups, const ConfigValue& zip) {
  AxisGroup zipped = groups.front();
  for (std::size_t g = 1; g < groups.size(); ++g) {
    const AxisGroup& group = groups[g];
    if (group.points.size() != zipped.points.size()) {
      zip.fail("axes that move together need as many points: " + joined_keys(groups.front()) +
               " has " + std::to_string(zipped.points.size()) + ", " + joined_keys(group) +
               " has " + std::to_string(group.points.size()));
    }
    zipped.keys.insert(zipped.keys.end(), group.keys.begin(), group.keys.end());
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      AxisPoint& point = zipped.points[i];
      const AxisPoint& other = group.points[i];
      point.settings.insert(point.settings.end(), other.settings.begin(), other.settings.end());
      point.labels.insert(point.labels.end(), other.labels.begin(), other.labels.end());
    }
  }
  return zipped;
}

std::string joined_keys(const AxisGroup& group) {
  std::string text;
  for (const std::string& key : group.keys) text += (text.empty() ? "" : ", ") + key;
  return text;
}

}  // namespace sightline::host
