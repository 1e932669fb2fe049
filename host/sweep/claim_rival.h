// Claims that compare a rate with another arm's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claims.h"

namespace sightline::host {

/// Throws InputError unless `value` is {rate, arm: one or a list, margin, interval} and the sweep
/// has the rate and the arms.
void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms);

/// Is the rate of the result's arm at least that of each rival less the margin, over the rows that
/// `where` keeps? With `interval`: is the lower end of the difference's interval?
void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result);

}  // namespace sightline::host
