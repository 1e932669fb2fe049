// The captions' embeddings, made ready for search: what both retrieval tools measure similarity by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/meta_memory/entries.h"
#include "index/dense_index.h"

namespace sightline::host {

/// A table's embeddings as floats (4 bytes each: 1 GB for a million of width 256) under an index of
/// FAISS. Says nothing of entries added or deleted later: make another then.
class CaptionIndex {
 public:
  /// `entries` must outlive this. `kind`: index/dense_index.h; Flat is exact. Throws InputError for
  /// a kind that is none or needs more entries, EnvironmentError in a build without FAISS.
  explicit CaptionIndex(const EntryTable& entries, const std::string& kind = "Flat");

  const EntryTable& entries() const { return entries_; }
  const index::DenseIndex& dense() const { return dense_; }
  /// Entries that are not deleted.
  const index::IdFilter& alive() const { return alive_; }
  /// The cosine of an embedding [width] with an entry's: the very bits that a search reports, so
  /// that both tools agree.
  float similarity(const std::vector<float>& embedding, std::int64_t row) const;
  /// Says that similarity() will soon be asked of a row: it lies far from the last, and memory can
  /// be on its way in the meantime.
  void fetch(std::int64_t row) const;

 private:
  const EntryTable& entries_;
  std::vector<float> rows_;  ///< [size, width] of unit length; empty where the index encodes them
  index::IdFilter alive_;
  index::DenseIndex dense_;
};

/// Throws InputError unless `embedding` is [width] and of unit length; `what` names it.
void check_query_embedding(const EntryTable& entries, const std::vector<float>& embedding,
                           const std::string& what);

}  // namespace sightline::host
