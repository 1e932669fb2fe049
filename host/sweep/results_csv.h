// The tables of a run as CSV (RFC 4180, LF line ends, shortest round-trip numbers).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/stats/paired.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// A share of counted rays with its Wilson 95 % interval.
struct Rate {
  double value = 0;
  stats::Interval interval;
};
/// None where there is nothing to count.
std::optional<Rate> rate_of(std::int64_t count, std::int64_t total);

std::optional<Rate> accuracy(const Answers& answers);             ///< of the rays the oracle knows
std::optional<Rate> false_visible_rate(const Answers& answers);   ///< of the occluded
std::optional<Rate> false_occluded_rate(const Answers& answers);  ///< of the visible

/// Answers only: the same bytes on every machine, device and thread count. Columns: one per axis
/// key (labels), `arm`, the counts of row.h, the three rates with intervals, McNemar's exact p
/// against the baseline (its b and c are `only_arm_right` and `only_baseline_right`),
/// `configuration_id`. A rate of nothing is an empty field. One line per arm, sorted by
/// configuration.
std::string results_csv(const RunData& run);

/// Times and costs: one line per line of results_csv, in the same order. Differs between runs.
std::string timings_csv(const RunData& run);

/// A field, quoted if it must be.
std::string csv_field(const std::string& text);
/// Shortest text that reads back as the same number.
std::string csv_number(double value);

}  // namespace sightline::host
