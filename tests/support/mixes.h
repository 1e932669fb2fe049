// Mixes of weights for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/blends.h"
#include "support/random.h"
#include "support/recall_oracle.h"

namespace sightline::tests {

using Mixes = std::vector<oracle::Mix>;

/// Every mix of whole weights that add up to `steps`.
inline Mixes simplex(int num_features, std::int64_t steps) {
  if (num_features == 1) return {{steps}};
  Mixes mixes;
  for (std::int64_t first = 0; first <= steps; ++first) {
    for (oracle::Mix rest : simplex(num_features - 1, steps - first)) {
      rest.insert(rest.begin(), first);
      mixes.push_back(rest);
    }
  }
  return mixes;
}

/// Every mix of weights from low to high.
inline Mixes box(int num_features, std::int64_t low, std::int64_t high) {
  if (num_features == 0) return {{}};
  Mixes mixes;
  for (std::int64_t first = low; first <= high; ++first) {
    for (oracle::Mix rest : box(num_features - 1, low, high)) {
      rest.insert(rest.begin(), first);
      mixes.push_back(rest);
    }
  }
  return mixes;
}

inline Mixes shuffled(Mixes mixes, Random& random) {
  for (std::size_t i = mixes.size(); i > 1; --i) {
    std::swap(mixes[i - 1], mixes[std::size_t(random.integer(0, std::int64_t(i) - 1))]);
  }
  return mixes;
}

inline std::vector<std::int32_t> flat(const Mixes& mixes) {
  std::vector<std::int32_t> weights;
  for (const oracle::Mix& mix : mixes) weights.insert(weights.end(), mix.begin(), mix.end());
  return weights;
}

/// The blend under these mixes.
inline Blend under(const Mixes& mixes, Blend blend) {
  blend.weights = flat(mixes);
  blend.shape.num_mixes = std::int64_t(mixes.size());
  return blend;
}

/// Ranks mix by mix, as the plain op says.
inline std::vector<std::int32_t> plain_ranks(const Blend& blend) {
  kernels::Executor plain;
  plain.instructions = kernels::InstructionSet::kPortable;
  return ranks_of(blend, plain);
}

}  // namespace sightline::tests
