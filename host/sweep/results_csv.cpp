#include "host/sweep/results_csv.h"

#include <charconv>

#include "host/sweep/answer_columns.h"

namespace sightline::host {
namespace {

struct RateColumn {
  const char* name;
  std::optional<Rate> (*rate)(const Answers&);
};
constexpr RateColumn kRateColumns[] = {{"accuracy", accuracy},
                                       {"false_visible_rate", false_visible_rate},
                                       {"false_occluded_rate", false_occluded_rate}};

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

std::string rate_fields(const std::optional<Rate>& rate) {
  if (!rate) return ",,,";
  return "," + csv_number(rate->value) + "," + csv_number(rate->interval.low) + "," +
         csv_number(rate->interval.high);
}

}  // namespace

std::optional<Rate> rate_of(std::int64_t count, std::int64_t total) {
  if (total == 0) return std::nullopt;
  return Rate{static_cast<double>(count) / static_cast<double>(total), stats::wilson(count, total)};
}

std::optional<Rate> accuracy(const Answers& answers) {
  return rate_of(answers.correct, answers.num_visible + answers.num_occluded);
}

std::optional<Rate> false_visible_rate(const Answers& answers) {
  return rate_of(answers.false_visible, answers.num_occluded);
}

std::optional<Rate> false_occluded_rate(const Answers& answers) {
  return rate_of(answers.false_occluded, answers.num_visible);
}

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
  std::string csv = axis_header(run);
  for (const AnswerColumn& column : kAnswerColumns) csv += std::string(",") + column.name;
  for (const RateColumn& column : kRateColumns) {
    const std::string name = column.name;
    csv += "," + name + "," + name + "_low," + name + "_high";
  }
  csv += ",mcnemar_p,configuration_id\n";
  for (const RunData::Row& row : run.rows) {
    const Answers& answers = row.result.answers;
    csv += axis_fields(row);
    for (const AnswerColumn& column : kAnswerColumns) {
      csv += "," + std::to_string(answers.*column.count);
    }
    for (const RateColumn& column : kRateColumns) csv += rate_fields(column.rate(answers));
    csv +=
        "," + csv_number(stats::mcnemar_exact(answers.only_arm_right, answers.only_baseline_right));
    csv += "," + row.result.configuration_id + "\n";
  }
  return csv;
}

std::string timings_csv(const RunData& run) {
  std::string csv = axis_header(run);
  csv += ",seconds,num_rays,rays_per_s,configuration_id\n";
  for (const RunData::Row& row : run.rows) {
    csv += axis_fields(row) + "," + csv_number(row.cost.seconds) + "," +
           std::to_string(row.cost.num_rays) + "," + csv_number(row.cost.rays_per_s) + "," +
           row.result.configuration_id + "\n";
  }
  return csv;
}

}  // namespace sightline::host
