// Arms side by side: what becomes of their targets, and what they cost.
#include <algorithm>
#include <cmath>

#include "host/report/figure_data.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "host/sweep/results_csv.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNanoseconds = 1e9;
constexpr double kLogarithmicFrom = 4;  ///< times further apart are drawn on a logarithmic axis

/// One row of bars: what becomes of an arm's targets.
Json bar_row(const std::string& label, const Pool& pool) {
  const Answers& answers = pool.answers;
  const double known = static_cast<double>(std::max<std::int64_t>(1, pool.num_known()));
  Json shares = Json::array();
  for (const std::int64_t count :
       {answers.correct, answers.false_visible, answers.false_occluded, answers.said_unknown}) {
    shares.push_back(static_cast<double>(count) / known);
  }
  const std::optional<Rate> right = accuracy(answers);
  return {{"label", label},
          {"shares", shares},
          {"text", right ? percent_text(right->value) + " right" : "no known answer"}};
}

Json bar_parts() {
  return {{{"label", "right"}, {"color", kRight}, {"hatch", ""}},
          {{"label", "hidden, called visible"}, {"color", kFalseVisible}, {"hatch", "////"}},
          {{"label", "visible, called hidden"}, {"color", kFalseHidden}, {"hatch", "...."}},
          {{"label", "called unknown"}, {"color", kUnknown}, {"hatch", ""}}};
}

/// A bar in words.
std::string bar_text(const Json& row, const Pool& pool) {
  return " " + row.at("label").get<std::string>() + ": " + row.at("text").get<std::string>() +
         ", " + count_text(pool.answers.false_visible) + " false visible, " +
         count_text(pool.answers.false_occluded) + " false hidden of " +
         count_text(pool.num_known()) + ".";
}

FigureData bars_figure(const std::string& name, const std::vector<std::string>& labels,
                       const std::vector<Pool>& pools) {
  FigureData figure;
  Json rows = Json::array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    rows.push_back(bar_row(labels[i], pools[i]));
    figure.alt += bar_text(rows.back(), pools[i]);
  }
  figure.drawing = {{"name", name},
                    {"kind", "bars"},
                    {"xlabel", "share of targets"},
                    {"rows", rows},
                    {"parts", bar_parts()}};
  return figure;
}

double nanoseconds_per_ray(const Pool& pool) {
  return pool.cost_rays > 0 ? pool.seconds * kNanoseconds / static_cast<double>(pool.cost_rays) : 0;
}

/// Does a pass over the rays answer several steps, so that each has but a share of its time?
bool shares_passes(const Digest& digest, std::size_t arm) {
  return digest.num_steps() > 1 && digest.follows_steps(arm);
}

/// Where the arm gives a step of its own beside the axis: that step.
std::string own_step_text(const Digest& digest, std::size_t arm) {
  const bool has_own = digest.arm_sets_step[arm] && digest.arm_step_m[arm] > 0;
  return has_own ? number_text(digest.arm_step_m[arm]) + " m" : "";
}

/// Lowest accuracy of the primary arm, if it takes steps: less accurate arms would squeeze its
/// line.
double lowest_accuracy_shown(const Digest& digest) {
  if (!digest.arm_uses_step[digest.primary]) return 0;
  double lowest = 1;
  for (std::size_t step = 0; step < digest.num_steps(); ++step) {
    const std::optional<Rate> right = accuracy(digest.over_lines(digest.primary, step).answers);
    if (right) lowest = std::min(lowest, right->value);
  }
  return lowest;
}

/// Cost and accuracy of one arm at each step where a time was taken; null if there is none.
Json cost_series(const Digest& digest, std::size_t arm, double lowest) {
  Json x = Json::array(), cheapest = Json::array(), dearest = Json::array();
  Json y = Json::array(), low = Json::array(), high = Json::array(), tags = Json::array();
  const std::size_t num_points = shares_passes(digest, arm) ? digest.num_steps() : 1;
  for (std::size_t step = 0; step < num_points; ++step) {
    const Pool pool = digest.over_lines(arm, step);
    const std::optional<Rate> right = accuracy(pool.answers);
    const double cost = nanoseconds_per_ray(pool);
    if (!right || !(cost > 0) || right->value < lowest) continue;
    x.push_back(cost);
    // Of equal costs, rounding may put the mean a bit beside the range.
    cheapest.push_back(std::min(cost, pool.cheapest_s * kNanoseconds));
    dearest.push_back(std::max(cost, pool.dearest_s * kNanoseconds));
    y.push_back(right->value);
    low.push_back(right->interval.low);
    high.push_back(right->interval.high);
    tags.push_back(num_points > 1 ? number_text(digest.steps_m[step]) + " m"
                                  : own_step_text(digest, arm));
  }
  if (x.empty()) return nullptr;
  return {{"label", digest.arms[arm]},
          {"color", arm_color(digest, arm)},
          {"x", x},
          {"cheapest", cheapest},
          {"dearest", dearest},
          {"y", y},
          {"low", low},
          {"high", high},
          {"tags", tags}};
}

