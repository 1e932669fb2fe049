// What verification says of the recalled memories, against how it looks: the march step.
#include <algorithm>
#include <map>

#include "host/report/recall_figures.h"
#include "host/report/recall_place.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

/// Counts of each arm at each value of the axis.
using PoolsOfArms = std::vector<std::vector<RecallPool>>;

/// The first axis of numbers; null without one.
const SettingAxis* numbered_axis(const RecallDigest& digest) {
  const auto axis = std::find_if(digest.verified.begin(), digest.verified.end(),
                                 [](const SettingAxis& one) { return !one.numbers.empty(); });
  return axis == digest.verified.end() ? nullptr : &*axis;
}

/// Adds up all else: other axes, offsets, seeds.
PoolsOfArms pools_along(const RunData& run, const RecallDigest& digest, const SettingAxis& axis) {
  const auto key = std::find(run.axis_keys.begin(), run.axis_keys.end(), axis.key);
  const auto axis_idx = static_cast<std::size_t>(key - run.axis_keys.begin());
  std::map<std::string, std::size_t> arms, values;
  for (const std::string& arm : digest.arms) arms.emplace(arm, arms.size());
  for (const std::string& label : axis.labels) values.emplace(label, values.size());
  PoolsOfArms pools(digest.arms.size(), std::vector<RecallPool>(axis.labels.size()));
  for (const RunData::Row& row : run.rows) {
    RecallPool one;
    one.answers = row.result.recall;
    pools[arms.at(row.result.arm)][values.at(row.axis_labels[axis_idx])].add(one);
  }
  return pools;
}

/// The values of the axis from the least on, as indices.
std::vector<std::size_t> ascending(const SettingAxis& axis) {
  std::vector<std::size_t> order(axis.numbers.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return axis.numbers[a] < axis.numbers[b]; });
  return order;
}

std::size_t color_of(const RecallDigest& digest, const std::vector<ShownVariant>& shown,
                     std::size_t arm) {
  const auto of_arm = std::find_if(shown.begin(), shown.end(), [&](const ShownVariant& one) {
    return digest.variants[one.variant].arm == arm;
  });
  return of_arm == shown.end() ? arm : of_arm->color;
}

/// A rate of an arm along the axis, or as a level if the axis says nothing of the arm.
struct Line {
  std::string label;
  std::size_t color = 0;
  bool is_level = false;
  std::vector<std::optional<Rate>> rates;
};

std::vector<Line> lines_of(const RunData& run, const RecallDigest& digest, const SettingAxis& axis,
                           const std::vector<ShownVariant>& shown, const PoolsOfArms& pools,
                           const char* rate) {
  std::vector<Line> lines;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    Line line{digest.arms[arm],
              color_of(digest, shown, arm),
              arm_replaces(run, digest.arms[arm], axis.key),
              {}};
    for (const std::size_t value : ascending(axis)) {
      line.rates.push_back(pools[arm][value].rate(rate));
    }
    const auto known = [](const std::optional<Rate>& one) { return one.has_value(); };
    if (std::any_of(line.rates.begin(), line.rates.end(), known)) lines.push_back(std::move(line));
  }
  return lines;
}

Json curve_of(const Line& line) {
  Json y = Json::array(), low = Json::array(), high = Json::array();
  for (const std::optional<Rate>& rate : line.rates) {
    y.push_back(rate ? Json(rate->value) : Json());
    low.push_back(rate ? Json(rate->interval.low) : Json());
    high.push_back(rate ? Json(rate->interval.high) : Json());
  }
  return {{"label", line.label}, {"color", line.color}, {"y", y}, {"low", low}, {"high", high}};
}

Json panel_of(const std::vector<Line>& lines, const std::string& title, const std::string& label) {
  constexpr double kMargin = 0.04, kFlattest = 1e-3;
  Json curves = Json::array(), levels = Json::array();
  double highest = 0;
  for (const Line& line : lines) {
    for (const std::optional<Rate>& rate : line.rates) {
      if (rate) highest = std::max(highest, rate->interval.high);
    }
    if (!line.is_level) {
      curves.push_back(curve_of(line));
      continue;
    }
    const auto known = std::find_if(line.rates.begin(), line.rates.end(),
                                    [](const std::optional<Rate>& one) { return one.has_value(); });
    levels.push_back({{"label", line.label}, {"y", (*known)->value}, {"color", line.color}});
  }
  const double margin = kMargin * std::max(highest, kFlattest);
  return {{"title", title},
          {"ylabel", label},
          {"curves", curves},
          {"levels", levels},
          {"ylim", {-margin, highest + margin}}};
}

