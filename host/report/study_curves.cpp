#include "host/report/study_curves.h"

#include <algorithm>
#include <map>
#include <utility>

#include "host/report/axes.h"
#include "host/report/score_text.h"
#include "host/report/study_page.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLogRatio = 50;  ///< of numbers further apart, most would stand on one spot
constexpr std::size_t kFewestPoints = 3, kMostPanels = 3;

/// The part of a run that has one value of an axis.
RunData part_of(const RunData& run, std::size_t axis, const std::string& label) {
  RunData part = run;
  part.rows.clear();
  for (const RunData::Row& row : run.rows) {
    if (row.axis_labels[axis] == label) part.rows.push_back(row);
  }
  return part;
}

std::vector<std::string> labels_of(const RunData& run, std::size_t axis) {
  std::vector<std::string> labels;
  for (const RunData::Row& row : run.rows) {
    const std::string& label = row.axis_labels[axis];
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  return labels;
}

std::optional<std::size_t> index_of_axis(const RunData& run, const std::string& key) {
  const auto found = std::find(run.axis_keys.begin(), run.axis_keys.end(), key);
  if (found == run.axis_keys.end()) return std::nullopt;
  return static_cast<std::size_t>(found - run.axis_keys.begin());
}

bool is_numeric(const RunData& run, std::size_t axis) {
  return std::all_of(run.rows.begin(), run.rows.end(),
                     [&](const RunData::Row& row) { return row.axis_values[axis].is_number(); });
}

/// Numbers of it are names: "seed", "study.navqa_questions.run".
bool has_names(const std::string& key) {
  const std::string name = key.substr(key.rfind('.') + 1);
  return name == "seed" || name == "replicate" || name == "run";
}

/// The axis along x.
std::optional<std::size_t> axis_along(const RunData& run, const std::string& lines) {
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    const std::string& key = run.axis_keys[axis];
    if (key == lines || has_names(key)) continue;
    if (is_numeric(run, axis) && labels_of(run, axis).size() >= kFewestPoints) return axis;
  }
  return std::nullopt;
}

/// The values that get a panel.
std::vector<std::string> panels_of(const RunData& run, std::size_t axis) {
  std::vector<std::string> labels = labels_of(run, axis);
  const ConfigValue* chosen = run.resolved.find_path("report.curves");
  if (!chosen) return labels;
  std::vector<std::string> panels;
  for (const ConfigValue& value : chosen->items()) {
    const std::string label = value.as_text();
    const auto is_among = [&](const std::vector<std::string>& those) {
      return std::find(those.begin(), those.end(), label) != those.end();
    };
    if (is_among(labels) && !is_among(panels)) panels.push_back(label);
  }
  return panels;
}

/// The rows of a run, a group per value of the axis along x.
StudyDigest digest_along(const RunData& run, std::size_t along) {
  RunData copy = run;
  copy.resolved.set_path("report.lines", ConfigValue::text(run.axis_keys[along]));
  return make_study_digest(copy);
}

/// Values along x, and the label that stands for each, in their order. A run that was interrupted
/// may lack some of them in a panel.
using Points = std::vector<std::pair<double, std::string>>;

Points points_of(const RunData& run, std::size_t along) {
  std::map<double, std::string> points;
  for (const RunData::Row& row : run.rows) {
    points.emplace(row.axis_values[along].as_number(), row.axis_labels[along]);
  }
  return {points.begin(), points.end()};
}

std::optional<Rate> rate_at(const StudyDigest& digest, std::size_t arm, const std::string& label) {
  const auto group = std::find(digest.groups.begin(), digest.groups.end(), label);
  if (group == digest.groups.end()) return std::nullopt;
  return digest.rate_of(digest.at(arm, static_cast<std::size_t>(group - digest.groups.begin())));
}

Json curves_of(const StudyDigest& digest, const Points& points, std::string* alt) {
  Json curves = Json::array();
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    Json y = Json::array(), low = Json::array(), high = Json::array();
    *alt += " " + digest.arms[arm] + ":";
    for (const auto& [x, label] : points) {
      const std::optional<Rate> rate = rate_at(digest, arm, label);
      y.push_back(rate ? Json(rate->value) : Json());
      low.push_back(rate ? Json(rate->interval.low) : Json());
      high.push_back(rate ? Json(rate->interval.high) : Json());
      *alt += " " + label + " " + (rate ? digest.text_of(rate->value, 0) : "nothing");
    }
    *alt += ".";
    curves.push_back(
        {{"label", digest.arms[arm]}, {"color", arm}, {"y", y}, {"low", low}, {"high", high}});
  }
  return curves;
}

/// Lowest and highest number drawn, with a margin.
Json limits_of(const Json& curves) {
  double low = 1, high = 0;
  for (const Json& curve : curves) {
    for (const Json& value : curve.at("low")) {
      if (!value.is_null()) low = std::min(low, value.get<double>());
    }
    for (const Json& value : curve.at("high")) {
      if (!value.is_null()) high = std::max(high, value.get<double>());
    }
  }
  constexpr double kMargin = 0.04, kLeast = 1e-3;
  const double margin = kMargin * std::max(high - low, kLeast);
  return {low - margin, high + margin};
}

}  // namespace

std::optional<FigureData> study_curves_figure(const RunData& run) {
  if (run.rows.empty()) return std::nullopt;
  const std::optional<std::size_t> measures = axis_of_measures(run);
  std::string lines = line_axis_of(run);
  if (lines.empty() && measures) lines = run.axis_keys[*measures];
  if (measures && lines != run.axis_keys[*measures]) return std::nullopt;
  const std::optional<std::size_t> along = axis_along(run, lines),
                                   panel = index_of_axis(run, lines);
  if (!along) return std::nullopt;
  const std::vector<std::string> panels =
      panel ? panels_of(run, *panel) : std::vector<std::string>{""};
  if (panels.empty() || panels.size() > kMostPanels) return std::nullopt;
  FigureData figure;
  Json drawn = Json::array();
  const Points points = points_of(run, *along);
  std::vector<double> x;
  for (const auto& point : points) x.push_back(point.first);
  bool shows_scores = false;
  for (const std::string& label : panels) {
    const StudyDigest digest = digest_along(panel ? part_of(run, *panel, label) : run, *along);
    shows_scores = digest.shows_scores;
    figure.alt += (figure.alt.empty() ? "" : " ") + (label.empty() ? "Along x" : label) + ",";
    const Json curves = curves_of(digest, points, &figure.alt);
    const std::string note = score_note(digest.sense_of(0));
    const std::string title =
        label.empty() || note.empty() ? label + note : label + " (" + note + ")";
    drawn.push_back({{"title", title},
                     {"ylabel", shows_scores ? "mean score" : "share of right answers"},
                     {"curves", curves},
                     {"levels", Json::array()},
                     {"ylim", limits_of(curves)}});
  }
  figure.title =
      (shows_scores ? "Scores over " : "Right answers over ") + axis_name(run.axis_keys[*along]);
  figure.caption =
      std::string("Bands are 95 % ") + (shows_scores ? kMeanIntervals : "Wilson intervals") + ".";
  figure.drawing = {{"name", "study_curves"},
                    {"kind", "curves"},
                    {"x",
                     {{"label", axis_title(run.axis_keys[*along])},
                      {"values", x},
                      {"log", x.front() > 0 && x.back() >= kLogRatio * x.front()}}},
                    {"panels", drawn}};
  return figure;
}

}  // namespace sightline::host::report
