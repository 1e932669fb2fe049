// Ranks under mixes that form products, as the points of a lattice of weights do; for GPUs. (On the
// CPU such mixes lie on lines, which are faster: mix_lines.h.)
//
// Cut each mix in two: its head, the weights of the first features, and its tail, those of the
// others. A score is the sum of what both make of the memory. Where each of some heads comes with
// each of some tails, a head and a tail need only be multiplied out once per memory, and a memory
// comes before the target where (tail of memory - tail of target) > (head of target - head of
// memory): a comparison and a count per mix, whatever the number of features. All 10,626 mixes of
// five weights in steps of 1/20 are 21 such products of pairs with triples: those of one sum.
//
// These are whole numbers, so that >= is > of one less, which is how lower indices win ties.
#pragma once

#include <cstdint>

#include "kernels/recall.h"

namespace sightline::kernels {

constexpr int kMaxTailFeatures = 4;

constexpr std::int32_t kTileHeads = 4, kTileTails = 8;

/// What a slot ranks by: some heads of a product, each with every `stride`-th of its tails, so that
/// neighbours have neighbouring tails.
struct ProductTile {
  std::int32_t first_head = 0, num_heads = 0;  ///< at most kTileHeads, in the order of `heads`
  std::int32_t first_tail = 0, num_tails = 0;  ///< the product's
  std::int32_t tail = 0, stride = 0;           ///< tail, tail + stride, ..: at most kTileTails
  std::int64_t first_slot = 0;                 ///< of the first head with the product's first tail
};

/// Mixes as products, each mix in one of them.
struct MixProductsView {
  int num_features = 0;
  int num_tail_features = 0;            ///< 1 to kMaxTailFeatures, the last; at least one is left
  const std::int32_t* heads = nullptr;  ///< [heads, num_features - num_tail_features]
  const std::int32_t* tails = nullptr;  ///< [tails, num_tail_features]
  const ProductTile* tiles = nullptr;
  std::int64_t num_tiles = 0;
  /// Which mix head h and tail t of a tile are: slots[first_slot + h * num_tails + t].
  const std::int32_t* slots = nullptr;
  std::int64_t num_mixes = 0;
  /// No absolute values of the weights of a head, or of a tail, add up to more.
  std::int64_t largest_sum = 0;
};

/// May target_ranks() take these? All that it computes stays below 2^53.
bool can_rank(const MixProductsView& mixes, int feature_bits);

/// target_ranks() of recall.h; can_rank(mixes, memories.feature_bits). The CPU runs what a GPU
/// would, slot by slot.
void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const MixProductsView& mixes, std::int32_t* out,
                  const Workspace& workspace = {});
std::int64_t target_ranks_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, const MixProductsView& mixes);

}  // namespace sightline::kernels
