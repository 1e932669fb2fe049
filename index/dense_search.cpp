// Answers from candidates. FAISS's scores carry the rounding of whatever BLAS, batch and
// instruction set summed them; ours are summed again in double for a few more candidates than are
// asked for, and a bound on FAISS's rounding tells whether a row that is no candidate could still
// be among the k best. If one could, more candidates are taken, and in the end all rows are looked
// at.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "index/dense_impl.h"
#include "index/error.h"
#include "index/filter_cost.h"
#include "index/parallel.h"
#include "index/selector_check.h"

namespace sightline::index {
namespace {

constexpr std::int64_t kMinSpare = 16;  // candidates beyond k
constexpr std::int64_t kGrowth = 8;     // of the number of candidates, where they do not suffice
/// Scanning every row in double is quicker than asking FAISS for more candidates than this.
constexpr std::int64_t kMaxCandidates = 2048;
constexpr std::int64_t kMinChunk = 16, kMaxChunk = 1024;  // queries of one task

enum class Path { kWhole, kSelector, kGather };

/// Some queries with one filter, searched along one path: the work of one task.
struct Chunk {
  const IdFilter* filter = nullptr;  // null: every row
  Path path = Path::kWhole;
  const std::int64_t* queries = nullptr;  // numbers in the batch, [num]
  std::int64_t num = 0;
};

/// A row and its score, better ones first; equal ones by the lower row.
struct Scored {
  float badness;  // the score, negated where higher is better
  std::int64_t row;
  bool operator<(const Scored& other) const {
    return badness != other.badness ? badness < other.badness : row < other.row;
  }
};

class ChunkSearch {
 public:
  ChunkSearch(const DenseIndex::Impl& index, const float* queries, const DenseSearch& options,
              const Chunk& chunk, Neighbors& out)
      : index_(index), queries_(queries), options_(options), chunk_(chunk), out_(out) {}

  void run() {
    num_kept_ = chunk_.filter != nullptr ? chunk_.filter->count() : index_.shape.num_rows;
    if (chunk_.path == Path::kGather) kept_rows_ = chunk_.filter->rows();
    std::vector<std::int64_t> pending(chunk_.queries, chunk_.queries + chunk_.num);
    std::int64_t want = std::min(num_kept_, out_.k + std::max(kMinSpare, out_.k / 8));
    while (!pending.empty()) {
      if (looks_at_all() && want > kMaxCandidates && want > 2 * out_.k) {
        scan(pending);
        break;
      }
      pending = settle(pending, want);
      want = std::min(num_kept_, want * kGrowth);
    }
    finish_short_ones();
  }

 private:
  /// The path considers every row kept, so that its answer can be proved.
  bool looks_at_all() const { return chunk_.path == Path::kGather || index_.shape.kind.exact(); }

  /// Answers the queries that `want` candidates suffice for; returns the others.
  std::vector<std::int64_t> settle(const std::vector<std::int64_t>& pending, std::int64_t want) {
    const std::int64_t dim = index_.shape.dim;
    const auto num = static_cast<std::int64_t>(pending.size());
    batch_.resize(static_cast<std::size_t>(num * dim));
    for (std::int64_t i = 0; i < num; ++i) {
      const float* query = query_of(pending[static_cast<std::size_t>(i)]);
      std::copy(query, query + dim, batch_.begin() + i * dim);
    }
    if (chunk_.path == Path::kGather) {
      index_.engine->search_rows(batch_.data(), num, want, kept_rows_, candidates_);
    } else {
      const IdFilter* kept = chunk_.path == Path::kSelector ? chunk_.filter : nullptr;
      index_.engine->search(batch_.data(), num, want, options_, kept, candidates_);
    }
    std::vector<std::int64_t> unsettled;
    for (std::int64_t i = 0; i < num; ++i) {
      const std::int64_t query = pending[static_cast<std::size_t>(i)];
      if (!settle_one(query, i * want, want)) unsettled.push_back(query);
    }
    return unsettled;
  }

