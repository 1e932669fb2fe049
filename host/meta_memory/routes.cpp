// Shortest ways over a topological map, by Boost.Graph.
#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/detail/d_ary_heap.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "host/error.h"
#include "host/memory/parallel_rows.h"
#include "host/meta_memory/map_graph.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {
namespace {

using Node = std::int32_t;
using NodeIndex = boost::typed_identity_property_map<Node>;
template <typename Value>
using NodeMap = boost::iterator_property_map<Value*, NodeIndex>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <typename Value>
NodeMap<Value> node_map(std::vector<Value>* values) {
  return {values->data(), NodeIndex()};
}

void check_node(const TopologicalMap& map, Node node) {
  if (node >= 0 && node < map.num_nodes()) return;
  throw InputError("route: there is no node " + std::to_string(node) + "; the map has " +
                   std::to_string(map.num_nodes()));
}

enum class Hint : bool { kNone, kStraightLine };

/// Finds routes one after the other. What it keeps for each node of the map is set up once: a route
/// then costs no more than the nodes that it looks at, which is why the functions of Boost that set
/// everything up for each search are not used here.
class RouteSearch {
 public:
  explicit RouteSearch(const TopologicalMap& map)
      : map_(map),
        distance_m_(at(map.num_nodes()), kInfinity),
        key_m_(at(map.num_nodes()), kInfinity),
        place_in_queue_(at(map.num_nodes()), kNowhere),
        colour_(at(map.num_nodes()), boost::white_color),
        queue_(node_map(&key_m_), node_map(&place_in_queue_)) {}

  Route find(Node start, Node end, Hint hint) {
    search(start, end, hint);
    Route route;
    if (distance_m_[at(end)] < kInfinity) {
      route.length_m = distance_m_[at(end)];
      route.nodes = walk_back(start, end);
    }
    forget();
    return route;
  }

 private:
  // Without the last it would compare keys as nodes, rounded.
  using Queue =
      boost::d_ary_heap_indirect<Node, 4, NodeMap<std::size_t>, NodeMap<double>, std::less<double>>;
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Done {};

  /// Makes a breadth-first search one that goes on from the node of least key: distance from the
  /// start, plus the straight line to the end (A*) or nothing (Dijkstra).
  class Visitor : public boost::bfs_visitor<> {
   public:
    Visitor(RouteSearch* search, Node end, Hint hint) : search_(search), end_(end), hint_(hint) {}

    void discover_vertex(Node node, const MapGraph&) const { search_->seen_.push_back(node); }

    /// All ways to the end that are as short as the shortest have been seen once the least key is
    /// above that length by more than rounding can add. (Sums of a million lengths are off by 1e-10
    /// of them; where nodes were looked at in another order, the same distances come out.)
    void examine_vertex(Node node, const MapGraph&) const {
      constexpr double kRounding = 1e-9;
      const double found_m = search_->distance_m_[at(end_)];
      if (search_->key_m_[at(node)] > found_m + kRounding * (1 + found_m)) throw Done();
    }
    void tree_edge(const MapEdge& edge, const MapGraph&) const { shorten(edge); }
    void gray_target(const MapEdge& edge, const MapGraph&) const {
      if (shorten(edge)) search_->queue_.update(edge.to);
    }
    /// Rounding alone makes a straight line longer than two that go the same way.
    void black_target(const MapEdge& edge, const MapGraph&) const {
      if (!shorten(edge)) return;
      search_->colour_[at(edge.to)] = boost::gray_color;
      search_->queue_.push(edge.to);
    }

   private:
    bool shorten(const MapEdge& edge) const {
      const double by_here_m = search_->distance_m_[at(edge.from)] + edge.length_m;
      if (!(by_here_m < search_->distance_m_[at(edge.to)])) return false;
      search_->distance_m_[at(edge.to)] = by_here_m;
      search_->key_m_[at(edge.to)] = by_here_m + left_m(edge.to);
      return true;
    }
    double left_m(Node node) const {
      if (hint_ == Hint::kNone) return 0;
      const kernels::Vec3 d =
          kernels::minus(search_->map_.position_m[at(end_)], search_->map_.position_m[at(node)]);
      return std::sqrt(kernels::dot(d, d));
    }

    RouteSearch* search_;
    Node end_;
    Hint hint_;
  };

  void search(Node start, Node end, Hint hint) {
    distance_m_[at(start)] = key_m_[at(start)] = 0;
    try {
      boost::breadth_first_visit(MapGraph{&map_}, start, queue_, Visitor(this, end, hint),
                                 node_map(&colour_));
    } catch (const Done&) {
    }
  }

  /// The route, from distances that are right for all nodes on shortest ways to `end`.
  std::vector<Node> walk_back(Node start, Node end) const {
    std::vector<Node> nodes{end};
    while (nodes.back() != start) {
      const Node before = nearer_before(nodes.back(), distance_m_[at(nodes.back())]);
      if (before >= 0) {
        nodes.push_back(before);
      } else {
        pass_level(start, &nodes);
      }
    }
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }

  /// The smallest node nearer to the start by way of which a node at `distance_m` is reached; -1 if
  /// there is none.
  Node nearer_before(Node node, double distance_m) const {
    for (std::int64_t e = map_.first_edge[at(node)]; e < map_.first_edge[at(node) + 1]; ++e) {
      const double before_m = distance_m_[at(map_.neighbour[at(e)])];
      if (before_m < distance_m && before_m + map_.length_m[at(e)] == distance_m) {
        return map_.neighbour[at(e)];
      }
    }
    return -1;
  }

