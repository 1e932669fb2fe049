#include "host/meta_memory/place_store.h"

#include <utility>

#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/entry_jsonl.h"
#include "host/meta_memory/place_words.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

std::vector<DrivenPlace> driven_places(const EntryTable& entries,
                                       const std::optional<std::uint16_t>& only_sequence) {
  std::vector<DrivenPlace> places;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    if (only_sequence && entries.sequence[i] != *only_sequence) continue;
    places.push_back(
        {entries.sequence[i], entries.time_s[i], entries.position_m[i], entries.yaw_rad[i]});
  }
  return places;
}

/// With what its questions are embedded by, and of one sequence if that is told.
EntryTable made_ready(EntryTable entries, const std::optional<std::uint16_t>& only_sequence) {
  if (entries.embedder == kPlaceWords && !entries.phrases) {
    entries.phrases = std::make_shared<const PlaceWords>(entries);
  }
  if (!only_sequence) return entries;
  bool is_there = false;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (entries.sequence[static_cast<std::size_t>(row)] == *only_sequence) {
      is_there = true;
    } else {
      mark_deleted(row, &entries);
    }
  }
  if (is_there) return entries;
  throw InputError("no entry is of sequence " + std::to_string(*only_sequence));
}

}  // namespace

EntryTable open_entries(const std::string& path, const std::string& embeddings) {
  const std::string extension = extension_of(path);
  if (extension == ".slp") {
    if (!embeddings.empty()) {
      throw InputError(path + ": a store holds its embeddings; leave " + embeddings + " out");
    }
    return read_entries(path);
  }
  if (extension != ".jsonl") {
    throw InputError(path + ": a store of places is a .slp, or entries in a .jsonl");
  }
  EntriesSource source;
  source.path = path;
  source.embeddings = embeddings;
  if (embeddings.empty()) source.hashed_width = kHashedWidth;
  return read_entries_jsonl(source);
}

std::int64_t num_with_visible(const EntryTable& entries) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const auto [first, last] = entries.visible_of(row);
    count += first != last ? 1 : 0;
  }
  return count;
}

PlaceStore::PlaceStore(EntryTable entries, const PlaceStoreOptions& options)
    : entries_(made_ready(std::move(entries), options.only_sequence)),
      captions_(entries_),
      semantic_(captions_),
      spatial_(captions_),
      map_(make_topological_map(driven_places(entries_, options.only_sequence), options.map)),
      is_free_(options.is_free),
      is_inside_(options.is_inside) {}

PlaceMemory PlaceStore::memory() const {
  PlaceMemory memory;
  memory.captions = &captions_;
  memory.semantic = &semantic_;
  memory.spatial = &spatial_;
  memory.map = &map_;
  memory.is_free = is_free_;
  memory.is_inside = is_inside_;
  return memory;
}

}  // namespace sightline::host
