#include "host/sweep/results_csv.h"

#include <charconv>
#include <optional>

#include "host/stats/paired.h"

namespace sightline::host {
namespace {

std::string axis_header(const RunData& run) {
  std::string header;
  for (const std::string& key : run.axis_keys) header += csv_field(key) + ",";
  return header + "arm";
}

std::string axis_fields(const RunData::Row& row) {
  std::string fields;
  for (const std::string& label : row.axis_labels) fields += csv_field(label) + ",";
  return fields + csv_field(row.result.arm);
}

std::string rate_header(const RateColumn& column) {
  const std::string name = column.name;
  return "," + name + (column.has_interval ? "," + name + "_low," + name + "_high" : "");
}

std::string rate_fields(const RateColumn& column, const ResultRow& row) {
  const std::optional<Rate> rate = column.of(row);
  if (!rate) return column.has_interval ? ",,," : ",";
  const std::string value = "," + csv_number(rate->value);
  if (!column.has_interval) return value;
  return value + "," + csv_number(rate->interval.low) + "," + csv_number(rate->interval.high);
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double value) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string results_csv(const RunData& run) {
  const Measures& measures = measures_of(run.kind());
  std::string csv = axis_header(run);
  for (const CountColumn& column : measures.counts) csv += std::string(",") + column.name;
  for (const RateColumn& column : measures.rates) csv += rate_header(column);
  csv += ",mcnemar_p,configuration_id\n";
  for (const RunData::Row& row : run.rows) {
    csv += axis_fields(row);
    for (const CountColumn& column : measures.counts) {
      csv += "," + std::to_string(column.of(row.result));
    }
    for (const RateColumn& column : measures.rates) csv += rate_fields(column, row.result);
    const DiscordantPairs pairs = measures.pairs(row.result);
    csv += ",";  // nothing where nothing was asked
    if (pairs.n > 0) csv += csv_number(stats::mcnemar_exact(pairs.only_arm, pairs.only_baseline));
    csv += "," + row.result.configuration_id + "\n";
  }
  return csv;
}

std::string timings_csv(const RunData& run) {
  std::string csv = axis_header(run);
  csv += ",seconds,num_rays,rays_per_s,gate_seconds,configuration_id\n";
  for (const RunData::Row& row : run.rows) {
    csv += axis_fields(row) + "," + csv_number(row.cost.seconds) + "," +
           std::to_string(row.cost.num_rays) + "," + csv_number(row.cost.rays_per_s) + "," +
           csv_number(row.cost.gate_seconds) + "," + row.result.configuration_id + "\n";
  }
  return csv;
}

}  // namespace sightline::host
