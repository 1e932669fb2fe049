// Entries that show the same kinds of things: a second index of semantic-similarity retrieval,
// beside captions.
//
// Similarity is Jaccard's: of the sets of classes that two pictures show, the size of what they
// share over the size of both together. Classes count as they are, without their parents, each once
// however many things of it there are.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/meta_memory/entries.h"
#include "index/hit.h"

namespace sightline::host {

class VisibleSetIndex {
 public:
  /// Keeps a list of rows for each class; says nothing of entries added later.
  explicit VisibleSetIndex(const EntryTable& entries);

  /// The k rows of highest similarity to `classes`, then lowest row, among those that `may_return`
  /// lets through. Rows that share no class are never found. Exact: every row that shares one is
  /// looked at. Throws InputError for a class that is none.
  index::Hits search(const std::vector<ClassId>& classes, std::int64_t k,
                     const std::function<bool(std::int64_t row)>& may_return) const;

 private:
  std::vector<std::vector<std::int32_t>> rows_of_class_;  ///< ascending
  std::vector<std::int32_t> num_classes_;                 ///< [size] in each entry's set
};

}  // namespace sightline::host
