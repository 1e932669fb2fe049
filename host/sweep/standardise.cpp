#include "host/sweep/standardise.h"

#include <algorithm>
#include <cmath>

namespace sightline::host {
namespace {

bool is_kept(const std::uint64_t* kept, std::int64_t memory) {
  return (kept[memory / 64] >> (memory % 64) & 1u) != 0;
}

/// Sums of whole numbers: the same in any order.
struct Moments {
  std::int64_t count = 0, sum = 0;
  std::int32_t least = 0, most = 0;
  double mean = 0, deviation = 0;
};

Moments moments_of(const std::int32_t* values, const std::uint64_t* kept, std::int64_t n) {
  Moments moments;
  for (std::int64_t m = 0; m < n; ++m) {
    if (!is_kept(kept, m)) continue;
    moments.least = moments.count == 0 ? values[m] : std::min(moments.least, values[m]);
    moments.most = moments.count == 0 ? values[m] : std::max(moments.most, values[m]);
    moments.sum += values[m];
    ++moments.count;
  }
  if (moments.count == 0) return moments;
  moments.mean = static_cast<double>(moments.sum) / static_cast<double>(moments.count);
  double squares = 0;
  for (std::int64_t m = 0; m < n; ++m) {
    if (!is_kept(kept, m)) continue;
    const double from_mean = values[m] - moments.mean;
    squares += from_mean * from_mean;
  }
  moments.deviation = std::sqrt(squares / static_cast<double>(moments.count));
  return moments;
}

double min_max_of(const Moments& moments, std::int32_t value) {
  if (moments.most == moments.least) return 0.5;
  return static_cast<double>(value - moments.least) /
         static_cast<double>(moments.most - moments.least);
}

double standard_score_of(const Moments& moments, std::int32_t value) {
  if (moments.deviation == 0) return 0;
  const double score = (value - moments.mean) / moments.deviation;
  return std::clamp(score, -kMostStandardScore, kMostStandardScore) / kMostStandardScore;
}

}  // namespace

void standardise(Standardise how, const std::int32_t* values, const std::uint64_t* kept,
                 std::int64_t num_memories, double times, int feature_bits, std::int32_t* out) {
  const Moments moments = moments_of(values, kept, num_memories);
  for (std::int64_t m = 0; m < num_memories; ++m) {
    if (!is_kept(kept, m)) {
      out[m] = 0;
      continue;
    }
    const double scaled = how == Standardise::kMinMax ? min_max_of(moments, values[m])
                                                      : standard_score_of(moments, values[m]);
    out[m] = kernels::quantised(times * scaled, feature_bits);
  }
}

double distance_spread(const std::vector<kernels::Vec3>& anchors_m, kernels::Vec3 centre_m,
                       const std::uint64_t* kept) {
  std::vector<double> distances;
  for (std::size_t m = 0; m < anchors_m.size(); ++m) {
    if (!is_kept(kept, static_cast<std::int64_t>(m))) continue;
    const double dx = centre_m.x - anchors_m[m].x, dy = centre_m.y - anchors_m[m].y,
                 dz = centre_m.z - anchors_m[m].z;
    distances.push_back(std::sqrt((dx * dx + dy * dy) + dz * dz));
  }
  if (distances.empty()) return 0;
  std::sort(distances.begin(), distances.end());
  const std::size_t n = distances.size();
  const double median = (distances[(n - 1) / 2] + distances[n / 2]) / 2;
  return median > 0 ? (median - distances.front()) / median : 0;
}

}  // namespace sightline::host
