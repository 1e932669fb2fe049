// Personalised PageRank over a graph of memories, as HippoRAG 2 (Gutiérrez et al. 2025) ranks them.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::index {

/// An undirected edge; several between two nodes add up, a loop counts once.
struct WeightedEdge {
  std::int64_t a = 0, b = 0;
  double weight = 1;
};

struct PageRankOptions {
  double damping = 0.5;      ///< d: HippoRAG's; 0.85 is the web's
  double tolerance = 1e-10;  ///< on the sum of absolute changes in one step
  std::int64_t max_steps = 1000;
};

struct PageRank {
  std::vector<double> p;  ///< [num_nodes], sums to 1
  std::int64_t num_steps = 0;
  double change = 0;  ///< of the last step
  bool converged = false;
};

/// A graph, stored once for many resets.
class PageRankGraph {
 public:
  /// Throws BadInput for a node outside [0, num_nodes), or a weight that is negative or not finite,
  /// with the edge.
  PageRankGraph(std::int64_t num_nodes, const std::vector<WeightedEdge>& edges);

  std::int64_t num_nodes() const { return static_cast<std::int64_t>(degree_.size()); }

  /// Iterates p = (1 - d) r + d A p from p = r: A spreads a node's share over its edges by weight,
  /// r is `reset` [num_nodes] divided by its sum. A node without edges gives its share back to r.
  /// Sums run in a fixed order. Throws BadInput for a reset that is negative, not finite, or 0
  /// everywhere, or options out of range (0 <= d < 1, tolerance > 0, max_steps >= 1).
  PageRank rank(const std::vector<double>& reset, const PageRankOptions& options = {}) const;

 private:
  double step(const std::vector<double>& reset, double damping, const std::vector<double>& p,
              std::vector<double>& next) const;

  std::vector<std::int64_t> first_;      // [num_nodes + 1]: where a node's neighbours begin
  std::vector<std::int64_t> neighbour_;  // ascending for each node
  std::vector<double> weight_;           // beside neighbour_
  std::vector<double> degree_;           // [num_nodes]: sum of weights
};

}  // namespace sightline::index
