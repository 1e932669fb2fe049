#include "host/sweep/plan.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>

#include "host/config/suggest.h"
#include "host/error.h"
#include "host/sweep/claims.h"
#include "host/sweep/exclude.h"
#include "host/sweep/family.h"
#include "host/sweep/keys.h"
#include "host/sweep/paper_section.h"
#include "host/sweep/plan_warnings.h"
#include "host/sweep/report_gains.h"
#include "host/sweep/settings.h"
#include "host/sweep/talk_settings.h"

namespace sightline::host {
namespace {

const ConfigValue* find_section(const ConfigValue& sweep, const char* key) {
  const ConfigValue* section = sweep.find(key);
  return section == nullptr || section->is_null() ? nullptr : section;
}

/// Draws of random axes follow the sweep's seed, unless the seed is itself swept.
std::uint64_t default_seed(const ConfigValue& sweep) {
  const ConfigValue* seed = find_section(sweep, "seed");
  return seed == nullptr ? kDefaultSeed : static_cast<std::uint64_t>(seed->as_integer(0));
}

struct NamedAxis {
  std::string name;  ///< its key, or the label of a simplex
  AxisGroup group;
  int zip_group = -1;  ///< -1: moves alone
};

std::vector<NamedAxis> expand_section(const ConfigValue& sweep) {
  std::vector<NamedAxis> axes;
  const ConfigValue* section = find_section(sweep, "axes");
  if (section == nullptr) return axes;
  for (const auto& [name, axis] : section->entries()) {
    const bool is_simplex = is_axis_map(axis) && axis.find("simplex") != nullptr;
    if (!is_simplex) check_axis_key(name, axis);
    AxisGroup group = expand_axis(name, axis, default_seed(sweep));
    for (const std::string& key : group.keys) check_axis_key(key, axis);
    axes.push_back({name, std::move(group), -1});
  }
  return axes;
}

/// Notes in each axis which group of `zip` it belongs to.
void mark_zip_groups(const ConfigValue& zip, std::vector<NamedAxis>* axes) {
  std::vector<std::string> names;
  for (const NamedAxis& axis : *axes) names.push_back(axis.name);
  for (std::size_t g = 0; g < zip.items().size(); ++g) {
    for (const ConfigValue& member : zip.items()[g].items()) {
      const std::string name = member.as_text();
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) {
        member.fail("\"" + name + "\" is not an axis; " + suggestion(name, names));
      }
      int& zip_group = (*axes)[static_cast<std::size_t>(found - names.begin())].zip_group;
      if (zip_group >= 0) member.fail("\"" + name + "\" moves with a group already");
      zip_group = static_cast<int>(g);
    }
  }
}

AxisGroup replicate_axis(const ConfigValue& replicates) {
  const std::int64_t count = replicates.as_integer(1, kMaxAxisPoints);
  AxisGroup group;
  group.keys = {"replicate"};
  for (std::int64_t i = 0; i < count; ++i) {
    const ConfigValue value = ConfigValue::integer(i).with_mark(replicates.mark());
    group.points.push_back({{{"replicate", value}}, {value.display()}});
  }
  return group;
}

/// For each key of a group: which other axes' keys lie inside it, as paths from it.
std::vector<std::vector<std::string>> inner_paths(const AxisGroup& group,
                                                  const std::vector<std::string>& all_keys) {
  std::vector<std::vector<std::string>> paths(group.keys.size());
  for (std::size_t s = 0; s < paths.size(); ++s) {
    const std::string& outer = group.keys[s];
    for (const std::string& key : all_keys) {
      if (key != outer && is_within(key, outer)) paths[s].push_back(key.substr(outer.size() + 1));
    }
  }
  return paths;
}

/// Throws if two points of a group set the same, apart from what inner axes overwrite: they would
/// give one configuration twice.
void check_points_differ(const AxisGroup& group, const std::vector<std::string>& all_keys) {
  const std::vector<std::vector<std::string>> overwritten = inner_paths(group, all_keys);
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < group.points.size(); ++i) {
    std::string text;
    for (std::size_t s = 0; s < group.keys.size(); ++s) {
      ConfigValue value = group.points[i].settings[s].second;
      for (const std::string& path : overwritten[s]) value.erase_path(path);
      text += value.canonical_json() + "\n";
    }
    const auto [first, is_new] = seen.emplace(text, i);
    if (is_new) continue;
    group.points[i].settings.front().second.fail(
        "points " + std::to_string(first->second + 1) + " and " + std::to_string(i + 1) +
        " of the axis \"" + joined_keys(group) +
        "\" give the same configuration; remove one of the two");
  }
}

