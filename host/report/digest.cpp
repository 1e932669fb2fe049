#include "host/report/digest.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "host/error.h"
#include "host/report/text.h"
#include "host/sweep/answer_columns.h"
#include "host/sweep/results_csv.h"

namespace sightline::host::report {
namespace {

constexpr std::size_t kNoAxis = static_cast<std::size_t>(-1);

std::string last_part(const std::string& key) { return key.substr(key.find_last_of('.') + 1); }

bool is_step_key(const std::string& key) {
  return last_part(key) == "step_m" && key.rfind("oracle.", 0) != 0;
}

bool is_repetition(const std::string& key) {
  const std::string name = last_part(key);
  return name == "seed" || name == "replicate" || name == "replicates";
}

bool all_numbers(const RunData& run, std::size_t axis) {
  return std::all_of(run.rows.begin(), run.rows.end(), [axis](const RunData::Row& row) {
    return row.axis_values[axis].is_number();
  });
}

template <typename T>
std::size_t index_in(const std::vector<T>& values, const T& value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

/// Puts a value at the end of the list unless it is there.
template <typename T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<AxisUse> read_axes(const RunData& run) {
  std::vector<AxisUse> axes;
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    AxisUse use;
    use.key = run.axis_keys[axis];
    std::set<std::string> seen;
    for (const RunData::Row& row : run.rows) {
      std::string text = axis_text(row.axis_values[axis]);
      if (seen.insert(text).second) use.values.push_back(std::move(text));
    }
    axes.push_back(std::move(use));
  }
  return axes;
}

std::size_t find_step_axis(const RunData& run, const std::vector<AxisUse>& axes) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (is_step_key(axes[axis].key) && all_numbers(run, axis)) return axis;
  }
  return kNoAxis;
}

double accuracy_of(const Pool& pool) {
  return pool.num_known() == 0 ? 0
                               : static_cast<double>(pool.answers.correct) /
                                     static_cast<double>(pool.num_known());
}

/// How far apart the values of an axis are: the largest difference in any arm's pooled accuracy.
double spread_of(const RunData& run, std::size_t axis) {
  std::map<std::string, std::map<std::string, Pool>> by_arm;
  for (const RunData::Row& row : run.rows) {
    by_arm[row.result.arm][axis_text(row.axis_values[axis])].add(row);
  }
  double spread = 0;
  for (const auto& [arm, by_value] : by_arm) {
    double low = 1, high = 0;
    for (const auto& [value, pool] : by_value) {
      low = std::min(low, accuracy_of(pool));
      high = std::max(high, accuracy_of(pool));
    }
    spread = std::max(spread, high - low);
  }
  return spread;
}

/// The axis that changes the answers most, of those with few enough values; of equals the first.
std::size_t find_line_axis(const RunData& run, const std::vector<AxisUse>& axes,
                           std::size_t step_axis) {
  std::size_t best = kNoAxis;
  double widest = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::size_t num_values = axes[axis].values.size();
    if (axis == step_axis || is_repetition(axes[axis].key)) continue;
    if (num_values < 2 || num_values > kMaxLines) continue;
    const double spread = spread_of(run, axis);
    if (spread > widest) {
      best = axis;
      widest = spread;
    }
  }
  return best;
}

std::vector<double> sorted_steps(const RunData& run, std::size_t axis) {
  std::set<double> steps;
  for (const RunData::Row& row : run.rows) steps.insert(row.axis_values[axis].as_number());
  return {steps.begin(), steps.end()};
}

/// Values in the order of the run, or by size where they are numbers.
std::vector<std::string> ordered_lines(const RunData& run, const AxisUse& use, std::size_t axis) {
  if (!all_numbers(run, axis)) return use.values;
  std::map<double, std::string> by_size;
  for (const RunData::Row& row : run.rows) {
    by_size[row.axis_values[axis].as_number()] = axis_text(row.axis_values[axis]);
  }
  std::vector<std::string> lines;
  for (const auto& [size, text] : by_size) lines.push_back(text);
  return lines;
}

bool same_answers(const Answers& a, const Answers& b) {
  return std::all_of(kAnswerColumns.begin(), kAnswerColumns.end(),
                     [&](const AnswerColumn& column) { return a.*column.count == b.*column.count; });
}

/// Comparisons with the baseline are left out: a flat arm is compared with one that is not.
Answers own_answers(Answers answers) {
  answers.only_arm_right = answers.only_baseline_right = 0;
  return answers;
}

std::vector<bool> find_step_users(const Digest& digest) {
  std::vector<bool> uses(digest.arms.size(), false);
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    for (std::size_t line = 0; line < digest.lines.size(); ++line) {
      const Answers first = own_answers(digest.at(arm, line, 0).answers);
      for (std::size_t step = 1; step < digest.num_steps(); ++step) {
        if (!same_answers(first, own_answers(digest.at(arm, line, step).answers))) uses[arm] = true;
      }
    }
  }
  return uses;
}

