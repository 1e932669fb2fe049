// Trees of mixes for tests.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "host/mix_tree.h"
#include "support/mixes.h"

namespace sightline::tests {

inline std::vector<double> even_spread(std::size_t num_features) {
  return std::vector<double>(num_features, 1.0);
}

inline host::MixTree tree_of(const Mixes& mixes, const std::vector<double>& spread) {
  return host::make_mix_tree(flat(mixes).data(), std::int64_t(mixes.size()), spread);
}

/// A mix's weight as boxes hold it.
inline std::int64_t boxed_weight(const host::MixTree& tree, const oracle::Mix& mix, int f) {
  return f == tree.subtracted ? std::accumulate(mix.begin(), mix.end(), std::int64_t{0})
                              : mix[std::size_t(f)];
}

}  // namespace sightline::tests
