#include "host/report/recall_digest.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "host/error.h"
#include "host/report/axes.h"
#include "host/report/digest.h"
#include "host/report/recall_place.h"
#include "host/report/text.h"
#include "host/sweep/summary.h"

namespace sightline::host::report {
namespace {

constexpr std::size_t kNoAxis = static_cast<std::size_t>(-1);

const ConfigValue* value_at(const RunData& run, const std::string& key) {
  return run.resolved.is_map() ? run.resolved.find_path(key) : nullptr;
}

std::string text_at(const RunData& run, const std::string& key) {
  const ConfigValue* value = value_at(run, key);
  return value != nullptr && value->is_text() ? value->as_text() : "";
}

bool is_repetition(const std::string& key) {
  const std::string name = key.substr(key.find_last_of('.') + 1);
  return name == "seed" || name == "replicate";
}

/// The values of an axis in the order of the run, and the value of a row as an index.
struct AxisValues {
  std::unordered_map<std::string_view, std::uint32_t> known;  // into the run's own labels
  std::vector<std::string> labels;
  std::vector<double> numbers;
  bool all_numbers = true;

  void add(const RunData::Row& row, std::size_t axis) {
    const auto next = static_cast<std::uint32_t>(labels.size());
    if (!known.emplace(row.axis_labels[axis], next).second) return;
    labels.push_back(row.axis_labels[axis]);
    all_numbers = all_numbers && row.axis_values[axis].is_number();
    if (all_numbers) numbers.push_back(row.axis_values[axis].as_number());
  }
};

std::vector<AxisValues> read_axes(const RunData& run) {
  std::vector<AxisValues> axes(run.axis_keys.size());
  for (const RunData::Row& row : run.rows) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis].add(row, axis);
  }
  return axes;
}

/// What each axis of the run is to the page.
struct Roles {
  std::size_t offset = kNoAxis;
  std::vector<std::size_t> settings, repetitions, verified;
};

bool is_verification(const std::string& key) { return key.rfind(kVerifyPrefix, 0) == 0; }

/// Does the offset say which value the axis has (they are zipped)? Then it is no setting of its
/// own.
bool goes_with_offset(const RunData& run, std::size_t axis) {
  const auto offset = std::find(run.axis_keys.begin(), run.axis_keys.end(), kOffsetKey);
  if (offset == run.axis_keys.end()) return false;
  const auto offset_idx = static_cast<std::size_t>(offset - run.axis_keys.begin());
  std::unordered_map<std::string_view, std::string_view> value_at;
  for (const RunData::Row& row : run.rows) {
    const std::string_view value = row.axis_labels[axis];
    if (value_at.emplace(row.axis_labels[offset_idx], value).first->second != value) return false;
  }
  return value_at.size() > 1;
}

Roles assign_roles(const RunData& run, const std::vector<AxisValues>& axes, RecallDigest* digest) {
  const std::string lines = line_axis_of(run);
  if (!lines.empty() &&
      std::find(run.axis_keys.begin(), run.axis_keys.end(), lines) == run.axis_keys.end()) {
    throw InputError("report.lines: the run has no axis " + lines + "; it has " +
                     join_words(run.axis_keys));
  }
  Roles roles;
  digest->offsets = {""};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::string& key = run.axis_keys[axis];
    const std::size_t num_values = axes[axis].labels.size();
    if (key == kOffsetKey && key != lines) {
      roles.offset = axis;
      digest->has_offsets = true;
      digest->offsets = axes[axis].labels;
    } else if (is_repetition(key) || (!lines.empty() && key != lines)) {
      roles.repetitions.push_back(axis);
      if (num_values > 1) digest->pooled.push_back({key, num_values});
    } else if (num_values > 1 && (key == lines || !goes_with_offset(run, axis))) {
      const bool verifies = is_verification(key) && key != lines;
      (verifies ? roles.verified : roles.settings).push_back(axis);
      const AxisValues& values = axes[axis];
      (verifies ? digest->verified : digest->settings)
          .push_back(
              {key, values.labels, values.all_numbers ? values.numbers : std::vector<double>()});
    }
  }
  return roles;
}

