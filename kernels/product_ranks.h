// Ranks under products of mixes, on the vector units of the CPU or a mix at a time; host only.
#pragma once

#include <cstdint>

#include "kernels/blend.h"
#include "kernels/mix_products.h"

namespace sightline::kernels {

constexpr int kHeadsTogether = 8;
constexpr std::int32_t kTailsTogether = 256;

struct ProductRanks {
  BlendView memories;
  const std::int64_t* targets;
  MixProductsView mixes;
  std::int32_t* out;
};

/// Some queries under some heads of a product with some of its tails: at most kHeadsTogether and
/// kTailsTogether.
struct ProductPiece {
  std::int64_t first_query = 0, num_queries = 0;
  std::int64_t product = 0;
  std::int32_t first_head = 0, num_heads = 0;  ///< of the product
  std::int32_t first_tail = 0, num_tails = 0;  ///< likewise
};

/// Twice the largest sum that a head or a tail makes: no difference of two exceeds it.
inline std::int64_t largest_difference(const MixProductsView& mixes, int feature_bits) {
  return mixes.largest_sum << (feature_bits + 1);
}

/// A mix at a time.
void rank_one_by_one(const ProductRanks& op, const ProductPiece& piece);
/// The same by vectors.
void product_ranks_wave(const ProductRanks& op, const ProductPiece& piece, InstructionSet set);

}  // namespace sightline::kernels
