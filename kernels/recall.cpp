#include "kernels/recall.h"

#include <algorithm>

#include "kernels/anchor_grid.h"
#include "kernels/blend.h"
#include "kernels/feature_ops.h"
#include "kernels/for_each_backend.h"
#include "kernels/gates.h"
#include "kernels/ops.h"
#include "kernels/recall_tiles.h"
#include "kernels/recall_wave.h"

namespace sightline::kernels {

namespace {

/// Runs an op whose slots are [num_queries, num_memories], in pieces of a row.
template <class Op>
void for_each_row(const Executor& executor, std::int64_t num_queries, std::int64_t num_memories,
                  const Op& op,
                  void (*wave)(const Op&, std::int64_t query, std::int64_t begin, std::int64_t end,
                               InstructionSet)) {
  if (!uses_vectors(executor)) return for_each(executor, num_queries * num_memories, op);
  const auto run = [&](std::int64_t query, std::int64_t begin, std::int64_t end) {
    wave(op, query, begin, end, executor.instructions);
  };
  for_each_piece_of_rows(executor, num_queries, num_memories, 4096, run);
}

/// Runs an op whose slots are [num_queries, num_mixes], in pieces of queries and mixes.
template <class Op>
void for_each_blend(const Executor& executor, std::int64_t num_queries, std::int64_t num_mixes,
                    const Op& op, void (*wave)(const Op&, const BlendPiece&, InstructionSet)) {
  if (!uses_vectors(executor)) return for_each(executor, num_queries * num_mixes, op);
  // Queries of a piece share its weights, which are made ready once for them; too few pieces would
  // leave threads idle.
  constexpr std::int64_t kMostQueries = 64, kPiecesPerThread = 8;
  const std::int64_t chunks = (num_mixes + kMaxPieceMixes - 1) / kMaxPieceMixes;
  const std::int64_t pieces = kPiecesPerThread * resolved_threads(executor);
  const std::int64_t together =
      std::clamp<std::int64_t>(num_queries * chunks / pieces, 1, kMostQueries);
  const std::int64_t groups = (num_queries + together - 1) / together;
  const auto run = [&](std::int64_t piece, std::int64_t) {
    BlendPiece part;
    part.first_query = piece / chunks * together;
    part.num_queries = std::min(together, num_queries - part.first_query);
    part.first_mix = piece % chunks * kMaxPieceMixes;
    part.num_mixes = std::min(kMaxPieceMixes, num_mixes - part.first_mix);
    wave(op, part, executor.instructions);
  };
  for_each_piece(executor, groups * chunks, run, 1);
}

}  // namespace

double decayed(const Decay& decay, double x) { return decay_at(decay, x); }

std::int32_t quantised(double x, int feature_bits) { return quantised_at(x, feature_bits); }

void quantise(const Executor& executor, const double* values, std::int64_t count, int feature_bits,
              std::int32_t* out) {
  for_each(executor, count, QuantiseColumn{values, feature_bits, out});
}

std::int64_t packed_floats(std::int64_t num_rows, std::int32_t width) {
  return (num_rows + kEmbeddingLanes - 1) / kEmbeddingLanes * kEmbeddingLanes * width;
}

void pack_embeddings(const Executor& cpu, const float* rows, std::int64_t num_rows,
                     std::int32_t width, float* out) {
  constexpr std::int64_t kBlocksTogether = 64;
  const auto pack_block = [&](std::int64_t block) {
    const std::int64_t first = block * kEmbeddingLanes;
    const std::int64_t num = std::min<std::int64_t>(kEmbeddingLanes, num_rows - first);
    const float* const from = rows + first * width;
    float* to = out + first * width;
    for (std::int32_t k = 0; k < width; ++k, to += kEmbeddingLanes) {
      for (std::int64_t r = 0; r < num; ++r) to[r] = from[r * width + k];
      std::fill(to + num, to + kEmbeddingLanes, 0.0f);
    }
  };
  const auto pack_blocks = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) pack_block(block);
  };
  for_each_piece(cpu, (num_rows + kEmbeddingLanes - 1) / kEmbeddingLanes, pack_blocks,
                 kBlocksTogether);
}

void cosines(const Executor& executor, const EmbeddingView& memories, const float* queries,
             std::int64_t num_queries, int feature_bits, std::int32_t* out,
             const Workspace& workspace) {
  const Cosines op{memories, queries, feature_bits, out};
  const std::int64_t wanted = cosines_workspace_bytes(executor, memories, num_queries);
  if (wanted == 0 || workspace.num_bytes < wanted) {
    return for_each(executor, num_queries * memories.num_rows, op);
  }
  if (uses_tiles(executor)) return cosines_by_tiles(executor, op, num_queries, workspace);
  auto* const packed = static_cast<float*>(workspace.data);
  pack_embeddings(executor, queries, num_queries, memories.width, packed);
  const auto run = [&](std::int64_t begin, std::int64_t end) {
    cosines_wave(op, packed, num_queries, begin, end, executor.instructions);
  };
  for_each_piece(executor, memories.num_rows, run, kCosineRowsTogether);
}

