// The benchmark of whole sweeps: Google Benchmark's own options, and
//
//   --small        less of everything, to see that everything works
//   --configs DIR  where the sweep files are (default: those beside the sources)
//
// BM_Sweep/config:NAME/threads:T: a file of configs/ from its text to results.csv, by the call that
// `sightline sweep` makes, into a folder that is new each time. Before it is timed the same sweep
// is run in two shards of one thread each, which are put together: the files of answers must be the
// same bytes, and hold as many rows as the file of configurations says.
//
// Exit code 1 if answers fail their check, or no benchmark matches the filter.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/context.h"
#include "host/device.h"
#include "host/sweep/merge.h"
#include "host/sweep/run.h"

namespace sightline::bench {
namespace {

namespace fs = std::filesystem;

/// A file of configs/, made as large as a benchmark wants it.
struct SweepCase {
  std::string name;
  std::vector<std::string> overrides, small_overrides;
  std::int64_t num_configurations = 0;  ///< without --small
};

const std::vector<SweepCase>& sweep_cases() {
  static const std::vector<SweepCase> cases = {
      // Sight: one set of 200,000 rays judged in 99 ways; 800 sets of few rays.
      {"building",
       {"observers.random_free.count=200000", "targets.random_free.count=200000"},
       {"observers.random_free.count=2000", "targets.random_free.count=2000"},
       99},
      {"e5_step_stress", {}, {"axes.seed=[1]"}, 800},
      // Gates: 60 corpora of 120 memories, 17 ways to keep some of them.
      {"wave_e_gates", {"replicates=15"}, {"replicates=1"}, 60},
      // Recall: mixes of five weights in steps of 0.1, at four offsets.
      {"wave_e_simplex",
       {"axes.recall.proximity.scale_m=[100]",
        "axes.weights={simplex: {dims: [recall.weights.relevance, recall.weights.spatial, "
        "recall.weights.recency, recall.weights.importance, recall.weights.staleness], "
        "step: 0.1}}"},
       {"queries.draws=1"},
       4004},
  };
  return cases;
}

/// A new folder for one benchmark, gone at its end.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "sweep_bench.XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::int64_t bytes_in(const std::string& folder) {
  std::int64_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += static_cast<std::int64_t>(entry.file_size());
  }
  return bytes;
}

class SweepBench {
 public:
  SweepBench(std::string configs, bool small) : configs_(std::move(configs)), small_(small) {}

  void run(benchmark::State& state, const SweepCase& of, int num_threads) {
    const Folder folder;
    host::Device device(host::DeviceChoice::kAuto, num_threads);
    std::int64_t round = 0;
    const auto once = [&] { return run_into(folder / std::to_string(round++), of, device, {}); };
    host::SweepSummary summary = once();
    const std::string fault = check(folder, of, summary);
    if (!fault.empty()) return fail(state, of.name + ": " + fault);
    for (auto _ : state) {
      once();
      state.PauseTiming();
      fs::remove_all(folder / std::to_string(round - 1));
      state.ResumeTiming();
    }
    count(state, folder / "0", summary);
  }

  bool failed() const { return failed_; }

 private:
  host::SweepSummary run_into(const std::string& out, const SweepCase& of, host::Device& device,
                              const host::Shard& shard) const {
    std::vector<std::string> overrides = of.overrides;
    if (small_) {
      overrides.insert(overrides.end(), of.small_overrides.begin(), of.small_overrides.end());
    }
    host::SweepOptions options;
    options.output_directory = out;
    options.shard = shard;
    options.resume = !shard.is_whole();
    return run_sweep(host::SweepPlan::load(configs_ + "/" + of.name + ".yaml", overrides), options,
                     device);
  }

  /// Empty if the run in folder/0 may be right.
  std::string check(const Folder& folder, const SweepCase& of,
                    const host::SweepSummary& summary) const {
    if (summary.failed > 0 || summary.num_missing > 0) return "configurations are missing";
    if (!small_ && summary.num_configurations != of.num_configurations) {
      return std::to_string(summary.num_configurations) + " configurations, not " +
             std::to_string(of.num_configurations);
    }
    const std::string results = text_of(folder / "0/results.csv");
    const auto num_rows = std::count(results.begin(), results.end(), '\n') - 1;
    const auto num_arms = static_cast<std::int64_t>(summary.arms.size());
    if (num_rows != summary.num_configurations * num_arms) return "rows are missing";
    host::Device one_thread(host::DeviceChoice::kCpu, 1);
    for (const std::int64_t number : {1, 2}) {
      run_into(folder / "shards", of, one_thread, {number, 2});
    }
    host::merge_shards(folder / "shards", {});
    for (const char* file : {"/results.csv", "/summary.json"}) {
      if (text_of(folder / "shards" + file) != text_of(folder / "0" + file)) {
        return "two shards of one thread give another " + std::string(file + 1);
      }
    }
    return "";
  }

  /// Rays and scores as timings.csv counts them: those that each row was computed from.
  static void count(benchmark::State& state, const std::string& out,
                    const host::SweepSummary& summary) {
    const auto rounds = static_cast<double>(state.iterations());
    const auto rate = [&](double per_round) {
      return benchmark::Counter(per_round * rounds, benchmark::Counter::kIsRate);
    };
    double asked = 0;
    for (const host::RunData::Row& row : host::read_run(out).rows) {
      asked += static_cast<double>(row.cost.num_rays);
    }
    const bool recall = summary.kind == host::ExperimentKind::kRecall;
    state.counters["configs_per_s"] = rate(static_cast<double>(summary.num_configurations));
    state.counters[recall ? "scores_per_s" : "rays_per_s"] = rate(asked);
    state.counters["configurations"] = static_cast<double>(summary.num_configurations);
    state.counters["bytes_written"] = static_cast<double>(bytes_in(out));
  }

  void fail(benchmark::State& state, const std::string& what) {
    failed_ = true;
    state.SkipWithError(what.c_str());
  }

  std::string configs_;
  bool small_, failed_ = false;
};

void register_sweeps(SweepBench& bench) {
  for (const SweepCase& of : sweep_cases()) {
    for (const int threads : {1, 2}) {
      const std::string name = "BM_Sweep/config:" + of.name + "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(
          name.c_str(), [&bench, &of, threads](benchmark::State& s) { bench.run(s, of, threads); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  bool small = false;
  std::string configs = SIGHTLINE_CONFIGS;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--small") == 0) {
      small = true;
    } else if (std::strcmp(argv[i], "--configs") == 0 && i + 1 < argc) {
      configs = argv[++i];
    } else {
      argv[kept++] = argv[i];
    }
  }
  if (benchmark::ReportUnrecognizedArguments(kept, argv)) return 2;
  sightline::bench::add_context(small);
  sightline::bench::SweepBench bench(configs, small);
  sightline::bench::register_sweeps(bench);
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return bench.failed() || num_run == 0 ? 1 : 0;
}
