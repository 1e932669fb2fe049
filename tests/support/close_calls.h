// Memories that score as much as a target under some mix, or 1 more, or 1 less.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "support/mixes.h"

namespace sightline::tests {

/// A memory that exceeds the target by `over` (in score) under a mix, one of whose weights is 1,
/// though its features are as different from the target's as `reach` and the bits allow.
inline bool add_close(const oracle::Mix& mix, std::int64_t over, std::int64_t reach, Random& random,
                      Blend* blend) {
  const auto one = std::size_t(std::find(mix.begin(), mix.end(), 1) - mix.begin());
  if (one == mix.size()) return false;
  const std::int64_t most = std::int64_t{1} << blend->shape.feature_bits;
  std::vector<std::int64_t> features;
  std::int64_t rest = over;
  for (std::size_t f = 0; f < mix.size(); ++f) {
    const std::int64_t of_target = blend->columns[f][0];
    features.push_back(
        f == one ? of_target : std::clamp(of_target + random.integer(-reach, reach), -most, most));
    rest -= mix[f] * (features[f] - of_target);
  }
  features[one] += rest;
  if (std::abs(features[one]) > most) return false;
  for (std::size_t f = 0; f < mix.size(); ++f) {
    blend->columns[f].push_back(std::int32_t(features[f]));
  }
  return true;
}

/// Memories as close as can be to the target under some mix, on both sides of it.
inline Blend close_calls(const Mixes& mixes, int bits, std::int64_t num_memories, Random& random) {
  Blend blend;
  blend.shape.num_queries = 1;
  blend.shape.num_features = int(mixes[0].size());
  blend.shape.feature_bits = bits;
  blend.shape.num_memories = num_memories;
  for (int f = 0; f < blend.shape.num_features; ++f) {
    blend.columns.push_back({std::int32_t(random.integer(0, std::int64_t{1} << (bits - 1)))});
  }
  const auto largest = std::int64_t{1} << bits;
  while (std::int64_t(blend.columns[0].size()) < num_memories) {
    const oracle::Mix& mix = mixes[std::size_t(random.integer(0, std::int64_t(mixes.size()) - 1))];
    const std::int64_t reach = largest >> random.integer(0, bits);
    add_close(mix, random.integer(-1, 1), reach, random, &blend);
  }
  blend.targets = {random.integer(0, num_memories - 1)};
  for (auto& column : blend.columns) std::swap(column[0], column[std::size_t(blend.targets[0])]);
  return blend;
}

/// Moves features of many memories such that they score as much as the target, 1 more or 1 less, or
/// near it, under some mix.
inline void bring_close(Blend* blend, Random& random) {
  const BlendShape& shape = blend->shape;
  const std::int64_t most = std::int64_t{1} << shape.feature_bits;
  for (std::int64_t i = 0; i < 2 * shape.num_memories; ++i) {
    const std::int64_t q = random.integer(0, shape.num_queries - 1);
    const std::int64_t m = random.integer(0, shape.num_memories - 1);
    const auto target = std::size_t(blend->targets[std::size_t(q)]);
    const oracle::Mix mix = blend->mix(random.integer(0, shape.num_mixes - 1));
    const auto f = std::size_t(random.integer(0, shape.num_features - 1));
    if (mix[f] == 0 || std::size_t(m) == target) continue;
    // Even features are of each query, as Blend has it.
    const auto row = [&](std::size_t feature) {
      return feature % 2 == 0 ? std::size_t(q * shape.num_memories) : 0;
    };
    std::int64_t short_by = 0;
    for (std::size_t g = 0; g < mix.size(); ++g) {
      const std::vector<std::int32_t>& column = blend->columns[g];
      short_by +=
          mix[g] * (std::int64_t{column[row(g) + target]} - column[row(g) + std::size_t(m)]);
    }
    std::int32_t& feature = blend->columns[f][row(f) + std::size_t(m)];
    const std::int64_t moved = feature + short_by / mix[f] + random.integer(-1, 1);
    if (std::abs(moved) <= most) feature = std::int32_t(moved);
  }
}

}  // namespace sightline::tests
