#include "host/meta_memory/memory_update.h"

#include <algorithm>
#include <string>
#include <utility>

#include "host/error.h"

namespace sightline::host {
namespace {

void check_rules(const UpdateRules& rules) {
  if (rules.threshold > 0 && rules.threshold <= 1) return;
  throw InputError("an updated memory: its threshold is " + std::to_string(rules.threshold) +
                   "; it must be above 0 and at most 1");
}

bool are_within(const kernels::Vec3& a, const kernels::Vec3& b, double reach_m) {
  const kernels::Vec3 apart = kernels::minus(a, b);
  return kernels::dot(apart, apart) <= reach_m * reach_m;
}

}  // namespace

void append_in_place_of(const std::optional<Overlap>& old, const Entry& entry,
                        const std::vector<float>& embedding, EntryTable* table,
                        std::vector<Replacement>* log) {
  if (old && (old->row < 0 || old->row >= table->size() || table->is_deleted(old->row))) {
    throw InputError("an entry cannot take the place of row " + std::to_string(old->row) +
                     ": the table has " + std::to_string(table->size()) +
                     " rows, and of these it must be one that is not deleted");
  }
  append_entry(entry, embedding, table);
  if (!old) return;
  mark_deleted(old->row, table);
  log->push_back({old->row, table->size() - 1, old->share});
}

UpdatedMemory::UpdatedMemory(EntryTable* table, ViewIndex views, const UpdateRules& rules)
    : table_(table), views_(std::move(views)), rules_(rules) {
  check_rules(rules);
  bool is_same = views_.size() == table->size();
  for (std::int64_t row = 0; is_same && row < table->size(); ++row) {
    is_same = views_.holds(row) != table->is_deleted(row);
  }
  if (is_same) return;
  throw InputError("an updated memory: " + std::to_string(views_.size()) + " views for " +
                   std::to_string(table->size()) +
                   " entries; give one for each, taken out where the entry is deleted");
}

std::optional<Replacement> UpdatedMemory::append(const Entry& entry,
                                                 const std::vector<float>& embedding,
                                                 VoxelSet voxels) {
  ViewIndex::MayBe is_of_another;
  if (rules_.spares_own_sequence) {
    is_of_another = [&](std::int64_t row) {
      return table_->sequence[static_cast<std::size_t>(row)] != entry.sequence;
    };
  }
  const auto old = views_.best(entry.position_m, voxels, rules_.threshold, is_of_another);
  append_in_place_of(old, entry, embedding, table_, &log_);
  views_.add(entry.position_m, std::move(voxels));
  if (!old) return std::nullopt;
  views_.remove(old->row);
  return log_.back();
}

std::vector<VoxelSet> views_to_compare(const EntryTable& table, std::int64_t first_new,
                                       const World& world, const ViewRules& rules, Device& device) {
  const double reach_m = 2 * rules.range_m;  // views farther apart share nothing
  const auto may_share = [&](std::int64_t row) {
    for (std::int64_t other = first_new; other < table.size(); ++other) {
      if (are_within(table.position_m[static_cast<std::size_t>(row)],
                     table.position_m[static_cast<std::size_t>(other)], reach_m)) {
        return true;
      }
    }
    return false;
  };
  std::vector<View> compared;
  std::vector<std::size_t> row_of;
  for (std::int64_t row = 0; row < table.size(); ++row) {
    if (row < first_new && (table.is_deleted(row) || !may_share(row))) continue;
    const auto i = static_cast<std::size_t>(row);
    compared.push_back({table.position_m[i], table.yaw_rad[i]});
    row_of.push_back(i);
  }
  std::vector<VoxelSet> seen = visible_voxels(world, compared, rules, device);
  std::vector<VoxelSet> views(static_cast<std::size_t>(table.size()));
  for (std::size_t i = 0; i < seen.size(); ++i) views[row_of[i]] = std::move(seen[i]);
  return views;
}

std::vector<Replacement> update_by_overlap(std::int64_t first_new, std::vector<VoxelSet> views,
                                           double range_m, const UpdateRules& rules,
                                           EntryTable* table) {
  check_rules(rules);
  ViewIndex index(range_m);
  std::vector<Replacement> log;
  for (std::int64_t row = 0; row < table->size(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    std::optional<Overlap> old;
    if (row >= first_new) {
      old = index.best(table->position_m[i], views[i], rules.threshold, [&](std::int64_t other) {
        return !rules.spares_own_sequence ||
               table->sequence[static_cast<std::size_t>(other)] != table->sequence[i];
      });
    }
    index.add(table->position_m[i], std::move(views[i]));
    if (table->is_deleted(row)) index.remove(row);
    if (!old) continue;
    mark_deleted(old->row, table);
    index.remove(old->row);
    log.push_back({old->row, row, old->share});
  }
  return log;
}

std::int64_t num_live(const EntryTable& table) {
  std::int64_t live = 0;
  for (std::int64_t row = 0; row < table.size(); ++row) live += table.is_deleted(row) ? 0 : 1;
  return live;
}

}  // namespace sightline::host
