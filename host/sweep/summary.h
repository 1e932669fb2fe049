// A run in a few numbers: what summary.json holds and the command line prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host {

/// One rate over the configurations where it is defined.
struct RateSummary {
  struct Extreme {
    double value = 0;
    std::int64_t row_idx = 0;  ///< in RunData::rows; the first of equals
  };
  std::int64_t num_configurations = 0;
  double mean = 0;
  Extreme lowest, highest;
};

struct ArmSummary {
  std::string arm;
  std::int64_t num_configurations = 0;
  ResultRow total;  ///< counts added up over the configurations
  /// One per rate of measures.h; of a study that measures several things, none of scores and of
  /// accuracy, which would be means of all of them.
  std::vector<std::optional<RateSummary>> rates;
  std::vector<std::int64_t> k;  ///< ks_of; empty unless of recall
};

/// How many recalled count as hits of an arm, over its configurations in a run of recall: each
/// number once, ascending.
std::vector<std::int64_t> ks_of(const RunData& run, const std::string& arm);

/// Arms in the order of their first row.
std::vector<ArmSummary> summarize_arms(const RunData& run);

/// Format 1: {format, name, status, configurations {planned, finished, failed}, arms [{arm,
/// configurations, counts, and the rates of measures.h}], failures}. A rate is null or
/// {configurations, mean, best, worst}; best and worst are {value, configuration_id, axes (by label
/// where the value is a map or a list)}. Answers only, so that the same sweep gives the same bytes
/// however often it was interrupted.
std::string summary_json(const RunData& run);

}  // namespace sightline::host