  /// Goes on from the last of `nodes` along edges too short to add to the distance, to the first
  /// node from which a longer one leads back, or the start.
  void pass_level(Node start, std::vector<Node>* nodes) const {
    const double level_m = distance_m_[at(nodes->back())];
    std::vector<std::pair<Node, std::size_t>> found{{nodes->back(), 0}};  // and from which of them
    const auto is_known = [&](Node node) {
      return std::any_of(found.begin(), found.end(),
                         [&](const auto& other) { return other.first == node; });
    };
    std::size_t layer = 0, leaves = found.size();
    for (;;) {
      leaves = found.size();
      for (std::size_t i = layer; i < leaves; ++i) {
        const Node node = found[i].first;
        for (std::int64_t e = map_.first_edge[at(node)]; e < map_.first_edge[at(node) + 1]; ++e) {
          const Node next = map_.neighbour[at(e)];
          if (level_m + map_.length_m[at(e)] == level_m && !is_known(next)) {
            found.push_back({next, i});
          }
        }
      }
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(leaves), found.end());
      for (std::size_t i = leaves; i < found.size(); ++i) {
        if (found[i].first != start && nearer_before(found[i].first, level_m) < 0) continue;
        std::vector<Node> back;
        for (std::size_t k = i; k != 0; k = found[k].second) back.push_back(found[k].first);
        nodes->insert(nodes->end(), back.rbegin(), back.rend());
        return;
      }
      layer = leaves;
    }
  }

  void forget() {
    for (const Node node : seen_) {
      distance_m_[at(node)] = key_m_[at(node)] = kInfinity;
      place_in_queue_[at(node)] = kNowhere;
      colour_[at(node)] = boost::white_color;
    }
    seen_.clear();
    queue_ = Queue(node_map(&key_m_), node_map(&place_in_queue_));
  }

  const TopologicalMap& map_;
  std::vector<double> distance_m_, key_m_;
  std::vector<std::size_t> place_in_queue_;
  std::vector<boost::default_color_type> colour_;
  std::vector<Node> seen_;
  Queue queue_;
};

Route find_route(const TopologicalMap& map, Node start, Node end, Hint hint) {
  check_node(map, start);
  check_node(map, end);
  return RouteSearch(map).find(start, end, hint);
}

/// Searches that threads borrow, as many as there are threads at a time.
class Searches {
 public:
  explicit Searches(const TopologicalMap& map) : map_(map) {}

  std::unique_ptr<RouteSearch> take() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<RouteSearch> search = std::move(idle_.back());
        idle_.pop_back();
        return search;
      }
    }
    return std::make_unique<RouteSearch>(map_);
  }
  void give_back(std::unique_ptr<RouteSearch> search) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(search));
  }

 private:
  const TopologicalMap& map_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RouteSearch>> idle_;
};

}  // namespace

Route shortest_route(const TopologicalMap& map, Node start, Node end) {
  return find_route(map, start, end, Hint::kNone);
}

Route shortest_route_astar(const TopologicalMap& map, Node start, Node end) {
  return find_route(map, start, end, Hint::kStraightLine);
}

std::vector<Route> shortest_routes(const TopologicalMap& map,
                                   const std::vector<std::pair<Node, Node>>& pairs,
                                   int num_threads) {
  for (const auto& [start, end] : pairs) {
    check_node(map, start);
    check_node(map, end);
  }
  const std::vector<Node> component = components_of(map);
  std::vector<Route> routes(pairs.size());
  Searches searches(map);
  for_each_row(static_cast<std::int64_t>(pairs.size()), num_threads, [&](std::int64_t row) {
    const auto& [start, end] = pairs[at(row)];
    // Where there is no way a search would look at all that can be got to before it says so.
    if (component[at(start)] != component[at(end)]) return;
    std::unique_ptr<RouteSearch> search = searches.take();
    routes[at(row)] = search->find(start, end, Hint::kStraightLine);
    searches.give_back(std::move(search));
  });
  return routes;
}

std::vector<double> distances_from(const TopologicalMap& map, Node start) {
  check_node(map, start);
  std::vector<double> distance_m(at(map.num_nodes()));
  boost::dijkstra_shortest_paths_no_color_map(
      MapGraph{&map}, start, boost::dummy_property_map(), node_map(&distance_m), EdgeLength(),
      NodeIndex(), std::less<>(), std::plus<>(), kInfinity, 0.0, boost::default_dijkstra_visitor());
  return distance_m;
}

std::vector<Node> components_of(const TopologicalMap& map) {
  std::vector<Node> component(at(map.num_nodes()));
  if (component.empty()) return component;
  std::vector<boost::default_color_type> colour(component.size());
  boost::connected_components(MapGraph{&map}, node_map(&component),
                              boost::color_map(node_map(&colour)).vertex_index_map(NodeIndex()));
  // Boost numbers them in the order of their lowest nodes.
  std::vector<Node> lowest;
  for (Node node = 0; node < map.num_nodes(); ++node) {
    Node& number = component[at(node)];
    if (at(number) == lowest.size()) lowest.push_back(node);
    number = lowest[at(number)];
  }
  return component;
}

}  // namespace sightline::host
