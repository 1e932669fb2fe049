// The visibility benchmarks: Google Benchmark's own options, and
//
//   --small          2048 rays a set or batch and rooms of 128^3 voxels, to see that everything
//   works
//   --rooms-edge N   rooms of N^3 voxels, 128 to 2048, in place of 512
//   --export DIR     write what scripts/bench_torch.py times into a folder that exists, and no more
//
// Exit code 1 if an engine's answers fail their check, or no benchmark matches the filter; 2
// on bad usage.
#include <cstdio>
#include <cstdlib>

#include "bench/arguments.h"
#include "bench/context.h"
#include "bench/export.h"
#include "bench/suite.h"

int main(int argc, char** argv) {
  using sightline::bench::Suite;
  sightline::bench::SuiteOptions options;
  benchmark::Initialize(&argc, argv);
  const std::string exported = sightline::bench::take_option("--export", &argc, argv);
  const std::string edge = sightline::bench::take_option("--rooms-edge", &argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (small) options = {2048, 128, 2048};
  if (!edge.empty()) {
    char* end_of_number = nullptr;
    options.rooms_edge = std::strtol(edge.c_str(), &end_of_number, 10);
    if (*end_of_number != '\0' || options.rooms_edge < 128 || options.rooms_edge > 2048) {
      std::fprintf(stderr, "--rooms-edge %s: give a number of voxels from 128 to 2048\n",
                   edge.c_str());
      return 2;
    }
  }
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // Before the worlds are made, which takes a while.
  if (!exported.empty() && !sightline::bench::has_export_folder(exported)) return 2;

  Suite suite(options);
  if (!exported.empty()) {
    return sightline::bench::exit_code_of([&] { export_batches(suite, exported); });
  }
  sightline::bench::add_context(small);
  sightline::bench::register_line_of_sight(suite);
  sightline::bench::register_batches(suite);
  sightline::bench::register_backends(suite);
  sightline::bench::register_warps(suite);
#ifdef SIGHTLINE_NANOVDB_PEER
  sightline::bench::register_nanovdb_batches(suite);
#endif
  sightline::bench::register_queries(suite);
  sightline::bench::register_versions(suite);
  benchmark::AddCustomContext("rays_per_set", std::to_string(options.rays));
  benchmark::AddCustomContext("rays_per_batch", std::to_string(options.batch_rays));
  benchmark::AddCustomContext("rooms_edge", std::to_string(options.rooms_edge));
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return suite.failed() || num_run == 0 ? 1 : 0;
}
