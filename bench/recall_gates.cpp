// BM_Gate/op:O/anchors:N/way:W: gates by distance, by asking every anchor and through the uniform
// grid, which must keep the same; and BM_SortIntoCells, what the grid costs to make.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "bench/recall_suite.h"
#include "host/anchor_cells.h"

namespace sightline::bench {
namespace {

using kernels::Vec3;

constexpr std::int64_t kQueries = 256, kNearest = 15;
constexpr double kFloor_m = 40, kStorey_m = 3, kRadius_m = 3;
constexpr unsigned kSeed = 20261122;
const kernels::Executor kOneThread{kernels::Backend::kCpu, 1, nullptr};

std::vector<Vec3> points_in_storey(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> floor(0, kFloor_m), height(0, kStorey_m);
  std::vector<Vec3> points;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = floor(random), y = floor(random);
    points.push_back({x, y, height(random)});
  }
  return points;
}

struct GateCase {
  std::vector<Vec3> anchors, centres = points_in_storey(kQueries, kSeed + 1);
  host::AnchorCells cells;
  std::vector<kernels::Neighbour> nearest{kQueries * kNearest};
  std::vector<std::uint64_t> bits;

  explicit GateCase(std::int64_t num_anchors)
      : anchors(points_in_storey(num_anchors, kSeed)),
        cells(host::sort_into_cells(anchors.data(), num_anchors)),
        bits(static_cast<std::size_t>(kQueries * kernels::words_of_bits(num_anchors))) {}

  std::int64_t num_anchors() const { return static_cast<std::int64_t>(anchors.size()); }

  void run(bool by_radius, bool by_grid) {
    const Vec3* const from = centres.data();
    if (by_radius) {
      by_grid ? radius_gate(kOneThread, cells.grid, from, kQueries, kRadius_m, bits.data())
              : radius_gate(kOneThread, anchors.data(), num_anchors(), from, kQueries, kRadius_m,
                            bits.data());
      return;
    }
    by_grid ? nearest_anchors(kOneThread, cells.grid, from, kQueries, kNearest, nearest.data())
            : nearest_anchors(kOneThread, anchors.data(), num_anchors(), from, kQueries, kNearest,
                              nearest.data());
    nearest_gate(kOneThread, nearest.data(), kQueries, kNearest, num_anchors(), bits.data());
  }
};

void gate(benchmark::State& state, RecallSuite& suite, std::int64_t num_anchors, bool by_radius,
          bool by_grid) {
  GateCase one(num_anchors);
  one.run(by_radius, false);
  const std::vector<std::uint64_t> expected = one.bits;
  one.run(by_radius, by_grid);
  if (one.bits != expected) return suite.fail(state, "the grid keeps other anchors than the scan");
  for (auto _ : state) {
    one.run(by_radius, by_grid);
    benchmark::DoNotOptimize(one.bits.data());
  }
  state.counters["queries_per_s"] = benchmark::Counter(
      static_cast<double>(kQueries * state.iterations()), benchmark::Counter::kIsRate);
}

void sorting(benchmark::State& state, std::int64_t num_anchors) {
  const std::vector<Vec3> anchors = points_in_storey(num_anchors, kSeed);
  for (auto _ : state) {
    benchmark::DoNotOptimize(host::sort_into_cells(anchors.data(), num_anchors).first.data());
  }
}

}  // namespace

void register_recall_gates(RecallSuite& suite) {
  std::vector<std::int64_t> counts{64, 128, 256, 512, 1024, 4096, 65536, 1000000};
  if (suite.small()) counts = {100, 3000};
  for (const std::int64_t count : counts) {
    const std::string anchors = "/anchors:" + std::to_string(count);
    for (const bool by_radius : {true, false}) {
      for (const bool by_grid : {false, true}) {
        const std::string title = std::string("BM_Gate/op:") + (by_radius ? "radius" : "nearest") +
                                  anchors + "/way:" + (by_grid ? "grid" : "scan");
        benchmark::RegisterBenchmark(title.c_str(), [=, &suite](benchmark::State& state) {
          gate(state, suite, count, by_radius, by_grid);
        })->Unit(benchmark::kMicrosecond);
      }
    }
    benchmark::RegisterBenchmark(("BM_SortIntoCells" + anchors).c_str(),
                                 [=](benchmark::State& state) { sorting(state, count); })
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace sightline::bench
