// The rows that a claim is about, added up.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host {

/// Rows of one arm added up, and which of the axes' values they share.
struct ClaimGroup {
  std::string label;  ///< "seed 3"; empty for all rows together
  ResultRow total;
};

/// Rows of `arm` that have the values of `where` (a map of axis keys and values, labels, or lists
/// of them; null: all rows), added up by the values of the axes `by`, in the order of the run.
std::vector<ClaimGroup> claim_groups(const RunData& run, const std::string& arm,
                                     const ConfigValue* where, const std::vector<std::string>& by);

/// Throws InputError unless every key of `where` and entry of `by` is one of the axes.
void check_claim_rows(const ConfigValue* where, const ConfigValue* by,
                      const std::vector<std::string>& axis_keys);

/// Index of an axis of the run. Throws InputError, at `name`, if there is none.
std::size_t axis_index(const std::vector<std::string>& axis_keys, const ConfigValue& name,
                       const std::string& key);

}  // namespace sightline::host