std::string cost_caption(const Digest& digest) {
  std::string text = "Each point is an arm";
  if (!digest.steps_m.empty()) text += " at the march step beside it";
  text += "; up and left is better. Horizontal bars: the cheapest and the dearest configuration.";
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (!shares_passes(digest, arm)) continue;
    return text +
           " One pass over the rays answers many steps: the time of a step is an estimate "
           "of what it takes alone, by a sample of the rays. Samples in empty space are skipped "
           "many at a time, so a coarse step need not be the cheaper one.";
  }
  return text;
}

/// The points of the series in words, and the range of their costs.
struct CostRange {
  std::string words;
  double cheapest = INFINITY, dearest = 0;
};

CostRange describe_costs(const Json& series) {
  CostRange range;
  for (const Json& one : series) {
    for (std::size_t i = 0; i < one.at("x").size(); ++i) {
      const double cost = one.at("x")[i];
      range.cheapest = std::min(range.cheapest, cost);
      range.dearest = std::max(range.dearest, cost);
      range.words += " " + one.at("label").get<std::string>() + " " +
                     one.at("tags")[i].get<std::string>() + ": " + number_text(std::round(cost)) +
                     " ns, " + percent_text(one.at("y")[i]) + " right.";
    }
  }
  return range;
}

/// "March step 0.1 m, of mine always 0.05 m, added up over field_of_view.half_angle_deg".
std::string held_by_arm_bars(const Digest& digest) {
  std::string held;
  if (!digest.steps_m.empty()) {
    held = "March step " + number_text(digest.steps_m[digest.usual_step]) + " m";
    for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
      const std::string own = own_step_text(digest, arm);
      if (!own.empty()) held += ", of " + digest.arms[arm] + " always " + own;
    }
  }
  if (!digest.has_lines()) return held;
  return held + (held.empty() ? "Added up over " : ", added up over ") + digest.line_key;
}

}  // namespace

FigureData arm_bars_figure(const Digest& digest) {
  std::vector<std::string> labels;
  std::vector<Pool> pools;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    labels.push_back(digest.arms[arm] + (arm == digest.baseline ? " (baseline)" : ""));
    pools.push_back(digest.over_lines(arm, digest.usual_step));
  }
  FigureData figure = bars_figure("arms", labels, pools);
  figure.title = "What each arm makes of the targets";
  figure.held = held_by_arm_bars(digest);
  figure.caption = "All targets whose visibility is known; the truth is " + digest.oracle + ".";
  if (!figure.held.empty()) figure.caption += " " + figure.held + ".";
  figure.caption += construction_note(digest);
  figure.alt = "Answers of each arm." + figure.alt;
  return figure;
}

FigureData line_bars_figure(const Digest& digest) {
  std::vector<Pool> pools;
  for (std::size_t line = 0; line < digest.lines.size(); ++line) {
    pools.push_back(digest.at(digest.primary, line, 0));
  }
  FigureData figure = bars_figure("lines", digest.lines, pools);
  figure.title = digest.arms[digest.primary] + " by " + axis_name(digest.line_key);
  figure.caption = "All targets whose visibility is known; the truth is " + digest.oracle + ".";
  for (const std::string& note : pooling_notes(digest)) figure.caption += " " + note;
  figure.alt = "Answers of " + digest.arms[digest.primary] + "." + figure.alt;
  return figure;
}

std::optional<FigureData> cost_figure(const Digest& digest) {
  const double lowest = lowest_accuracy_shown(digest);
  Json series = Json::array();
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    const Json one = cost_series(digest, arm, lowest);
    if (!one.is_null()) series.push_back(one);
  }
  if (series.empty()) return std::nullopt;

  const CostRange range = describe_costs(series);
  const bool logarithmic = range.dearest / range.cheapest >= kLogarithmicFrom;
  FigureData figure;
  figure.drawing = {
      {"name", "cost"},
      {"kind", "cost"},
      {"log", logarithmic},
      {"xlabel", std::string("time per ray (ns)") + (logarithmic ? ", logarithmic" : "")},
      {"ylabel", "targets judged right"},
      {"series", series}};
  figure.title = "What accuracy costs";
  if (digest.has_lines()) figure.held = "Added up over " + digest.line_key;
  figure.caption = cost_caption(digest);
  if (lowest > 0) {
    figure.caption +=
        " What is less accurate than " + digest.arms[digest.primary] + " at its worst is left out.";
  }
  figure.caption += construction_note(digest);
  figure.caption +=
      " Times are of the machine named below and differ on others; the answers on "
      "this page do not.";
  figure.alt = "Accuracy against time per ray." + range.words;
  return figure;
}

}  // namespace sightline::host::report
