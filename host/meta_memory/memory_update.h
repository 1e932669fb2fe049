// A memory of scenes that change: an entry that sees again what an older one saw takes its place.
//
// Meta-Memory (Mao et al.), limitations, leaves this open. What an update is, here: the store stays
// append-only. The new entry is appended as every entry is, and the older one is marked deleted, so
// that rows keep their order in time, nothing that was written is written over, and a log says what
// took whose place. What the older entry knew is no longer found: where its view saw more than the
// new one does, that is lost.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/meta_memory/entries.h"
#include "host/meta_memory/view_overlap.h"

namespace sightline::host {

struct Replacement {
  std::int64_t old_row = 0, new_row = 0;
  double overlap = 0;  ///< of both views
};

/// Appends an entry, then marks the row whose place it takes, if any. Throws InputError, and leaves
/// the table as it was, as append_entry does, and for an old row that is none or marked before.
void append_in_place_of(const std::optional<Overlap>& old, const Entry& entry,
                        const std::vector<float>& embedding, EntryTable* table,
                        std::vector<Replacement>* log);

struct UpdateRules {
  /// Least overlap of an entry that is replaced, above 0 and at most 1.
  double threshold = 0.5;
  /// Entries of the new one's own sequence are not replaced: a walk does not thin itself out where
  /// one view shares much with the next.
  bool spares_own_sequence = false;
};

/// A table with the views of its entries, in step.
class UpdatedMemory {
 public:
  /// Goes on from a table and the views of its rows; an empty one and none to begin with. `table`
  /// must outlive this and is changed by this alone. Throws InputError if they have not the same
  /// rows, and for a threshold that cannot be.
  UpdatedMemory(EntryTable* table, ViewIndex views, const UpdateRules& rules);

  /// Appends an entry that sees `voxels` in place of the stored one of greatest overlap, of equals
  /// the lowest row, if that is at least the threshold; else besides all. Returns what it replaced.
  /// Throws InputError, and changes nothing, as append_entry does.
  std::optional<Replacement> append(const Entry& entry, const std::vector<float>& embedding,
                                    VoxelSet voxels);

  const EntryTable& table() const { return *table_; }
  const std::vector<Replacement>& log() const { return log_; }  ///< by new row

 private:
  EntryTable* table_;
  ViewIndex views_;
  UpdateRules rules_;
  std::vector<Replacement> log_;
};

/// The views of a table's rows in a world: [table.size()]. Rows before `first_new` that stand too
/// far from every later one to share a voxel with it, and deleted ones, have none. Entries without
/// a yaw see all around. Throws InputError as visible_voxels() does.
std::vector<VoxelSet> views_to_compare(const EntryTable& table, std::int64_t first_new,
                                       const World& world, const ViewRules& rules, Device& device);

/// As if the rows from `first_new` on had come one by one to an UpdatedMemory: each takes the place
/// of the earlier row of greatest overlap. `views`: [table->size()], seen from `range_m` at most.
/// Returns what was replaced, by new row. Throws InputError for rules that cannot be.
std::vector<Replacement> update_by_overlap(std::int64_t first_new, std::vector<VoxelSet> views,
                                           double range_m, const UpdateRules& rules,
                                           EntryTable* table);

/// Rows that are not deleted: what a memory holds.
std::int64_t num_live(const EntryTable& table);

}  // namespace sightline::host
