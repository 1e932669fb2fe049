// Topological maps for tests, and shortest ways over them by plain code of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "host/meta_memory/topological_map.h"
#include "support/random.h"

namespace sightline::tests {

using NodePair = std::pair<std::int32_t, std::int32_t>;

constexpr double kNoWay = std::numeric_limits<double>::infinity();

/// Each edge once, the lower node first.
inline std::vector<NodePair> edges_of(const host::TopologicalMap& map) {
  std::vector<NodePair> edges;
  for (std::size_t v = 0; v + 1 < map.first_edge.size(); ++v) {
    for (auto e = map.first_edge[v]; e < map.first_edge[v + 1]; ++e) {
      const std::int32_t to = map.neighbour[static_cast<std::size_t>(e)];
      if (static_cast<std::int32_t>(v) < to) edges.push_back({static_cast<std::int32_t>(v), to});
    }
  }
  return edges;
}

/// Dijkstra's algorithm as in 1959: look for the least distance among all nodes, each time.
inline std::vector<double> plain_distances(const host::TopologicalMap& map, std::int32_t start) {
  const auto n = static_cast<std::size_t>(map.num_nodes());
  std::vector<double> distance(n, kNoWay);
  std::vector<bool> settled(n, false);
  distance[static_cast<std::size_t>(start)] = 0;
  for (;;) {
    std::size_t nearest = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (!settled[v] && distance[v] < (nearest == n ? kNoWay : distance[nearest])) nearest = v;
    }
    if (nearest == n) return distance;
    settled[nearest] = true;
    for (auto e = map.first_edge[nearest]; e < map.first_edge[nearest + 1]; ++e) {
      const auto edge = static_cast<std::size_t>(e);
      double& there = distance[static_cast<std::size_t>(map.neighbour[edge])];
      there = std::min(there, distance[nearest] + map.length_m[edge]);
    }
  }
}

/// Number of components by union-find.
inline std::int64_t num_components(const host::TopologicalMap& map) {
  std::vector<std::size_t> parent(static_cast<std::size_t>(map.num_nodes()));
  for (std::size_t v = 0; v < parent.size(); ++v) parent[v] = v;
  const auto root = [&](std::size_t v) {
    while (parent[v] != v) v = parent[v];
    return v;
  };
  auto left = static_cast<std::int64_t>(parent.size());
  for (std::size_t v = 0; v < parent.size(); ++v) {
    for (auto e = map.first_edge[v]; e < map.first_edge[v + 1]; ++e) {
      const std::size_t a = root(v);
      const std::size_t b =
          root(static_cast<std::size_t>(map.neighbour[static_cast<std::size_t>(e)]));
      if (a == b) continue;
      parent[std::max(a, b)] = std::min(a, b);
      --left;
    }
  }
  return left;
}

/// Nodes on a lattice of whole metres, so that many ways are equally long; nodes may coincide.
inline host::TopologicalMap random_lattice_map(std::int64_t num_nodes, std::int64_t width_m,
                                               double edge_chance, Random& random) {
  std::vector<kernels::Vec3> nodes;
  for (std::int64_t i = 0; i < num_nodes; ++i) {
    nodes.push_back({static_cast<double>(random.integer(0, width_m)),
                     static_cast<double>(random.integer(0, width_m)), 0});
  }
  std::vector<NodePair> edges;
  for (std::int32_t a = 0; a < num_nodes; ++a) {
    for (std::int32_t b = a + 1; b < num_nodes; ++b) {
      if (random.chance(edge_chance)) edges.push_back({a, b});
    }
  }
  return host::topological_map_of(std::move(nodes), edges);
}

}  // namespace sightline::tests