  /// Candidates [begin, begin + want) are those of one query.
  bool settle_one(std::int64_t query, std::int64_t begin, std::int64_t want) {
    const std::int64_t* rows = candidates_.rows.data() + begin;
    const std::int64_t num = std::find(rows, rows + want, -1) - rows;
    rank(query, rows, num);
    if (num == want && want < num_kept_) {
      const float last = candidates_.scores[static_cast<std::size_t>(begin + want - 1)];
      const double best_outside = badness(last) - rounding(query);
      const float kth = ranked_[static_cast<std::size_t>(out_.k - 1)].badness;
      // Rounding to float keeps order, but may make equal: a tie counts as undecided.
      if (kth >= static_cast<float>(best_outside)) return false;
    }
    write(query);
    const bool may_miss = chunk_.filter != nullptr && chunk_.path != Path::kGather;
    if (may_miss && num < std::min(out_.k, num_kept_)) short_ones_.push_back(query);
    return true;
  }

  double badness(double score) const {
    return index_.shape.metric == Metric::kInnerProduct ? -score : score;
  }

  /// A bound on how far FAISS's score of any row may lie from the exact one: gamma_n of Higham
  /// 2002, section 3.1, twice for codes, whose tables are summed in parts.
  double rounding(std::int64_t query) const {
    const std::vector<float> zero(static_cast<std::size_t>(index_.shape.dim), 0);
    const double norm =
        std::sqrt(exact_score(Metric::kL2, query_of(query), zero.data(), index_.shape.dim));
    const double num_terms = static_cast<double>(index_.shape.dim) + 8;
    const double gamma = num_terms * 0x1p-24 / (1 - num_terms * 0x1p-24);
    const double size = index_.shape.metric == Metric::kInnerProduct
                            ? norm * index_.max_norm
                            : (norm + index_.max_norm) * (norm + index_.max_norm);
    const double codes = index_.shape.kind.encoded() ? 2 : 1;
    return codes * gamma * size + num_terms * 0x1p-126;
  }

  /// Fills ranked_ with the rows' exact scores, best first.
  void rank(std::int64_t query, const std::int64_t* rows, std::int64_t num) {
    const std::int64_t dim = index_.shape.dim;
    const float* stored = index_.engine->vectors();
    if (stored == nullptr) {
      decoded_.resize(static_cast<std::size_t>(num * dim));
      index_.engine->decode(rows, num, decoded_.data());
    }
    ranked_.clear();
    for (std::int64_t i = 0; i < num; ++i) {
      const float* vector = stored != nullptr ? stored + rows[i] * dim : decoded_.data() + i * dim;
      const double score = exact_score(index_.shape.metric, query_of(query), vector, dim);
      ranked_.push_back({static_cast<float>(badness(score)), rows[i]});
    }
    std::sort(ranked_.begin(), ranked_.end());
  }

  void write(std::int64_t query) {
    const std::int64_t num =
        std::min<std::int64_t>(out_.k, static_cast<std::int64_t>(ranked_.size()));
    for (std::int64_t i = 0; i < num; ++i) {
      const Scored& scored = ranked_[static_cast<std::size_t>(i)];
      const auto slot = static_cast<std::size_t>(query * out_.k + i);
      out_.rows[slot] = scored.row;
      // Twice negated: 0 stays 0.
      out_.scores[slot] = static_cast<float>(badness(scored.badness)) + 0.0f;
    }
  }

  /// Every row kept, by exact scores alone.
  void scan(const std::vector<std::int64_t>& pending) {
    constexpr std::int64_t kBlock = 4096;
    const std::vector<std::int64_t> rows =
        chunk_.filter != nullptr ? chunk_.filter->rows() : IdFilter::all(num_kept_).rows();
    for (const std::int64_t query : pending) {
      std::vector<Scored> best;
      for (std::int64_t first = 0; first < num_kept_; first += kBlock) {
        rank(query, rows.data() + first, std::min(kBlock, num_kept_ - first));
        const auto middle = static_cast<std::ptrdiff_t>(best.size());
        best.insert(best.end(), ranked_.begin(), ranked_.end());
        std::inplace_merge(best.begin(), best.begin() + middle, best.end());
        best.resize(std::min(best.size(), static_cast<std::size_t>(out_.k)));
      }
      ranked_ = std::move(best);
      write(query);
    }
  }

  /// A walk or a few lists may miss rows that the filter keeps: those queries look at all of them.
  void finish_short_ones() {
    if (short_ones_.empty()) return;
    Chunk rest{chunk_.filter, Path::kGather, short_ones_.data(),
               static_cast<std::int64_t>(short_ones_.size())};
    ChunkSearch(index_, queries_, options_, rest, out_).run();
  }

