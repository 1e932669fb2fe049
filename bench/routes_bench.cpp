// The benchmark of routes over topological maps: Google Benchmark's own options, and
//
//   --small   10,000 nodes and 1,000 routes instead of a million and 100,000, to see that it works
//
// BM_Routes/threads:T: many short routes over one large map. A square lattice of nodes 4.2 m apart
// (a clip of 3 s at 1.4 m/s), each off its place by a third of that at most, joined with their 8
// neighbours but for one edge in ten. Lengths are first compared with those of a plain Dijkstra
// search on some of the pairs, and all routes with those of one thread.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "bench/arguments.h"
#include "bench/context.h"
#include "host/meta_memory/topological_map.h"
#include "host/random.h"

namespace sightline::bench {
namespace {

using host::RandomItem;
using host::Route;
using host::TopologicalMap;
using NodePair = std::pair<std::int32_t, std::int32_t>;

constexpr double kSpacing_m = 4.2, kMostRoute_m = 500;
constexpr std::uint64_t kSeed = 1;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

TopologicalMap lattice(std::int32_t edge_nodes) {
  std::vector<kernels::Vec3> nodes;
  std::vector<NodePair> edges;
  RandomItem random(kSeed, host::stream_of("lattice"), 0);
  const auto off = [&] { return (2 * random.uniform() - 1) / 3; };
  for (std::int32_t y = 0; y < edge_nodes; ++y) {
    for (std::int32_t x = 0; x < edge_nodes; ++x) {
      const std::int32_t node = y * edge_nodes + x;
      nodes.push_back({kSpacing_m * (x + off()), kSpacing_m * (y + off()), 0});
      const bool left = x > 0, right = x + 1 < edge_nodes, below = y > 0;
      const std::pair<bool, std::int32_t> before[] = {{left, node - 1},
                                                      {below, node - edge_nodes},
                                                      {below && left, node - edge_nodes - 1},
                                                      {below && right, node - edge_nodes + 1}};
      for (const auto& [is_there, other] : before) {
        if (is_there && random.below(10) != 0) edges.push_back({other, node});
      }
    }
  }
  return host::topological_map_of(std::move(nodes), edges);
}

/// Pairs of nodes less than 420 m apart in a straight line, evenly over the disc.
std::vector<NodePair> near_pairs(std::int32_t edge_nodes, std::int64_t num_pairs) {
  constexpr double kMostStraight_m = 420;
  const auto reach = static_cast<std::int64_t>(kMostStraight_m / kSpacing_m) - 1;
  std::vector<NodePair> pairs;
  RandomItem random(kSeed, host::stream_of("pairs"), 0);
  const auto any = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random.below(std::uint64_t(n)));
  };
  while (static_cast<std::int64_t>(pairs.size()) < num_pairs) {
    const std::int64_t x = any(edge_nodes), y = any(edge_nodes);
    const std::int64_t u = any(2 * reach + 1) - reach, v = any(2 * reach + 1) - reach;
    const bool inside = x + u >= 0 && x + u < edge_nodes && y + v >= 0 && y + v < edge_nodes;
    if (!inside || u * u + v * v > reach * reach) continue;
    pairs.push_back({static_cast<std::int32_t>(y * edge_nodes + x),
                     static_cast<std::int32_t>((y + v) * edge_nodes + x + u)});
  }
  return pairs;
}

/// Dijkstra's algorithm with a heap of (distance, node), as every textbook has it.
double plain_length_m(const TopologicalMap& map, std::int32_t start, std::int32_t end) {
  std::vector<double> distance(at(map.num_nodes()), std::numeric_limits<double>::infinity());
  using Item = std::pair<double, std::int32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> heap;
  distance[at(start)] = 0;
  heap.push({0, start});
  while (!heap.empty()) {
    const auto [here_m, node] = heap.top();
    heap.pop();
    if (node == end) break;
    if (here_m > distance[at(node)]) continue;
    for (std::int64_t e = map.first_edge[at(node)]; e < map.first_edge[at(node) + 1]; ++e) {
      const std::int32_t next = map.neighbour[at(e)];
      const double next_m = here_m + map.length_m[at(e)];
      if (!(next_m < distance[at(next)])) continue;
      distance[at(next)] = next_m;
      heap.push({next_m, next});
    }
  }
  return distance[at(end)];
}

class RoutesBench {
 public:
  explicit RoutesBench(bool small)
      : map_(lattice(small ? 100 : 1000)),
        pairs_(near_pairs(small ? 100 : 1000, small ? 1000 : 100000)) {}

  void run(benchmark::State& state, int threads) {
    const std::string fault = check(threads);
    if (!fault.empty()) {
      failed_ = true;
      return state.SkipWithError(fault.c_str());
    }
    for (auto _ : state) benchmark::DoNotOptimize(host::shortest_routes(map_, pairs_, threads));
    state.counters["routes_per_s"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * static_cast<double>(pairs_.size()),
        benchmark::Counter::kIsRate);
    state.counters["routes"] = static_cast<double>(pairs_.size());
    state.counters["nodes"] = static_cast<double>(map_.num_nodes());
    state.counters["edges"] = static_cast<double>(map_.neighbour.size()) / 2;
    double total_m = 0;
    for (const Route& route : routes_) total_m += route.length_m;
    state.counters["mean_route_m"] = total_m / static_cast<double>(pairs_.size());
  }

  bool failed() const { return failed_; }

 private:
  /// Empty if the routes may be right.
  std::string check(int threads) {
    if (routes_.empty()) {
      routes_ = host::shortest_routes(map_, pairs_, 1);
      constexpr std::size_t kSample = 100;
      for (std::size_t i = 0; i < pairs_.size(); i += pairs_.size() / kSample) {
        const auto& [start, end] = pairs_[i];
        if (routes_[i].length_m != plain_length_m(map_, start, end)) {
          return "a route is not as long as a plain search's";
        }
        if (routes_[i].nodes != host::shortest_route(map_, start, end).nodes) {
          return "A* and Dijkstra find other routes";
        }
      }
    }
    for (const Route& route : routes_) {
      if (route.nodes.empty() || route.length_m > kMostRoute_m) return "a route is too long";
    }
    const std::vector<Route> again = host::shortest_routes(map_, pairs_, threads);
    for (std::size_t i = 0; i < again.size(); ++i) {
      if (again[i].nodes != routes_[i].nodes || again[i].length_m != routes_[i].length_m) {
        return "another number of threads finds other routes";
      }
    }
    return "";
  }

  TopologicalMap map_;
  std::vector<NodePair> pairs_;
  std::vector<Route> routes_;  ///< of one thread
  bool failed_ = false;
};

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  sightline::bench::add_context(small);
  sightline::bench::RoutesBench bench(small);
  for (const int threads : {1, 2}) {
    const std::string name = "BM_Routes/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        name.c_str(), [&bench, threads](benchmark::State& state) { bench.run(state, threads); })
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kSecond);
  }
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return bench.failed() || num_run == 0 ? 1 : 0;
}
