// What recall is measured on: memories, queries and mixes, made up from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::bench {

struct RecallShape {
  std::string name;
  std::int64_t num_memories = 0, num_queries = 0;
  std::int64_t num_mixes = 0;  ///< of the lattice, evenly; all of it if it has no more
  double box_m = 0;            ///< edge of the floor
  std::int64_t num_subjects = 0;
  std::int64_t rank_queries = 0, top_queries = 0;  ///< the first so many are timed
};

constexpr std::int32_t kEmbeddingWidth = 384;
constexpr int kBlendFeatures = 5;  ///< relevance, proximity, recency, importance, staleness

/// Every mix of kBlendFeatures whole weights that add up to `steps`: [mixes, kBlendFeatures].
std::vector<std::int32_t> weight_lattice(int steps);
/// So many of the mixes, evenly, or all of them if there are no more.
std::vector<std::int32_t> evenly(const std::vector<std::int32_t>& mixes, std::int64_t num);

/// The same, but that the weights of mix i have the signs that the bits of i % num_patterns say.
std::vector<std::int32_t> with_signs(std::vector<std::int32_t> mixes, std::int64_t num_patterns);

/// Memories of subjects: embeddings of one subject are alike, positions are not.
struct RecallData {
  RecallShape shape;
  std::vector<float> rows;     ///< [num_memories, width], unit length
  std::vector<float> queries;  ///< [num_queries, width]
  std::vector<kernels::Vec3> anchors_m, centres_m;
  std::vector<double> time_s, now_s;
  std::vector<std::int32_t> importance, staleness;  ///< quantised
  std::vector<std::int64_t> targets;
  std::vector<std::int32_t> mixes;  ///< [num_mixes, 5], lattice of step 1/20

  explicit RecallData(const RecallShape& shape);
  kernels::EmbeddingView embeddings() const;
  /// Quantised cosines of the first num_queries queries: out [num_queries, num_memories].
  void cosines(const kernels::Executor& executor, std::int64_t num_queries,
               std::int32_t* out) const;
};

/// The quantised features of the first num_queries queries.
struct RecallFeatures {
  std::vector<std::int32_t> cosine, proximity, recency;

  RecallFeatures(const RecallData& data, std::int64_t num_queries, double scale_m);
  kernels::BlendView view(const RecallData& data) const;
};

}  // namespace sightline::bench
