// Parts of a score scaled among the memories that take part, as fusions of ranked lists do it.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sweep/recall_settings.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Standard scores are divided by this, and beyond it clamped, so that they fit a quantised
/// feature.
constexpr double kMostStandardScore = 16;

/// The values [num_memories] of one query, those of memories that `kept` does not hold set to 0:
/// min-max scaled to [0, 1] (0.5 where all are equal), or standard scores over kMostStandardScore
/// (0 where all are equal; the deviation is that of the whole set). `times`: a factor in [0, 1].
void standardise(Standardise how, const std::int32_t* values, const std::uint64_t* kept,
                 std::int64_t num_memories, double times, int feature_bits, std::int32_t* out);

/// How far the distances of kept memories spread: (median - least) / median; 0 where all are 0, and
/// where none is kept. Of an even number of them, the median is the mean of the middle two.
double distance_spread(const std::vector<kernels::Vec3>& anchors_m, kernels::Vec3 centre_m,
                       const std::uint64_t* kept);

}  // namespace sightline::host
