// What makes ranks under many mixes cheap, their lines (mix_lines.h, for GPUs line_tiles.h), found
// once for mixes that were asked for before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// Found: MixLines or LineTiles.
template <class Found>
class KnownMixes {
 public:
  using Find = std::optional<Found> (*)(const std::vector<std::int32_t>& weights, int num_features);

  /// few_pairs: of query and memory, from which on finding pays.
  KnownMixes(Find how, std::int64_t few_pairs, int feature_bits)
      : find_(how), few_pairs_(few_pairs), feature_bits_(feature_bits) {}

  /// What num_pairs more are to be ranked by, under mixes [num_mixes, num_features]; null where
  /// mix by mix is as good, or too few have been ranked so far. Until the next call.
  const Found* find(const std::vector<std::int32_t>& weights, int num_features,
                    std::int64_t num_pairs) {
    constexpr std::size_t kFewMixes = 32, kMostKept = 16;
    if (weights.size() < kFewMixes * static_cast<std::size_t>(num_features)) return nullptr;
    const std::pair key(num_features, weights);
    if (known_.size() == kMostKept && known_.count(key) == 0) known_.clear();
    Known& known = known_[key];
    known.num_pairs += num_pairs;
    if (!known.is_searched && known.num_pairs >= few_pairs_) {
      known.is_searched = true;
      known.found = find_(weights, num_features);
      if (known.found && !kernels::can_rank(known.found->view(), feature_bits_)) {
        known.found.reset();
      }
    }
    return known.found ? &*known.found : nullptr;
  }

 private:
  struct Known {
    std::int64_t num_pairs = 0;  ///< so far
    bool is_searched = false;
    std::optional<Found> found;
  };

  const Find find_;
  const std::int64_t few_pairs_;
  const int feature_bits_;
  std::map<std::pair<int, std::vector<std::int32_t>>, Known> known_;  ///< by features and weights
};

}  // namespace sightline::host