/// Splits an index of the full product into one point per group, the last group fastest.
std::vector<std::int64_t> split_index(std::int64_t index, const std::vector<AxisGroup>& groups) {
  std::vector<std::int64_t> point_idx(groups.size());
  for (std::size_t g = groups.size(); g-- > 0;) {
    const auto size = static_cast<std::int64_t>(groups[g].points.size());
    point_idx[g] = index % size;
    index /= size;
  }
  return point_idx;
}

/// The arms of a sweep, set by the file or by axes; nothing where an axis sets `arms` as a whole.
std::optional<std::vector<std::string>> arm_names(const ConfigValue& base,
                                                  const std::vector<std::string>& axis_keys) {
  const std::string prefix = "arms.";
  std::vector<std::string> names;
  const ConfigValue* arms = find_section(base, "arms");
  if (arms != nullptr) {
    for (const ConfigValue::Entry& arm : arms->entries()) names.push_back(arm.first);
  }
  for (const std::string& key : axis_keys) {
    if (key == "arms") return std::nullopt;
    if (!is_within(key, "arms")) continue;
    const std::string name =
        key.substr(prefix.size(), key.find('.', prefix.size()) - prefix.size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Throws unless the text is one of the names of a kind of thing the sweep has.
void check_named(const ConfigValue& name, const std::string& kind,
                 const std::vector<std::string>& names) {
  const std::string text = name.as_text();
  if (std::find(names.begin(), names.end(), text) != names.end()) return;
  name.fail("the sweep has no " + kind + " \"" + text + "\"" +
            (names.empty() ? "" : "; " + suggestion(text, names)));
}

}  // namespace

std::string configuration_id(ConfigValue settings) {
  erase_names(&settings);
  const std::string json = settings.canonical_json();
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH64(json.data(), json.size(), 0)));
  return digits;
}

SweepPlan::SweepPlan(ConfigValue sweep) : base_(sweep), resolved_(std::move(sweep)) {
  check_top_level(resolved_);
  if (const ConfigValue* name = resolved_.find("name")) name->as_text();
  erase_axes(&base_);
  base_.erase_entry("preregistration");  // tells of the sweep, and sets nothing
  expand_groups();
  check_groups();
  name();  // refuses one that no file can have
  check_report();
  check_claims_section();
  check_family_section();
  add_warnings(warnings_of_steps(resolved_, groups_));
  count_configurations();
  apply_exclude();
}

void SweepPlan::expand_groups() {
  std::vector<NamedAxis> axes = expand_section(resolved_);
  const ConfigValue* zip = find_section(resolved_, "zip");
  if (zip != nullptr) mark_zip_groups(*zip, &axes);
  std::map<int, std::vector<AxisGroup>> zipped;
  for (const NamedAxis& axis : axes) {
    if (axis.zip_group >= 0) zipped[axis.zip_group].push_back(axis.group);
  }
  for (NamedAxis& axis : axes) {
    if (axis.zip_group < 0) {
      groups_.push_back(std::move(axis.group));
    } else if (!zipped[axis.zip_group].empty()) {
      const auto g = static_cast<std::size_t>(axis.zip_group);
      groups_.push_back(zip_axes(zipped[axis.zip_group], zip->items()[g]));
      zipped[axis.zip_group].clear();
    }
  }
  const ConfigValue* replicates = find_section(resolved_, "replicates");
  if (replicates == nullptr) return;
  if (base_.find("replicate") != nullptr) replicates->fail("`replicate` is set already");
  groups_.push_back(replicate_axis(*replicates));
}

