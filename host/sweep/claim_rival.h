// Claims that compare a rate with another arm's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claims.h"

namespace sightline::host {

/// Throws InputError unless `value` is {rate, arm, margin} and the sweep has both.
void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms);

/// Is the rate of the result's arm at least that of the rival less the margin, both over the rows
/// that `where` keeps?
void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result);

}  // namespace sightline::host
