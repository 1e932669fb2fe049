#include "host/report/study_costs.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "host/report/axes.h"
#include "host/report/study_page.h"
#include "host/report/table.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

/// What arms are held against.
struct Cost {
  const char *name, *axis, *title;
  double scale;  ///< from the unit that is kept to the one that is drawn
};
constexpr Cost kCosts[] = {
    {"seconds", "time per trial (microseconds)", "What an answer takes", 1e6},
    {"stored_bytes", "bytes kept per memory", "What an answer needs kept", 1},
    {"candidates", "memories scored per trial", "What an answer looks at", 1}};

/// Costs of some rows of one arm added up, and the rows' cheapest and dearest.
struct CostPool {
  double sum = 0, count = 0, cheapest = 0, dearest = 0;

  void add(double cost, double over) {
    if (!(cost > 0) || !(over > 0)) return;
    const double one = cost / over;
    cheapest = count > 0 ? std::min(cheapest, one) : one;
    dearest = count > 0 ? std::max(dearest, one) : one;
    sum += cost;
    count += over;
  }
};

void add_row(const RunData::Row& row, const std::string& against, CostPool* pool) {
  const StudyAnswers& study = row.result.study;
  const auto trials = static_cast<double>(study.num_trials);
  // To have nothing to say takes no time that would mean anything.
  const bool is_silent = study.num_unanswered == study.num_trials;
  if (against == "seconds" && !is_silent) pool->add(row.cost.seconds, trials);
  if (against == "candidates") pool->add(static_cast<double>(study.num_candidates), trials);
  if (against != "stored_bytes") return;
  const auto memories = static_cast<double>(study.memory_size);
  pool->add(static_cast<double>(study.stored_bytes), memories > 0 ? memories : trials);
}

/// The rows that a point stands for: of one arm, and with `report.lines` of one group.
struct Point {
  std::size_t arm;
  std::string tag;
  ResultRow total;
  CostPool cost;
};

std::vector<Point> points_of(const RunData& run, const StudyDigest& digest, bool by_group,
                             const std::string& against) {
  const auto axis = static_cast<std::size_t>(std::find(run.axis_keys.begin(), run.axis_keys.end(),
                                                       by_group ? digest.group_keys.front() : "") -
                                             run.axis_keys.begin());
  std::vector<Point> points;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    for (const std::string& group : by_group ? digest.groups : std::vector<std::string>{""}) {
      Point& point = points.emplace_back(Point{arm, group, {}, {}});
      for (const RunData::Row& row : run.rows) {
        if (row.result.arm != digest.arms[arm]) continue;
        if (by_group && row.axis_labels[axis] != group) continue;
        measures_of(ExperimentKind::kStudy).add(row.result, &point.total);
        add_row(row, against, &point.cost);
      }
    }
  }
  return points;
}

Json series_of(const StudyDigest& digest, std::size_t arm, const std::vector<Point>& points,
               double scale, std::string* alt) {
  Json one = {{"label", digest.arms[arm]}, {"color", arm}};
  for (const char* key : {"x", "cheapest", "dearest", "y", "low", "high", "tags"}) {
    one[key] = Json::array();
  }
  for (const Point& point : points) {
    const std::optional<Rate> right = digest.rate_of(point.total);
    if (point.arm != arm || !right || !(point.cost.count > 0)) continue;
    const double mean = point.cost.sum / point.cost.count * scale;
    one["x"].push_back(mean);
    // Of equal costs, rounding may put the mean a bit beside the range.
    one["cheapest"].push_back(std::min(mean, point.cost.cheapest * scale));
    one["dearest"].push_back(std::max(mean, point.cost.dearest * scale));
    one["y"].push_back(right->value);
    one["low"].push_back(right->interval.low);
    one["high"].push_back(right->interval.high);
    one["tags"].push_back(point.tag);
    *alt += digest.arms[arm] + (point.tag.empty() ? "" : " at " + point.tag) + ": " +
            digest.text_of(right->value, 0) + " for " + number_text(mean) + ". ";
  }
  return one;
}

