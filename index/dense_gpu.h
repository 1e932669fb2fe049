// A flat index on a GPU, where the FAISS found has that part. Not for users of the folder.
#pragma once

#include <cstdint>
#include <memory>

#include "index/dense_engine.h"

namespace faiss {
struct Index;
}

namespace sightline::index {

/// Nothing until attach() succeeds. FAISS's GPU indexes ignore a selector without an error, so
/// there is no way to pass one.
class DenseGpu {
 public:
  DenseGpu();
  ~DenseGpu();

  /// Copies the rows [index.ntotal, index.d] of a flat index to the device, for the index's metric.
  /// Throws MissingLibrary without a GPU part, IndexFailure if FAISS finds no such device.
  void attach(const faiss::Index& index, const float* rows, int device);
  /// Fills `out` [num_queries, k]; false if nothing is attached or k is more than a GPU takes.
  bool search(const float* queries, std::int64_t num_queries, std::int64_t k,
              Candidates& out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::index
