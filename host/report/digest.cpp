#include "host/report/digest.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "host/error.h"
#include "host/report/arm_nature.h"
#include "host/report/axes.h"
#include "host/report/observer_counts.h"
#include "host/report/text.h"
#include "host/sweep/answer_columns.h"

namespace sightline::host::report {
namespace {

constexpr std::size_t kNoAxis = static_cast<std::size_t>(-1);

template <typename T>
std::size_t index_in(const std::vector<T>& values, const T& value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

/// The text at a dotted key of the sweep file; empty if there is none.
std::string text_at(const RunData& run, const std::string& key) {
  const ConfigValue* value = run.resolved.is_map() ? run.resolved.find_path(key) : nullptr;
  return value != nullptr && value->is_text() ? value->as_text() : "";
}

std::size_t axis_with(const std::vector<AxisUse>& axes, AxisUse::Role role) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].role == role) return axis;
  }
  return kNoAxis;
}

std::vector<std::string> arms_of(const RunData& run) {
  std::vector<std::string> arms;
  for (const RunData::Row& row : run.rows) {
    if (index_in(arms, row.result.arm) == arms.size()) arms.push_back(row.result.arm);
  }
  return arms;
}

double accuracy_of(const Pool& pool) {
  if (pool.num_known() == 0) return 0;
  return static_cast<double>(pool.answers.correct) / static_cast<double>(pool.num_known());
}

std::vector<double> sorted_steps(const RunData& run, std::size_t axis) {
  std::set<double> steps;
  for (const RunData::Row& row : run.rows) steps.insert(row.axis_values[axis].as_number());
  return {steps.begin(), steps.end()};
}

/// The step that the file gives beside the axis, or the middle one.
std::size_t usual_step(const RunData& run, const std::string& key,
                       const std::vector<double>& steps_m) {
  const ConfigValue* value = run.resolved.is_map() ? run.resolved.find_path(key) : nullptr;
  if (value != nullptr && value->is_number()) {
    const std::size_t step = index_in(steps_m, value->as_number());
    if (step < steps_m.size()) return step;
  }
  return steps_m.size() / 2;
}

/// Labels in the order of the run, or by size where they are numbers.
std::vector<std::string> ordered_lines(const RunData& run, const AxisUse& use, std::size_t axis) {
  if (!use.is_numeric) return use.values;
  std::map<double, std::string> by_size;
  for (const RunData::Row& row : run.rows) {
    by_size[row.axis_values[axis].as_number()] = row.axis_labels[axis];
  }
  std::vector<std::string> lines;
  for (const auto& [size, text] : by_size) lines.push_back(text);
  return lines;
}

void assign_roles(const RunData& run, Digest& digest) {
  digest.axes = assign_axes(run, line_axis_of(run));
  digest.lines = {""};
  const std::size_t step_axis = axis_with(digest.axes, AxisUse::Role::kStep);
  const std::size_t line_axis = axis_with(digest.axes, AxisUse::Role::kLine);
  if (step_axis != kNoAxis) {
    digest.steps_m = sorted_steps(run, step_axis);
    digest.usual_step = usual_step(run, digest.axes[step_axis].key, digest.steps_m);
  }
  if (line_axis != kNoAxis) {
    digest.line_key = digest.axes[line_axis].key;
    digest.lines = ordered_lines(run, digest.axes[line_axis], line_axis);
    digest.lines_are_numbers = digest.axes[line_axis].is_numeric;
  }
}

void add_counts(const RunData& run, Digest& digest) {
  const std::size_t step_axis = axis_with(digest.axes, AxisUse::Role::kStep);
  const std::size_t line_axis = axis_with(digest.axes, AxisUse::Role::kLine);
  digest.pools.resize(digest.arms.size() * digest.lines.size() * digest.num_steps());
  for (const RunData::Row& row : run.rows) {
    if (!is_shown(row, digest.axes)) continue;
    const std::size_t arm = index_in(digest.arms, row.result.arm);
    std::size_t line = 0, step = 0;
    if (line_axis != kNoAxis) line = index_in(digest.lines, row.axis_labels[line_axis]);
    if (step_axis != kNoAxis) {
      step = index_in(digest.steps_m, row.axis_values[step_axis].as_number());
    }
    digest.pools[(arm * digest.lines.size() + line) * digest.num_steps() + step].add(row);
  }
}

/// Does the arm itself answer differently at another step? How it compares with the baseline may
/// change without it.
bool same_answers(const Answers& a, const Answers& b) {
  return a.correct == b.correct && a.false_visible == b.false_visible &&
         a.false_occluded == b.false_occluded && a.said_unknown == b.said_unknown &&
         a.num_rays == b.num_rays;
}

std::vector<bool> find_step_users(const Digest& digest) {
  std::vector<bool> uses(digest.arms.size(), false);
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    for (std::size_t line = 0; line < digest.lines.size(); ++line) {
      const Answers& first = digest.at(arm, line, 0).answers;
      for (std::size_t step = 1; step < digest.num_steps(); ++step) {
        if (!same_answers(first, digest.at(arm, line, step).answers)) uses[arm] = true;
      }
    }
  }
  return uses;
}

/// Never wrong at any line and step.
bool always_right(const Digest& digest, std::size_t arm) {
  for (std::size_t line = 0; line < digest.lines.size(); ++line) {
    for (std::size_t step = 0; step < digest.num_steps(); ++step) {
      const Pool& pool = digest.at(arm, line, step);
      if (pool.answers.correct != pool.num_known()) return false;
    }
  }
  return true;
}

