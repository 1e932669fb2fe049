// The benchmarks of Meta-Memory's store and retrieval tools: Google Benchmark's own options, and
//
//   --small   2,000 entries of width 32 instead of 1,000,000 of 256, to see that everything works
//
// BM_SsrExact: semantic retrieval beside cblas_sgemm of the same product (every query with every
// entry), the two timed in turns, on one thread each and by its own time, which other programs do
// not lengthen; of_blas is the share of BLAS's rate. BM_Srr:
// spatial-range retrieval at 64 entries within the radius at most, kept by distance or by caption.
// BM_StoreRead: a file of all entries, mapped and verified.
//
// Answers are checked against scans before they are timed. Exit code 1 if one fails, or no
// benchmark matches the filter; 3 without FAISS, nanoflann or OpenBLAS.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/context.h"
#include "host/memory/unit_embedding.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"
#include "host/random.h"
#include "index/backend_info.h"
#ifdef SIGHTLINE_HAVE_OPENBLAS
#include <cblas.h>
#endif

namespace sightline::bench {
namespace {

using host::CaptionIndex;
using host::EntryTable;
using host::RandomItem;
using host::Retrieved;
using host::SemanticRetrieval;
using host::SpatialRange;
using host::SrrQuery;
using host::SsrQuery;

constexpr std::uint64_t kSeed = 20240311;
constexpr std::int64_t kSsrQueries = 1024, kSrrQueries = 4096, kChecked = 4, kMostWithin = 64;
constexpr double kRadius_m = 7, kEntriesPerSquareMetre = 0.25;

/// Unit vectors around 200 directions, entries and queries alike.
std::vector<float> embedding_of(std::uint64_t item, const char* stream, std::int32_t width) {
  constexpr std::uint64_t kCentres = 200;
  RandomItem random(kSeed, host::stream_of(stream), item);
  RandomItem centre(kSeed, host::stream_of("centre"), random.below(kCentres));
  std::vector<float> unit(static_cast<std::size_t>(width));
  for (float& value : unit) {
    value = static_cast<float>(centre.uniform() - 0.5 + 1.5 * (random.uniform() - 0.5));
  }
  host::to_unit_length(unit.data(), width);
  return unit;
}

EntryTable make_entries(std::int64_t num, std::int32_t width) {
  EntryTable entries;
  entries.width = width;
  entries.embedder = "bench";
  const double side_m = std::sqrt(static_cast<double>(num) / kEntriesPerSquareMetre);
  for (std::int64_t row = 0; row < num; ++row) {
    const auto item = static_cast<std::uint64_t>(row);
    RandomItem random(kSeed, host::stream_of("place"), item);
    host::Entry entry;
    entry.time_s = 3.0 * static_cast<double>(row);
    entry.position_m = {side_m * random.uniform(), side_m * random.uniform(), 2 * random.uniform()};
    entry.caption = "A robot drives past a building, two bicycles and a bench, number " +
                    std::to_string(row) + ".";
    entry.image_ref = "frames/" + std::to_string(row) + ".jpg";
    append_entry(entry, embedding_of(item, "entry", width), &entries);
  }
  return entries;
}

class Suite {
 public:
  Suite(std::int64_t num, std::int32_t width)
      : entries_(make_entries(num, width)),
        captions_(entries_),
        semantic_(captions_),
        spatial_(captions_) {
    for (std::int64_t i = 0; i < kSsrQueries; ++i) {
      SsrQuery query;
      query.embedding = embedding_of(static_cast<std::uint64_t>(i), "query", width);
      ssr_.push_back(query);
    }
    for (std::uint64_t i = 0; srr_.size() < static_cast<std::size_t>(kSrrQueries); ++i) {
      RandomItem random(kSeed, host::stream_of("around"), i);
      SrrQuery query;
      query.centre_m = entries_.position_m[random.below(static_cast<std::uint64_t>(num))];
      query.radius_m = kRadius_m;
      const auto within = spatial_.rows_within(query.centre_m, query.radius_m);
      if (static_cast<std::int64_t>(within.size()) <= kMostWithin) srr_.push_back(query);
    }
  }

  const EntryTable& entries() const { return entries_; }
  const SemanticRetrieval& semantic() const { return semantic_; }
  const SpatialRange& spatial() const { return spatial_; }
  const std::vector<SsrQuery>& ssr() const { return ssr_; }
  std::vector<SrrQuery> srr(bool with_text) const {
    std::vector<SrrQuery> queries = srr_;
    for (std::size_t i = 0; with_text && i < queries.size(); ++i) {
      queries[i].embedding = ssr_[i % ssr_.size()].embedding;
    }
    return queries;
  }