std::int64_t cosines_workspace_bytes(const Executor& executor, const EmbeddingView& memories,
                                     std::int64_t num_queries) {
  constexpr auto kFloatBytes = static_cast<std::int64_t>(sizeof(float));
  if (memories.is_packed && uses_tiles(executor)) {
    return packed_query_floats(num_queries, memories.width) * kFloatBytes;
  }
  if (memories.is_packed || !uses_vectors(executor)) return 0;
  return packed_floats(num_queries, memories.width) * kFloatBytes;
}

void proximities(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                 const Vec3* centres, std::int64_t num_queries, const Decay& decay,
                 int feature_bits, std::int32_t* out) {
  const Proximities op{anchors, num_anchors, centres, decay, feature_bits, out};
  for_each_row(executor, num_queries, num_anchors, op, proximities_wave);
}

void recencies(const Executor& executor, const double* time_s, std::int64_t num_memories,
               const double* now_s, std::int64_t num_queries, const Decay& decay, int feature_bits,
               std::int32_t* out) {
  const Recencies op{time_s, num_memories, now_s, decay, feature_bits, out};
  for_each_row(executor, num_queries, num_memories, op, recencies_wave);
}

void distance_keys(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                   const Vec3* centres, std::int64_t num_queries, std::int32_t* out) {
  SL_ASSERT(executor.backend == Backend::kCpu);
  for (std::int64_t q = 0; q < num_queries; ++q, out += num_anchors) {
    const auto run = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        out[i] = key_of(squared_distance(anchors[i], centres[q]));
      }
    };
    for_each_piece(executor, num_anchors, run);
  }
}

void age_keys(const Executor& executor, const double* time_s, std::int64_t num_memories,
              const double* now_s, std::int64_t num_queries, std::int32_t* out) {
  SL_ASSERT(executor.backend == Backend::kCpu);
  for (std::int64_t q = 0; q < num_queries; ++q, out += num_memories) {
    const auto run = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) out[i] = key_of(age_at(now_s[q], time_s[i]));
    };
    for_each_piece(executor, num_memories, run);
  }
}

void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const std::int32_t* weights, std::int64_t num_mixes,
                  std::int32_t* out, const Workspace& workspace) {
  SL_ASSERT(memories.num_features > 0 && memories.num_features <= kMaxFeatures);
  const TargetRanks op{memories, targets, weights, num_mixes, out};
  if (uses_tiles(executor)) return ranks_by_tiles(executor, op, num_queries, workspace);
  for_each_blend(executor, num_queries, num_mixes, op, target_ranks_wave);
}

std::int64_t target_ranks_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, std::int64_t num_mixes) {
  return uses_tiles(executor) ? rank_workspace_bytes(memories, num_queries, num_mixes) : 0;
}

void top_memories(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                  const std::int32_t* weights, std::int64_t num_mixes, int k, Scored* out,
                  const Workspace& workspace) {
  SL_ASSERT(memories.num_features > 0 && memories.num_features <= kMaxFeatures);
  SL_ASSERT(k > 0 && k <= kMaxTop);
  const TopMemories op{memories, weights, num_mixes, k, out};
  if (uses_tiles(executor)) return tops_by_tiles(executor, op, num_queries, workspace);
  for_each_blend(executor, num_queries, num_mixes, op, top_memories_wave);
}

std::int64_t top_memories_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, std::int64_t num_mixes, int k) {
  return uses_tiles(executor) ? top_workspace_bytes(memories, num_queries, num_mixes, k) : 0;
}

void radius_gate(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                 const Vec3* centres, std::int64_t num_queries, double radius_m,
                 std::uint64_t* out_bits) {
  for_each(executor, num_queries * words_of_bits(num_anchors),
           RadiusGate{anchors, num_anchors, centres, radius_m, out_bits});
}

void nearest_anchors(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                     const Vec3* centres, std::int64_t num_queries, std::int64_t k,
                     Neighbour* out) {
  for_each(executor, num_queries, NearestAnchors{anchors, num_anchors, centres, k, out});
}

void nearest_gate(const Executor& executor, const Neighbour* nearest, std::int64_t num_queries,
                  std::int64_t k, std::int64_t num_anchors, std::uint64_t* out_bits) {
  for_each(executor, num_queries, NearestGate{nearest, k, words_of_bits(num_anchors), out_bits});
}

void join_gates(const Executor& executor, GateJoin join, const std::uint64_t* a,
                const std::uint64_t* b, std::int64_t num_words, std::uint64_t* out) {
  for_each(executor, num_words, JoinGates{join, a, b, out});
}

std::int64_t anchor_cell(const AnchorGrid& grid, const Vec3& point_m) {
  const GridCell cell = grid_cell(grid, point_m);
  return row_of_cells(grid, cell.at[1], cell.at[2]) + cell.at[0];
}

void radius_gate(const Executor& executor, const AnchorGrid& grid, const Vec3* centres,
                 std::int64_t num_queries, double radius_m, std::uint64_t* out_bits) {
  for_each(executor, num_queries, GridRadiusGate{grid, centres, radius_m, out_bits});
}

void nearest_anchors(const Executor& executor, const AnchorGrid& grid, const Vec3* centres,
                     std::int64_t num_queries, std::int64_t k, Neighbour* out) {
  for_each(executor, num_queries, GridNearestAnchors{grid, centres, k, out});
}

}  // namespace sightline::kernels
