#include "host/meta_memory/topological_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/world/text_scan.h"
#include "index/spatial_index.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using NodePair = std::pair<std::int32_t, std::int32_t>;

constexpr double kPi = 3.14159265358979323846;
// Meta-Memory does not give these; the values are those of this project's definition of the map.
constexpr double kDrivenGap_m = 5, kDrivenSteps = 3, kDrivenSegments = 3;
constexpr double kBlindReach_m = 3, kSeenSteps = 2.5;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

index::Point point_of(const Vec3& p) { return {p.x, p.y, p.z}; }

double distance_m(const Vec3& a, const Vec3& b) {
  return std::sqrt(index::squared_distance(point_of(a), point_of(b)));
}

bool is_finite(const Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

void check_options(const TopologicalMapOptions& options) {
  const auto check = [](const char* name, double value) {
    if (std::isfinite(value) && value >= 0) return;
    throw InputError(std::string("topological map: ") + name + " is " + exact_text(value) +
                     "; must be finite and at least 0");
  };
  check("min_step_m", options.min_step_m);
  check("min_turn_deg", options.min_turn_deg);
  check("segment_s", options.segment_s);
  check("num_nearest", static_cast<double>(options.num_nearest));
  check("reach_m", options.reach_m.value_or(0));
  check("max_rise_m", options.max_rise_m);
}

/// The entries of each sequence, in their order.
using Sequences = std::map<std::uint16_t, std::vector<std::size_t>>;

Sequences sequences_of(const std::vector<DrivenPlace>& entries) {
  Sequences sequences;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const DrivenPlace& entry = entries[i];
    const std::string where = "topological map: entry " + std::to_string(i);
    if (!is_finite(entry.position_m) || !std::isfinite(entry.time_s)) {
      throw InputError(where + " has a place or time that is not finite");
    }
    std::vector<std::size_t>& rows = sequences[entry.sequence];
    if (!rows.empty() && entries[rows.back()].time_s > entry.time_s) {
      throw InputError(where + " was made before entry " + std::to_string(rows.back()) +
                       " of its sequence; sort the entries of a sequence by time");
    }
    rows.push_back(i);
  }
  return sequences;
}

/// Of the way from each entry to the next of its sequence; 0 if there is none.
double median_step_m(const std::vector<DrivenPlace>& entries, const Sequences& sequences) {
  std::vector<double> steps;
  for (const auto& [sequence, rows] : sequences) {
    for (std::size_t k = 1; k < rows.size(); ++k) {
      steps.push_back(distance_m(entries[rows[k - 1]].position_m, entries[rows[k]].position_m));
    }
  }
  if (steps.empty()) return 0;
  std::sort(steps.begin(), steps.end());
  const std::size_t middle = steps.size() / 2;
  return steps.size() % 2 == 1 ? steps[middle] : 0.5 * (steps[middle - 1] + steps[middle]);
}

/// Half a turn at most; 0 where a yaw is not known.
double turn_rad(const DrivenPlace& a, const DrivenPlace& b) {
  const double turn = std::fabs(std::remainder(b.yaw_rad - a.yaw_rad, 2 * kPi));
  return std::isnan(turn) ? 0 : turn;
}

/// For each entry the entry that stands for it.
std::vector<std::size_t> kept_entries(const std::vector<DrivenPlace>& entries,
                                      const Sequences& sequences,
                                      const TopologicalMapOptions& options) {
  std::vector<std::size_t> kept(entries.size());
  const double min_turn_rad = options.min_turn_deg * kPi / 180;
  for (const auto& [sequence, rows] : sequences) {
    std::size_t last = rows.front();
    for (const std::size_t row : rows) {
      const bool far =
          distance_m(entries[last].position_m, entries[row].position_m) >= options.min_step_m;
      const bool turned = turn_rad(entries[last], entries[row]) >= min_turn_rad;
      if (far || turned || row == rows.back()) last = row;
      kept[row] = last;
    }
  }
  return kept;
}