std::size_t find_baseline(const RunData& run, const std::vector<std::string>& arms) {
  const ConfigValue* baseline = run.resolved.is_map() ? run.resolved.find("baseline") : nullptr;
  if (baseline == nullptr || !baseline->is_text()) return 0;
  const std::size_t arm = index_in(arms, baseline->as_text());
  return arm < arms.size() ? arm : 0;
}

/// The arm whose accuracy changes most with the step; of equals, and without steps, the most
/// accurate one.
std::size_t find_primary(const Digest& digest) {
  std::size_t primary = digest.baseline;
  std::pair<double, double> best{-1, -1};
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    const double fine = accuracy_of(digest.over_lines(arm, 0));
    const double coarse = accuracy_of(digest.over_lines(arm, digest.num_steps() - 1));
    const std::pair<double, double> score{std::max(fine - coarse, coarse - fine), fine};
    if (score > best) {
      best = score;
      primary = arm;
    }
  }
  return primary;
}

void describe_oracle(const RunData& run, Digest& digest) {
  std::string method = "hdda";  // what a sweep file gets that names none
  std::string step;
  if (run.resolved.is_map()) {
    const ConfigValue* chosen = run.resolved.find_path("oracle.method");
    const ConfigValue* step_m = run.resolved.find_path("oracle.step_m");
    if (chosen != nullptr && chosen->is_text()) method = chosen->as_text();
    if (step_m != nullptr && step_m->is_number()) step = number_text(step_m->as_number());
  }
  digest.oracle_is_exact = method == "hdda" || method == "dda";
  digest.oracle = digest.oracle_is_exact ? "the exact walk"
                  : step.empty()         ? "a fine march"
                                         : "a march with a step of " + step + " m";
}

std::string text_at(const ConfigValue& map, const char* key) {
  const ConfigValue* value = map.is_map() ? map.find(key) : nullptr;
  return value != nullptr && value->is_text() ? value->as_text() : "";
}

}  // namespace

void Pool::add(const RunData::Row& row) {
  for (const AnswerColumn& column : kAnswerColumns) {
    answers.*column.count += row.result.answers.*column.count;
  }
  seconds += row.cost.seconds;
  cost_rays += row.cost.num_rays;
  samples += row.cost.mean_steps * static_cast<double>(row.cost.num_rays);
}

void Pool::add(const Pool& other) {
  for (const AnswerColumn& column : kAnswerColumns) {
    answers.*column.count += other.answers.*column.count;
  }
  seconds += other.seconds;
  cost_rays += other.cost_rays;
  samples += other.samples;
}

const Pool& Digest::at(std::size_t arm, std::size_t line, std::size_t step) const {
  return pools[(arm * lines.size() + line) * num_steps() + step];
}

Pool Digest::over_lines(std::size_t arm, std::size_t step) const {
  Pool sum;
  for (std::size_t line = 0; line < lines.size(); ++line) sum.add(at(arm, line, step));
  return sum;
}

Digest make_digest(const RunData& run) {
  if (run.rows.empty()) {
    throw InputError(run.directory + ": the run has no results yet; finish it with sightline sweep "
                     "--resume");
  }
  Digest digest;
  digest.name = run.name.empty() ? text_at(run.resolved, "name") : run.name;
  digest.description = text_at(run.resolved, "description");
  digest.axes = read_axes(run);
  for (const RunData::Row& row : run.rows) add_once(digest.arms, row.result.arm);
  digest.baseline = find_baseline(run, digest.arms);
  describe_oracle(run, digest);

  const std::size_t step_axis = find_step_axis(run, digest.axes);
  const std::size_t line_axis = find_line_axis(run, digest.axes, step_axis);
  digest.lines = {""};
  if (step_axis != kNoAxis) {
    digest.axes[step_axis].role = AxisUse::Role::kStep;
    digest.steps_m = sorted_steps(run, step_axis);
  }
  if (line_axis != kNoAxis) {
    digest.axes[line_axis].role = AxisUse::Role::kLine;
    digest.line_key = digest.axes[line_axis].key;
    digest.lines = ordered_lines(run, digest.axes[line_axis], line_axis);
    digest.lines_are_numbers = all_numbers(run, line_axis);
  }

  digest.pools.resize(digest.arms.size() * digest.lines.size() * digest.num_steps());
  for (const RunData::Row& row : run.rows) {
    const std::size_t arm = index_in(digest.arms, row.result.arm);
    const std::size_t line = line_axis == kNoAxis
                                 ? 0
                                 : index_in(digest.lines, axis_text(row.axis_values[line_axis]));
    const std::size_t step =
        step_axis == kNoAxis
            ? 0
            : index_in(digest.steps_m, row.axis_values[step_axis].as_number());
    digest.pools[(arm * digest.lines.size() + line) * digest.num_steps() + step].add(row);
  }
  digest.arm_uses_step = find_step_users(digest);
  digest.primary = find_primary(digest);
  return digest;
}

}  // namespace sightline::host::report
