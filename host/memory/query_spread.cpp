#include "host/memory/query_spread.h"

#include <cmath>
#include <vector>

namespace sightline::host {
namespace {

double cosine(const float* a, const float* b, std::int32_t width) {
  double sum = 0;
  for (std::int32_t i = 0; i < width; ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

/// Squares are taken around a query's own mean: what differs between queries is no spread.
class Spread {
 public:
  void add(const std::vector<double>& of_a_query) {
    if (of_a_query.empty()) return;
    const auto count = static_cast<double>(of_a_query.size());
    double sum = 0, squares = 0;
    for (const double value : of_a_query) sum += value;
    for (const double value : of_a_query) {
      squares += (value - sum / count) * (value - sum / count);
    }
    num_pairs_ += static_cast<std::int64_t>(of_a_query.size());
    ++num_queries_;
    sum_ += sum;
    squares_ += squares;
  }

  CosineSpread result() const {
    CosineSpread spread{num_pairs_, 0, {}};
    if (num_pairs_ > 0) spread.mean = sum_ / static_cast<double>(num_pairs_);
    const std::int64_t freedom = num_pairs_ - num_queries_;
    if (freedom > 0) spread.sd = std::sqrt(squares_ / static_cast<double>(freedom));
    return spread;
  }

 private:
  std::int64_t num_pairs_ = 0, num_queries_ = 0;
  double sum_ = 0, squares_ = 0;
};

}  // namespace

QuerySpread spread_of(const MemorySet& memories) {
  const MemoryTable& table = memories.table;
  std::vector<std::vector<std::int64_t>> after(static_cast<std::size_t>(memories.num_queries));
  for (const MemoryTarget& target : memories.targets) {
    after[static_cast<std::size_t>(target.query)].push_back(target.memory);
  }
  QuerySpread spread;
  Spread within, others;
  for (std::size_t query = 0; query < after.size(); ++query) {
    if (after[query].empty()) continue;
    ++spread.num_queries;
    const float* const cue =
        memories.query_embeddings.data() + query * static_cast<std::size_t>(table.width);
    std::vector<double> own, rest;
    auto next = after[query].begin();  // ascending, as targets are
    for (std::int64_t row = 0; row < table.size(); ++row) {
      const bool is_own = next != after[query].end() && *next == row;
      if (is_own) ++next;
      (is_own ? own : rest).push_back(cosine(cue, table.embedding(row), table.width));
    }
    within.add(own);
    others.add(rest);
  }
  spread.within = within.result();
  spread.others = others.result();
  return spread;
}

}  // namespace sightline::host