/// Edges that somebody drove along.
void add_driven(const std::vector<DrivenPlace>& entries, const Sequences& sequences,
                const TopologicalMap& map, double max_gap_m, double max_gap_s,
                std::vector<NodePair>* edges) {
  for (const auto& [sequence, rows] : sequences) {
    std::size_t last = rows.front();
    for (const std::size_t row : rows) {
      const std::int32_t from = map.node_of_entry[last], to = map.node_of_entry[row];
      if (from == to) continue;  // its entry was not kept
      const double gap_m = distance_m(entries[last].position_m, entries[row].position_m);
      if (gap_m <= max_gap_m && entries[row].time_s - entries[last].time_s <= max_gap_s) {
        edges->push_back({from, to});
      }
      last = row;
    }
  }
}

/// Rows of `tree` that a node may get edges to, nearest first.
std::vector<std::int32_t> neighbours_within(const index::SpatialIndex& tree,
                                            const std::vector<Vec3>& nodes, std::int32_t node,
                                            double reach_m, const TopologicalMapOptions& options) {
  const Vec3& centre = nodes[at(node)];
  std::vector<std::int32_t> near;
  const auto take = [&](const index::Hits& hits) {
    near.clear();
    for (const index::Hit& hit : hits) {
      if (static_cast<std::int64_t>(near.size()) == options.num_nearest) break;
      if (hit.row == node || hit.score > reach_m * reach_m) continue;
      if (std::fabs(nodes[at(hit.row)].z - centre.z) > options.max_rise_m) continue;
      near.push_back(static_cast<std::int32_t>(hit.row));
    }
  };
  // Most often all that is near is level: the nearest will do, but for the node itself.
  const index::Hits nearest = tree.nearest(point_of(centre), options.num_nearest + 1);
  take(nearest);
  const bool may_miss = static_cast<std::int64_t>(near.size()) < options.num_nearest &&
                        nearest.back().score <= reach_m * reach_m;
  if (may_miss) take(tree.within(point_of(centre), reach_m));
  return near;
}

