// Products of mixes that ranks were asked under before (mix_products.h), found once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "host/mix_products.h"

namespace sightline::host {

class KnownProducts {
 public:
  // Pairs of query and memory from which on products pay. To find them takes about 5 us a mix. To
  // rank by them saves 0.05 ns a score on the CPU (bench/README.md); on a GPU, by instructions and
  // not by a measurement, a ten thousandth of a ns.
  static constexpr std::int64_t kFewPairs = 100'000, kFewPairsOfGpu = 50'000'000;

  KnownProducts(std::int64_t few_pairs, int feature_bits)
      : few_pairs_(few_pairs), feature_bits_(feature_bits) {}

  /// What num_pairs more are to be ranked by, under mixes [num_mixes, num_features]; null where
  /// mix by mix is as good, or too few have been ranked so far. Until the next call.
  const MixProducts* find(const std::vector<std::int32_t>& weights, int num_features,
                          std::int64_t num_pairs);

 private:
  struct Known {
    std::int64_t num_pairs = 0;  ///< so far
    bool is_searched = false;
    std::optional<MixProducts> products;
  };

  const std::int64_t few_pairs_;
  const int feature_bits_;
  std::map<std::pair<int, std::vector<std::int32_t>>, Known> known_;  ///< by features and weights
};

}  // namespace sightline::host
