// Routing: a forest of clusters over places, and the way down it, as Embodied-RAG (Xie et al. 2024)
// builds and searches it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "index/spatial_index.h"

namespace sightline::index {

struct ForestOptions {
  /// Linkage of level 1, 2, ...: points of a cluster lie closer than this to each other.
  std::vector<double> thresholds_m{10, 15, 20, 25, 30};
};

struct ForestNode {
  int level = 0;                       ///< 0: a leaf
  Point position_m{};                  ///< the mean of its leaves
  std::int64_t parent = -1;            ///< -1: none
  std::vector<std::int64_t> children;  ///< ascending
  std::vector<std::int64_t> leaves;    ///< ascending; a leaf's own row
};

/// Nodes: first the leaves, node i of points[i], then level after level.
struct Forest {
  std::vector<ForestNode> nodes;
  std::vector<std::int64_t> roots;  ///< nodes of the last level, ascending
};

/// Clusters of points by complete linkage: the two clusters whose farthest members are nearest
/// merge, ties to the lower first members, while that distance is below the threshold. Returns the
/// cluster of each point, numbered by first member. Throws BadInput for more than 8192 points (the
/// distances of all pairs are held), a coordinate that is not finite, or a threshold that is not
/// above 0.
std::vector<std::int64_t> complete_linkage(const std::vector<Point>& points, double threshold_m);

/// Levels of clusters of clusters until one node is left or the thresholds end. A node alone in its
/// cluster joins the nearest cluster of several whose centre, the mean of its members, is no
/// farther than the threshold (ties to the lower cluster); else it is a cluster of its own. Throws
/// as complete_linkage, and unless thresholds ascend.
Forest build_forest(const std::vector<Point>& points, const ForestOptions& options);

/// The leaves that a greedy descent reaches: from the roots, then from the children of those kept,
/// the `num_paths` nodes of highest score are kept (ties to the lower node) until all are leaves.
/// In the order of their scores, each row once. Throws BadInput if num_paths < 1 or a score is NaN.
std::vector<std::int64_t> descend(const Forest& forest,
                                  const std::function<double(std::int64_t node)>& score,
                                  std::int64_t num_paths = 1);

}  // namespace sightline::index
