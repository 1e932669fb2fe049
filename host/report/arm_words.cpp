#include "host/report/arm_words.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "host/error.h"
#include "host/report/arm_nature.h"
#include "host/report/recall_place.h"
#include "host/report/table.h"
#include "host/report/text.h"
#include "host/sweep/recall_settings.h"

namespace sightline::host::report {
namespace {

using Kind = Table::Kind;

constexpr std::size_t kMostValues = 8;  ///< of an axis, told one by one

std::string degrees_text(double radians) {
  constexpr double kPerRadian = 57.29577951308232, kRounded = 1e3;
  return number_text(std::round(kRounded * kPerRadian * radians) / kRounded) + "°";
}

std::string joined(const std::vector<Gate>& parts, const char* between) {
  std::string text;
  for (const Gate& part : parts) text += (text.empty() ? "" : between) + gate_text(part);
  return text;
}

struct GateWords {
  std::string operator()(const RadiusGate& gate) const {
    return "within " + number_text(gate.radius_m) + " m";
  }
  std::string operator()(const NearestGate& gate) const {
    return "the " + count_text(gate.count) + " nearest";
  }
  std::string operator()(const DenseGate& gate) const {
    return "the " + count_text(gate.count) + " most alike (index " + gate.kind + ")";
  }
  std::string operator()(const BoxGate&) const { return "in a box"; }
  std::string operator()(const PolygonGate&) const { return "in a polygon"; }
  std::string operator()(const RegionGate& gate) const { return "in region " + gate.name; }
  std::string operator()(const ObjectGate& gate) const { return "of object " + gate.key; }
  std::string operator()(const AroundGate&) const { return "of things around the asker"; }
  std::string operator()(const FieldOfViewGate& gate) const {
    return field_of_view_text(gate.field_of_view);
  }
  std::string operator()(const SightGate& gate) const {
    return std::string(gate.at_encoding ? "in sight when made (" : "in sight (") +
           sight_text(gate.query, gate.step_m) + ")";
  }
  std::string operator()(const AllGate& gate) const { return joined(gate.parts, " and "); }
  std::string operator()(const AnyGate& gate) const {
    return "either " + joined(gate.parts, " or ");
  }
  std::string operator()(const NotGate& gate) const {
    return "not (" + joined(gate.part, "") + ")";
  }
};

const char* form_name(kernels::DecayForm form) {
  switch (form) {
    case kernels::DecayForm::kExponential:
      return "exponential";
    case kernels::DecayForm::kHyperbolic:
      return "hyperbolic";
    case kernels::DecayForm::kGaussian:
      return "gaussian";
    case kernels::DecayForm::kStep:
      return "step";
    case kernels::DecayForm::kHalfLife:
      return "half-life";
    case kernels::DecayForm::kLinear:
      break;
  }
  return "linear";
}

/// How a part falls off: " (linear, 100 m)"; nothing of a part that does not.
std::string decay_text(ScorePart part, const BlendSettings& blend) {
  constexpr double kDay_s = 86400;
  if (part == ScorePart::kSpatial) {
    return std::string(" (") + form_name(blend.proximity.form) + ", " +
           number_text(blend.proximity.scale) + " m)";
  }
  if (part != ScorePart::kRecency) return "";
  return std::string(" (") + form_name(blend.recency.form) + ", " +
         number_text(blend.recency.scale / kDay_s) + " days)";
}

/// "relevance", "0.5 relevance + 0.5 spatial (linear, 100 m)".
std::string ranking_text(const RecallJudge& judge) {
  const auto& weights = judge.blend.weights;
  const bool is_alone = std::count(weights.begin(), weights.end(), 0.0) == kNumScoreParts - 1;
  std::string text;
  for (int i = 0; i < kNumScoreParts; ++i) {
    const auto part = static_cast<ScorePart>(i);
    if (judge.blend.weight(part) == 0) continue;
    text += text.empty() ? "" : " + ";
    if (!is_alone) text += number_text(judge.blend.weight(part)) + " ";
    text += kScorePartNames[i] + decay_text(part, judge.blend);
  }
  if (judge.adapt_to_spread) text += ", weights by how far distances spread";
  if (judge.standardise == Standardise::kZScore) text += ", scaled to z scores";
  if (judge.standardise == Standardise::kMinMax) text += ", scaled from least to most";
  return text;
}

std::string kept_text(const RecallJudge& judge) {
  if (!judge.gate) return "all";
  const std::string text = gate_text(*judge.gate);
  return judge.penalty ? text + ", else charged " + number_text(*judge.penalty) : text;
}

/// The axes that set something of an arm, with their values: "visibility.step_m: 0.1, 0.5".
template <class Replaces>
std::string varied_text(const RunData& run, const std::string& prefix, const Replaces& replaces) {
  std::string text;
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    const std::string& key = run.axis_keys[axis];
    if (replaces(key) || (key.rfind(prefix, 0) != 0 && key.rfind("arms.", 0) != 0)) continue;
    std::vector<std::string> values;
    for (const RunData::Row& row : run.rows) {
      const std::string& label = row.axis_labels[axis];
      if (std::find(values.begin(), values.end(), label) == values.end()) values.push_back(label);
    }
    if (values.size() < 2) continue;
    text += (text.empty() ? "" : "; ") + key + ": ";
    if (values.size() > kMostValues) {
      text += count_text(static_cast<std::int64_t>(values.size())) + " values";
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ", ") + values[i];
  }
  return text;
}

/// Rows of texts under headings; a column in which no row has anything is left out.
std::string table_of(const std::vector<std::string>& headings,
                     const std::vector<std::vector<std::string>>& rows) {
  std::vector<Table::Column> columns;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const auto is_told = [&](const std::vector<std::string>& row) { return !row[i].empty(); };
    if (std::none_of(rows.begin(), rows.end(), is_told)) continue;
    columns.push_back({headings[i], i == 0 ? Kind::kWord : Kind::kLongText});
    shown.push_back(i);
  }
  Table table(columns);
  for (const std::vector<std::string>& row : rows) {
    std::vector<std::string> cells;
    for (const std::size_t i : shown) cells.push_back(row[i].empty() ? "–" : row[i]);
    table.add(cells);
  }
  return note(
             "As the first configuration has it; what is varied, with its values, in the last "
             "column.") +
         table.html();
}

