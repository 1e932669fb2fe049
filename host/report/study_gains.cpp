#include "host/report/study_gains.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/report/study_page.h"
#include "host/report/text.h"
#include "host/sweep/report_gains.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::size_t> index_of(const StudyDigest& digest, const std::string& arm) {
  const auto found = std::find(digest.arms.begin(), digest.arms.end(), arm);
  if (found == digest.arms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - digest.arms.begin());
}

const StudyAnswers* answers_of(const StudyDigest& digest, const std::string& arm,
                               std::size_t group) {
  const std::optional<std::size_t> index = index_of(digest, arm);
  if (!index || digest.at(*index, group).study.num_trials == 0) return nullptr;
  return &digest.at(*index, group).study;
}

/// Values of the axis that the first row is asked.
std::vector<std::size_t> columns_of(const StudyDigest& digest, const GainsRow& row) {
  std::vector<std::size_t> columns;
  for (std::size_t group = 0; group < digest.groups.size(); ++group) {
    const auto is_asked = [&](const std::string& arm) { return answers_of(digest, arm, group); };
    if (std::any_of(row.arms.begin(), row.arms.end(), is_asked)) columns.push_back(group);
  }
  return columns;
}

std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// "in sight" above what the baseline is right in, which gains are counted from.
Json column_labels(const StudyDigest& digest, const std::vector<std::size_t>& columns,
                   const GainsSettings& settings) {
  Json labels = Json::array();
  for (const std::size_t group : columns) {
    const std::optional<Rate> rate = digest.rate_of(digest.at(digest.baselines[group], group));
    constexpr double kPercent = 100;
    const auto named = settings.columns.find(digest.groups[group]);
    labels.push_back(
        {{"name", named == settings.columns.end() ? in_words(digest.groups[group]) : named->second},
         {"from", rate ? Json(std::lround(kPercent * rate->value)) : Json()}});
  }
  return labels;
}

/// Points gained in each column, and whether pairs show which way.
Json cells_of(const StudyDigest& digest, const std::string& arm,
              const std::vector<std::size_t>& columns, std::string* alt) {
  Json points = Json::array(), sure = Json::array();
  for (const std::size_t group : columns) {
    const StudyAnswers* answers = answers_of(digest, arm, group);
    if (!answers) {
      points.push_back(Json());
      sure.push_back(false);
      continue;
    }
    const std::int64_t n = answers->num_trials, b = answers->only_arm_right,
                       c = answers->only_baseline_right;
    const double gain = static_cast<double>(b - c) / static_cast<double>(n);
    points.push_back(gain);
    sure.push_back(stats::sure_sign(n, b, c) != 0);
    *alt += " " + in_words(digest.groups[group]) + " " + signed_points_text(gain);
  }
  return {{"gains", points}, {"sure", sure}};
}

}  // namespace

std::optional<FigureData> study_gains_figure(const RunData& run) {
  const ConfigValue* gains = run.resolved.find_path("report.gains");
  if (gains == nullptr || gains->is_null() || run.rows.empty()) return std::nullopt;
  const GainsSettings settings = parse_gains(*gains, std::nullopt);
  const StudyDigest digest = make_study_digest(run);
  if (digest.groups_are_baselines() || digest.has_measures) return std::nullopt;
  const std::string group_key = digest.group_keys.empty() ? "" : digest.group_keys.front();
  const std::vector<std::size_t> columns = columns_of(digest, settings.rows.front());
  if (columns.empty()) return std::nullopt;
  FigureData figure;
  Json panels = Json::array(), labels = Json::array(), apart = Json::array();
  for (const GainsRow& row : settings.rows) {
    labels.push_back(row.label);
    // The same arm in all panels is not one of the pairs that are compared.
    apart.push_back(std::all_of(row.arms.begin(), row.arms.end(),
                                [&](const std::string& arm) { return arm == row.arms[0]; }));
  }
  for (std::size_t panel = 0; panel < settings.panels.size(); ++panel) {
    Json cells = Json::array();
    for (const GainsRow& row : settings.rows) {
      figure.alt += settings.panels[panel] + ", " + row.label + ":";
      cells.push_back(cells_of(digest, row.arms[panel], columns, &figure.alt));
      figure.alt += ". ";
    }
    panels.push_back({{"title", settings.panels[panel]}, {"rows", cells}});
  }
  const std::string baseline = in_words(digest.arms[digest.baselines[columns.front()]]);
  figure.title = "What is gained and lost against " + baseline;
  figure.caption =
      "Percentage points more (blue) or fewer (red) right answers than " + baseline +
      ", the same trials asked of both. Bold: sure at 95 %, by the interval and the exact test.";
  figure.drawing = {{"name", "study_gains"},
                    {"kind", "gains"},
                    {"columns", column_labels(digest, columns, settings)},
                    {"xlabel", in_words(group_key.substr(group_key.rfind('.') + 1))},
                    {"rows", labels},
                    {"apart", settings.panels.size() > 1 ? apart : Json::array()},
                    {"from", baseline + ", % right"},
                    {"label", "points gained over " + baseline},
                    {"panels", panels}};
  return figure;
}

}  // namespace sightline::host::report
