#include "index/pagerank.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "index/error.h"

namespace sightline::index {
namespace {

void check_edges(std::int64_t num_nodes, const std::vector<WeightedEdge>& edges) {
  if (num_nodes < 0) throw BadInput(std::to_string(num_nodes) + " nodes; give 0 or more");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::string name = "edge " + std::to_string(i);
    for (const std::int64_t node : {edges[i].a, edges[i].b}) {
      if (node >= 0 && node < num_nodes) continue;
      throw BadInput(name + " names node " + std::to_string(node) + ", not within [0, " +
                     std::to_string(num_nodes) + ")");
    }
    if (edges[i].weight >= 0 && std::isfinite(edges[i].weight)) continue;
    throw BadInput(name + " weighs " + std::to_string(edges[i].weight) +
                   "; give a finite number, 0 or more");
  }
}

/// `reset` divided by its sum.
std::vector<double> shares(const std::vector<double>& reset, std::int64_t num_nodes) {
  if (static_cast<std::int64_t>(reset.size()) != num_nodes) {
    throw BadInput("reset of " + std::to_string(reset.size()) + " nodes for a graph of " +
                   std::to_string(num_nodes));
  }
  for (std::size_t i = 0; i < reset.size(); ++i) {
    if (reset[i] >= 0 && std::isfinite(reset[i])) continue;
    throw BadInput("reset of node " + std::to_string(i) + " is " + std::to_string(reset[i]) +
                   "; give a finite number, 0 or more");
  }
  const double sum = std::accumulate(reset.begin(), reset.end(), 0.0);
  if (!(sum > 0) || !std::isfinite(sum)) {
    throw BadInput("the reset sums to " + std::to_string(sum) +
                   "; give at least one node a number above 0, and none near the largest double");
  }
  std::vector<double> result = reset;
  for (double& share : result) share /= sum;
  return result;
}

void check_options(const PageRankOptions& options) {
  if (!(options.damping >= 0 && options.damping < 1)) {
    throw BadInput("damping " + std::to_string(options.damping) + "; give 0 <= d < 1");
  }
  if (!(options.tolerance > 0)) {
    throw BadInput("tolerance " + std::to_string(options.tolerance) + "; give a number above 0");
  }
  if (options.max_steps < 1) {
    throw BadInput("max_steps " + std::to_string(options.max_steps) + "; give at least 1");
  }
}

}  // namespace

PageRankGraph::PageRankGraph(std::int64_t num_nodes, const std::vector<WeightedEdge>& edges) {
  check_edges(num_nodes, edges);
  // Both directions, sorted: sums do not depend on the order of the edges of different pairs.
  std::vector<WeightedEdge> both;
  both.reserve(2 * edges.size());
  for (const WeightedEdge& edge : edges) {
    if (edge.weight == 0) continue;
    both.push_back(edge);
    if (edge.a != edge.b) both.push_back({edge.b, edge.a, edge.weight});
  }
  std::sort(both.begin(), both.end(), [](const WeightedEdge& x, const WeightedEdge& y) {
    return std::tie(x.a, x.b, x.weight) < std::tie(y.a, y.b, y.weight);
  });
  first_.assign(static_cast<std::size_t>(num_nodes) + 1, 0);
  degree_.assign(static_cast<std::size_t>(num_nodes), 0);
  for (std::size_t i = 0; i < both.size(); ++i) {
    degree_[static_cast<std::size_t>(both[i].a)] += both[i].weight;
    if (i > 0 && both[i].a == both[i - 1].a && both[i].b == both[i - 1].b) {
      weight_.back() += both[i].weight;
      continue;
    }
    ++first_[static_cast<std::size_t>(both[i].a) + 1];
    neighbour_.push_back(both[i].b);
    weight_.push_back(both[i].weight);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

double PageRankGraph::step(const std::vector<double>& reset, double damping,
                           const std::vector<double>& p, std::vector<double>& next) const {
  double stranded = 0;
  for (std::size_t node = 0; node < p.size(); ++node) stranded += degree_[node] > 0 ? 0 : p[node];
  double change = 0;
  for (std::size_t node = 0; node < p.size(); ++node) {
    double received = stranded * reset[node];
    for (auto i = static_cast<std::size_t>(first_[node]);
         i < static_cast<std::size_t>(first_[node + 1]); ++i) {
      const auto from = static_cast<std::size_t>(neighbour_[i]);
      received += p[from] * (weight_[i] / degree_[from]);
    }
    next[node] = (1 - damping) * reset[node] + damping * received;
    change += std::fabs(next[node] - p[node]);
  }
  return change;
}

PageRank PageRankGraph::rank(const std::vector<double>& reset,
                             const PageRankOptions& options) const {
  check_options(options);
  const std::vector<double> r = shares(reset, num_nodes());
  PageRank result;
  result.p = r;
  std::vector<double> next(r.size());
  while (result.num_steps < options.max_steps && !result.converged) {
    result.change = step(r, options.damping, result.p, next);
    result.p.swap(next);
    ++result.num_steps;
    result.converged = result.change <= options.tolerance;
  }
  return result;
}

}  // namespace sightline::index
