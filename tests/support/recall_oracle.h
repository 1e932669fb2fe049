// What recall must answer: every score as an exact integer, every list by sorting all of it, every
// gate by asking each anchor. Slow, plain, and sharing no header with the engine.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace sightline::oracle {

/// The memories of one query.
struct RecallQuery {
  std::int64_t num_memories = 0;
  int num_features = 0;
  std::function<std::int64_t(int feature, std::int64_t memory)> feature;
  std::function<bool(std::int64_t memory)> keeps;
};

using Mix = std::vector<std::int64_t>;                       ///< [num_features]
using ScoredMemory = std::pair<std::int64_t, std::int64_t>;  ///< score, memory

std::int64_t score_of(const RecallQuery& query, const Mix& mix, std::int64_t memory);

/// Kept memories by descending score, then ascending index.
std::vector<ScoredMemory> ranking(const RecallQuery& query, const Mix& mix);

/// Place of the target in the ranking; -1 if it is not kept.
std::int64_t rank_of(const RecallQuery& query, const Mix& mix, std::int64_t target);

using Place = std::array<double, 3>;

/// (dx dx + dy dy) + dz dz, each operation rounded.
double squared_distance(const Place& a, const Place& b);

std::vector<std::int64_t> within_radius(const std::vector<Place>& anchors, const Place& centre,
                                        double radius);

/// Indices of the k nearest by (squared distance, index), or of all.
std::vector<std::int64_t> nearest(const std::vector<Place>& anchors, const Place& centre,
                                  std::int64_t k);

}  // namespace sightline::oracle
