// The benchmarks of dense search: Google Benchmark's own options, and
//
//   --small   2,000 rows of 32 values instead of 50,000 of 384, to see that everything works
//
// BM_FilteredSearch: the two ways to keep to a filter, and the one that the index takes by itself.
// The three must find the same rows on Flat, and rows within the filter on all kinds.
// BM_IndexKind/rows:N/dim:D/k:K/kind:...: recall@K beside queries per second, one thread; fewer
// rows, narrower ones, and other K for each kind.
//
// Exit code 1 if an answer fails its check, or no benchmark matches the filter; 3 without FAISS.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/arguments.h"
#include "bench/context.h"
#include "bench/peaks.h"
#include "index/backend_info.h"
#include "index/dense_index.h"
#include "index/dense_kind.h"
#include "index/filter_cost.h"

namespace sightline::bench {
namespace {

using index::DenseIndex;
using index::DenseSearch;
using index::FilterPath;
using index::IdFilter;
using index::Neighbors;

constexpr std::int64_t kFound = 10;

/// splitmix64 (Steele, Lea and Flood 2014), as a number in [-1, 1).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

/// Unit vectors around 200 directions, rows and queries alike.
std::vector<float> embeddings(std::int64_t num, std::int64_t dim, std::uint64_t seed) {
  constexpr std::int64_t kCentres = 200;
  Random centre_random(5), random(seed);
  std::vector<double> centres(static_cast<std::size_t>(kCentres * dim));
  for (double& value : centres) value = centre_random.next();
  std::vector<float> vectors;
  vectors.reserve(static_cast<std::size_t>(num * dim));
  std::vector<double> vector(static_cast<std::size_t>(dim));
  for (std::int64_t i = 0; i < num; ++i) {
    const auto centre = static_cast<std::int64_t>((random.next() + 1) / 2 * kCentres);
    double square = 0;
    for (std::int64_t j = 0; j < dim; ++j) {
      const double value =
          centres[static_cast<std::size_t>(centre * dim + j)] + 1.2 * random.next();
      vector[static_cast<std::size_t>(j)] = value;
      square += value * value;
    }
    for (const double value : vector) {
      vectors.push_back(static_cast<float>(value / std::sqrt(square)));
    }
  }
  return vectors;
}

/// Rows, queries and the indexes over them, made when first needed.
class Suite {
 public:
  Suite(std::int64_t num_rows, std::int64_t dim)
      : num_rows_(num_rows),
        dim_(dim),
        rows_(embeddings(num_rows, dim, 1)),
        queries_(embeddings(kMaxQueries, dim, 2)) {}

  static constexpr std::int64_t kMaxQueries = 256;
  std::int64_t num_rows() const { return num_rows_; }
  std::int64_t dim() const { return dim_; }
  const float* queries() const { return queries_.data(); }

  const DenseIndex& index(const std::string& kind) {
    std::unique_ptr<DenseIndex>& index = indexes_[kind];
    if (index == nullptr) {
      index::DenseBuild options;
      options.kind = kind;
      index =
          std::make_unique<DenseIndex>(DenseIndex::build(rows_.data(), num_rows_, dim_, options));
    }
    return *index;
  }

  void fail(benchmark::State& state, const std::string& what) {
    failed_ = true;
    state.SkipWithError(what.c_str());
  }
  bool failed() const { return failed_; }

 private:
  std::int64_t num_rows_, dim_;
  std::vector<float> rows_, queries_;
  std::map<std::string, std::unique_ptr<DenseIndex>> indexes_;
  bool failed_ = false;
};

/// What is searched, and how many rows for each query.
struct Size {
  std::int64_t num_rows, dim, k;
};

/// A suite for each number of rows and width, made when first needed.
class Suites {
 public:
  Suite& of(const Size& size) {
    std::unique_ptr<Suite>& suite = suites_[{size.num_rows, size.dim}];
    if (suite == nullptr) suite = std::make_unique<Suite>(size.num_rows, size.dim);
    return *suite;
  }
  bool failed() const {
    return std::any_of(suites_.begin(), suites_.end(),
                       [](const auto& suite) { return suite.second->failed(); });
  }

