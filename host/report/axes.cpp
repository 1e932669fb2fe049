#include "host/report/axes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "host/error.h"
#include "host/report/text.h"
#include "host/sweep/answer_columns.h"

namespace sightline::host::report {
namespace {

using Role = AxisUse::Role;

std::string last_part(const std::string& key) { return key.substr(key.find_last_of('.') + 1); }

bool is_step_key(const std::string& key) {
  return last_part(key) == "step_m" && key.rfind("oracle.", 0) != 0;
}

bool is_repetition(const std::string& key) {
  const std::string name = last_part(key);
  return name == "seed" || name == "replicate";
}

std::vector<AxisUse> read_axes(const RunData& run) {
  std::vector<AxisUse> axes;
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    AxisUse use;
    use.key = run.axis_keys[axis];
    use.is_numeric = true;
    std::set<std::string_view> seen;
    for (const RunData::Row& row : run.rows) {
      use.is_numeric = use.is_numeric && row.axis_values[axis].is_number();
      if (seen.insert(row.axis_labels[axis]).second) use.values.push_back(row.axis_labels[axis]);
    }
    axes.push_back(std::move(use));
  }
  return axes;
}

/// Does every value of one axis come with one value of the other, and the reverse?
bool move_together(const RunData& run, std::size_t a, std::size_t b) {
  std::map<std::string_view, std::string_view> forth, back;
  for (const RunData::Row& row : run.rows) {
    const std::string_view in_a = row.axis_labels[a], in_b = row.axis_labels[b];
    if (forth.emplace(in_a, in_b).first->second != in_b) return false;
    if (back.emplace(in_b, in_a).first->second != in_a) return false;
  }
  return true;
}

void find_tied(const RunData& run, std::vector<AxisUse>& axes) {
  for (std::size_t axis = 1; axis < axes.size(); ++axis) {
    for (std::size_t earlier = 0; earlier < axis; ++earlier) {
      if (axes[axis].values.size() < 2 || axes[earlier].role == Role::kTied) continue;
      if (move_together(run, earlier, axis)) axes[axis].role = Role::kTied;
    }
  }
}

bool same_answers(const Answers& a, const Answers& b) {
  return std::all_of(kAnswerColumns.begin(), kAnswerColumns.end(), [&](const AnswerColumn& column) {
    return a.*column.count == b.*column.count;
  });
}

/// True if every setting of the other axes was run with all values of this one, and each time all
/// its values gave the same counts.
bool has_no_effect(const RunData& run, const std::vector<AxisUse>& axes, std::size_t axis) {
  struct Group {
    const Answers* first;
    std::size_t size = 0;
  };
  std::map<std::string, Group> groups;  // by arm and the values of the other axes
  for (const RunData::Row& row : run.rows) {
    std::string others = row.result.arm;
    for (std::size_t other = 0; other < axes.size(); ++other) {
      if (other != axis) others += '\n' + row.axis_labels[other];
    }
    Group& group = groups.emplace(others, Group{&row.result.answers}).first->second;
    if (!same_answers(*group.first, row.result.answers)) return false;
    ++group.size;
  }
  return std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.second.size == axes[axis].values.size();
  });
}

/// How far apart the values of an axis are: the largest difference in any arm's pooled accuracy.
double spread_of(const RunData& run, std::size_t axis) {
  struct Share {
    double correct = 0, known = 0;
  };
  std::map<std::string_view, std::map<std::string_view, Share>> by_arm;
  for (const RunData::Row& row : run.rows) {
    const Answers& answers = row.result.answers;
    Share& share = by_arm[row.result.arm][row.axis_labels[axis]];
    share.correct += static_cast<double>(answers.correct);
    share.known += static_cast<double>(answers.num_visible + answers.num_occluded);
  }
  double spread = 0;
  for (const auto& [arm, by_value] : by_arm) {
    double low = 1, high = 0;
    for (const auto& [value, share] : by_value) {
      if (share.known == 0) continue;
      low = std::min(low, share.correct / share.known);
      high = std::max(high, share.correct / share.known);
    }
    spread = std::max(spread, high - low);
  }
  return spread;
}

/// Of the axes that are still pooled, the one that changes the answers most; of equals the first.
AxisUse* find_line_axis(const RunData& run, std::vector<AxisUse>& axes) {
  AxisUse* best = nullptr;
  double widest = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::size_t num_values = axes[axis].values.size();
    if (axes[axis].role != Role::kPooled || is_repetition(axes[axis].key)) continue;
    if (num_values < 2 || num_values > kMaxLines) continue;
    const double spread = spread_of(run, axis);
    if (spread > widest) {
      best = &axes[axis];
      widest = spread;
    }
  }
  return best;
}

}  // namespace

std::string line_axis_of(const RunData& run) {
  const ConfigValue* lines =
      run.resolved.is_map() ? run.resolved.find_path("report.lines") : nullptr;
  if (!lines) return "";
  const std::string key = lines->as_text();
  const auto& axes = run.axis_keys;
  const bool is_axis = std::find(axes.begin(), axes.end(), key) != axes.end();
  return is_axis || !run.resolved.find_path(key) ? key : "";
}

namespace {

AxisUse* named_line_axis(std::vector<AxisUse>& axes, const std::string& key) {
  for (AxisUse& axis : axes) {
    if (axis.key != key) continue;
    if (axis.values.size() <= kMaxLines && axis.role != Role::kStep) return &axis;
    throw InputError("report.lines: " + key + " cannot be told apart by lines; it needs at most " +
                     std::to_string(kMaxLines) + " values and must not be the march step");
  }
  std::vector<std::string> keys;
  for (const AxisUse& axis : axes) keys.push_back(axis.key);
  throw InputError("report.lines: the run has no axis " + key + "; it has " + join_words(keys));
}

}  // namespace

std::vector<AxisUse> assign_axes(const RunData& run, const std::string& line_key) {
  std::vector<AxisUse> axes = read_axes(run);
  find_tied(run, axes);
  for (AxisUse& axis : axes) {
    if (!is_step_key(axis.key) || !axis.is_numeric || axis.role == Role::kTied) continue;
    axis.role = Role::kStep;
    break;
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].role != Role::kPooled || axes[axis].values.size() < 2) continue;
    if (has_no_effect(run, axes, axis)) axes[axis].role = Role::kNoEffect;
  }
  AxisUse* line = line_key.empty() ? find_line_axis(run, axes) : named_line_axis(axes, line_key);
  if (line != nullptr) line->role = Role::kLine;
  return axes;
}

bool is_shown(const RunData::Row& row, const std::vector<AxisUse>& axes) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].role == Role::kNoEffect && row.axis_labels[axis] != axes[axis].values[0]) {
      return false;
    }
  }
  return true;
}

}  // namespace sightline::host::report
