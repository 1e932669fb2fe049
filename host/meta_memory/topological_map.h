// A graph of places that a robot has been at, joined where it drove or could drive.
//
// Meta-Memory (Mao et al.), section III.B.3: a topological map over the positions of the memories,
// and shortest paths between landmarks by Dijkstra's algorithm. The rule of its edges is not given;
// this one is stated at make_topological_map().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// Undirected. Compressed rows: node v's edges are first_edge[v] .. first_edge[v + 1] - 1, its
/// neighbours ascending, each once. No edge is shorter than the straight line along it.
struct TopologicalMap {
  std::vector<kernels::Vec3> position_m;  ///< [num_nodes] x east, y north, z up
  std::vector<std::int64_t> first_edge;   ///< [num_nodes + 1]
  std::vector<std::int32_t> neighbour;    ///< [num_edges, both ways]
  std::vector<double> length_m;           ///< of each edge
  /// [num_entries] the node that stands for each: itself or the last one kept before it. Empty: a
  /// map without entries.
  std::vector<std::int32_t> node_of_entry;

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

/// Nodes, in the order of their entries: of each sequence the first entry and the last, and those
/// between that are min_step_m or min_turn_deg from the last one kept; a yaw that is not known has
/// not turned. Edges:
///
/// 1. Driven: between nodes of a sequence that follow each other, unless they lie further apart
///    than max(5 m, 3 times the median step) or 3 segment_s. Steps are those between entries of a
///    sequence that follow each other; their median is one for the whole map.
/// 2. Seen free: from each node to the num_nearest others (nearest first, then the lower id) among
///    those within reach_m and max_rise_m, where is_free says so, asked once for each pair from
///    the lower id to the higher. A node of an edge of the first kind takes a place among them.
///
/// Throws InputError with the entry for a place or time that is not finite, a time before that of
/// the sequence's entry before it, and for options out of range.
TopologicalMap make_topological_map(const std::vector<DrivenPlace>& entries,
                                    const TopologicalMapOptions& options);

/// A map of given nodes and edges (a pair of nodes each; lengths are those of straight lines), such
/// as of footways; an edge given twice counts once. Throws InputError for an edge to no node or of
/// a node with itself.
TopologicalMap topological_map_of(std::vector<kernels::Vec3> nodes,
                                  const std::vector<std::pair<std::int32_t, std::int32_t>>& edges);

/// [num_nodes] of each node the lowest node that can be got to from it: equal in one component.
std::vector<std::int32_t> components_of(const TopologicalMap& map);

struct Snapped {
  std::int32_t node = -1;  ///< -1: the map has none at that height
  double distance_m = 0;
  bool is_on_map = false;  ///< within kMaxSnap_m
};
constexpr double kMaxSnap_m = 15, kMaxSnapRise_m = 1.5;
/// The nearest node (in 3-D) whose height differs by kMaxSnapRise_m at most; of equally near ones
/// the lower. Throws InputError for a place that is not finite.
Snapped snap(const TopologicalMap& map, const kernels::Vec3& place);
/// The same for many places, by a tree over the nodes.
std::vector<Snapped> snap_all(const TopologicalMap& map, const std::vector<kernels::Vec3>& places);

/// The height of the node nearest in the plane (of equally near ones the lower); 0 without nodes:
/// for a place that is told by x and y alone.
double ground_height_m(const TopologicalMap& map, double x, double y);

struct Route {
  std::vector<std::int32_t> nodes;  ///< from start to end; empty: there is no way
  double length_m = 0;              ///< its edges' lengths added up in this order
};
/// By Dijkstra's algorithm (1959). Of ways of equal length the one that, walked back from the end,
/// goes to the smallest node each time: the same on every machine and for every number of threads.
/// Where only edges of no length lead on, the fewest of them, then the smallest node. Throws
/// InputError for a node that the map has not.
Route shortest_route(const TopologicalMap& map, std::int32_t start, std::int32_t end);
/// The same route by A* (Hart, Nilsson and Raphael 1968), which looks at fewer nodes.
Route shortest_route_astar(const TopologicalMap& map, std::int32_t start, std::int32_t end);
/// Many at once, by A*, on num_threads threads (0: all cores).
std::vector<Route> shortest_routes(const TopologicalMap& map,
                                   const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs,
                                   int num_threads = 0);
/// [num_nodes] to every node; infinity where there is no way. Throws as shortest_route().
std::vector<double> distances_from(const TopologicalMap& map, std::int32_t start);

}  // namespace sightline::host
