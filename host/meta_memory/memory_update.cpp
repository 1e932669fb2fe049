#include "host/meta_memory/memory_update.h"

#include <algorithm>
#include <string>
#include <utility>

#include "host/error.h"

namespace sightline::host {

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
  if (!(rules.threshold > 0 && rules.threshold <= 1)) {
    throw InputError("an updated memory: its threshold is " + std::to_string(rules.threshold) +
                     "; it must be above 0 and at most 1");
  }
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

std::int64_t num_live(const EntryTable& table) {
  std::int64_t live = 0;
  for (std::int64_t row = 0; row < table.size(); ++row) live += table.is_deleted(row) ? 0 : 1;
  return live;
}

}  // namespace sightline::host