std::string recall_arms_table(const RunData& run) {
  WorldSpecs worlds;
  const RecallExperiment experiment = parse_recall_experiment(settings_of(run, 0), worlds);
  std::vector<std::vector<std::string>> rows;
  for (const RecallArm& arm : experiment.arms) {
    const bool has_truth = arm.verify && arm.verify->truth;
    rows.push_back({arm.name, ranking_text(arm.judge), kept_text(arm.judge), count_text(arm.k),
                    arm.verify ? gate_text(arm.verify->says) : "",
                    has_truth ? gate_text(*arm.verify->truth) : "",
                    varied_text(run, "recall.", [&](const std::string& key) {
                      return arm_replaces(run, arm.name, key);
                    })});
  }
  return table_of({"arm", "ranks by", "memories that take part", "k", "called visible where",
                   "visible in truth where", "varied"},
                  rows);
}

const char* answer_name(Predict predict) {
  switch (predict) {
    case Predict::kHidden:
      return "always hidden";
    case Predict::kFieldOfView:
      return "field of view";
    case Predict::kLineOfSight:
      return "line of sight";
    case Predict::kFieldOfViewAndLineOfSight:
      return "field of view and line of sight";
    case Predict::kRenderedView:
      return "the observer's rendered view";
    case Predict::kVisible:
      break;
  }
  return "always visible";
}

std::string sight_arms_table(const RunData& run) {
  std::vector<std::vector<std::string>> rows;
  for (const Arm& arm : arms_at(run, 0)) {
    const Judge& judge = arm.judge;
    const auto replaces = [&](const std::string& key) {
      const bool is_used = key.rfind("arms.", 0) == 0 ||
                           (judge.sight && key.rfind("visibility.", 0) == 0) ||
                           (judge.field_of_view && key.rfind("field_of_view.", 0) == 0);
      const bool is_idle = key == "visibility.step_m" && judge.sight && !judge.sight->is_march();
      return !is_used || is_idle || replaces_axis(run, arm.name, key);
    };
    rows.push_back({arm.name, answer_name(judge.predict),
                    judge.field_of_view ? field_of_view_text(*judge.field_of_view) : "",
                    judge.sight ? sight_text(judge.sight->query, judge.sight->step_m) : "",
                    varied_text(run, "", replaces)});
  }
  return table_of({"arm", "calls visible by", "field of view", "line of sight", "varied"}, rows);
}

}  // namespace

std::string field_of_view_text(const kernels::FieldOfView& field_of_view) {
  std::string text;
  if (field_of_view.kind == kernels::FieldOfViewKind::kFrustum) {
    text = "in a view of " + degrees_text(2 * std::atan(field_of_view.tan_horizontal)) + " by " +
           degrees_text(2 * std::atan(field_of_view.tan_vertical));
  } else {
    text = "within " + degrees_text(std::acos(field_of_view.min_cos)) + " of straight ahead";
    if (field_of_view.kind == kernels::FieldOfViewKind::kYawCone) text += ", seen from above";
  }
  if (field_of_view.near_m > 0) text += ", from " + number_text(field_of_view.near_m) + " m";
  if (std::isfinite(field_of_view.far_m)) {
    text += ", up to " + number_text(field_of_view.far_m) + " m";
  }
  return text;
}

std::string sight_text(const VisibilityQuery& query, double step_m) {
  const bool is_march = query.method == Method::kMarch || query.method == Method::kMarchUniform;
  if (!is_march) return "exact walk";
  return std::string(query.method == Method::kMarchUniform ? "uniform march" : "march") +
         " in steps of " + number_text(step_m) + " m";
}

std::string gate_text(const Gate& gate) { return std::visit(GateWords(), gate.test); }

std::string arms_table(const RunData& run) {
  if (run.rows.empty() || !run.resolved.is_map()) return "";
  try {
    switch (run.kind()) {
      case ExperimentKind::kRecall:
        return recall_arms_table(run);
      case ExperimentKind::kStudy:
        return "";
      case ExperimentKind::kVisibility:
        break;
    }
    return sight_arms_table(run);
  } catch (const InputError&) {
    return "";  // settings of another version: a page can be made without
  }
}

}  // namespace sightline::host::report
