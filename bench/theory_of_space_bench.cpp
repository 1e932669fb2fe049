// The benchmark of rooms that are explored: Google Benchmark's own options, and
//
//   --small   500 scenes instead of 100,000, to see that it works
//
// BM_Scenes/threads:T: scenes of three rooms from nothing to their scores: drawn, explored by
// SCOUT, domains and information gain brought up to date after every turn, coverage, and how right
// the map is that the observations amount to. Before they are timed, answers of some scenes are
// compared with those of one thread, and their means with what the published code gives (SCOUT on
// 100 scenes of three rooms: 8.92 observes, information gain 0.787, everything seen).
//
// BM_Stage/stage:NAME: what one scene costs of each part, on one thread.
//
// BM_Bytes: what a scene and what beliefs of it keep on the heap and in themselves, as the
// allocator counts; times mean nothing there.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/arguments.h"
#include "bench/context.h"
#include "host/memory/parallel_rows.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/proxies.h"
#include "host/theory_of_space/scene_generator.h"

namespace sightline::bench {
namespace {

using namespace host::tos;

constexpr std::uint64_t kSeed = 1;

Scene scene_of(std::int64_t number) {
  return generate_scene({}, kSeed, static_cast<std::uint64_t>(number));
}

/// What is kept of a scene that was explored.
struct SceneResult {
  int num_observes = 0;
  double information_gain = 0, node_coverage = 0, edge_coverage = 0, map_correctness = 0;
  friend bool operator==(const SceneResult& a, const SceneResult& b) {
    return a.num_observes == b.num_observes && a.information_gain == b.information_gain &&
           a.node_coverage == b.node_coverage && a.edge_coverage == b.edge_coverage &&
           a.map_correctness == b.map_correctness;
  }
};

SceneResult run_scene(std::int64_t number) {
  const Scene scene = scene_of(number);
  Scout scout(scene);
  const MappedExploration mapped = explore_and_map(scene, &scout);
  const TurnRecord& last = mapped.exploration.last();
  return {last.num_observes, last.information_gain, last.node_coverage, last.edge_coverage,
          map_correctness(scene, mapped.exploration.pose, mapped.map)};
}

std::vector<SceneResult> run_scenes(std::int64_t count, int num_threads) {
  std::vector<SceneResult> results(static_cast<std::size_t>(count));
  host::for_each_row(count, num_threads, [&](std::int64_t number) {
    results[static_cast<std::size_t>(number)] = run_scene(number);
  });
  return results;
}

/// Empty if the results may be right.
std::string fault_of(const std::vector<SceneResult>& results) {
  double observes = 0, gain = 0;
  for (const SceneResult& result : results) {
    observes += result.num_observes, gain += result.information_gain;
    if (result.node_coverage != 1) return "SCOUT did not see everything";
    if (!(result.map_correctness > 0.5 && result.map_correctness <= 1)) return "a map is wrong";
  }
  // Two standard errors of the published 100 scenes, and three of 500.
  constexpr double kObserves = 8.92, kObservesOff = 0.3, kGain = 0.787, kGainOff = 0.03;
  const auto count = static_cast<double>(results.size());
  if (std::abs(observes / count - kObserves) > kObservesOff) return "SCOUT looks too often";
  if (std::abs(gain / count - kGain) > kGainOff) return "another information gain";
  return "";
}

/// Turns of a scene and where they were seen from: what beliefs are made of.
struct Told {
  Scene scene;
  std::vector<std::pair<Turn, int>> turns;
};

/// An episode that nobody keeps records of.
class PlainWorld final : public World {
 public:
  explicit PlainWorld(const Scene& scene) : episode_(scene) {}
  const Turn& act(const std::vector<Action>& actions) override { return episode_.act(actions); }
  bool has_ended() const override { return episode_.has_ended(); }
  const Episode& episode() const { return episode_; }

