// The kinds of dense index: FAISS's factory strings, those that we know how to search and filter.
#pragma once

#include <cstdint>
#include <string>

namespace sightline::index {

struct DenseKind {
  enum class Layout { kScan, kLists, kGraph };  ///< every row, IVF, HNSW
  enum class Code { kFlat, kSq8, kPq };

  Layout layout = Layout::kScan;
  Code code = Code::kFlat;
  std::int64_t num_lists = 0;  ///< IVF
  std::int64_t num_links = 0;  ///< HNSW
  std::int64_t num_parts = 0;  ///< PQ
  std::string text;            ///< as FAISS's index_factory takes it

  bool exact() const { return layout == Layout::kScan && code == Code::kFlat; }
  bool encoded() const { return code != Code::kFlat; }
};

/// Throws BadInput for text that is no kind, naming those there are.
DenseKind parse_dense_kind(const std::string& text);

/// Throws BadInput if an index of this kind cannot be made of so many rows of this dimension.
void check_dense_shape(const DenseKind& kind, std::int64_t num_rows, std::int64_t dim);

/// Throws BadInput for the first value of `values` [num, dim] that is not finite or above 1e16;
/// `what` names one of them ("row", "query").
void check_dense_values(const float* values, std::int64_t num, std::int64_t dim, const char* what);

}  // namespace sightline::index
