#include "host/sweep/axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "host/sweep/axis_values.h"

namespace sightline::host {
namespace {

constexpr double kStepTolerance = 1e-9;  ///< of a simplex, in its steps

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
