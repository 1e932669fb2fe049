#include "index/dense_index.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "index/dense_impl.h"
#include "index/error.h"
#include "index/parallel.h"
#include "index/selector_check.h"

namespace sightline::index {

double exact_score(Metric metric, const float* a, const float* b, std::int64_t dim) {
  // Four sums side by side, which a compiler may keep in one register; the order is part of the
  // answer.
  std::array<double, 4> sums{};
  const auto term = [&](std::int64_t i) {
    if (metric == Metric::kInnerProduct) return double{a[i]} * double{b[i]};
    const double difference = double{a[i]} - double{b[i]};
    return difference * difference;
  };
  std::int64_t i = 0;
  for (; i + 4 <= dim; i += 4) {
    for (std::int64_t lane = 0; lane < 4; ++lane) {
      sums[static_cast<std::size_t>(lane)] += term(i + lane);
    }
  }
  for (std::int64_t lane = 0; i < dim; ++i, ++lane) sums[static_cast<std::size_t>(lane)] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

namespace {

double largest_norm(const DenseEngine& engine, const EngineShape& shape) {
  constexpr std::int64_t kBlock = 4096;
  const std::vector<float> zero(static_cast<std::size_t>(shape.dim), 0);
  std::vector<std::int64_t> rows;
  std::vector<float> decoded;
  double largest = 0;
  for (std::int64_t first = 0; first < shape.num_rows; first += kBlock) {
    const std::int64_t num = std::min(kBlock, shape.num_rows - first);
    rows.resize(static_cast<std::size_t>(num));
    for (std::int64_t i = 0; i < num; ++i) rows[static_cast<std::size_t>(i)] = first + i;
    decoded.resize(static_cast<std::size_t>(num * shape.dim));
    engine.decode(rows.data(), num, decoded.data());
    for (std::int64_t i = 0; i < num; ++i) {
      const float* vector = decoded.data() + i * shape.dim;
      largest = std::max(largest, exact_score(Metric::kL2, vector, zero.data(), shape.dim));
    }
  }
  return std::sqrt(largest);
}

}  // namespace

DenseIndex::DenseIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DenseIndex::DenseIndex(DenseIndex&&) noexcept = default;
DenseIndex& DenseIndex::operator=(DenseIndex&&) noexcept = default;
DenseIndex::~DenseIndex() = default;

DenseIndex DenseIndex::build(const float* rows, std::int64_t num_rows, std::int64_t dim,
                             const DenseBuild& options) {
  return make(rows, num_rows, dim, options, true);
}

DenseIndex DenseIndex::over(const float* rows, std::int64_t num_rows, std::int64_t dim,
                            const DenseBuild& options) {
  if (parse_dense_kind(options.kind).encoded()) {
    throw BadInput("index kind " + options.kind +
                   " keeps codes of its own; Flat, IVFn,Flat and HNSWm can read vectors where they "
                   "lie");
  }
  return make(rows, num_rows, dim, options, false);
}

DenseIndex DenseIndex::make(const float* rows, std::int64_t num_rows, std::int64_t dim,
                            const DenseBuild& options, bool copies) {
  auto impl = std::make_unique<Impl>();
  impl->shape = {parse_dense_kind(options.kind), options.metric, num_rows, dim};
  impl->seed = options.seed;
  check_dense_shape(impl->shape.kind, num_rows, dim);
  if (options.ef_construction < 1) {
    throw BadInput("ef_construction " + std::to_string(options.ef_construction) +
                   " is below 1; 40 to 200 is usual");
  }
  check_dense_values(rows, num_rows, dim, "row");
  if (num_rows > 0) {
    impl->engine =
        make_engine(impl->shape, rows, options, copies ? Vectors::kCopied : Vectors::kInPlace);
    impl->max_norm = largest_norm(*impl->engine, impl->shape);
  }
  return DenseIndex(std::move(impl));
}

Neighbors DenseIndex::search(const float* queries, std::int64_t num_queries,
                             const DenseSearch& options, const IdFilters& filters) const {
  return search_dense(*impl_, queries, num_queries, options, filters);
}

float DenseIndex::score(const float* query, std::int64_t row) const {
  const EngineShape& shape = impl_->shape;
  if (row < 0 || row >= shape.num_rows) {
    throw BadInput("row " + std::to_string(row) + " does not lie within [0, " +
                   std::to_string(shape.num_rows) + ")");
  }
  check_dense_values(query, 1, shape.dim, "query");
  std::vector<float> vector(static_cast<std::size_t>(shape.dim));
  impl_->engine->decode(&row, 1, vector.data());
  return static_cast<float>(exact_score(shape.metric, query, vector.data(), shape.dim));
}

DenseInfo DenseIndex::info() const {
  const EngineShape& shape = impl_->shape;
  const SelectorCheck& check = selector_check(shape.kind, shape.metric);
  DenseInfo info;
  info.kind = shape.kind.text;
  info.metric = shape.metric;
  info.num_rows = shape.num_rows;
  info.dim = shape.dim;
  info.seed = impl_->seed;
  info.exact = shape.kind.exact();
  info.encoded = shape.kind.encoded();
  info.selector_honoured = check.honoured;
  info.selector_note = check.note;
  info.on_gpu = impl_->on_gpu;
  return info;
}

void DenseIndex::use_gpu(int device) {
  if (!impl_->shape.kind.exact()) {
    throw BadInput("index kind " + impl_->shape.kind.text +
                   " searches on the CPU only; give Flat, whose answers are the same on both");
  }
  if (impl_->engine == nullptr) return;
  impl_->engine->use_gpu(device);
  impl_->on_gpu = true;
}

double recall_against(const DenseIndex& exact, const float* queries, const Neighbors& found,
                      const IdFilters& filters, int num_threads) {
  const DenseInfo info = exact.info();
  if (!info.exact) {
    throw BadInput("recall is measured against an index of kind Flat, not " + info.kind);
  }
  if (found.num_queries == 0 || found.k == 0) return 1;
  DenseSearch options;
  options.k = found.k;
  options.num_threads = num_threads;
  const Neighbors truth = exact.search(queries, found.num_queries, options, filters);
  if (truth.k != found.k) {
    throw BadInput("recall of " + std::to_string(found.k) + " rows a query against an index of " +
                   std::to_string(truth.k) + "; give a Flat index of the same rows");
  }
  const auto num_true = [&](std::int64_t query) {
    const auto* rows = truth.rows.data() + query * truth.k;
    return std::find(rows, rows + truth.k, -1) - rows;
  };
  std::vector<std::int64_t> hits(static_cast<std::size_t>(found.num_queries), 0);
  for_each_task(found.num_queries, num_threads, [&](std::int64_t query) {
    if (num_true(query) == 0) return;
    const std::int64_t begin = query * found.k;
    const float worst = truth.scores[static_cast<std::size_t>(begin + num_true(query) - 1)];
    for (std::int64_t i = begin; i < begin + found.k; ++i) {
      const std::int64_t row = found.rows[static_cast<std::size_t>(i)];
      if (row < 0) continue;
      const float score = exact.score(queries + query * info.dim, row);
      const bool near = info.metric == Metric::kInnerProduct ? score >= worst : score <= worst;
      hits[static_cast<std::size_t>(query)] += near ? 1 : 0;
    }
  });
  std::int64_t num_found = 0, num_to_find = 0;
  for (std::int64_t query = 0; query < found.num_queries; ++query) {
    num_found += hits[static_cast<std::size_t>(query)];
    num_to_find += num_true(query);
  }
  return num_to_find == 0 ? 1 : static_cast<double>(num_found) / static_cast<double>(num_to_find);
}

}  // namespace sightline::index
