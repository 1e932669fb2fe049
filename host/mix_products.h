// Finds products among mixes of weights: kernels/mix_products.h says what they are good for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/mix_products.h"

namespace sightline::host {

/// Mixes as products, in memory of its own.
struct MixProducts {
  int num_features = 0, num_tail_features = 0;
  std::vector<std::int32_t> heads, tails, slots;
  std::vector<kernels::MixProduct> products;
  std::vector<kernels::ProductTile> tiles;
  std::int64_t num_mixes = 0, largest_sum = 0;

  kernels::MixProductsView view() const;
};

/// What ranking so many memories takes, in steps of a vector unit per memory: measured ratios of a
/// step to another are 1, whatever the arithmetic.
double ranking_steps(const MixProducts& mixes);
double plain_ranking_steps(std::int64_t num_mixes, int num_features);

/// The mixes [num_mixes, num_features], cut where that makes ranking cheapest; nothing if a mix
/// occurs twice, or ranking mix by mix is as cheap.
std::optional<MixProducts> find_mix_products(const std::vector<std::int32_t>& weights,
                                             int num_features);

}  // namespace sightline::host
