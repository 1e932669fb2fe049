// Dense search: the memories whose embeddings are nearest to a query's, by FAISS.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/id_filter.h"

namespace sightline::index {

enum class Metric {
  kInnerProduct,  ///< higher is nearer; of unit vectors, the cosine
  kL2             ///< squared Euclidean distance; lower is nearer
};

/// How rows outside a filter are kept out.
enum class FilterPath {
  kAuto,      ///< the faster of the two, told from how many rows are kept: the same at every run
  kSelector,  ///< FAISS skips them; throws BadInput where this build's FAISS does not honour that
  kGather     ///< the kept rows are searched alone, all of them: exact over the stored vectors
};

struct DenseBuild {
  /// "Flat", "SQ8", "PQm", "IVFn,Flat", "IVFn,SQ8", "IVFn,PQm" or "HNSWm": FAISS's factory strings.
  /// n is the number of lists, m the number of 8-bit parts of PQ or of links of HNSW.
  std::string kind = "Flat";
  Metric metric = Metric::kInnerProduct;
  std::uint64_t seed = 1;    ///< of everything FAISS draws: k-means, levels of HNSW
  int ef_construction = 80;  ///< HNSW: candidates looked at when a row is linked
};

struct DenseSearch {
  std::int64_t k = 10;
  std::int64_t num_probes = 8;  ///< IVF: lists looked into, at most all
  std::int64_t ef_search = 64;  ///< HNSW: candidates kept while walking; raised to what k needs
  FilterPath filter_path = FilterPath::kAuto;
  int num_threads = 1;  ///< answers do not depend on it
};

/// Rows found, best first: by score, then by lower row.
struct Neighbors {
  std::int64_t num_queries = 0;
  std::int64_t k = 0;              ///< columns: the k asked for, or the number of rows if lower
  std::vector<std::int64_t> rows;  ///< [num_queries, k]; -1 where a query found fewer
  std::vector<float> scores;       ///< [num_queries, k]; 0 where the row is -1
};

struct DenseInfo {
  std::string kind;  ///< as FAISS writes it: "HNSW32,Flat"
  Metric metric = Metric::kInnerProduct;
  std::int64_t num_rows = 0, dim = 0;
  std::uint64_t seed = 0;
  bool exact = false;              ///< finds the true nearest rows (Flat)
  bool encoded = false;            ///< scores are of decoded vectors (SQ8, PQ), not of those given
  bool selector_honoured = false;  ///< the self-test passed for this kind and metric
  std::string selector_note;       ///< the self-test's finding, as a sentence
  bool on_gpu = false;             ///< use_gpu() was called
};

/// An immutable index over rows [num_rows, dim]. A score is that of the query with the vector
/// stored, summed in double and rounded once to float, so that it depends on nothing but the two;
/// equal embeddings score equal bits. A query's answer does not depend on the batch it is in, on
/// threads, and for Flat, or a gathered filter, not on BLAS or the processor either. Any number of
/// threads may search at a time. All members throw MissingLibrary in a build without FAISS.
class DenseIndex {
 public:
  /// Trains and fills an index on one thread; the same input gives the same index. `rows` is
  /// [num_rows, dim], copied. Throws BadInput for an unknown kind, no dimension, too few rows to
  /// train on, or a value that is not finite or above 1e16, with its row.
  static DenseIndex build(const float* rows, std::int64_t num_rows, std::int64_t dim,
                          const DenseBuild& options);
  /// The same index, which reads `rows` where they lie, longer than it lives: the same answers, the
  /// same file, and no copy of them. Throws as build() does, and BadInput for kinds that encode
  /// vectors (SQ8, PQ), whose codes are their own.
  static DenseIndex over(const float* rows, std::int64_t num_rows, std::int64_t dim,
                         const DenseBuild& options);

  DenseIndex(DenseIndex&&) noexcept;
  DenseIndex& operator=(DenseIndex&&) noexcept;
  ~DenseIndex();

  /// The k best rows for each of `queries` [num_queries, dim]; `filters`: see IdFilters. IVF and
  /// HNSW may miss rows; with a filter they still find min(k, kept). Throws BadInput for k < 1, a
  /// query that is not finite, or filters that do not fit.
  Neighbors search(const float* queries, std::int64_t num_queries, const DenseSearch& options,
                   const IdFilters& filters = {}) const;

  /// The score of one row for one query [dim], as search() reports it.
  float score(const float* query, std::int64_t row) const;

  /// What the index is. The first call for a kind and metric runs the selector's self-test.
  DenseInfo info() const;

  /// Writes one file, complete or not at all: a header with kind, metric, shape and checksums, then
  /// FAISS's bytes. Throws IndexFailure if the disk refuses.
  void save(const std::string& path) const;
  /// Reads what save() wrote. Nothing of a file reaches FAISS before its checksum is verified: a
  /// cut or altered file throws BadInput.
  static DenseIndex load(const std::string& path);

  /// Searches without a filter run on GPU `device` from now on, with the same answers; filtered
  /// ones stay on the CPU, since FAISS's GPU indexes ignore selectors. Flat only. Throws
  /// MissingLibrary if the FAISS found has no GPU part, BadInput for other kinds. Not while a
  /// search runs.
  void use_gpu(int device);

  struct Impl;  ///< index/dense_impl.h

 private:
  explicit DenseIndex(std::unique_ptr<Impl> impl);
  static DenseIndex make(const float* rows, std::int64_t num_rows, std::int64_t dim,
                         const DenseBuild& options, bool copies);
  std::unique_ptr<Impl> impl_;
};

/// Recall@k of `found`, the share of the k nearest rows that it holds, over all queries
/// [found.num_queries, dim]; `exact` is a Flat index of the rows given to the one that found them,
/// and `filters` are those it was given. A row as near as the k-th nearest counts, whichever row it
/// is. 1 if there is nothing to find. Throws BadInput if `exact` is not exact.
double recall_against(const DenseIndex& exact, const float* queries, const Neighbors& found,
                      const IdFilters& filters = {}, int num_threads = 1);

}  // namespace sightline::index
