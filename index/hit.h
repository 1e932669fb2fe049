// One memory found, with its score.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::index {

struct Hit {
  std::int64_t row = 0;
  double score = 0;
  bool operator==(const Hit& other) const { return row == other.row && score == other.score; }
};

/// In the order a finder states, best first.
using Hits = std::vector<Hit>;

/// The rows, in the order of the hits.
std::vector<std::int64_t> rows_of(const Hits& hits);

/// Leaves the k hits of highest score, highest first, ties to the lower row. Throws BadInput if k
/// < 1.
void keep_best(std::int64_t k, Hits& hits);

}  // namespace sightline::index
