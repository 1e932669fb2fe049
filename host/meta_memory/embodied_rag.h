// Embodied-RAG's semantic forest (Xie et al. 2024, arXiv:2409.18313), as its published code builds
// and searches it, without its language model.
//
// A level L = 1, 2, ... clusters the nodes below it by position: agglomerative, complete linkage,
// Euclidean, merged while below 5 (1 + L) m; a cluster of one joins the nearest cluster centre
// within that distance, else stays by itself. A parent lies at the mean of its leaves. In place of
// the summary that a language model writes stands the union of the leaves' words with their counts;
// in place of its choice among children, the one whose summary is most like the question.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

struct ForestNode {
  std::int32_t level = 0;    ///< 0: a leaf
  std::int32_t parent = -1;  ///< -1: a root
  kernels::Vec3 position_m;
  std::vector<std::int32_t> children, leaves;  ///< ascending; of a leaf: none, itself
  std::vector<float> embedding;  ///< mean of its leaves', of unit length; zeros: no words
};

struct SemanticForest {
  std::vector<ForestNode> nodes;  ///< leaves first, in their order, then level by level
  std::int32_t num_leaves = 0;
  /// How many nodes each level has, the leaves first.
  std::vector<std::int64_t> level_counts() const;
};

struct ForestOptions {
  double threshold_m = 5;  ///< a level L merges below threshold_m (1 + L)
  std::int32_t max_level = 5;
};

/// Clusters of points, each ascending, in the order of their lowest member. A pair of clusters is
/// as far apart as its two farthest members; the nearest are merged while that is below
/// `threshold_m`. O(n^2) in time and memory.
std::vector<std::vector<std::int32_t>> complete_linkage(const std::vector<kernels::Vec3>& points,
                                                        double threshold_m);

/// `texts`: of the leaves. Throws InputError for more than 20,000 leaves.
SemanticForest build_forest(const std::vector<kernels::Vec3>& leaves,
                            const std::vector<std::string>& texts, const ForestOptions& options);

/// The leaf that a greedy descent ends at: at each level the child most like the question.
/// `leaf_similarity`: [num_leaves] of the question. -1 without leaves.
std::int32_t descend(const SemanticForest& forest, const std::string& question,
                     const std::vector<double>& leaf_similarity);

/// The node most like the question among all (at most 2k candidates above 0.6), raised by 1.2 for
/// each ancestor above 0.6 and by a fifth of the mean of its neighbours among the candidates: nodes
/// of its level within 3 m, 1 m of them in height. -1 where none is above 0.6.
std::int32_t most_similar_node(const SemanticForest& forest, const std::string& question,
                               const std::vector<double>& leaf_similarity, std::int64_t k = 5);

}  // namespace sightline::host
