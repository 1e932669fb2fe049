#include "index/hit.h"

#include <algorithm>
#include <string>

#include "index/error.h"

namespace sightline::index {

std::vector<std::int64_t> rows_of(const Hits& hits) {
  std::vector<std::int64_t> rows;
  for (const Hit& hit : hits) rows.push_back(hit.row);
  return rows;
}

void keep_best(std::int64_t k, Hits& hits) {
  if (k < 1) throw BadInput("k " + std::to_string(k) + " is below 1; give at least 1");
  const auto better = [](const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  };
  const auto num =
      std::min(static_cast<std::ptrdiff_t>(hits.size()), static_cast<std::ptrdiff_t>(k));
  std::partial_sort(hits.begin(), hits.begin() + num, hits.end(), better);
  hits.resize(static_cast<std::size_t>(num));
}

}  // namespace sightline::index
