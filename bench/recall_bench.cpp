// The recall benchmarks: Google Benchmark's own options, and
//
//   --small       fewer memories, queries and mixes, to see that everything works
//   --export DIR  write what scripts/bench_torch.py times into a folder that exists, and no more
//
// Shape S: 120 memories, 600 queries, 10,626 mixes of five weights; shape L: a million memories,
// 1,000 mixes. Exit code 1 if answers fail their check, or no benchmark matches the filter.
#include <algorithm>
#include <cstdio>

#include "bench/arguments.h"
#include "bench/context.h"
#include "bench/export.h"
#include "bench/recall_suite.h"

namespace sightline::bench {

const RecallData& RecallCase::data() {
  if (!data_) data_ = std::make_unique<RecallData>(shape_);
  return *data_;
}

const RecallFeatures& RecallCase::features() {
  if (!features_) {
    features_ =
        std::make_unique<RecallFeatures>(data(), std::max(rank_queries(), top_queries()), kScale_m);
  }
  return *features_;
}

RecallSuite::RecallSuite(bool small) : small_(small) {
  constexpr std::int64_t kWholeLattice = 10626;
  if (small) {
    cases_.emplace_back(RecallShape{"S", 120, 6, 200, 15, 8, 6, 3});
    cases_.emplace_back(RecallShape{"L", 5000, 4, 40, 100, 50, 3, 2});
  } else {
    cases_.emplace_back(RecallShape{"S", 120, 600, kWholeLattice, 15, 8, 600, 32});
    cases_.emplace_back(RecallShape{"L", 1000000, 64, 1000, 100, 1000, 4, 4});
  }
}

void RecallSuite::fail(benchmark::State& state, const std::string& what) {
  failed_ = true;
  state.SkipWithError(what.c_str());
}

}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string exported = sightline::bench::take_option("--export", &argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // Before the memories are made, which takes a while.
  if (!exported.empty() && !sightline::bench::has_export_folder(exported)) return 2;

  sightline::bench::RecallSuite suite(small);
  if (!exported.empty()) {
    return sightline::bench::exit_code_of([&] { export_recall(suite, exported); });
  }
  sightline::bench::add_context(small);
  sightline::bench::register_recall(suite);
  sightline::bench::register_recall_backends(suite);
  sightline::bench::register_recall_lists(suite);
  sightline::bench::register_recall_lattice(suite);
  sightline::bench::register_recall_scales(suite);
  sightline::bench::register_recall_bands(suite);
  sightline::bench::register_recall_gates(suite);
#ifdef SIGHTLINE_HAVE_FAISS
  sightline::bench::register_recall_faiss(suite);
#endif
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return suite.failed() || num_run == 0 ? 1 : 0;
}
