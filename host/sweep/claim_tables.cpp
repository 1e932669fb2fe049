#include "host/sweep/claim_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "host/sweep/claim_intervals.h"
#include "host/sweep/claim_rows.h"

namespace sightline::host {
namespace {

/// The rates of the result's arm at the values of an axis; empty if the run lacks one of them, or
/// one stands for several. The result gets their intervals.
std::vector<double> rates_along(const TableClaim& table, const ConfigValue* among,
                                const RunData& run, ClaimResult* result) {
  std::vector<double> rates;
  std::string intervals;
  for (const ConfigValue& value : table.values) {
    ConfigValue where = among ? *among : ConfigValue::map();
    where.set_entry(table.along, value);
    const auto groups = claim_groups(run, result->arm, &where, {table.along});
    if (groups.size() != 1) return {};  // none, or several values that a list names
    const std::optional<double> rate = claim_value(run.kind(), table.rate, groups[0].total);
    if (!rate) return {};
    rates.push_back(*rate);
    add_interval(claim_interval(run.kind(), table.rate, groups[0].total), &intervals);
  }
  result->interval = intervals;
  return rates;
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", value);
  return text;
}

}  // namespace

TableClaim table_of(const ConfigValue& value, ExperimentKind kind) {
  value.allow_only({"rate", "along", "expected", "within", "rms"});
  TableClaim table{value.at("rate").as_text(), value.at("along").as_text(), {}, {}, 1, {}};
  if (!measures_of(kind).find_rate(table.rate)) value.at("rate").fail("is no rate of this sweep");
  for (const ConfigValue& cell : value.at("expected").items()) {
    if (cell.items().size() != 2) cell.fail("must be [value of the axis, rate]");
    table.values.push_back(cell.items()[0]);
    table.expected.push_back(cell.items()[1].as_number(0, 1));
  }
  if (table.values.empty()) value.at("expected").fail("needs at least one value of the axis");
  table.within = value.at("within").as_number(0, 1);
  if (const ConfigValue* rms = value.find("rms")) table.rms = rms->as_number(0, 1);
  if (table.within == 1 && table.rms.value_or(1) == 1) {
    value.at("within").fail("holds of every rate; give less");
  }
  return table;
}

TableClaim falling_of(const ConfigValue& value, ExperimentKind kind) {
  value.allow_only({"rate", "along", "values"});
  TableClaim table{value.at("rate").as_text(), value.at("along").as_text(), {}, {}, 1, {}};
  if (!measures_of(kind).find_rate(table.rate)) value.at("rate").fail("is no rate of this sweep");
  table.values = value.at("values").items();
  if (table.values.size() < 2) value.at("values").fail("needs at least two values of the axis");
  return table;
}

void judge_table(const TableClaim& table, const ConfigValue* among, const RunData& run,
                 ClaimResult* result) {
  const std::vector<double> rates = rates_along(table, among, run, result);
  if (rates.empty()) return;
  result->expected =
      fmt::format("{} {} within {}", table.rate, joined(table.expected), table.within);
  double squares = 0, farthest = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double difference = std::fabs(rates[i] - table.expected[i]);
    squares += difference * difference;
    farthest = std::max(farthest, difference);
  }
  const double rms = std::sqrt(squares / static_cast<double>(rates.size()));
  if (table.rms) result->expected += fmt::format(", rms {}", *table.rms);
  result->found = fmt::format("{} (farthest {:.4f}, rms {:.4f})", joined(rates), farthest, rms);
  result->holds =
      is_at_least(table.within, farthest) && (!table.rms || is_at_least(*table.rms, rms));
}

void judge_falling(const TableClaim& table, const ConfigValue* among, const RunData& run,
                   ClaimResult* result) {
  const std::vector<double> rates = rates_along(table, among, run, result);
  if (rates.empty()) return;
  result->expected = fmt::format("{} falls along {}", table.rate, table.along);
  result->found = joined(rates);
  result->holds =
      std::adjacent_find(rates.begin(), rates.end(), std::less_equal<>()) == rates.end();
}

}  // namespace sightline::host