void SweepPlan::check_groups() const {
  const std::vector<std::string> keys = axis_keys();
  for (const AxisGroup& group : groups_) {
    for (std::size_t s = 0; s < group.keys.size(); ++s) {
      if (std::count(keys.begin(), keys.end(), group.keys[s]) > 1) {
        group.points.front().settings[s].second.fail("two axes set \"" + group.keys[s] + "\"");
      }
    }
    check_points_differ(group, keys);
  }
}

void SweepPlan::check_report() {
  const ConfigValue* report = find_section(resolved_, "report");
  if (report == nullptr) return;
  report->allow_only(
      {"arm", "lines", "apart", "curves", "against", "talk", "gains", "section", "note"});
  section_of(resolved_);
  if (const ConfigValue* note = find_section(*report, "note")) note->as_text();
  if (const ConfigValue* apart = find_section(*report, "apart")) {
    if (kind_of(resolved_) != ExperimentKind::kStudy) apart->fail("is for sweeps of a study");
    add_warnings(warnings_of_apart(*report, groups_));
  }
  if (const ConfigValue* curves = find_section(*report, "curves")) {
    constexpr std::size_t kMost = 3;
    if (kind_of(resolved_) != ExperimentKind::kStudy) curves->fail("is for sweeps of a study");
    if (curves->items().empty() || curves->items().size() > kMost) {
      curves->fail("needs one to three values of the axis that `lines` names");
    }
    add_warnings(warnings_of_curves(*report, groups_));
  }
  if (const ConfigValue* against = find_section(*report, "against")) {
    if (kind_of(resolved_) != ExperimentKind::kStudy) {
      against->fail("is for sweeps of a study; others draw what accuracy costs anyhow");
    }
    against->as_choice({"seconds", "stored_bytes", "candidates"});
  }
  const std::vector<std::string> axes = axis_keys();
  const std::optional<std::vector<std::string>> arms = arm_names(base_, axes);
  check_talk(*report, kind_of(resolved_) == ExperimentKind::kStudy, axes, arms, base_);
  if (const ConfigValue* gains = find_section(*report, "gains")) {
    parse_gains(*gains, arms);
    add_warnings(warnings_of_columns(*report, groups_));
  }
  const ConfigValue* arm = find_section(*report, "arm");
  if (arm && arms) check_named(*arm, "arm", *arms);
  if (const ConfigValue* lines = find_section(*report, "lines")) {
    // An axis that an override replaces by one value leaves the page in peace.
    const bool is_setting = lines->is_text() && base_.find_path(lines->as_text()) != nullptr;
    if (!is_setting) check_named(*lines, "axis", axes);
  }
}

void SweepPlan::add_warnings(const std::vector<std::string>& more) {
  warnings_.insert(warnings_.end(), more.begin(), more.end());
}

void SweepPlan::check_claims_section() {
  const ConfigValue* claims = find_section(resolved_, "claims");
  if (claims == nullptr) return;
  check_claims(*claims, kind_of(resolved_), arm_names(base_, axis_keys()), axis_keys(), base_);
  add_warnings(warnings_of_claims(*claims, base_, groups_));
}

void SweepPlan::check_family_section() {
  const ConfigValue* family = find_section(resolved_, "family");
  if (family == nullptr) return;
  check_family(*family, kind_of(resolved_), arm_names(base_, axis_keys()), axis_keys(), base_);
}

void SweepPlan::count_configurations() {
  num_configurations_ = 1;
  for (const AxisGroup& group : groups_) {
    num_configurations_ *= static_cast<std::int64_t>(group.points.size());
    if (num_configurations_ <= kMaxConfigurations) continue;
    std::string sizes;
    for (const AxisGroup& each : groups_) {
      sizes += (sizes.empty() ? "" : " x ") + joined_keys(each) + " (" +
               std::to_string(each.points.size()) + ")";
    }
    const ConfigValue* section = find_section(resolved_, "axes");
    const ConfigValue& place = section == nullptr ? resolved_ : *section;
    place.fail("the axes multiply to more than " + std::to_string(kMaxConfigurations) +
               " configurations: " + sizes);
  }
}

