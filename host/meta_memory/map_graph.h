// A topological map as Boost.Graph sees one: no copy of it. For routes.cpp alone.
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstdint>
#include <utility>

#include "host/meta_memory/topological_map.h"

namespace sightline::host {

struct MapGraph {
  const TopologicalMap* map;
};

struct MapEdge {
  std::int32_t from = -1, to = -1;
  double length_m = 0;
  bool operator==(const MapEdge& other) const { return from == other.from && to == other.to; }
  bool operator!=(const MapEdge& other) const { return !(*this == other); }
};

/// Edge number e of the map, which is one of a node's.
struct EdgeOf {
  const TopologicalMap* map = nullptr;
  std::int32_t from = -1;
  MapEdge operator()(std::int64_t e) const {
    const auto row = static_cast<std::size_t>(e);
    return {from, map->neighbour[row], map->length_m[row]};
  }
};

/// The property map of weights.
struct EdgeLength {
  using key_type = MapEdge;
  using value_type = double;
  using reference = double;
  using category = boost::readable_property_map_tag;
};
inline double get(EdgeLength, const MapEdge& edge) { return edge.length_m; }

}  // namespace sightline::host

namespace boost {
template <>
struct graph_traits<sightline::host::MapGraph> {
  using vertex_descriptor = std::int32_t;
  using edge_descriptor = sightline::host::MapEdge;
  using directed_category = undirected_tag;
  using edge_parallel_category = disallow_parallel_edge_tag;
  struct traversal_category : incidence_graph_tag, vertex_list_graph_tag {};
  using vertex_iterator = counting_iterator<std::int32_t>;
  using out_edge_iterator =
      transform_iterator<sightline::host::EdgeOf, counting_iterator<std::int64_t>>;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return -1; }
};
}  // namespace boost

namespace sightline::host {

using MapTraits = boost::graph_traits<MapGraph>;

inline std::size_t num_vertices(const MapGraph& graph) { return graph.map->position_m.size(); }
inline std::pair<MapTraits::vertex_iterator, MapTraits::vertex_iterator> vertices(
    const MapGraph& graph) {
  return {MapTraits::vertex_iterator(0),
          MapTraits::vertex_iterator(static_cast<std::int32_t>(graph.map->num_nodes()))};
}
inline std::int32_t source(const MapEdge& edge, const MapGraph&) { return edge.from; }
inline std::int32_t target(const MapEdge& edge, const MapGraph&) { return edge.to; }
inline std::pair<MapTraits::out_edge_iterator, MapTraits::out_edge_iterator> out_edges(
    std::int32_t node, const MapGraph& graph) {
  const auto row = static_cast<std::size_t>(node);
  const EdgeOf edge_of{graph.map, node};
  using Numbers = boost::counting_iterator<std::int64_t>;
  return {{Numbers(graph.map->first_edge[row]), edge_of},
          {Numbers(graph.map->first_edge[row + 1]), edge_of}};
}
inline std::size_t out_degree(std::int32_t node, const MapGraph& graph) {
  const auto row = static_cast<std::size_t>(node);
  return static_cast<std::size_t>(graph.map->first_edge[row + 1] - graph.map->first_edge[row]);
}

}  // namespace sightline::host
