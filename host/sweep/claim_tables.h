// Claims about the rates of an arm along an axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claims.h"

namespace sightline::host {

/// Rates of an arm along an axis, and how far from them the run's may be.
struct TableClaim {
  std::string rate, along;
  std::vector<ConfigValue> values;  ///< of the axis
  std::vector<double> expected;     ///< one per value
  double within = 1;
  std::optional<double> rms;  ///< of all the differences
};

/// Reads {rate, along, expected: [[value, rate], ...], within, rms}. Throws InputError.
TableClaim table_of(const ConfigValue& value, ExperimentKind kind);
/// Reads {rate, along, values}: the rate is lower at each value of the axis than at the one before.
/// Throws InputError.
TableClaim falling_of(const ConfigValue& value, ExperimentKind kind);

/// Over the rows that `among` keeps (null: all), of the result's arm.
void judge_table(const TableClaim& table, const ConfigValue* among, const RunData& run,
                 ClaimResult* result);
void judge_falling(const TableClaim& table, const ConfigValue* among, const RunData& run,
                   ClaimResult* result);

}  // namespace sightline::host
