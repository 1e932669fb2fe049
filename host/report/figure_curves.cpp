// The first figure: accuracy and false-visible rate against the march step.
#include <algorithm>
#include <array>
#include <functional>

#include "host/report/figure_data.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "host/sweep/results_csv.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;
using RateOf = std::optional<Rate> (*)(const Answers&);

constexpr double kDecades = 8;  ///< steps that span more are drawn on a logarithmic axis

/// One line of the first figure: an arm, or a value of the line axis for the primary arm.
struct Line {
  std::string label;
  std::size_t color;
  std::function<Pool(std::size_t step)> pool;
};

/// Lines by the line axis for the primary arm, or by arm.
std::vector<Line> lines_of(const Digest& digest) {
  std::vector<Line> lines;
  if (digest.has_lines()) {
    for (std::size_t line = 0; line < digest.lines.size(); ++line) {
      lines.push_back({digest.line_label(line), line, [&digest, line](std::size_t step) {
                         return digest.at(digest.primary, line, step);
                       }});
    }
    return lines;
  }
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (!digest.arm_uses_step[arm] && arm != digest.primary) continue;
    lines.push_back({digest.arms[arm], arm_color(digest, arm),
                     [&digest, arm](std::size_t step) { return digest.at(arm, 0, step); }});
  }
  return lines;
}

/// A rate for every step, with its interval; null where there is nothing to count.
Json curve(const Digest& digest, const Line& line, RateOf rate_of_answers) {
  Json y = Json::array(), low = Json::array(), high = Json::array();
  for (std::size_t step = 0; step < digest.num_steps(); ++step) {
    const std::optional<Rate> rate = rate_of_answers(line.pool(step).answers);
    y.push_back(rate ? Json(rate->value) : Json());
    low.push_back(rate ? Json(rate->interval.low) : Json());
    high.push_back(rate ? Json(rate->interval.high) : Json());
  }
  return {{"label", line.label}, {"color", line.color}, {"y", y}, {"low", low}, {"high", high}};
}

/// Lowest and highest number drawn, with a margin, inside [-margin, 1 + margin].
std::array<double, 2> y_limits(const Json& curves, double always) {
  double low = always, high = always;
  for (const Json& one : curves) {
    for (const char* key : {"low", "high"}) {
      for (const Json& value : one.at(key)) {
        if (value.is_null()) continue;
        low = std::min(low, value.get<double>());
        high = std::max(high, value.get<double>());
      }
    }
  }
  const double margin = 0.04 * std::max(high - low, 1e-3);
  return {low - margin, high + margin};
}

/// Arms that take no steps, as level lines where they are on the scale.
Json levels(const Digest& digest, RateOf rate_of_answers, double exact,
            const std::array<double, 2>& limits) {
  Json list = Json::array();
  if (digest.oracle_is_exact) {
    list.push_back({{"label", "exact walk (the truth)"}, {"y", exact}, {"color", nullptr}});
  }
  if (digest.has_lines()) return list;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (digest.arm_uses_step[arm] || arm == digest.primary || digest.arm_is_oracle[arm]) continue;
    const std::optional<Rate> rate = rate_of_answers(digest.at(arm, 0, 0).answers);
    if (!rate || rate->value < limits[0] || rate->value > limits[1]) continue;
    list.push_back(
        {{"label", digest.arms[arm]}, {"y", rate->value}, {"color", arm_color(digest, arm)}});
  }
  return list;
}

Json panel(const Digest& digest, const std::vector<Line>& lines, RateOf rate_of_answers,
           double exact, const std::string& title, const std::string& label) {
  Json curves = Json::array();
  for (const Line& line : lines) curves.push_back(curve(digest, line, rate_of_answers));
  const std::array<double, 2> limits = y_limits(curves, exact);
  return {{"title", title},
          {"ylabel", label},
          {"curves", curves},
          {"levels", levels(digest, rate_of_answers, exact, limits)},
          {"ylim", limits}};
}

/// Arms whose level lies outside the first figure, in words.
std::string off_scale_note(const Digest& digest, const Json& accuracy_panel) {
  if (digest.has_lines()) return "";
  std::vector<std::string> notes;
  const std::array<double, 2> limits = accuracy_panel.at("ylim");
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (digest.arm_uses_step[arm] || arm == digest.primary) continue;
    const std::optional<Rate> rate = accuracy(digest.at(arm, 0, 0).answers);
    if (!rate || (rate->value >= limits[0] && rate->value <= limits[1])) continue;
    notes.push_back(digest.arms[arm] + " (" + percent_text(rate->value) + ")");
  }
  if (notes.empty()) return "";
  return " Off the scale, and the same at every step: accuracy of " + join_words(notes) + ".";
}

/// "accuracy of X: 96.2 % at 1 m, 98.7 % at 0.5 m": a curve in words.
std::string curves_in_words(const Digest& digest, const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) {
    std::vector<std::string> points;
    for (std::size_t step = digest.num_steps(); step-- > 0;) {
      const Answers answers = line.pool(step).answers;
      const std::optional<Rate> right = accuracy(answers), wrong = false_visible_rate(answers);
      if (!right) continue;
      points.push_back(number_text(digest.steps_m[step]) + " m: " + percent_text(right->value) +
                       " right" +
                       (wrong ? ", " + percent_text(wrong->value) + " false visible" : ""));
    }
    text += " " + line.label + ": " + join_words(points) + ".";
  }
  return text;
}

}  // namespace

FigureData curves_figure(const Digest& digest) {
  const std::vector<Line> lines = lines_of(digest);
  const bool logarithmic =
      digest.steps_m.front() > 0 && digest.steps_m.back() / digest.steps_m.front() >= kDecades;
  FigureData figure;
  const Json right = panel(digest, lines, accuracy, 1, "Accuracy", "targets judged right");
  figure.drawing = {{"name", "curves"},
                    {"kind", "curves"},
                    {"x",
                     {{"label", "march step (m)" + std::string(logarithmic ? ", logarithmic" : "")},
                      {"values", digest.steps_m},
                      {"log", logarithmic}}},
                    {"panels",
                     {right, panel(digest, lines, false_visible_rate, 0, "False visible",
                                   "hidden targets called visible")}}};
  figure.title = "What a coarser march gets wrong";
  figure.caption =
      "Left: share of targets judged right. Right: share of hidden targets that are called "
      "visible. Bars and bands: 95 % Wilson intervals of the pooled counts. Held against " +
      digest.oracle + "." + off_scale_note(digest, right);
  if (digest.has_lines()) {
    figure.held = digest.arms[digest.primary] + ", a line per " + digest.line_key;
    figure.caption += " One line per " + digest.line_key + ".";
  }
  for (const std::string& note : pooling_notes(digest)) figure.caption += " " + note;
  figure.alt =
      "Accuracy and false-visible rate against march step." + curves_in_words(digest, lines);
  return figure;
}

}  // namespace sightline::host::report