void describe_arms(const RunData& run, Digest& digest) {
  const std::map<std::string, ArmNature> natures = read_arm_natures(run);
  const std::size_t step_axis = axis_with(digest.axes, AxisUse::Role::kStep);
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    const auto found = natures.find(digest.arms[arm]);
    const ArmNature nature = found == natures.end() ? ArmNature() : found->second;
    digest.arm_step_m.push_back(nature.step_m);
    digest.arm_sets_step.push_back(
        step_axis != kNoAxis && replaces_axis(run, digest.arms[arm], digest.axes[step_axis].key));
    // Only the first configuration's settings were looked at; the counts are of all.
    digest.arm_is_oracle.push_back(nature.is_oracle && always_right(digest, arm));
  }
}

/// The arm that the file names; else the most accurate one at the finest step, of those whose
/// answers change with the step if there are any, else of those that march if any does.
std::size_t find_primary(const RunData& run, const Digest& digest) {
  const std::string named = text_at(run, "report.arm");
  if (!named.empty()) {
    const std::size_t arm = index_in(digest.arms, named);
    if (arm < digest.arms.size()) return arm;
    throw InputError("report.arm: the run has no arm " + named + "; it has " +
                     join_words(digest.arms));
  }
  std::size_t primary = digest.baseline;
  std::tuple<bool, bool, double> best{false, false, -1};
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    const std::tuple<bool, bool, double> score{digest.arm_uses_step[arm], digest.takes_steps(arm),
                                               accuracy_of(digest.over_lines(arm, 0))};
    if (score > best) {
      best = score;
      primary = arm;
    }
  }
  return primary;
}

/// "village", "geb079.bt", "built from boxes"; empty where an axis varies it: the tables tell.
std::string world_name(const RunData& run) {
  for (const AxisUse& axis : assign_axes(run, "")) {
    if (axis.key.rfind("world", 0) == 0) return "";
  }
  const std::string file = text_at(run, "world.file");
  if (!file.empty()) return file.substr(file.find_last_of('/') + 1);
  for (const char* key : {"world.scene", "world.scene.name"}) {
    const std::string scene = text_at(run, key);
    if (!scene.empty()) return scene.substr(scene.find_last_of('/') + 1);
  }
  return "";
}

void describe_oracle(const RunData& run, Digest& digest) {
  std::string method = text_at(run, "oracle.method");
  if (method.empty()) method = "hdda";  // what a sweep file gets that names none
  const ConfigValue* step_m =
      run.resolved.is_map() ? run.resolved.find_path("oracle.step_m") : nullptr;
  digest.oracle_is_exact = method == "hdda" || method == "dda";
  digest.oracle = digest.oracle_is_exact ? "the exact walk" : "a fine march";
  if (!digest.oracle_is_exact && step_m != nullptr && step_m->is_number()) {
    digest.oracle = "a march with a step of " + number_text(step_m->as_number()) + " m";
  }
  if (text_at(run, "oracle.predict") == "field_of_view_and_line_of_sight") {
    digest.oracle += " within the field of view";
  }
}

}  // namespace

void Pool::add(const RunData::Row& row) {
  for (const AnswerColumn& column : kAnswerColumns) {
    answers.*column.count += row.result.answers.*column.count;
  }
  seconds += row.cost.seconds;
  cost_rays += row.cost.num_rays;
  if (row.cost.num_rays == 0) return;
  const double per_ray_s = row.cost.seconds / static_cast<double>(row.cost.num_rays);
  cheapest_s = std::min(cheapest_s, per_ray_s);
  dearest_s = std::max(dearest_s, per_ray_s);
}

void Pool::add(const Pool& other) {
  for (const AnswerColumn& column : kAnswerColumns) {
    answers.*column.count += other.answers.*column.count;
  }
  seconds += other.seconds;
  cost_rays += other.cost_rays;
  cheapest_s = std::min(cheapest_s, other.cheapest_s);
  dearest_s = std::max(dearest_s, other.dearest_s);
}

std::string Digest::line_label(std::size_t line) const {
  return lines_are_numbers ? axis_value_label(line_key, lines[line]) : lines[line];
}

const Pool& Digest::at(std::size_t arm, std::size_t line, std::size_t step) const {
  return pools[(arm * lines.size() + line) * num_steps() + step];
}

Pool Digest::over_lines(std::size_t arm, std::size_t step) const {
  Pool sum;
  for (std::size_t line = 0; line < lines.size(); ++line) sum.add(at(arm, line, step));
  return sum;
}

bool leaves_out(const RunData& run) {
  const ConfigValue* exclude = run.resolved.is_map() ? run.resolved.find("exclude") : nullptr;
  return exclude != nullptr && exclude->is_list() && !exclude->items().empty();
}

Digest make_digest(const RunData& run) {
  if (run.rows.empty()) {
    throw InputError(run.directory +
                     ": the run has no results yet; finish it with sightline sweep "
                     "--resume");
  }
  Digest digest;
  digest.name = run.name.empty() ? text_at(run, "name") : run.name;
  digest.description = text_at(run, "description");
  digest.world = world_name(run);
  digest.arms = arms_of(run);
  const std::size_t baseline = index_in(digest.arms, text_at(run, "baseline"));
  digest.baseline = baseline < digest.arms.size() ? baseline : 0;
  describe_oracle(run, digest);
  digest.is_partial = leaves_out(run);
  count_observers(run, &digest);
  assign_roles(run, digest);
  add_counts(run, digest);
  digest.arm_uses_step = find_step_users(digest);
  describe_arms(run, digest);
  digest.primary = find_primary(run, digest);
  return digest;
}

}  // namespace sightline::host::report
