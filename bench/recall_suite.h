// The recall benchmarks: shapes made when first needed, and a record of checks that failed.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/peaks.h"
#include "bench/recall_data.h"

namespace sightline::bench {

/// One shape and what is made of it.
class RecallCase {
 public:
  explicit RecallCase(RecallShape shape) : shape_(std::move(shape)) {}

  const std::string& name() const { return shape_.name; }
  const RecallData& data();
  const RecallFeatures& features();  ///< of the queries that are timed
  std::int64_t num_queries() const { return shape_.num_queries; }
  std::int64_t rank_queries() const { return shape_.rank_queries; }
  std::int64_t top_queries() const { return shape_.top_queries; }

 private:
  RecallShape shape_;
  std::unique_ptr<RecallData> data_;
  std::unique_ptr<RecallFeatures> features_;
};

constexpr int kTop = 5;
constexpr double kScale_m = 64;
constexpr double kScales_m[] = {10, 20, 30, 50, 64, 80, 100, 128};

class RecallSuite {
 public:
  explicit RecallSuite(bool small);

  std::vector<RecallCase>& cases() { return cases_; }
  bool small() const { return small_; }
  void fail(benchmark::State& state, const std::string& what);
  bool failed() const { return failed_; }

 private:
  std::vector<RecallCase> cases_;
  bool small_, failed_ = false;
};

// Each registers its benchmarks; the suite must outlive them.
void register_recall(RecallSuite& suite);           ///< recall_blends.cpp
void register_recall_backends(RecallSuite& suite);  ///< recall_backends.cpp
void register_recall_lists(RecallSuite& suite);     ///< recall_lists.cpp
void register_recall_lattice(RecallSuite& suite);   ///< recall_lattice.cpp
void register_recall_scales(RecallSuite& suite);    ///< recall_scales.cpp
void register_recall_bands(RecallSuite& suite);     ///< recall_bands.cpp
void register_recall_gates(RecallSuite& suite);     ///< recall_gates.cpp
void register_recall_faiss(RecallSuite& suite);     ///< recall_faiss.cpp, where FAISS is found

/// recall_export.cpp: what others need to time the same.
void export_recall(RecallSuite& suite, const std::string& folder);

/// Counts scores (query, memory, mix); Google Benchmark divides by time. A score is one
/// multiply-add for each feature.
inline void count_scores(benchmark::State& state, double scores, int num_threads) {
  state.counters["scores_per_s"] = benchmark::Counter(scores, benchmark::Counter::kIsRate);
  add_peak_frac(state, kBlendFeatures * scores, measured_peaks().fma_per_s, num_threads);
}
/// Counts the cosines of all iterations: a multiply-add for each dimension, each embedding read
/// once.
inline void count_cosines(benchmark::State& state, std::int64_t num_queries,
                          std::int64_t num_memories, int num_threads) {
  const double memories = static_cast<double>(num_memories * state.iterations());
  const double products = kEmbeddingWidth * memories * static_cast<double>(num_queries);
  state.counters["cosines_per_s"] =
      benchmark::Counter(products / kEmbeddingWidth, benchmark::Counter::kIsRate);
  state.counters["flop_per_s"] = benchmark::Counter(2 * products, benchmark::Counter::kIsRate);
  add_bytes(state, memories * kEmbeddingWidth * sizeof(float));
  add_peak_frac(state, products, measured_peaks().fma_per_s, num_threads);
}
inline void count_scores(benchmark::State& state, const RecallData& data, std::int64_t num_queries,
                         int num_threads) {
  const double scores = static_cast<double>(num_queries) *
                        static_cast<double>(data.shape.num_memories) *
                        static_cast<double>(data.shape.num_mixes);
  count_scores(state, scores * static_cast<double>(state.iterations()), num_threads);
}

}  // namespace sightline::bench
