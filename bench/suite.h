// What all benchmarks of the program share: worlds and ray sets, made when first needed, and a
// record of checks that failed.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/ray_sets.h"
#include "bench/worlds.h"
#include "kernels/kernels.h"

namespace sightline::bench {

struct SuiteOptions {
  std::int64_t rays = std::int64_t{1} << 17;  ///< per set
  std::int64_t rooms_edge = 512;              ///< voxels
  /// Rays of one batch on all cores or on the GPU, which a small batch would not fill.
  std::int64_t batch_rays = std::int64_t{1} << 22;
};

constexpr std::uint64_t kSeed = 20240817;

class Suite {
 public:
  explicit Suite(const SuiteOptions& options);

  const std::vector<BenchWorld>& worlds() const { return worlds_; }
  std::int64_t rooms_edge() const { return options_.rooms_edge; }
  std::int64_t batch_rays() const { return options_.batch_rays; }
  const RaySet& ray_set(const BenchWorld& world, int set);

  /// Ends a benchmark whose check failed, and the program with it in the end.
  void fail(benchmark::State& state, const std::string& what);
  bool failed() const { return failed_; }

 private:
  SuiteOptions options_;
  std::vector<BenchWorld> worlds_;
  std::map<std::string, RaySet> ray_sets_;
  bool failed_ = false;
};

// Each registers its benchmarks; the suite must outlive them.
void register_line_of_sight(Suite& suite);  ///< line_of_sight_bench.cpp
void register_batches(Suite& suite);        ///< batches_bench.cpp
void register_backends(Suite& suite);       ///< backends_bench.cpp
void register_warps(Suite& suite);          ///< warps_bench.cpp
void register_queries(Suite& suite);        ///< queries_bench.cpp
void register_versions(Suite& suite);       ///< versions_bench.cpp

/// peers/nanovdb_batch.cpp, where it is built.
void register_nanovdb_batches(Suite& suite);

/// visibility_export.cpp: worlds, rays and answers of BM_Batch/op:march for others to time.
void export_batches(Suite& suite, const std::string& folder);

/// What a test of a point has to read and write, by however many cones.
constexpr double kBytesOfAConeTest =
    sizeof(kernels::Pose) + sizeof(kernels::Vec3) + sizeof(std::uint32_t);

/// Counts rays; Google Benchmark divides by CPU time.
inline benchmark::Counter rate(std::int64_t count) {
  return benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
}

}  // namespace sightline::bench
