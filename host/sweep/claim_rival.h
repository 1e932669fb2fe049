// Claims that compare a rate or a count with another arm's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claims.h"

namespace sightline::host {

/// The arms that {arm: one or a list} of a claim compares its own with.
std::vector<std::string> rival_arms(const ConfigValue& value);

/// Throws InputError unless `value` is {rate, arm: one or a list, margin, interval} or {count, arm,
/// times} and the sweep has all that it names.
void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms);

/// Is the rate of the result's arm at least that of each rival less the margin (with `interval`: is
/// the lower end of the difference's interval), or the count at least so many times the rival's?
/// Over the rows that `where` keeps.
void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result);

}  // namespace sightline::host