  const float* query_of(std::int64_t query) const { return queries_ + query * index_.shape.dim; }

  const DenseIndex::Impl& index_;
  const float* queries_;
  const DenseSearch& options_;
  const Chunk chunk_;
  Neighbors& out_;
  std::int64_t num_kept_ = 0;
  std::vector<std::int64_t> kept_rows_, short_ones_;
  std::vector<float> batch_, decoded_;
  std::vector<Scored> ranked_;
  Candidates candidates_;
};

void check_at_least_one(const char* name, std::int64_t value) {
  if (value >= 1) return;
  throw BadInput(std::string(name) + " " + std::to_string(value) + " is below 1; give at least 1");
}

void check_search(const EngineShape& shape, const float* queries, std::int64_t num_queries,
                  const DenseSearch& options) {
  check_at_least_one("k", options.k);
  check_at_least_one("num_probes", options.num_probes);
  check_at_least_one("ef_search", options.ef_search);
  check_at_least_one("num_threads", options.num_threads);
  if (num_queries < 0) {
    throw BadInput(std::to_string(num_queries) + " queries; give 0 or more");
  }
  check_dense_values(queries, num_queries, shape.dim, "query");
}

Path path_of(const EngineShape& shape, const FilterGroup& group, const DenseSearch& options) {
  if (group.filter == nullptr) return Path::kWhole;
  const bool automatic = options.filter_path == FilterPath::kAuto;
  const bool keeps_all = group.filter->count() == shape.num_rows;
  if (keeps_all && (automatic || shape.kind.exact())) return Path::kWhole;
  if (options.filter_path == FilterPath::kGather) return Path::kGather;
  const auto num_queries = static_cast<std::int64_t>(group.queries.size());
  if (automatic && gather_is_faster(shape.kind, shape.num_rows, shape.dim, group.filter->count(),
                                    num_queries, options)) {
    return Path::kGather;
  }
  const SelectorCheck& check = selector_check(shape.kind, shape.metric);
  if (check.honoured) return Path::kSelector;
  if (automatic) return Path::kGather;
  throw BadInput("index kind " + shape.kind.text + " cannot search by a selector: " + check.note +
                 "; use FilterPath::kAuto or kGather");
}

/// The tasks that one group of queries makes. Paths whose answers do not depend on the batch share
/// a gather, or BLAS, between many queries; the others go in small steps anyway.
void add_chunks(const EngineShape& shape, const FilterGroup& group, const DenseSearch& options,
                std::vector<Chunk>& chunks) {
  if (group.filter != nullptr && group.filter->count() == 0) return;
  const Path path = path_of(shape, group, options);
  const auto num = static_cast<std::int64_t>(group.queries.size());
  std::int64_t size = kMinChunk;
  if (path == Path::kGather || shape.kind.exact()) {
    const std::int64_t share = (num + options.num_threads - 1) / options.num_threads;
    size = std::clamp(share, kMinChunk, kMaxChunk);
  }
  for (std::int64_t first = 0; first < num; first += size) {
    chunks.push_back(
        {group.filter, path, group.queries.data() + first, std::min(size, num - first)});
  }
}

}  // namespace

Neighbors search_dense(const DenseIndex::Impl& index, const float* queries,
                       std::int64_t num_queries, const DenseSearch& options,
                       const IdFilters& filters) {
  check_search(index.shape, queries, num_queries, options);
  const std::vector<FilterGroup> groups =
      group_by_filter(filters, num_queries, index.shape.num_rows);
  Neighbors out;
  out.num_queries = num_queries;
  out.k = std::min(options.k, index.shape.num_rows);
  out.rows.assign(static_cast<std::size_t>(num_queries * out.k), -1);
  out.scores.assign(static_cast<std::size_t>(num_queries * out.k), 0);
  if (index.engine == nullptr) return out;

  std::vector<Chunk> chunks;
  for (const FilterGroup& group : groups) add_chunks(index.shape, group, options, chunks);
  for_each_task(static_cast<std::int64_t>(chunks.size()), options.num_threads,
                [&](std::int64_t task) {
                  const Chunk& chunk = chunks[static_cast<std::size_t>(task)];
                  ChunkSearch(index, queries, options, chunk, out).run();
                });
  return out;
}

}  // namespace sightline::index