void add_once(const std::string& label, std::vector<std::string>* labels) {
  if (std::find(labels->begin(), labels->end(), label) == labels->end()) labels->push_back(label);
}

/// The first axis of three numbers or more, seeds aside.
std::optional<std::size_t> axis_of_numbers(const RunData& run) {
  constexpr std::size_t kFewest = 3;
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    if (run.axis_keys[axis] == "seed" || run.axis_keys[axis] == "replicate") continue;
    std::vector<std::string> labels;
    bool are_numbers = true;
    for (const RunData::Row& row : run.rows) {
      are_numbers = are_numbers && row.axis_values[axis].is_number();
      add_once(row.axis_labels[axis], &labels);
    }
    if (are_numbers && labels.size() >= kFewest) return axis;
  }
  return std::nullopt;
}

}  // namespace

std::string study_cost_table(const RunData& run) {
  const ConfigValue* against = run.resolved.find_path("report.against");
  const std::optional<std::size_t> along = axis_of_numbers(run);
  if (against == nullptr || against->is_null() || run.rows.empty() || !along) return "";
  std::vector<std::string> labels, arms;
  for (const RunData::Row& row : run.rows) {
    add_once(row.axis_labels[*along], &labels);
    add_once(row.result.arm, &arms);
  }
  std::string html;
  for (const Cost& cost : kCosts) {
    std::vector<Table::Column> columns{{"arm", Table::Kind::kWord}};
    for (const std::string& label : labels) columns.push_back({label, Table::Kind::kNumber});
    Table table(columns);
    bool has_any = false;
    for (const std::string& arm : arms) {
      std::vector<std::string> cells{arm};
      for (const std::string& label : labels) {
        CostPool pool;
        for (const RunData::Row& row : run.rows) {
          if (row.result.arm != arm || row.axis_labels[*along] != label) continue;
          add_row(row, cost.name, &pool);
        }
        has_any = has_any || pool.count > 0;
        cells.push_back(pool.count > 0 ? number_text(pool.sum / pool.count * cost.scale) : "–");
      }
      table.add(cells);
    }
    if (!has_any) continue;
    html += note(std::string("Over ") + run.axis_keys[*along] + ": " + cost.axis +
                 ". A dash: not counted, or nothing to say.") +
            table.html();
  }
  return html;
}

std::optional<FigureData> study_cost_figure(const RunData& run) {
  const ConfigValue* against = run.resolved.find_path("report.against");
  if (against == nullptr || against->is_null() || run.rows.empty()) return std::nullopt;
  const Cost& cost = *std::find_if(std::begin(kCosts), std::end(kCosts),
                                   [&](const Cost& one) { return against->as_text() == one.name; });
  const StudyDigest digest = make_study_digest(run);
  if (digest.has_measures) return std::nullopt;
  const bool by_group = !line_axis_of(run).empty() && !digest.group_keys.empty();
  const std::vector<Point> points = points_of(run, digest, by_group, cost.name);
  FigureData figure;
  Json series = Json::array();
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    Json one = series_of(digest, arm, points, cost.scale, &figure.alt);
    if (!one["x"].empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return std::nullopt;
  double cheapest = series[0]["x"][0], dearest = cheapest;
  for (const Json& one : series) {
    for (const Json& x : one["x"]) {
      cheapest = std::min(cheapest, x.get<double>());
      dearest = std::max(dearest, x.get<double>());
    }
  }
  constexpr double kDecade = 10;
  figure.title = cost.title;
  figure.caption = std::string(
                       "Bars across are the cheapest and the dearest configuration, upright "
                       "ones 95 % intervals.") +
                   (by_group ? " A point for each " + digest.group_keys.front() + "." : "");
  figure.drawing = {{"name", "study_costs"},
                    {"kind", "cost"},
                    {"series", series},
                    {"log", dearest > kDecade * cheapest},
                    {"xlabel", cost.axis},
                    {"ylabel", digest.shows_scores ? "mean score" : "share of right answers"}};
  return figure;
}

}  // namespace sightline::host::report
