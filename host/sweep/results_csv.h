// The tables of a run as CSV (RFC 4180, LF line ends, shortest round-trip numbers).
#pragma once

#include <string>

#include "host/sweep/measures.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// Answers only: the same bytes on every machine, device and thread count. Columns: one per axis
/// key (labels), `arm`, the counts of row.h, the rates of measures.h with intervals, McNemar's
/// exact p against the baseline (its b and c are `only_arm_right` and `only_baseline_right`, or
/// `only_arm_hit` and `only_baseline_hit`), `configuration_id`. A rate of nothing is an empty
/// field. One line per arm, sorted by configuration.
std::string results_csv(const RunData& run);

/// Times and costs: one line per line of results_csv, in the same order. Differs between runs.
std::string timings_csv(const RunData& run);

/// A field, quoted if it must be.
std::string csv_field(const std::string& text);
/// Shortest text that reads back as the same number.
std::string csv_number(double value);

}  // namespace sightline::host