 private:
  Episode episode_;
};

std::vector<Told> told_scenes(std::int64_t count) {
  std::vector<Told> all(static_cast<std::size_t>(count));
  for (std::int64_t number = 0; number < count; ++number) {
    Told& told = all[static_cast<std::size_t>(number)];
    told.scene = scene_of(number);
    Scout scout(told.scene);
    explore(told.scene, &scout, {}, Profile::kCode,
            [&](const Episode& episode, const RevisingBelief&) {
              told.turns.emplace_back(episode.last(), episode.node());
            });
  }
  return all;
}

Belief belief_of(const Told& told) {
  Belief belief = first_belief(told.scene, {}, Profile::kCode);
  for (const auto& [turn, node] : told.turns) {
    belief.add(turn, node);
    benchmark::DoNotOptimize(belief.information_gain());
  }
  return belief;
}

RevisingBelief revising_belief_of(const Told& told) {
  RevisingBelief belief(told.scene.num_items(), told.scene.grid);
  for (const auto& [turn, node] : told.turns) belief.add(turn, node);
  return belief;
}

class ScenesBench {
 public:
  explicit ScenesBench(bool small) : num_scenes_(small ? 500 : 100'000) {}

  void run(benchmark::State& state, int num_threads) {
    const std::vector<SceneResult> some = run_scenes(kNumChecked, num_threads);
    std::string fault = fault_of(some);
    if (!(some == run_scenes(kNumChecked, 1))) fault = "another number of threads, other answers";
    if (!fault.empty()) return fail(state, fault);
    for (auto _ : state) benchmark::DoNotOptimize(run_scenes(num_scenes_, num_threads));
    state.counters["scenes"] = static_cast<double>(num_scenes_);
    count_scenes(state, num_scenes_);
  }

  /// Does make(i) for every scene that beliefs are made of.
  template <class Make>
  void run_stage(benchmark::State& state, const Make& make) {
    if (told_.empty()) told_ = told_scenes(kNumChecked);
    for (auto _ : state) {
      for (std::size_t i = 0; i < told_.size(); ++i) make(told_[i], static_cast<std::int64_t>(i));
    }
    count_scenes(state, kNumChecked);
  }

  void run_bytes(benchmark::State& state) {
    if (told_.empty()) told_ = told_scenes(kNumChecked);
    for (auto _ : state) {
      state.counters["bytes_of_scene"] =
          bytes_of_each([&](std::size_t i) { return scene_of(static_cast<std::int64_t>(i)); });
      state.counters["bytes_of_belief"] =
          bytes_of_each([&](std::size_t i) { return belief_of(told_[i]); });
      state.counters["bytes_of_revising_belief"] =
          bytes_of_each([&](std::size_t i) { return revising_belief_of(told_[i]); });
      state.counters["bytes_of_result"] = sizeof(SceneResult);
    }
  }

  void fail(benchmark::State& state, const std::string& what) {
    failed_ = true;
    state.SkipWithError(what.c_str());
  }
  bool failed() const { return failed_; }

 private:
  static constexpr std::int64_t kNumChecked = 500;

  static void count_scenes(benchmark::State& state, std::int64_t per_round) {
    state.counters["scenes_per_s"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(per_round),
                           benchmark::Counter::kIsRate);
  }

  /// In use by the allocator after kNumChecked of them were made, less what was before.
  template <class Make>
  static double bytes_of_each(const Make& make) {
    using Made = decltype(make(std::size_t{0}));
    const std::size_t before = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
    std::vector<Made> all;
    all.reserve(kNumChecked);
    for (std::size_t i = 0; i < kNumChecked; ++i) all.push_back(make(i));
    const std::size_t after = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
    return static_cast<double>(after - before) / kNumChecked;
  }

  std::int64_t num_scenes_;
  std::vector<Told> told_;
  bool failed_ = false;
};

/// What one scene goes through, part by part.
void register_stages(ScenesBench& bench) {
  const auto add = [&bench](const char* name, auto make) {
    benchmark::RegisterBenchmark(
        ("BM_Stage/stage:" + std::string(name)).c_str(),
        [&bench, make](benchmark::State& state) { bench.run_stage(state, make); })
        ->Unit(benchmark::kMillisecond);
  };
  add("draw", [](const Told&, std::int64_t number) { benchmark::DoNotOptimize(scene_of(number)); });
  add("act", [](const Told& told, std::int64_t) {
    PlainWorld world(told.scene);
    Scout scout(told.scene);
    scout.explore(&world);
    benchmark::DoNotOptimize(world.episode().edge_coverage());
  });
  add("believe", [](const Told& told, std::int64_t) { benchmark::DoNotOptimize(belief_of(told)); });
  add("map", [](const Told& told, std::int64_t) {
    benchmark::DoNotOptimize(believed_map(revising_belief_of(told), briefing_of(told.scene),
                                          told.turns.back().second, Heading::kNorth));
  });
  add("score", [](const Told& told, std::int64_t) {
    benchmark::DoNotOptimize(map_correctness(told.scene, told.scene.start, true_map(told.scene)));
  });
  add("all", [](const Told&, std::int64_t number) { benchmark::DoNotOptimize(run_scene(number)); });
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  sightline::bench::add_context(small);
  sightline::bench::ScenesBench bench(small);
  for (const int threads : {1, 2}) {
    const std::string name = "BM_Scenes/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        name.c_str(), [&bench, threads](benchmark::State& state) { bench.run(state, threads); })
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kSecond);
  }
  sightline::bench::register_stages(bench);
  benchmark::RegisterBenchmark("BM_Bytes", [&bench](benchmark::State& state) {
    bench.run_bytes(state);
  })->Iterations(1);
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return bench.failed() || num_run == 0 ? 1 : 0;
}
