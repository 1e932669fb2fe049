// FAISS's structures over vectors that lie elsewhere: a graph, or lists, of row numbers, and no
// copy of the rows. FAISS's own classes own what they search; these call its arithmetic with the
// rows' address, so that answers are those of its classes. For dense_faiss.cpp alone.
#pragma once

#include <memory>

#include "index/dense_engine.h"

namespace faiss {
struct Index;
}

namespace sightline::index {

/// `untrained` is what index_factory() and the caller's seeds make of the shape's kind, which is
/// one of those that keep vectors as they are given. `rows` [num_rows, dim] must outlive the index.
/// Throws FAISS's exceptions; so does adding further rows.
std::unique_ptr<faiss::Index> make_index_over(const EngineShape& shape, const float* rows,
                                              std::unique_ptr<faiss::Index> untrained);

/// The rows of an index that make_index_over() made; null of any other.
const float* rows_under(const faiss::Index& index);

/// FAISS's own index that holds the same, and a copy of the rows, for files and for a GPU; null of
/// an index that make_index_over() did not make.
std::unique_ptr<faiss::Index> copy_with_rows(const faiss::Index& index);

}  // namespace sightline::index