 private:
  std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<Suite>> suites_;
};

IdFilter filter_of(std::int64_t num_rows, double share) {
  Random random(3);
  std::vector<std::uint8_t> mask;
  for (std::int64_t i = 0; i < num_rows; ++i) mask.push_back((random.next() + 1) / 2 < share);
  return IdFilter::of_mask(mask);
}

/// Empty if the rows found may be right.
std::string fault(const Neighbors& found, const Neighbors& gathered, const IdFilter& kept,
                  bool exact) {
  for (const std::int64_t row : found.rows) {
    if (row >= 0 && !kept.contains(row)) return "returned a row outside the filter";
  }
  if (exact && found.rows != gathered.rows) return "found other rows than a gather";
  return "";
}

/// The part of the time of `state` in which the machine at its best would have gone through so many
/// stored vectors for each query: whichever takes longer, to multiply or to read them once. Only of
/// kinds that look at every row.
void add_search_frac(benchmark::State& state, const std::string& kind, std::int64_t num_rows,
                     std::int64_t dim, std::int64_t num_queries) {
  if (kind != "Flat" && kind != "SQ8") return;
  const Peaks& peaks = measured_peaks();
  const double values = static_cast<double>(num_rows * dim);
  const double multiply_s = values * static_cast<double>(num_queries) / peaks.fma_per_s;
  const double bytes = values * (kind == "SQ8" ? 1.0 : sizeof(float));
  const double read_s = bytes / peaks.bytes_per_s;
  const double best_s = std::max(multiply_s, read_s) * static_cast<double>(state.iterations());
  add_peak_frac(state, best_s, 1);
  add_bytes(state, bytes * static_cast<double>(state.iterations()));
}

void run_filtered(benchmark::State& state, Suite& suite, const std::string& kind, double share,
                  std::int64_t num_queries, FilterPath path) {
  const DenseIndex& index = suite.index(kind);
  const IdFilter kept = filter_of(suite.num_rows(), share);
  const float* queries = suite.queries();
  DenseSearch options;
  options.k = kFound;
  options.filter_path = FilterPath::kGather;
  const Neighbors gathered = index.search(queries, num_queries, options, {&kept});
  options.filter_path = path;
  const Neighbors found = index.search(queries, num_queries, options, {&kept});
  const std::string problem = fault(found, gathered, kept, index.info().exact);
  if (!problem.empty()) return suite.fail(state, problem);
  for (auto _ : state) {
    benchmark::DoNotOptimize(index.search(queries, num_queries, options, {&kept}));
  }
  state.counters["queries_per_s"] = benchmark::Counter(
      static_cast<double>(num_queries * static_cast<std::int64_t>(state.iterations())),
      benchmark::Counter::kIsRate);
  state.counters["recall"] = recall_against(suite.index("Flat"), queries, found, {&kept});
  const bool gathers = path == FilterPath::kGather ||
                       (path == FilterPath::kAuto &&
                        index::gather_is_faster(index::parse_dense_kind(kind), suite.num_rows(),
                                                suite.dim(), kept.count(), num_queries, options));
  state.counters["gathers"] = gathers ? 1 : 0;
  add_search_frac(state, kind, kept.count(), suite.dim(), num_queries);
}

void run_kind(benchmark::State& state, Suite& suite, const std::string& kind,
              const DenseSearch& options) {
  const DenseIndex& index = suite.index(kind);
  const Neighbors found = index.search(suite.queries(), Suite::kMaxQueries, options);
  const double recall = recall_against(suite.index("Flat"), suite.queries(), found);
  if (index.info().exact && recall != 1) return suite.fail(state, "Flat misses rows");
  for (auto _ : state) {
    benchmark::DoNotOptimize(index.search(suite.queries(), Suite::kMaxQueries, options));
  }
  state.counters["queries_per_s"] = benchmark::Counter(
      static_cast<double>(Suite::kMaxQueries * static_cast<std::int64_t>(state.iterations())),
      benchmark::Counter::kIsRate);
  state.counters["recall"] = recall;
  add_search_frac(state, kind, suite.num_rows(), suite.dim(), Suite::kMaxQueries);
}

void register_filtered(Suites& suites, const Size& size, const std::string& kind) {
  const std::map<std::string, FilterPath> paths{{"auto", FilterPath::kAuto},
                                                {"gather", FilterPath::kGather},
                                                {"selector", FilterPath::kSelector}};
  for (const std::int64_t num_queries : {std::int64_t{1}, Suite::kMaxQueries}) {
    for (const int percent : {50, 10, 1}) {
      for (const auto& [name, path] : paths) {
        const std::string title = "BM_FilteredSearch/kind:" + kind +
                                  "/queries:" + std::to_string(num_queries) +
                                  "/kept_percent:" + std::to_string(percent) + "/path:" + name;
        const auto run = [&suites, size, kind, percent, num_queries = num_queries,
                          path = path](benchmark::State& state) {
          run_filtered(state, suites.of(size), kind, percent / 100.0, num_queries, path);
        };
        benchmark::RegisterBenchmark(title.c_str(), run)->Unit(benchmark::kMillisecond);
      }
    }
  }
}

void register_kind(Suites& suites, const Size& size, const std::string& kind,
                   const std::string& setting, DenseSearch options) {
  options.k = size.k;
  const std::string title = "BM_IndexKind/rows:" + std::to_string(size.num_rows) +
                            "/dim:" + std::to_string(size.dim) + "/k:" + std::to_string(size.k) +
                            "/kind:" + kind + setting;
  const auto run = [&suites, size, kind, options](benchmark::State& state) {
    run_kind(state, suites.of(size), kind, options);
  };
  benchmark::RegisterBenchmark(title.c_str(), run)->Unit(benchmark::kMillisecond);
}

void register_kinds(Suites& suites, const Size& size) {
  DenseSearch options;
  for (const char* kind : {"Flat", "SQ8", "PQ16"}) register_kind(suites, size, kind, "", options);
  for (const std::int64_t num_probes : {1, 4, 16}) {
    options.num_probes = num_probes;
    for (const char* kind : {"IVF64,Flat", "IVF64,SQ8", "IVF64,PQ16"}) {
      register_kind(suites, size, kind, "/probes:" + std::to_string(num_probes), options);
    }
  }
  for (const std::int64_t ef_search : {32, 64, 256}) {
    options.ef_search = ef_search;
    register_kind(suites, size, "HNSW32", "/ef:" + std::to_string(ef_search), options);
  }
}

void register_all(Suites& suites, bool small) {
  const Size all = small ? Size{2000, 32, kFound} : Size{50'000, 384, kFound};
  for (const char* kind : {"Flat", "SQ8", "IVF64,Flat", "IVF64,PQ16", "HNSW32"}) {
    register_filtered(suites, all, kind);
  }
  const Size sizes[] = {all,
                        {all.num_rows, all.dim, 1},
                        {all.num_rows, all.dim, 100},
                        {all.num_rows / 4, all.dim, kFound},
                        {all.num_rows, all.dim / 2, kFound}};
  for (const Size& size : sizes) register_kinds(suites, size);
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const sightline::index::BackendInfo backend = sightline::index::backend_info();
  if (backend.faiss_version.empty()) {
    std::fprintf(stderr, "this build has no FAISS; install libfaiss-dev\n");
    return 3;
  }
  sightline::bench::add_context(small);
  sightline::bench::Suites suites;
  sightline::bench::register_all(suites, small);
  benchmark::AddCustomContext("faiss", backend.faiss_version);
  benchmark::AddCustomContext("blas", backend.blas_version + " " + backend.blas_core);
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return suites.failed() || num_run == 0 ? 1 : 0;
}
