// What DenseIndex asks of the library behind it: candidates by that library's own arithmetic. Not
// for users of the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "index/dense_index.h"
#include "index/dense_kind.h"

namespace sightline::index {

/// Candidates of some queries, best first by the engine's own scores: [num_queries, k], row -1
/// where there are fewer.
struct Candidates {
  void resize(std::int64_t num_queries, std::int64_t k) {
    rows.assign(static_cast<std::size_t>(num_queries * k), -1);
    scores.assign(static_cast<std::size_t>(num_queries * k), 0);
  }
  std::vector<std::int64_t> rows;
  std::vector<float> scores;
};

class DenseEngine {
 public:
  virtual ~DenseEngine() = default;

  /// k candidates for each query, of all rows or, by a selector, of those kept. One thread.
  virtual void search(const float* queries, std::int64_t num_queries, std::int64_t k,
                      const DenseSearch& options, const IdFilter* kept, Candidates& out) const = 0;
  /// The k best of the rows listed, for each query: every one of them is looked at.
  virtual void search_rows(const float* queries, std::int64_t num_queries, std::int64_t k,
                           const std::vector<std::int64_t>& rows, Candidates& out) const = 0;
  /// Stored vectors [num_rows, dim] where they are kept as they were given; else null.
  virtual const float* vectors() const = 0;
  /// Writes the vectors of `rows`, decoded, to `out` [num, dim].
  virtual void decode(const std::int64_t* rows, std::int64_t num, float* out) const = 0;
  virtual void use_gpu(int device) = 0;
  virtual std::vector<std::uint8_t> serialise() const = 0;
};

/// What an engine is made of.
struct EngineShape {
  DenseKind kind;
  Metric metric = Metric::kInnerProduct;
  std::int64_t num_rows = 0, dim = 0;
};

/// Where the vectors of an index lie.
enum class Vectors {
  kCopied,
  kInPlace  ///< where the caller has them, longer than the engine lives; not of encoded kinds
};

/// dense_faiss.cpp, or dense_none.cpp where FAISS was not found, whose functions throw
/// MissingLibrary.
std::unique_ptr<DenseEngine> make_engine(const EngineShape& shape, const float* rows,
                                         const DenseBuild& options, Vectors vectors);
/// `read` fills its argument with the next bytes or throws. Throws BadInput if the bytes make
/// another index than `shape` says.
using ReadBytes = std::function<void(void* to, std::size_t num_bytes)>;
std::unique_ptr<DenseEngine> read_engine(const EngineShape& shape, const ReadBytes& read);

/// The score of two vectors [dim], summed in double in one fixed order. The product of two floats
/// is exact in double, so fusing it with the sum would change nothing.
double exact_score(Metric metric, const float* a, const float* b, std::int64_t dim);

}  // namespace sightline::index
