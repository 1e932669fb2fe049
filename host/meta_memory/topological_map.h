// A graph of places that a robot has been at, joined where it drove or could drive.
//
// Meta-Memory (Mao et al.), section III.B.3: a topological map over the positions of the memories,
// and shortest paths between landmarks by Dijkstra's algorithm. The rule of its edges is not given;
// this one is stated in topological_map.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// A node, a metre of edge: undirected, weights in metres, neighbours ascending by id. Compressed
/// rows: node v's edges are first_edge[v] .. first_edge[v + 1] - 1.
struct TopologicalMap {
  std::vector<kernels::Vec3> position_m;  ///< [num_nodes]
  std::vector<std::int64_t> first_edge;   ///< [num_nodes + 1]
  std::vector<std::int32_t> neighbour;    ///< [num_edges, both ways]
  std::vector<double> length_m;           ///< of each edge
  std::vector<std::int32_t>
      node_of_entry;  ///< [num_entries] -1: of none; empty: a map without entries

  std::int64_t num_nodes() const { return static_cast<std::int64_t>(position_m.size()); }
};

struct DrivenPlace {
  std::uint16_t sequence = 0;
  double time_s = 0;
  kernels::Vec3 position_m;
  double yaw_rad = 0;  ///< NaN: not known
};

struct TopologicalMapOptions {
  double min_step_m = 1;         ///< an entry nearer to the last kept one ...
  double min_turn_deg = 30;      ///< ... and turned by less becomes no node
  double segment_s = 3;          ///< length of a clip
  std::int64_t num_nearest = 8;  ///< candidates for an edge that nobody drove
  /// Longest edge that nobody drove; absent: max(3 m, 2.5 times the median step) with `is_free`, 3
  /// m without.
  std::optional<double> reach_m;
  double max_rise_m = 1;
  /// Is the straight line between two places free for the robot? Called for many pairs at once:
  /// [num_pairs] answers. Empty: nobody knows.
  std::function<std::vector<std::uint8_t>(const std::vector<kernels::Vec3>&,
                                          const std::vector<kernels::Vec3>&)>
      is_free;
};

TopologicalMap make_topological_map(const std::vector<DrivenPlace>& entries,
                                    const TopologicalMapOptions& options);

/// A map of given nodes and edges (a pair of nodes each; lengths are those of straight lines), such
/// as of footways. Throws InputError for an edge to no node or of a node with itself.
TopologicalMap topological_map_of(std::vector<kernels::Vec3> nodes,
                                  const std::vector<std::pair<std::int32_t, std::int32_t>>& edges);

struct Snapped {
  std::int32_t node = -1;  ///< -1: the map has none at that height
  double distance_m = 0;
  bool is_on_map = false;  ///< within kMaxSnap_m
};
constexpr double kMaxSnap_m = 15, kMaxSnapRise_m = 1.5;
/// The nearest node whose height differs by kMaxSnapRise_m at most; of equally near ones the lower.
Snapped snap(const TopologicalMap& map, const kernels::Vec3& place);

struct Route {
  std::vector<std::int32_t> nodes;  ///< from start to end; empty: there is no way
  double length_m = 0;
};
/// By Dijkstra's algorithm (1959). Of ways of equal length the one that, walked back from the end,
/// goes to the smallest node each time: the same on every machine and for every number of threads.
Route shortest_route(const TopologicalMap& map, std::int32_t start, std::int32_t end);
/// The same route by A* (Hart, Nilsson and Raphael 1968).
Route shortest_route_astar(const TopologicalMap& map, std::int32_t start, std::int32_t end);
/// Many at once, on all threads.
std::vector<Route> shortest_routes(const TopologicalMap& map,
                                   const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs);
/// [num_nodes] to every node; infinity where there is no way.
std::vector<double> distances_from(const TopologicalMap& map, std::int32_t start);

}  // namespace sightline::host
