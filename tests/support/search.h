// What tests of the finders share: embeddings, filters, and plain searches to compare with. The
// plain ones include no header of index/ but those of its data.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "index/backend_info.h"
#include "index/dense_index.h"
#include "index/error.h"
#include "support/random.h"

namespace sightline::tests {

/// Skips a test of dense search in a build without FAISS.
class WithFaiss : public testing::Test {
 protected:
  void SetUp() override {
    if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  }
};

/// The message of the BadInput that a call throws; "no error" if it throws none.
template <typename Call>
std::string bad_input_of(const Call& call) {
  try {
    call();
  } catch (const index::BadInput& error) {
    return error.what();
  }
  return "no error";
}

inline bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

/// Unit vectors [num, dim] around `num_centres` directions, as embeddings lie: near each other in
/// clumps.
inline std::vector<float> embeddings(std::int64_t num, std::int64_t dim, std::uint64_t seed,
                                     std::int64_t num_centres = 12) {
  Random centre_random(99), random(seed);
  std::vector<double> centres(static_cast<std::size_t>(num_centres * dim));
  for (double& value : centres) value = centre_random.uniform(-1, 1);
  std::vector<float> vectors(static_cast<std::size_t>(num * dim));
  for (std::int64_t i = 0; i < num; ++i) {
    const double* centre = centres.data() + random.integer(0, num_centres - 1) * dim;
    std::vector<double> vector;
    double square = 0;
    for (std::int64_t j = 0; j < dim; ++j) {
      vector.push_back(centre[j] + random.uniform(-0.7, 0.7));
      square += vector.back() * vector.back();
    }
    for (std::int64_t j = 0; j < dim; ++j) {
      vectors[static_cast<std::size_t>(i * dim + j)] =
          static_cast<float>(vector[static_cast<std::size_t>(j)] / std::sqrt(square));
    }
  }
  return vectors;
}

/// Each row kept by chance.
inline std::vector<std::uint8_t> random_mask(std::int64_t num, double share, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(num));
  for (std::uint8_t& kept : mask) kept = random.chance(share) ? 1 : 0;
  return mask;
}

/// Every row scored in double, then sorted: (score, row) of the k best, best first. An empty mask
/// keeps all. Scores are rounded to float before they are compared, as the index says that its own
/// are.
inline std::vector<std::pair<float, std::int64_t>> plain_search(
    const std::vector<float>& rows, const float* query, std::int64_t dim, index::Metric metric,
    std::int64_t k, const std::vector<std::uint8_t>& mask = {}) {
  const bool by_product = metric == index::Metric::kInnerProduct;
  std::vector<std::pair<float, std::int64_t>> all;
  const auto num = static_cast<std::int64_t>(rows.size()) / dim;
  for (std::int64_t row = 0; row < num; ++row) {
    if (!mask.empty() && mask[static_cast<std::size_t>(row)] == 0) continue;
    long double sum = 0;  // more digits than the index has: its order of summing does not matter
    for (std::int64_t j = 0; j < dim; ++j) {
      const long double a = query[j], b = rows[static_cast<std::size_t>(row * dim + j)];
      sum += by_product ? a * b : (a - b) * (a - b);
    }
    all.emplace_back(static_cast<float>(static_cast<double>(sum)), row);
  }
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return by_product ? a.first > b.first : a.first < b.first;
    return a.second < b.second;
  });
  all.resize(std::min(all.size(), static_cast<std::size_t>(k)));
  return all;
}

/// What one query of a batch found, without the empty places.
inline std::vector<std::pair<float, std::int64_t>> found_by(const index::Neighbors& found,
                                                            std::int64_t query) {
  std::vector<std::pair<float, std::int64_t>> pairs;
  for (std::int64_t i = query * found.k; i < (query + 1) * found.k; ++i) {
    const auto slot = static_cast<std::size_t>(i);
    if (found.rows[slot] >= 0) pairs.emplace_back(found.scores[slot], found.rows[slot]);
  }
  return pairs;
}

}  // namespace sightline::tests