  void fail(benchmark::State& state, const std::string& what) {
    failed_ = true;
    state.SkipWithError(what.c_str());
  }
  bool failed() const { return failed_; }

 private:
  EntryTable entries_;
  CaptionIndex captions_;
  SemanticRetrieval semantic_;
  SpatialRange spatial_;
  std::vector<SsrQuery> ssr_;
  std::vector<SrrQuery> srr_;
  bool failed_ = false;
};

float similarity(const std::vector<float>& a, const std::vector<float>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<float>(static_cast<double>(sum));
}

double distance_m(const kernels::Vec3& a, const kernels::Vec3& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return std::sqrt((dx * dx + dy * dy) + dz * dz);
}

/// Rows that a scan finds, best first.
template <typename Badness>
std::vector<std::int64_t> scan(std::int64_t num, double worst, std::size_t k,
                               const Badness& badness) {
  std::vector<std::pair<double, std::int64_t>> found;
  for (std::int64_t row = 0; row < num; ++row) {
    const double value = badness(row);
    if (value <= worst) found.emplace_back(value, row);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::int64_t> rows;
  for (const auto& one : found) {
    if (rows.size() < k) rows.push_back(one.second);
  }
  return rows;
}

std::vector<std::int64_t> rows_of(const Retrieved& found) {
  std::vector<std::int64_t> rows;
  for (const host::RetrievedEntry& hit : found.hits) rows.push_back(hit.row);
  return rows;
}

bool ssr_is_right(const Suite& suite, const std::vector<Retrieved>& found) {
  const EntryTable& entries = suite.entries();
  for (std::size_t i = 0; i < kChecked; ++i) {
    const auto badness = [&](std::int64_t row) {
      return -double{similarity(suite.ssr()[i].embedding, entries.embedding(row))};
    };
    if (rows_of(found[i]) != scan(entries.size(), 2, 5, badness)) return false;
  }
  return true;
}

bool srr_is_right(const Suite& suite, const std::vector<SrrQuery>& queries,
                  const std::vector<Retrieved>& found) {
  const EntryTable& entries = suite.entries();
  for (std::size_t i = 0; i < kChecked; ++i) {
    const auto badness = [&](std::int64_t row) {
      const auto slot = static_cast<std::size_t>(row);
      const double d_m = distance_m(queries[i].centre_m, entries.position_m[slot]);
      if (queries[i].embedding.empty() || d_m > kRadius_m) return d_m;
      return -double{similarity(queries[i].embedding, entries.embedding(row))};
    };
    if (rows_of(found[i]) != scan(entries.size(), kRadius_m, 8, badness)) return false;
  }
  return true;
}

/// Of all threads of this program.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void add_rate(benchmark::State& state, std::int64_t num) {
  state.counters["queries_per_s"] =
      benchmark::Counter(static_cast<double>(num * static_cast<std::int64_t>(state.iterations())),
                         benchmark::Counter::kIsRate);
}

#ifdef SIGHTLINE_HAVE_OPENBLAS
/// Every query with every row, in blocks whose products stay in the cache.
class BlasProduct {
 public:
  explicit BlasProduct(const Suite& suite) : width_(suite.entries().width) {
    const EntryTable& entries = suite.entries();
    num_rows_ = entries.size();
    rows_.resize(static_cast<std::size_t>(num_rows_ * width_));
    for (std::int64_t row = 0; row < num_rows_; ++row) {
      entries.copy_embedding(row, rows_.data() + row * width_);
    }
    for (const SsrQuery& query : suite.ssr()) {
      queries_.insert(queries_.end(), query.embedding.begin(), query.embedding.end());
    }
    out_.resize(static_cast<std::size_t>(kSsrQueries * kBlock));
  }

  void run() {
    openblas_set_num_threads(1);
    for (std::int64_t first = 0; first < num_rows_; first += kBlock) {
      const std::int64_t num = std::min(kBlock, num_rows_ - first);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(kSsrQueries),
                  static_cast<int>(num), width_, 1, queries_.data(), width_,
                  rows_.data() + first * width_, width_, 0, out_.data(), static_cast<int>(num));
      benchmark::DoNotOptimize(out_.data());
    }
  }

