// Finds products among mixes of weights: kernels/mix_products.h says what they are good for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/mix_products.h"

namespace sightline::host {

/// Every one of these heads with every one of these tails.
struct MixProduct {
  std::int32_t first_head = 0, num_heads = 0;
  std::int32_t first_tail = 0, num_tails = 0;
  std::int64_t first_slot = 0;
};

/// Mixes as products, in memory of its own.
struct MixProducts {
  int num_features = 0, num_tail_features = 0;
  std::vector<std::int32_t> heads, tails, slots;
  std::vector<MixProduct> products;
  std::vector<kernels::ProductTile> tiles;  ///< the products once more
  std::int64_t num_mixes = 0, largest_sum = 0;

  kernels::MixProductsView view() const;
};

/// What ranking by them takes a GPU per memory.
double ranking_instructions(const MixProducts& mixes);
double plain_ranking_instructions(std::int64_t num_mixes, int num_features);

/// The mixes [num_mixes, num_features], cut where that makes ranking cheapest; nothing if a mix
/// occurs twice, or ranking mix by mix is as cheap.
std::optional<MixProducts> find_mix_products(const std::vector<std::int32_t>& weights,
                                             int num_features);

}  // namespace sightline::host
