// Claims that an arm's scores go with its baseline's, trial by trial.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/claim_bounds.h"

namespace sightline::host {

/// What such a claim bounds.
const ClaimNumber& correlation_number();

/// Reads {min, max, interval} of Pearson's r, or the r itself. Throws InputError, also for a sweep
/// without scores.
ClaimBounds correlation_of(const ConfigValue& value, ExperimentKind kind);

/// Does r of the result's arm and its baseline lie within the bounds (with `interval`: does the 95
/// % interval by Fisher's transformation)? Over the rows that `where` keeps, in every group of
/// `by`. Scores that do not vary, and rows of several baselines, go with nothing.
void judge_correlation(const ClaimBounds& bounds, const ConfigValue* where,
                       const std::vector<std::string>& by, const RunData& run, ClaimResult* result);

}  // namespace sightline::host
