// The CSV files: columns, order, quoting, numbers; and the summary over configurations.
#include "host/sweep/results_csv.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "host/sweep/summary.h"

namespace sightline::tests {
namespace {

using host::ConfigValue;
using host::RunData;

/// Pilot 2, configuration A (What Spatial Memory Must Store, 2026, section 4): 295 visible and 849
/// occluded targets; cone with line of sight at a step of 0.5 m against text.
RunData pilot_run() {
  RunData run;
  run.name = "pilot";
  run.axis_keys = {"visibility.step_m", "world"};
  run.num_configurations = run.num_finished = 1;
  const std::vector<ConfigValue> axes = {ConfigValue::number(0.5),
                                         ConfigValue::map({{"gap_m", ConfigValue::number(1.5)}})};
  RunData::Row text, sight;
  text.result = {0, "00ff", "text", {1144, 295, 849, 6, 295, 849, 0, 0, 0, 0}};
  sight.result = {0, "00ff", "sight", {1144, 295, 849, 6, 1129, 15, 0, 0, 834, 0}};
  text.cost = {"00ff", "text", 0, 0, 0};
  sight.cost = {"00ff", "sight", 0.125, 1144, 9152, 0.0625};
  text.axis_values = sight.axis_values = axes;
  text.axis_labels = sight.axis_labels = {"0.5", "gap, \"wide\""};
  run.rows = {text, sight};
  return run;
}

std::vector<std::string> lines_of(const std::string& csv) {
  std::vector<std::string> lines;
  std::istringstream stream(csv);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The fields after the axis columns, which hold the only quotes of these tables.
std::vector<std::string> fields_from(const std::string& line, const std::string& arm) {
  std::vector<std::string> fields;
  std::istringstream stream(line.substr(line.find("," + arm + ",") + 1) + ",");
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

TEST(CsvField, IsQuotedOnlyWhereItMustBe) {
  EXPECT_EQ(host::csv_field("plain text; ok"), "plain text; ok");
  EXPECT_EQ(host::csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(host::csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(host::csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(host::csv_field("return\r"), "\"return\r\"");
  EXPECT_EQ(host::csv_field(""), "");
}

TEST(CsvNumber, IsTheShortestTextThatReadsBackTheSame) {
  EXPECT_EQ(host::csv_number(0.1), "0.1");
  EXPECT_EQ(host::csv_number(1), "1");
  EXPECT_EQ(host::csv_number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(host::csv_number(0.1 + 0.2), "0.30000000000000004");
  for (const double value : {5e-324, 1.7976931348623157e308, 1.7458768723248864e-251, 123456.75}) {
    EXPECT_EQ(std::strtod(host::csv_number(value).c_str(), nullptr), value);
  }
}

TEST(ResultsCsv, HasAnswersAndNothingOfTheMachine) {
  const std::vector<std::string> lines = lines_of(host::results_csv(pilot_run()));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "visibility.step_m,world,arm,num_rays,num_visible,num_occluded,num_unknown,correct,"
            "false_visible,false_occluded,said_unknown,only_arm_right,only_baseline_right,"
            "accuracy,accuracy_low,accuracy_high,false_visible_rate,false_visible_rate_low,"
            "false_visible_rate_high,false_occluded_rate,false_occluded_rate_low,"
            "false_occluded_rate_high,mcnemar_p,configuration_id");
  const std::string start = "0.5,\"gap, \"\"wide\"\"\",sight,1144,295,849,6,1129,15,0,0,834,0,";
  EXPECT_EQ(lines[2].substr(0, start.size()), start);
}

TEST(ResultsCsv, HasThePublishedRatesAndP) {
  const std::vector<std::string> lines = lines_of(host::results_csv(pilot_run()));
  const std::vector<std::string> sight = fields_from(lines[2], "sight");
  ASSERT_EQ(sight.size(), 22u);
  EXPECT_EQ(sight[11], "0.9868881118881119");  // 1129 of the 1144 the oracle knows
  EXPECT_EQ(sight[14], "0.0176678445229682");  // 15 of 849
  EXPECT_EQ(sight[17], "0");
  EXPECT_EQ(sight[20], "1.7458768723248864e-251");  // 2^-833, exactly
  // Wilson intervals, computed outside; the tolerance (a share) is a few roundings of the formula.
  constexpr double kTolerance = 1e-15;
  EXPECT_NEAR(std::stod(sight[12]), 0.9784791932555381, kTolerance);
  EXPECT_NEAR(std::stod(sight[13]), 0.992038112457166, kTolerance);
  EXPECT_NEAR(std::stod(sight[15]), 0.010735724324891996, kTolerance);
  EXPECT_NEAR(std::stod(sight[16]), 0.028945107875139604, kTolerance);
  EXPECT_EQ(fields_from(lines[1], "text")[20], "1");
}

TEST(ResultsCsv, LeavesARateOfNothingEmpty) {
  RunData run = pilot_run();
  run.rows[1].result.answers = {5, 5, 0, 0, 5, 0, 0, 0, 0, 0};
  const std::vector<std::string> fields = fields_from(lines_of(host::results_csv(run))[2], "sight");
  EXPECT_EQ(fields[11], "1");
  EXPECT_EQ(fields[14], "");
  EXPECT_EQ(fields[15], "");
  EXPECT_EQ(fields[16], "");
  EXPECT_EQ(fields[17], "0");
}

TEST(ResultsCsv, IsAHeaderWhereNothingIsDone) {
  RunData run;
  run.axis_keys = {"seed"};
  EXPECT_EQ(lines_of(host::results_csv(run)).size(), 1u);
}

TEST(ResultsCsv, DoesNotDependOnCosts) {
  RunData slow = pilot_run();
  slow.rows[1].cost = {"00ff", "sight", 99, 1, 2};
  EXPECT_EQ(host::results_csv(slow), host::results_csv(pilot_run()));
  EXPECT_EQ(host::summary_json(slow), host::summary_json(pilot_run()));
  EXPECT_NE(host::timings_csv(slow), host::timings_csv(pilot_run()));
}

TEST(TimingsCsv, GoesLineByLineWithTheResults) {
  const std::vector<std::string> lines = lines_of(host::timings_csv(pilot_run()));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(
      lines[0],
      "visibility.step_m,world,arm,seconds,num_rays,rays_per_s,gate_seconds,configuration_id");
  EXPECT_EQ(lines[2], "0.5,\"gap, \"\"wide\"\"\",sight,0.125,1144,9152,0.0625,00ff");
}

/// Two configurations of one arm, the second without occluded targets.
RunData two_configurations() {
  RunData run = pilot_run();
  run.num_configurations = 3;
  run.num_finished = 2;
  RunData::Row better = run.rows[1];
  better.result.configuration = 1;
  better.result.configuration_id = "01aa";
  better.result.answers = {10, 10, 0, 0, 10, 0, 0, 0, 0, 0};
  better.axis_values[0] = ConfigValue::number(0.1);
  better.axis_labels[0] = "0.1";
  run.rows.push_back(better);
  return run;
}

TEST(Summary, MeansOverTheConfigurationsWhereARateExists) {
  const std::vector<host::ArmSummary> arms = host::summarize_arms(two_configurations());
  ASSERT_EQ(arms.size(), 2u);
  EXPECT_EQ(arms[0].arm, "text");
  EXPECT_EQ(arms[1].num_configurations, 2);
  EXPECT_EQ(arms[1].total.answers.num_rays, 1154);
  ASSERT_TRUE(arms[1].rates[0].has_value());
  EXPECT_DOUBLE_EQ(arms[1].rates[0]->mean, (1129.0 / 1144 + 1) / 2);
  ASSERT_TRUE(arms[1].rates[1].has_value());
  EXPECT_EQ(arms[1].rates[1]->num_configurations, 1);
  EXPECT_EQ(arms[1].rates[1]->mean, 15.0 / 849);
}

TEST(Summary, NamesTheBestAndTheWorstConfiguration) {
  const auto summary = host::parse_json<nlohmann::json>(host::summary_json(two_configurations()));
  EXPECT_EQ(summary.at("status"), "incomplete");
  EXPECT_EQ(summary.at("configurations"),
            nlohmann::json({{"planned", 3}, {"finished", 2}, {"failed", 0}}));
  const auto& accuracy = summary.at("arms").at(1).at("accuracy");
  EXPECT_EQ(accuracy.at("best").at("configuration_id"), "01aa");
  EXPECT_EQ(accuracy.at("best").at("axes").at("visibility.step_m"), 0.1);
  EXPECT_EQ(accuracy.at("best").at("axes").at("world"), "gap, \"wide\"");
  EXPECT_EQ(accuracy.at("worst").at("configuration_id"), "00ff");
  EXPECT_EQ(summary.at("arms").at(0).at("false_visible_rate").at("best").at("value"), 1);
}

TEST(Summary, OfARunWithoutOccludedTargetsHasNoFalseVisibleRate) {
  RunData run = two_configurations();
  run.rows.erase(run.rows.begin(), run.rows.begin() + 2);
  const auto summary = host::parse_json<nlohmann::json>(host::summary_json(run));
  EXPECT_TRUE(summary.at("arms").at(0).at("false_visible_rate").is_null());
}

TEST(Summary, ListsFailuresEvenWithBrokenText) {
  RunData run = two_configurations();
  run.failures = {{2, "02bb", "bad \xff byte"}};
  const auto summary = host::parse_json<nlohmann::json>(host::summary_json(run));
  EXPECT_EQ(summary.at("status"), "failed");
  EXPECT_EQ(summary.at("failures").at(0).at("configuration_id"), "02bb");
}

}  // namespace
}  // namespace sightline::tests
