// A robot's memory from a file, with all that answers questions about it: what `sightline ask`
// opens.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/caption_index.h"
#include "host/meta_memory/planner.h"
#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {

/// A file of entries: `.slp` (entry_file.h), or `.jsonl` (entry_jsonl.h), whose captions are hashed
/// unless `embeddings` names a `.npy`. Throws InputError as those do, and for another extension.
EntryTable open_entries(const std::string& path, const std::string& embeddings = "");

/// How many entries show something: without any, OracleVerifier sees nothing.
std::int64_t num_with_visible(const EntryTable& entries);

struct PlaceStoreOptions {
  /// Its is_free answers for the robot's way.
  TopologicalMapOptions map;
  SightTest is_free;  ///< for sight, at eye height; empty: nothing is known to stand in the way
  std::function<bool(const kernels::Vec3&)> is_inside;  ///< a building; empty: not known
  /// Of one walk alone: entries of others are as if deleted, and no places of the map.
  std::optional<std::uint16_t> only_sequence;
};

/// Entries, their index, both searches and the map. A deleted entry is never found, but the robot
/// drove there all the same: it stays a place of the map.
class PlaceStore {
 public:
  /// Throws InputError for what make_topological_map() refuses, and for a sequence of no entry.
  PlaceStore(EntryTable entries, const PlaceStoreOptions& options);
  PlaceStore(const PlaceStore&) = delete;
  PlaceStore& operator=(const PlaceStore&) = delete;

  const EntryTable& entries() const { return entries_; }
  const TopologicalMap& map() const { return map_; }
  const SemanticRetrieval& semantic() const { return semantic_; }
  const SpatialRange& spatial() const { return spatial_; }
  const SightTest& is_free() const { return is_free_; }
  /// For a planner that this outlives.
  PlaceMemory memory() const;

 private:
  EntryTable entries_;
  CaptionIndex captions_;
  SemanticRetrieval semantic_;
  SpatialRange spatial_;
  TopologicalMap map_;
  SightTest is_free_;
  std::function<bool(const kernels::Vec3&)> is_inside_;
};

}  // namespace sightline::host
