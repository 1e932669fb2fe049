#include "index/filter_cost.h"

#include <algorithm>

namespace sightline::index {
namespace {

// Nanoseconds on one core of a server of 2023 with Debian's FAISS, which is compiled for SSE; only
// their ratios matter.
constexpr double kCheckRow = 4.5;      // is this row in the set?
constexpr double kValue = 1.1;         // one value of a stored vector in a scan by one query
constexpr double kCodedValue = 2;      // one value of SQ8, decoded on the way
constexpr double kPart = 1;            // one part of PQ: a look into a table
constexpr double kTableValue = 1;      // one value of that table, of 256 for each part
constexpr double kValueInBatch = 0.1;  // one value where BLAS takes a batch of queries
constexpr double kGraphStep = 100;     // one row looked at in a walk, beside its distance
constexpr double kGraphShare = 0.6;    // of the links of the rows on a walk, those not met before
constexpr double kRowOfList = 40;      // finding a row in its list
constexpr double kBatch = 16;          // more queries than this go to BLAS

/// Copying one value of a kept row, or decoding it.
double copied_value(const DenseKind& kind) {
  if (kind.encoded()) return 2;
  return kind.layout == DenseKind::Layout::kLists ? 1 : 0.3;
}

/// One query's distance to one row, in FAISS's own scan.
double distance(const DenseKind& kind, double dim) {
  if (kind.code == DenseKind::Code::kPq) return static_cast<double>(kind.num_parts) * kPart;
  return dim * (kind.code == DenseKind::Code::kSq8 ? kCodedValue : kValue);
}

double kept_alone(const DenseKind& kind, double dim, double kept, double queries) {
  const bool in_place = !kind.encoded() && kind.layout != DenseKind::Layout::kLists;
  if (in_place && queries <= kBatch) return queries * kept * dim * kValue;
  const double copy = kept * (dim * copied_value(kind) + (in_place ? 0 : kRowOfList));
  return copy + queries * kept * dim * (queries > kBatch ? kValueInBatch : kValue);
}

double by_selector(const DenseKind& kind, double rows, double dim, double kept, double queries,
                   const DenseSearch& options) {
  if (kind.layout == DenseKind::Layout::kGraph) {
    const auto links = static_cast<double>(kind.num_links);
    const double walked = std::min(
        rows, kGraphShare * links * static_cast<double>(std::max(options.ef_search, options.k)));
    return queries * walked * (kGraphStep + distance(kind, dim));
  }
  double looked_at = rows, prepared = 0;
  if (kind.layout == DenseKind::Layout::kLists) {
    const auto lists = static_cast<double>(kind.num_lists);
    looked_at = rows * std::min(1.0, static_cast<double>(options.num_probes) / lists);
    prepared = lists * dim * kValue;
  }
  if (kind.code == DenseKind::Code::kPq) prepared += 256 * dim * kTableValue;
  const double in_set = looked_at * kept / rows;
  return queries * (prepared + looked_at * kCheckRow + in_set * distance(kind, dim));
}

}  // namespace

bool gather_is_faster(const DenseKind& kind, std::int64_t num_rows, std::int64_t dim,
                      std::int64_t num_kept, std::int64_t num_queries, const DenseSearch& options) {
  const auto rows = static_cast<double>(num_rows), values = static_cast<double>(dim);
  const auto kept = static_cast<double>(num_kept), queries = static_cast<double>(num_queries);
  return kept_alone(kind, values, kept, queries) <
         by_selector(kind, rows, values, kept, queries, options);
}

}  // namespace sightline::index
