// Fusion: one ranking out of several finders' rankings.
#pragma once

#include <cstdint>
#include <vector>

#include "index/hit.h"

namespace sightline::index {

/// How scores of different finders are made comparable.
enum class Normalisation {
  kNone,
  kMinMax,  ///< (s - min) / (max - min); all equal: 0.5 each
  kZScore,  ///< (s - mean) / deviation over all of them; all equal: 0 each
  /// (n - r) / (n - 1), r the rank from 1, equal scores sharing the mean of their ranks; one score:
  /// 0.5
  kRank
};

/// Scores in their order, normalised; higher is better before and after. Throws BadInput for a
/// score that is not finite, with its place.
std::vector<double> normalise(const std::vector<double>& scores, Normalisation how);

struct WeightedList {
  Hits hits;          ///< each row at most once, higher scores better
  double weight = 1;  ///< any finite number
};

/// The k best rows by the sum of weight times normalised score over the lists, in their order; a
/// row that a list lacks counts `absent` there, after normalisation. Ties to the lower row. Throws
/// BadInput for a score or weight that is not finite, a row twice in a list, or k < 1.
Hits weighted_sum(const std::vector<WeightedList>& lists, Normalisation how, std::int64_t k,
                  double absent = 0);

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the k best rows by the sum of
/// 1 / (constant + rank), ranks from 1 in the order of each list of rows; a list without the row
/// adds 0. Ties to the lower row. Throws BadInput for a row twice in a list, constant <= 0, or k
/// < 1.
Hits reciprocal_rank_fusion(const std::vector<std::vector<std::int64_t>>& lists, std::int64_t k,
                            double constant = 60);

/// Forms in which nearness falls with distance, each 1 at 0.
enum class Decay {
  kLinear,       ///< max(0, 1 - d / scale)
  kExponential,  ///< exp(-d / scale)
  kHyperbolic,   ///< 1 / (1 + d / scale)
  kGaussian      ///< exp(-d d / (2 scale scale))
};

/// Throws BadInput unless distance >= 0 and scale > 0.
double decay(Decay form, double distance, double scale);

}  // namespace sightline::index
