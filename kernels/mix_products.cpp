#include "kernels/mix_products.h"

#include <algorithm>

#include "kernels/for_each_backend.h"
#include "kernels/product_ranks.h"
#include "kernels/recall_tiles.h"

namespace sightline::kernels {
namespace {

/// Heads in as few equal parts as there can be: parts of 7, 7 and 7 rather than 8, 8 and 5.
std::int32_t heads_per_part(const MixProduct& product) {
  const std::int32_t parts = (product.num_heads + kHeadsTogether - 1) / kHeadsTogether;
  return (product.num_heads + parts - 1) / parts;
}

}  // namespace

void rank_one_by_one(const ProductRanks& op, const ProductPiece& piece) {
  const MixProduct& product = op.mixes.products[piece.product];
  const int num_tail = op.mixes.num_tail_features, num_head = op.mixes.num_features - num_tail;
  for (std::int32_t h = piece.first_head; h < piece.first_head + piece.num_heads; ++h) {
    for (std::int32_t t = piece.first_tail; t < piece.first_tail + piece.num_tails; ++t) {
      std::int32_t mix[kMaxFeatures];
      std::copy_n(op.mixes.heads + (product.first_head + h) * num_head, num_head, mix);
      std::copy_n(op.mixes.tails + (product.first_tail + t) * num_tail, num_tail, mix + num_head);
      const TargetRanks ranks{op.memories, op.targets, mix, 1, nullptr};
      const std::int64_t slot =
          op.mixes.slots[product.first_slot + std::int64_t{h} * product.num_tails + t];
      for (std::int64_t q = piece.first_query; q < piece.first_query + piece.num_queries; ++q) {
        op.out[q * op.mixes.num_mixes + slot] = ranks.rank<std::int64_t>(q, mix);
      }
    }
  }
}

std::int64_t target_ranks_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, const MixProductsView& mixes) {
  return executor.backend == Backend::kCuda
             ? product_rank_workspace_bytes(memories, num_queries, mixes)
             : 0;
}

bool can_rank(const MixProductsView& mixes, int feature_bits) {
  return mixes.largest_sum < kDoubleHolds >> (feature_bits + 1);
}

void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const MixProductsView& mixes, std::int32_t* out,
                  const Workspace& workspace) {
  SL_ASSERT(can_rank(mixes, memories.feature_bits));
  SL_ASSERT(memories.num_features == mixes.num_features);
  if (executor.backend == Backend::kCuda) {
    return product_ranks_by_tiles(executor, memories, targets, num_queries, mixes, out, workspace);
  }
  const ProductRanks op{memories, targets, mixes, out};
  // A product's heads and tails are taken up once for so many queries.
  const std::int64_t queries = memories.num_memories < 4096 ? 16 : 1;
  const std::int64_t groups = (num_queries + queries - 1) / queries;
  const auto run_part = [&](std::int64_t group, std::int64_t product) {
    const MixProduct& of = mixes.products[product];
    const std::int32_t heads = heads_per_part(of);
    ProductPiece piece;
    piece.first_query = group * queries;
    piece.num_queries = std::min(queries, num_queries - piece.first_query);
    piece.product = product;
    for (std::int32_t head = 0; head < of.num_heads; head += heads) {
      piece.first_head = head;
      piece.num_heads = std::min(heads, of.num_heads - head);
      for (std::int32_t tail = 0; tail < of.num_tails; tail += kTailsTogether) {
        piece.first_tail = tail;
        piece.num_tails = std::min(kTailsTogether, of.num_tails - tail);
        if (uses_vectors(executor)) {
          product_ranks_wave(op, piece, executor.instructions);
        } else {
          rank_one_by_one(op, piece);
        }
      }
    }
  };
  // With few queries, the products of each are shared out too.
  const bool is_small = groups < 4 * resolved_threads(executor);
  const auto run = [&](std::int64_t piece, std::int64_t) {
    if (is_small) return run_part(piece / mixes.num_products, piece % mixes.num_products);
    for (std::int64_t product = 0; product < mixes.num_products; ++product) {
      run_part(piece, product);
    }
  };
  for_each_piece(executor, is_small ? groups * mixes.num_products : groups, run, 1);
}

}  // namespace sightline::kernels
