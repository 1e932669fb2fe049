#include "support/recall_oracle.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sightline::oracle {

std::int64_t score_of(const RecallQuery& query, const Mix& mix, std::int64_t memory) {
  std::int64_t sum = 0;
  for (int f = 0; f < query.num_features; ++f) {
    sum += mix[static_cast<std::size_t>(f)] * query.feature(f, memory);
  }
  return sum;
}

std::vector<ScoredMemory> ranking(const RecallQuery& query, const Mix& mix) {
  std::vector<ScoredMemory> all;
  for (std::int64_t m = 0; m < query.num_memories; ++m) {
    if (query.keeps(m)) all.emplace_back(score_of(query, mix, m), m);
  }
  std::sort(all.begin(), all.end(), [](const ScoredMemory& a, const ScoredMemory& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  return all;
}

std::int64_t rank_of(const RecallQuery& query, const Mix& mix, std::int64_t target) {
  const std::vector<ScoredMemory> all = ranking(query, mix);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ScoredMemory& at) { return at.second == target; });
  return found == all.end() ? -1 : found - all.begin();
}

double squared_distance(const Place& a, const Place& b) {
  const double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
  const double xx = dx * dx, yy = dy * dy, zz = dz * dz;
  const double xy = xx + yy;
  return xy + zz;
}

std::vector<std::int64_t> within_radius(const std::vector<Place>& anchors, const Place& centre,
                                        double radius) {
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    if (squared_distance(anchors[i], centre) <= radius * radius) {
      found.push_back(static_cast<std::int64_t>(i));
    }
  }
  return found;
}

std::vector<std::int64_t> nearest(const std::vector<Place>& anchors, const Place& centre,
                                  std::int64_t k) {
  std::vector<std::int64_t> order(anchors.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return squared_distance(anchors[std::size_t(a)], centre) <
           squared_distance(anchors[std::size_t(b)], centre);
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(k)));
  return order;
}

}  // namespace sightline::oracle
