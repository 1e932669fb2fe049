#include "index/filter_cost.h"

#include <algorithm>
#include <cmath>

namespace sightline::index {
namespace {

// Nanoseconds on one core of a server of 2023; only their ratios matter.
constexpr double kCheckRow = 2.0;       // is this row in the set?
constexpr double kValue = 0.12;         // one value of a vector in a scan of one query
constexpr double kValueInBatch = 0.03;  // the same where BLAS takes a batch of queries
constexpr double kValueCopied = 0.25;   // copying one value of a row kept
constexpr double kRowDecoded = 40;      // finding a row in its list
constexpr double kGraphStep = 60;       // one row looked at in a walk, beside its distance
constexpr std::int64_t kBatch = 16;

double kept_alone(const DenseKind& kind, double dim, double kept, double queries) {
  const bool in_place = !kind.encoded() && kind.layout != DenseKind::Layout::kLists;
  if (in_place && queries <= kBatch) return queries * kept * (kCheckRow + dim * kValue);
  const double copy = kept * (dim * kValueCopied + (in_place ? 0 : kRowDecoded));
  return copy + queries * kept * dim * (queries > kBatch ? kValueInBatch : kValue);
}

double by_selector(const DenseKind& kind, double rows, double dim, double kept, double queries,
                   const DenseSearch& options) {
  const double share = kept / rows;
  if (kind.layout == DenseKind::Layout::kGraph) {
    const double walked = std::min(rows, static_cast<double>(options.ef_search * kind.num_links));
    return queries * walked * (kGraphStep + dim * kValue);
  }
  double looked_at = rows;
  if (kind.layout == DenseKind::Layout::kLists) {
    const auto lists = static_cast<double>(kind.num_lists);
    const double probed = std::min(lists, static_cast<double>(options.num_probes));
    looked_at = rows * probed / lists + lists * dim * kValue / kCheckRow;
  }
  return queries * looked_at * (kCheckRow + share * dim * kValue);
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