 private:
  static constexpr std::int64_t kBlock = 4096;
  std::int32_t width_;
  std::int64_t num_rows_ = 0;
  std::vector<float> rows_, queries_, out_;
};

void run_ssr(benchmark::State& state, Suite& suite) {
  const host::SsrOptions options{5, -1, 1};
  if (!ssr_is_right(suite, suite.semantic().retrieve(suite.ssr(), options, nullptr))) {
    return suite.fail(state, "semantic retrieval differs from a scan");
  }
  BlasProduct blas(suite);
  blas.run();
  double blas_s = 0, ssr_s = 0;
  for (auto _ : state) {
    const double begin_s = cpu_seconds();
    benchmark::DoNotOptimize(suite.semantic().retrieve(suite.ssr(), options, nullptr));
    const double middle_s = cpu_seconds();
    blas.run();
    ssr_s += middle_s - begin_s;
    blas_s += cpu_seconds() - middle_s;
    state.SetIterationTime(middle_s - begin_s);
  }
  add_rate(state, kSsrQueries);
  state.counters["of_blas"] = blas_s / ssr_s;
  const double flops = 2.0 * static_cast<double>(kSsrQueries) *
                       static_cast<double>(suite.entries().size()) * suite.entries().width;
  state.counters["blas_gflops"] = flops * static_cast<double>(state.iterations()) / blas_s * 1e-9;
}

void register_ssr(Suite& suite) {
  benchmark::RegisterBenchmark("BM_SsrExact",
                               [&suite](benchmark::State& state) { run_ssr(state, suite); })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}
constexpr bool kHaveBlas = true;
#else
void register_ssr(Suite&) {}
constexpr bool kHaveBlas = false;
#endif

void run_srr(benchmark::State& state, Suite& suite, bool with_text) {
  const std::vector<SrrQuery> queries = suite.srr(with_text);
  const std::vector<Retrieved> found = suite.spatial().retrieve(queries, {8, 1}, nullptr);
  if (!srr_is_right(suite, queries, found)) {
    return suite.fail(state, "spatial-range retrieval differs from a scan");
  }
  double within = 0;
  for (const Retrieved& one : found) within += static_cast<double>(one.num_in_radius);
  for (auto _ : state) {
    benchmark::DoNotOptimize(suite.spatial().retrieve(queries, {8, 1}, nullptr));
  }
  add_rate(state, kSrrQueries);
  state.counters["within"] = within / static_cast<double>(kSrrQueries);
}

void run_read(benchmark::State& state, Suite& suite) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("meta_memory_bench_" + std::to_string(::getpid()) + ".slp"))
                               .string();
  save_entries(suite.entries(), path);
  const auto num_bytes = static_cast<double>(std::filesystem::file_size(path));
  state.counters["bytes"] = num_bytes;
  // 1e6 entries of 256 dimensions and their captions: under 1 GB.
  constexpr double kMostBytesPerEntry = 1000;
  if (!(num_bytes < kMostBytesPerEntry * static_cast<double>(suite.entries().size()))) {
    suite.fail(state, "the file takes 1 GB or more for a million entries");
  }
  if (!(host::read_entries(path).embeddings == suite.entries().embeddings)) {
    suite.fail(state, "the file holds other embeddings");
  }
  for (auto _ : state) benchmark::DoNotOptimize(host::read_entries(path));
  std::filesystem::remove(path);
}

void register_all(Suite& suite) {
  register_ssr(suite);
  for (const bool with_text : {false, true}) {
    const std::string title = std::string("BM_Srr/kept_by:") + (with_text ? "caption" : "distance");
    benchmark::RegisterBenchmark(title.c_str(), [&suite, with_text](benchmark::State& state) {
      run_srr(state, suite, with_text);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("BM_StoreRead", [&suite](benchmark::State& state) {
    run_read(state, suite);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const sightline::index::BackendInfo backend = sightline::index::backend_info();
  if (backend.faiss_version.empty() || backend.nanoflann_version.empty() ||
      !sightline::bench::kHaveBlas) {
    std::fprintf(stderr,
                 "this build lacks FAISS, nanoflann or OpenBLAS; install libfaiss-dev, "
                 "libnanoflann-dev and libopenblas-dev\n");
    return 3;
  }
  sightline::bench::add_context(small);
  sightline::bench::Suite suite(small ? 2000 : 1000000, small ? 32 : 256);
  sightline::bench::register_all(suite);
  benchmark::AddCustomContext("faiss", backend.faiss_version);
  benchmark::AddCustomContext("blas", backend.blas_version + " " + backend.blas_core);
  benchmark::AddCustomContext("entries", std::to_string(suite.entries().size()));
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return suite.failed() || num_run == 0 ? 1 : 0;
}
