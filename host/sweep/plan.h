// A sweep file expanded: base settings, axes, and every configuration by index.
//
// Axes multiply; the last one written is fastest. `zip` lists groups of axes that move together (a
// group stands where its first axis stands), `exclude` lists maps of keys and values (a
// configuration that matches all of one is dropped; 0.5 equals 0.50), and `replicates: N` adds the
// fastest axis of all, `replicate` = 0 .. N - 1. Axes: axes.h. Overrides: overrides.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/sweep/axes.h"

namespace sightline::host {

/// A sweep file has at most this many configurations, before `exclude`.
constexpr std::int64_t kMaxConfigurations = 10'000'000;
/// A run has at most this many: its results are held in memory when its files are written.
constexpr std::int64_t kMaxRunConfigurations = 1'000'000;

/// Names a configuration by its settings: 16 hex digits, XXH64 of their canonical JSON without what
/// is for people only (erase_names).
std::string configuration_id(ConfigValue settings);

/// One configuration: what its axes set, and all its settings.
struct Configuration {
  std::int64_t index = 0;
  std::string id;                                 ///< configuration_id() of `settings`
  std::vector<ConfigValue::Entry> axis_settings;  ///< dotted key, value, in axis order
  std::vector<std::string> axis_labels;           ///< one per axis setting, for tables
  ConfigValue settings;  ///< resolved, without `axes`, `zip`, `exclude`, `replicates`
};

class SweepPlan {
 public:
  /// Reads a sweep file and applies overrides of the form "key=value" ("axes.key=[...]" too), in
  /// order. Throws InputError; nothing is written. Settings below the top level are checked by
  /// parse_experiment.
  static SweepPlan load(const std::string& path, const std::vector<std::string>& overrides);
  static SweepPlan parse(const std::string& yaml, const std::string& source_name,
                         const std::vector<std::string>& overrides);
  /// Of what a file would hold.
  static SweepPlan make(const ConfigValue& sweep, const std::vector<std::string>& overrides);

  std::int64_t num_configurations() const { return num_configurations_; }
  /// Configuration `index` of [0, num_configurations()), last axis fastest; made when asked for.
  /// Throws InputError if an axis contradicts the settings.
  Configuration configuration(std::int64_t index) const;
  /// The same without its settings and its id.
  Configuration axis_values(std::int64_t index) const;
  /// The settings of configuration(index) alone, which are several times faster to make.
  ConfigValue settings(std::int64_t index) const;
  const std::vector<AxisGroup>& axes() const { return groups_; }
  std::vector<std::string> axis_keys() const;
  const ConfigValue& base() const { return base_; }
  /// The whole file with overrides applied, axes included: what `resolved.yaml` holds.
  const ConfigValue& resolved() const { return resolved_; }
  /// `name`, or the file's name without its extension.
  std::string name() const;
  /// What the file says without effect, each with its place: to be told, not to be refused.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  explicit SweepPlan(ConfigValue sweep);

  void expand_groups();
  void check_groups() const;
  std::vector<const AxisPoint*> points_of(std::int64_t index) const;
  ConfigValue settings_at(const std::vector<const AxisPoint*>& points) const;
  void check_report();
  void check_claims_section();
  void check_family_section();
  void add_warnings(const std::vector<std::string>& more);
  void count_configurations();
  void apply_exclude();

  ConfigValue base_, resolved_;
  std::vector<AxisGroup> groups_;
  std::vector<std::string> warnings_;
  bool has_excluded_ = false;
  std::vector<std::int64_t> kept_;  ///< if has_excluded_: indices into the full product that remain
  std::int64_t num_configurations_ = 0;
};

}  // namespace sightline::host