void SweepPlan::apply_exclude() {
  const ConfigValue* exclude = find_section(resolved_, "exclude");
  if (exclude == nullptr || exclude->items().empty()) return;
  std::vector<ExcludeRule> rules;
  for (const ConfigValue& rule : exclude->items()) {
    rules.emplace_back(rule, groups_, base_);
    if (rules.back().drops_any()) continue;
    warnings_.push_back(rule.where() + ": matches no configuration, so it excludes nothing");
  }
  has_excluded_ = true;
  for (std::int64_t i = 0; i < num_configurations_; ++i) {
    const std::vector<std::int64_t> point_idx = split_index(i, groups_);
    const auto drops = [&](const ExcludeRule& rule) { return rule.drops(point_idx); };
    if (std::none_of(rules.begin(), rules.end(), drops)) kept_.push_back(i);
  }
  if (kept_.empty()) exclude->fail("drops every configuration");
  num_configurations_ = static_cast<std::int64_t>(kept_.size());
}

/// One point of each group.
std::vector<const AxisPoint*> SweepPlan::points_of(std::int64_t index) const {
  if (index < 0 || index >= num_configurations_) {
    throw InputError("configuration " + std::to_string(index) + " of " +
                     std::to_string(num_configurations_));
  }
  const std::int64_t in_product = has_excluded_ ? kept_[static_cast<std::size_t>(index)] : index;
  const std::vector<std::int64_t> point_idx = split_index(in_product, groups_);
  std::vector<const AxisPoint*> points;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    points.push_back(&groups_[g].points[static_cast<std::size_t>(point_idx[g])]);
  }
  return points;
}

ConfigValue SweepPlan::settings_at(const std::vector<const AxisPoint*>& points) const {
  std::vector<const ConfigValue::Entry*> by_length;
  for (const AxisPoint* point : points) {
    for (const ConfigValue::Entry& setting : point->settings) by_length.push_back(&setting);
  }
  // Outer keys first: an axis on world.scene must not undo one on world.scene.seed.
  std::stable_sort(by_length.begin(), by_length.end(),
                   [](auto* a, auto* b) { return a->first.size() < b->first.size(); });
  ConfigValue settings = base_;
  for (const auto* setting : by_length) settings.set_path(setting->first, setting->second);
  return settings;
}

ConfigValue SweepPlan::settings(std::int64_t index) const { return settings_at(points_of(index)); }

Configuration SweepPlan::configuration(std::int64_t index) const {
  Configuration configuration = axis_values(index);
  configuration.settings = settings(index);
  configuration.id = configuration_id(configuration.settings);
  return configuration;
}

Configuration SweepPlan::axis_values(std::int64_t index) const {
  const std::vector<const AxisPoint*> points = points_of(index);
  Configuration configuration;
  configuration.index = index;
  for (const AxisPoint* point : points) {
    auto& settings = configuration.axis_settings;
    auto& labels = configuration.axis_labels;
    settings.insert(settings.end(), point->settings.begin(), point->settings.end());
    labels.insert(labels.end(), point->labels.begin(), point->labels.end());
  }
  return configuration;
}

std::vector<std::string> SweepPlan::axis_keys() const {
  std::vector<std::string> keys;
  for (const AxisGroup& group : groups_) {
    keys.insert(keys.end(), group.keys.begin(), group.keys.end());
  }
  return keys;
}

std::string SweepPlan::name() const {
  const ConfigValue* name = base_.find("name");
  if (name != nullptr) {
    const std::string text = name->as_text();  // files are called after it
    if (text.find('/') != std::string::npos) name->fail("must not hold a \"/\"");
    return text;
  }
  return std::filesystem::path(resolved_.mark().source.str()).stem().string();
}

}  // namespace sightline::host