void add_row(const RunData::Row& row, RecallPool* pool) {
  const RecallAnswers& answers = row.result.recall;
  ResultRow total;
  total.recall = pool->answers;
  measures_of(ExperimentKind::kRecall).add(row.result, &total);
  pool->answers = total.recall;
  ++pool->num_rows;
  if (answers.num_queries == 0) return;
  const auto time_of = [&](double seconds) {
    const double per_query_s = seconds / static_cast<double>(answers.num_queries);
    return RecallPool::Time{seconds, per_query_s, per_query_s};
  };
  pool->whole.add(time_of(row.cost.seconds));
  pool->gate.add(time_of(row.cost.gate_seconds));
}

/// Is a pool of `num_rows` rows so many times this one row?
bool repeats(const RecallPool& pool, const RunData::Row& row) {
  const std::vector<CountColumn>& counts = measures_of(ExperimentKind::kRecall).counts;
  return std::all_of(counts.begin(), counts.end(), [&](const CountColumn& column) {
    return pool.answers.*column.recall == pool.num_rows * column.of(row.result);
  });
}

/// Rows to variants, by arm and the values of the setting axes.
class VariantTable {
 public:
  VariantTable(const std::vector<AxisValues>& axes, const Roles& roles, RecallDigest* digest)
      : axes_(axes), roles_(roles), digest_(*digest) {
    for (std::size_t arm = 0; arm < digest->arms.size(); ++arm) arms_[digest->arms[arm]] = arm;
  }

  /// Index of the row's variant, which may be new; kNoAxis for a row that says again what another
  /// one has said: an axis moved that the arm replaces, or that no rank depends on.
  std::size_t of(const RunData::Row& row, std::size_t row_idx) {
    RecallVariant variant{arms_.at(row.result.arm), {}, row_idx, false};
    std::string key = row.result.arm + '\n';
    bool may_repeat = !roles_.verified.empty();
    for (std::size_t i = 0; i < roles_.settings.size(); ++i) {
      const bool replaces = digest_.arm_replaces[variant.arm][i];
      may_repeat = may_repeat || replaces;
      variant.values.push_back(replaces ? 0 : value_of(row, roles_.settings[i]));
      append(variant.values.back(), &key);
    }
    if (may_repeat && !is_first(row, key)) return kNoAxis;
    const auto [found, is_new] = known_.emplace(std::move(key), digest_.variants.size());
    if (is_new) {
      digest_.variants.push_back(std::move(variant));
      digest_.pools.resize(digest_.pools.size() + digest_.offsets.size());
    }
    return found->second;
  }

 private:
  static void append(std::uint32_t value, std::string* key) {
    key->append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  std::uint32_t value_of(const RunData::Row& row, std::size_t axis) const {
    return axes_[axis].known.at(row.axis_labels[axis]);
  }
  /// Is it the first of its variant at its offset and repetition?
  bool is_first(const RunData::Row& row, std::string key) {
    if (roles_.offset != kNoAxis) append(value_of(row, roles_.offset), &key);
    for (const std::size_t axis : roles_.repetitions) append(value_of(row, axis), &key);
    return said_.insert(std::move(key)).second;
  }

  const std::vector<AxisValues>& axes_;
  const Roles& roles_;
  RecallDigest& digest_;
  std::unordered_map<std::string_view, std::size_t> arms_;
  std::unordered_map<std::string, std::size_t> known_;
  std::unordered_set<std::string> said_;
};

void add_counts(const RunData& run, const std::vector<AxisValues>& axes, const Roles& roles,
                RecallDigest* digest) {
  VariantTable table(axes, roles, digest);
  bool any_repeat = false, all_equal = true;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const RunData::Row& row = run.rows[i];
    const std::size_t variant = table.of(row, i);
    if (variant == kNoAxis) continue;
    std::size_t offset = 0;
    if (roles.offset != kNoAxis)
      offset = axes[roles.offset].known.at(row.axis_labels[roles.offset]);
    RecallPool& pool = digest->pools[variant * digest->offsets.size() + offset];
    any_repeat = any_repeat || pool.num_rows > 0;
    all_equal = all_equal && repeats(pool, row);
    add_row(row, &pool);
  }
  const bool from_file =
      value_at(run, "memories.file") != nullptr || value_at(run, "memories.corpus") != nullptr;
  digest->questions_repeat = any_repeat && !all_equal && from_file;
  digest->is_partial = leaves_out(run);
  if (!any_repeat || !all_equal) return;
  digest->repeats_are_equal = true;
  for (RecallPool& pool : digest->pools) {
    if (pool.num_rows == 0) continue;
    for (const CountColumn& column : measures_of(ExperimentKind::kRecall).counts) {
      pool.answers.*column.recall /= pool.num_rows;
    }
    pool.whole.total_s /= static_cast<double>(pool.num_rows);
    pool.gate.total_s /= static_cast<double>(pool.num_rows);
  }
}