/// Edges along which the robot would see that it can go.
void add_seen(const TopologicalMap& map, double reach_m, const TopologicalMapOptions& options,
              std::vector<NodePair>* edges) {
  if (map.position_m.empty() || options.num_nearest == 0) return;
  std::vector<index::Point> points;
  for (const Vec3& node : map.position_m) points.push_back(point_of(node));
  const index::SpatialIndex tree(std::move(points));
  std::vector<NodePair> pairs;
  for (std::int32_t node = 0; node < map.num_nodes(); ++node) {
    for (const std::int32_t near :
         neighbours_within(tree, map.position_m, node, reach_m, options)) {
      pairs.push_back({std::min(node, near), std::max(node, near)});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::uint8_t> free(pairs.size(), 1);
  if (options.is_free) {
    std::vector<Vec3> from, to;
    for (const auto& [a, b] : pairs) {
      from.push_back(map.position_m[at(a)]);
      to.push_back(map.position_m[at(b)]);
    }
    free = options.is_free(from, to);
    if (free.size() != pairs.size()) {
      throw InputError("topological map: is_free gave " + std::to_string(free.size()) +
                       " answers to " + std::to_string(pairs.size()) + " pairs");
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (free[i] != 0) edges->push_back(pairs[i]);
  }
}

/// Fills the rows of `map` from its nodes and edges, which may repeat.
void fill_edges(const std::vector<NodePair>& edges, TopologicalMap* map) {
  std::vector<NodePair> both_ways;
  both_ways.reserve(2 * edges.size());
  for (const auto& [a, b] : edges) {
    both_ways.push_back({a, b});
    both_ways.push_back({b, a});
  }
  std::sort(both_ways.begin(), both_ways.end());
  both_ways.erase(std::unique(both_ways.begin(), both_ways.end()), both_ways.end());
  map->first_edge.assign(at(map->num_nodes() + 1), 0);
  for (const auto& [from, to] : both_ways) {
    ++map->first_edge[at(from) + 1];
    map->neighbour.push_back(to);
    // From the lower node to the higher: bit for bit the same both ways.
    map->length_m.push_back(distance_m(map->position_m[at(std::min(from, to))],
                                       map->position_m[at(std::max(from, to))]));
  }
  for (std::size_t v = 1; v < map->first_edge.size(); ++v) {
    map->first_edge[v] += map->first_edge[v - 1];
  }
}

/// The nearest of some nodes, given as (distance squared, node) in ascending order.
template <typename Nearest>
Snapped snapped_to(const std::vector<Vec3>& nodes, const Vec3& place, const Nearest& nearest) {
  for (const index::Hit& hit : nearest) {
    if (std::fabs(nodes[at(hit.row)].z - place.z) > kMaxSnapRise_m) continue;
    const double distance = std::sqrt(hit.score);
    return {static_cast<std::int32_t>(hit.row), distance, distance <= kMaxSnap_m};
  }
  return {};
}

void check_place(const Vec3& place) {
  if (!is_finite(place)) throw InputError("a place to find on the map is not finite");
}

}  // namespace

TopologicalMap make_topological_map(const std::vector<DrivenPlace>& entries,
                                    const TopologicalMapOptions& options) {
  check_options(options);
  const Sequences sequences = sequences_of(entries);
  const std::vector<std::size_t> kept = kept_entries(entries, sequences, options);
  TopologicalMap map;
  map.node_of_entry.resize(entries.size());
  for (std::size_t row = 0; row < entries.size(); ++row) {
    if (kept[row] == row) {
      map.node_of_entry[row] = static_cast<std::int32_t>(map.num_nodes());
      map.position_m.push_back(entries[row].position_m);
    } else {
      map.node_of_entry[row] = map.node_of_entry[kept[row]];  // an earlier row
    }
  }
  const double step_m = median_step_m(entries, sequences);
  const double sighted_reach_m = std::max(kBlindReach_m, kSeenSteps * step_m);
  const double reach_m =
      options.reach_m.value_or(options.is_free ? sighted_reach_m : kBlindReach_m);
  std::vector<NodePair> edges;
  add_driven(entries, sequences, map, std::max(kDrivenGap_m, kDrivenSteps * step_m),
             kDrivenSegments * options.segment_s, &edges);
  with_our_errors([&] { add_seen(map, reach_m, options, &edges); });
  fill_edges(edges, &map);
  return map;
}

TopologicalMap topological_map_of(std::vector<Vec3> nodes, const std::vector<NodePair>& edges) {
  TopologicalMap map;
  map.position_m = std::move(nodes);
  for (std::size_t i = 0; i < map.position_m.size(); ++i) {
    if (is_finite(map.position_m[i])) continue;
    throw InputError("topological map: node " + std::to_string(i) + " is not at a finite place");
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto& [a, b] = edges[i];
    const std::string where = "topological map: edge " + std::to_string(i);
    if (a == b) throw InputError(where + " joins node " + std::to_string(a) + " with itself");
    for (const std::int32_t node : {a, b}) {
      if (node >= 0 && node < map.num_nodes()) continue;
      throw InputError(where + " names node " + std::to_string(node) + "; there are " +
                       std::to_string(map.num_nodes()));
    }
  }
  fill_edges(edges, &map);
  return map;
}

Snapped snap(const TopologicalMap& map, const Vec3& place) {
  check_place(place);
  std::vector<index::Hit> best;  // one at most
  for (std::int64_t node = 0; node < map.num_nodes(); ++node) {
    const Vec3& p = map.position_m[at(node)];
    if (std::fabs(p.z - place.z) > kMaxSnapRise_m) continue;
    const double squared = index::squared_distance(point_of(place), point_of(p));
    if (best.empty() || squared < best[0].score) best = {{node, squared}};
  }
  return snapped_to(map.position_m, place, best);
}

double ground_height_m(const TopologicalMap& map, double x, double y) {
  double height_m = 0, least = INFINITY;
  for (const Vec3& p : map.position_m) {
    const double squared = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
    if (squared >= least) continue;
    least = squared;
    height_m = p.z;
  }
  return height_m;
}

std::vector<Snapped> snap_all(const TopologicalMap& map, const std::vector<Vec3>& places) {
  for (const Vec3& place : places) check_place(place);
  std::vector<index::Point> points;
  for (const Vec3& node : map.position_m) points.push_back(point_of(node));
  return with_our_errors([&] {
    const index::SpatialIndex tree(std::move(points));
    std::vector<Snapped> snapped;
    for (const Vec3& place : places) {
      constexpr std::int64_t kNearest = 64;  // floors above each other hide each other's nodes
      const Snapped near =
          snapped_to(map.position_m, place, tree.nearest(point_of(place), kNearest));
      snapped.push_back(near.node >= 0 ? near : snap(map, place));
    }
    return snapped;
  });
}

}  // namespace sightline::host
