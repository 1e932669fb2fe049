// Recall scoring on the vector units of the CPU; host only.
//
// The ops of feature_ops.h and blend.h take one score at a time. Here a vector holds as many
// memories, or mixes, as it has lanes. The arithmetic is exact (blends) or the same chain
// (cosines), and so the answers are those of the ops, bit for bit.
#pragma once

#include <cstdint>

#include "kernels/blend.h"
#include "kernels/feature_ops.h"

namespace sightline::kernels {

/// Rows that a piece of work is best made of.
constexpr std::int64_t kCosineRowsTogether = 64;

/// Rows [begin, end), which lie in rows, against all queries, which pack_embeddings() put in order.
void cosines_wave(const Cosines& op, const float* packed_queries, std::int64_t num_queries,
                  std::int64_t begin, std::int64_t end, InstructionSet set);

/// Slots of memories [begin, end) for a query.
void proximities_wave(const Proximities& op, std::int64_t query, std::int64_t begin,
                      std::int64_t end, InstructionSet set);
void recencies_wave(const Recencies& op, std::int64_t query, std::int64_t begin, std::int64_t end,
                    InstructionSet set);

/// Some queries under some mixes.
struct BlendPiece {
  std::int64_t first_query = 0, num_queries = 0;
  std::int64_t first_mix = 0, num_mixes = 0;
};

constexpr std::int64_t kMaxPieceMixes = 256;

/// Answers the slots of a piece of at most kMaxPieceMixes mixes.
void target_ranks_wave(const TargetRanks& op, const BlendPiece& piece, InstructionSet set);
void top_memories_wave(const TopMemories& op, const BlendPiece& piece, InstructionSet set);

}  // namespace sightline::kernels