std::string in_words(const SettingAxis& axis, const std::vector<Line>& lines) {
  const std::vector<std::size_t> order = ascending(axis);
  std::string text;
  for (const Line& line : lines) {
    std::vector<std::string> points;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!line.rates[i]) continue;
      points.push_back(percent_text(line.rates[i]->value) + " at " +
                       axis_value(axis.key, axis.labels[order[i]]));
    }
    text += " " + line.label + ": " + join_words(points) + ".";
  }
  return text;
}

constexpr const char* kWronglyVisible =
    " Wrongly called visible, of the recalled memories that are hidden";

/// Where there is no axis to tell of: every arm, all its configurations added up.
std::string levels_sentence(const RunData& run, const RecallDigest& digest) {
  std::vector<std::string> parts;
  for (const std::string& arm : digest.arms) {
    RecallPool pool;
    for (const RunData::Row& row : run.rows) {
      if (row.result.arm != arm) continue;
      RecallPool one;
      one.answers = row.result.recall;
      pool.add(one);
    }
    const std::optional<Rate> rate = pool.rate("false_visible_rate");
    if (rate) parts.push_back(arm + " " + percent_text(rate->value));
  }
  return parts.empty() ? "" : kWronglyVisible + (": " + join_words(parts)) + ".";
}

}  // namespace

std::string verify_sentence(const RunData& run, const RecallDigest& digest) {
  const SettingAxis* const axis = numbered_axis(digest);
  if (!axis) return levels_sentence(run, digest);
  const std::vector<std::size_t> order = ascending(*axis);
  const std::vector<Line> lines =
      lines_of(run, digest, *axis, {}, pools_along(run, digest, *axis), "false_visible_rate");
  std::vector<std::string> parts;
  for (const Line& line : lines) {
    const std::optional<Rate>&fine = line.rates.front(), &coarse = line.rates.back();
    if (!fine || !coarse) continue;
    if (line.is_level) {
      parts.push_back(line.label + " " + percent_text(fine->value));
    } else if (line.label == digest.arms[digest.primary]) {
      parts.push_back(line.label + " " + percent_text(fine->value) + " at " +
                      axis_value(axis->key, axis->labels[order.front()]) + " and " +
                      percent_text(coarse->value) + " at " +
                      axis_value(axis->key, axis->labels[order.back()]));
    }
  }
  if (parts.empty()) return "";
  return kWronglyVisible + (" (" + axis->key) + ", all else added up): " + join_words(parts) + ".";
}

std::optional<FigureData> recall_verify_figure(const RunData& run, const RecallDigest& digest,
                                               const std::vector<ShownVariant>& shown) {
  constexpr double kDecade = 8;  // steps that span more are drawn on a logarithmic axis
  const SettingAxis* const axis = numbered_axis(digest);
  if (!axis) return std::nullopt;
  const PoolsOfArms pools = pools_along(run, digest, *axis);
  const std::vector<Line> wrong = lines_of(run, digest, *axis, shown, pools, "false_visible_rate");
  const std::vector<Line> seen = lines_of(run, digest, *axis, shown, pools, "visible_share");
  if (seen.empty()) return std::nullopt;
  std::vector<double> values;
  for (const std::size_t value : ascending(*axis)) values.push_back(axis->numbers[value]);
  const bool logarithmic = values.front() > 0 && values.back() / values.front() >= kDecade;
  Json panels = Json::array();
  if (!wrong.empty()) {
    panels.push_back(panel_of(wrong, "False visible", "hidden memories called visible"));
  }
  panels.push_back(panel_of(seen, "Called visible", "recalled memories called visible"));
  FigureData figure;
  figure.drawing = {{"name", "verified"},
                    {"kind", "curves"},
                    {"x",
                     {{"label", axis_title(axis->key) + (logarithmic ? ", logarithmic" : "")},
                      {"values", values},
                      {"log", logarithmic}}},
                    {"panels", panels}};
  figure.title = "What verification tells of the recalled";
  figure.caption =
      std::string(wrong.empty() ? "Share"
                                : "Left: of the recalled memories that are hidden, the "
                                  "share called visible. Right: share") +
      " of all recalled memories that are called visible. Dashed: arms that verify in their own "
      "way, whatever the axis. Bars and bands: 95 % Wilson intervals of counts added up over all "
      "else that varies.";
  figure.alt = "False-visible rate against " + axis->key + "." + in_words(*axis, wrong) +
               " Share called visible." + in_words(*axis, seen);
  return figure;
}

}  // namespace sightline::host::report
