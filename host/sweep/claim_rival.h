// Claims that compare a rate or a count with another arm's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claims.h"

namespace sightline::host {

/// Throws InputError unless `value` is {rate, arm, margin} or {count, arm, times} and the sweep has
/// both.
void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms);

/// Is the rate of the result's arm at least that of the rival less the margin, or the count at
/// least so many times the rival's, both over the rows that `where` keeps?
void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result);

}  // namespace sightline::host
