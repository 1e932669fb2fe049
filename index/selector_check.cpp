#include "index/selector_check.h"

#include <map>
#include <mutex>
#include <tuple>

#include "index/error.h"

namespace sightline::index {
namespace {

constexpr std::int64_t kNumRows = 512, kDim = 8, kNumQueries = 24, kNumFound = 8;

/// Values in [-1, 1), the same on every machine (splitmix64; Steele, Lea and Flood 2014).
std::vector<float> random_values(std::int64_t num, std::uint64_t state) {
  std::vector<float> values(static_cast<std::size_t>(num));
  for (float& value : values) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    value = static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-23f - 1;
  }
  return values;
}

/// The smallest index of the kind that shows how all of them search.
DenseKind small_kind(const DenseKind& kind) {
  DenseKind small = kind;
  const std::string code = kind.code == DenseKind::Code::kFlat  ? "Flat"
                           : kind.code == DenseKind::Code::kSq8 ? "SQ8"
                                                                : "PQ2";
  if (kind.layout == DenseKind::Layout::kLists) return parse_dense_kind("IVF4," + code);
  if (kind.layout == DenseKind::Layout::kGraph) return parse_dense_kind("HNSW16");
  return parse_dense_kind(code);
}

/// Empty if all is well, else what went wrong.
std::string fault(const DenseEngine& engine, const std::vector<float>& queries,
                  const IdFilter& kept) {
  DenseSearch options;
  options.num_probes = kNumRows;  // all lists: a row may be missed by the selector alone
  options.ef_search = kNumRows;
  Candidates found;
  engine.search(queries.data(), kNumQueries, kNumFound, options, &kept, found);
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    if (found.rows[i] < 0) return "finds fewer rows than are kept";
    if (!kept.contains(found.rows[i])) return "returns rows outside the filter";
  }
  return "";
}

/// The rows of the filter without those that an unfiltered search finds.
IdFilter without_nearest(const DenseEngine& engine, const std::vector<float>& queries,
                         const IdFilter& filter) {
  DenseSearch options;
  options.num_probes = kNumRows;
  options.ef_search = kNumRows;
  Candidates found;
  engine.search(queries.data(), kNumQueries, 2, options, nullptr, found);
  return filter & ~IdFilter::of_rows(kNumRows, found.rows);
}

}  // namespace

SelectorCheck run_selector_check(const DenseKind& kind, Metric metric, const EngineMaker& make) {
  const EngineShape shape{small_kind(kind), metric, kNumRows, kDim};
  const std::vector<float> rows = random_values(kNumRows * kDim, 1);
  const std::vector<float> queries = random_values(kNumQueries * kDim, 2);
  std::string problem;
  try {
    const std::unique_ptr<DenseEngine> engine = make(shape, rows.data(), DenseBuild{});
    const IdFilter range = IdFilter::range(kNumRows, 100, 300);
    problem = fault(*engine, queries, range);
    if (problem.empty()) {
      const IdFilter bitmap = without_nearest(*engine, queries, range);
      problem = fault(*engine, queries, bitmap);
    }
  } catch (const IndexFailure& error) {
    problem = error.what();
  } catch (const BadInput& error) {
    problem = error.what();
  }
  const std::string name = shape.kind.text + (metric == Metric::kInnerProduct ? ", IP" : ", L2");
  if (problem.empty()) return {true, "selectors are honoured (self-test on " + name + ")"};
  return {false, "selectors are not trusted (self-test on " + name + "): " + problem +
                     "; filtered searches gather the kept rows"};
}

const SelectorCheck& selector_check(const DenseKind& kind, Metric metric) {
  using Key = std::tuple<DenseKind::Layout, DenseKind::Code, Metric>;
  static std::mutex mutex;
  static std::map<Key, SelectorCheck> checks;  // entries stay where they are
  const Key key{kind.layout, kind.code, metric};
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = checks.find(key);
  if (known != checks.end()) return known->second;
  const auto make = [](const EngineShape& shape, const float* rows, const DenseBuild& options) {
    return make_engine(shape, rows, options, Vectors::kCopied);
  };
  return checks.emplace(key, run_selector_check(kind, metric, make)).first->second;
}

}  // namespace sightline::index