std::vector<std::string> arms_of(const RunData& run) {
  std::vector<std::string> arms;
  for (const RunData::Row& row : run.rows) {
    if (std::find(arms.begin(), arms.end(), row.result.arm) == arms.end()) {
      arms.push_back(row.result.arm);
    }
  }
  return arms;
}

/// "Hit@5", if every arm of every configuration has the same k.
std::string find_hit_name(const RunData& run, const std::vector<std::string>& arms) {
  const std::vector<std::int64_t> first = ks_of(run, arms.front());
  const bool is_one = std::all_of(arms.begin(), arms.end(), [&](const std::string& arm) {
    const std::vector<std::int64_t> ks = ks_of(run, arm);
    return ks.size() == 1 && ks == first;
  });
  return "Hit@" + (is_one ? std::to_string(first.front()) : "k");
}

std::size_t find_arm(const std::vector<std::string>& arms, const std::string& name) {
  return static_cast<std::size_t>(std::find(arms.begin(), arms.end(), name) - arms.begin());
}

/// The arm that the file names, else the one with the variant that hits most.
std::size_t find_primary(const RunData& run, const RecallDigest& digest) {
  const std::string named = text_at(run, "report.arm");
  if (!named.empty()) {
    const std::size_t arm = find_arm(digest.arms, named);
    if (arm < digest.arms.size()) return arm;
    throw InputError("report.arm: the run has no arm " + named + "; it has " +
                     join_words(digest.arms));
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < digest.variants.size(); ++i) {
    if (digest.mean_hit_rate(i) > digest.mean_hit_rate(best)) best = i;
  }
  return digest.variants[best].arm;
}

}  // namespace

void RecallPool::add(const RecallPool& other) {
  for (const CountColumn& column : measures_of(ExperimentKind::kRecall).counts) {
    answers.*column.recall += other.answers.*column.recall;
  }
  num_rows += other.num_rows;
  whole.add(other.whole);
  gate.add(other.gate);
}

void RecallPool::Time::add(const Time& other) {
  total_s += other.total_s;
  cheapest_s = std::min(cheapest_s, other.cheapest_s);
  dearest_s = std::max(dearest_s, other.dearest_s);
}

std::optional<Rate> RecallPool::rate(const char* name) const {
  ResultRow row;
  row.recall = answers;
  return measures_of(ExperimentKind::kRecall).find_rate(name)->of(row);
}

RecallPool RecallDigest::over_offsets(std::size_t variant) const {
  RecallPool sum;
  for (std::size_t offset = 0; offset < offsets.size(); ++offset) sum.add(at(variant, offset));
  return sum;
}

double RecallDigest::mean_hit_rate(std::size_t variant) const {
  double sum = 0;
  int num_asked = 0;
  for (std::size_t offset = 0; offset < offsets.size(); ++offset) {
    const RecallAnswers& answers = at(variant, offset).answers;
    if (answers.num_queries == 0) continue;
    sum += static_cast<double>(answers.hits) / static_cast<double>(answers.num_queries);
    ++num_asked;
  }
  return num_asked > 0 ? sum / num_asked : 0;
}

std::string RecallDigest::offset_label(std::size_t offset) const {
  const std::string& label = offsets[offset];
  const bool is_number = label.find_first_not_of("0123456789.") == std::string::npos;
  return is_number && !label.empty() ? label + " m" : label;
}

RecallDigest make_recall_digest(const RunData& run) {
  if (run.rows.empty()) {
    throw InputError(run.directory +
                     ": the run has no results yet; finish it with sightline sweep --resume");
  }
  RecallDigest digest;
  digest.name = run.name.empty() ? text_at(run, "name") : run.name;
  digest.description = text_at(run, "description");
  digest.arms = arms_of(run);
  digest.hit_name = find_hit_name(run, digest.arms);
  const std::size_t baseline = find_arm(digest.arms, text_at(run, "baseline"));
  digest.baseline = baseline < digest.arms.size() ? baseline : 0;
  const std::vector<AxisValues> axes = read_axes(run);
  const Roles roles = assign_roles(run, axes, &digest);
  find_replaced_axes(run, &digest);
  add_counts(run, axes, roles, &digest);
  find_place_users(run, &digest);
  digest.primary = find_primary(run, digest);
  return digest;
}

}  // namespace sightline::host::report
