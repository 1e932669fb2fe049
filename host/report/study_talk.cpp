#include "host/report/study_talk.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "host/report/score_text.h"
#include "host/report/study_page.h"
#include "host/report/text.h"
#include "host/sweep/talk_settings.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

/// Rows of an arm added up, by the value of an axis.
std::map<double, ResultRow> totals_along(const RunData& run, std::size_t axis,
                                         const std::string& arm) {
  std::map<double, ResultRow> totals;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != arm) continue;
    measures_of(ExperimentKind::kStudy).add(row.result, &totals[row.axis_values[axis].as_number()]);
  }
  return totals;
}

Json curve_of(const StudyDigest& digest, const std::map<double, ResultRow>& totals,
              const std::vector<double>& x, const std::string& label, std::size_t color,
              std::string* alt) {
  Json curve = {{"label", label}, {"color", color}};
  *alt += label + ":";
  for (const char* key : {"y", "low", "high"}) curve[key] = Json::array();
  for (const double at : x) {
    std::optional<Rate> rate;
    if (const auto total = totals.find(at); total != totals.end()) {
      rate = digest.rate_of(total->second);
    }
    curve["y"].push_back(rate ? Json(rate->value) : Json());
    curve["low"].push_back(rate ? Json(rate->interval.low) : Json());
    curve["high"].push_back(rate ? Json(rate->interval.high) : Json());
    *alt +=
        " " + (rate ? digest.text_of(rate->value, 0) : "nothing") + " at " + number_text(at) + ",";
  }
  alt->back() = '.';
  *alt += " ";
  return curve;
}

/// Of an arm over all rows; nothing of an arm that has none.
std::optional<double> level_of(const StudyDigest& digest, const RunData& run,
                               const std::string& arm) {
  ResultRow total;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm == arm) measures_of(ExperimentKind::kStudy).add(row.result, &total);
  }
  const std::optional<Rate> rate = digest.rate_of(total);
  return rate ? std::optional(rate->value) : std::nullopt;
}

std::vector<double> values_along(const RunData& run, std::size_t axis) {
  std::vector<double> x;
  for (const RunData::Row& row : run.rows) {
    if (row.axis_values[axis].is_number()) x.push_back(row.axis_values[axis].as_number());
  }
  if (x.size() < run.rows.size()) return {};  // an axis of words
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

}  // namespace

std::optional<FigureData> study_talk_figure(const RunData& run) {
  const ConfigValue* report = run.resolved.find("report");
  if (report == nullptr || !report->is_map() || run.rows.empty()) return std::nullopt;
  const std::optional<TalkSettings> talk = parse_talk(*report);
  if (!talk) return std::nullopt;
  const auto key = std::find(run.axis_keys.begin(), run.axis_keys.end(), talk->along);
  if (key == run.axis_keys.end()) return std::nullopt;
  const auto axis = static_cast<std::size_t>(key - run.axis_keys.begin());
  const std::vector<double> x = values_along(run, axis);
  if (x.size() < 2) return std::nullopt;
  const StudyDigest digest = make_study_digest(run);
  if (digest.has_measures) return std::nullopt;
  FigureData figure;
  Json curves = Json::array(), levels = Json::array();
  std::size_t color = 0;
  for (const auto& [arm, label] : talk->curves) {
    curves.push_back(
        curve_of(digest, totals_along(run, axis, arm), x, label, color++, &figure.alt));
  }
  for (const auto& [arm, label] : talk->levels) {
    const std::optional<double> level = level_of(digest, run, arm);
    if (!level) continue;
    levels.push_back({{"label", label}, {"color", color++}, {"y", *level}});
    figure.alt += label + ": " + digest.text_of(*level, 0) + ". ";
  }
  figure.title = talk->y;
  figure.caption = std::string("Bands are 95 % ") +
                   (digest.shows_scores ? kMeanIntervals : "Wilson intervals") +
                   "; dashed levels do not depend on what is along the axis.";
  constexpr double kMargin = 0.02;
  figure.drawing = {{"name", "study_talk"},
                    {"kind", "curves"},
                    {"x", {{"label", talk->x}, {"values", x}, {"log", false}}},
                    {"panels", Json::array({{{"title", ""},
                                             {"ylabel", talk->y},
                                             {"curves", curves},
                                             {"levels", levels},
                                             {"ylim", {0, 1 + kMargin}}}})}};
  return figure;
}

}  // namespace sightline::host::report
