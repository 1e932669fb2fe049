// `exclude` of a sweep file: which points of the axes' product are dropped.
#pragma once

#include <vector>

#include "host/config/value.h"
#include "host/sweep/axes.h"

namespace sightline::host {

/// One map of `exclude`, resolved against the axes: it drops a configuration if the point of every
/// group in it matches. Built once, so that testing millions of configurations is a table look-up.
class ExcludeRule {
 public:
  /// Throws InputError if a key is neither swept nor set in `base`.
  ExcludeRule(const ConfigValue& rule, const std::vector<AxisGroup>& groups,
              const ConfigValue& base);

  /// Does the rule drop the configuration with these points, one index per group?
  bool drops(const std::vector<std::int64_t>& point_idx) const;
  /// Does it drop any configuration of the full product?
  bool drops_any() const;

 private:
  void add_key(const std::string& key, const ConfigValue& wanted,
               const std::vector<AxisGroup>& groups, const ConfigValue& base);

  bool base_matches_ = true;
  std::vector<std::vector<bool>> matches_;  ///< [group][point]; a group without keys: empty
};

}  // namespace sightline::host
