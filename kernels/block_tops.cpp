#include "kernels/block_tops.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/arena.h"
#include "kernels/blend.h"
#include "kernels/for_each_backend.h"
#include "kernels/memory_blocks.h"

namespace sightline::kernels {
namespace {

/// The first mix of a piece knows no score to pass: few pieces, but enough for all threads.
constexpr std::int64_t kPiecesPerThread = 4, kLeastPiece = 64;

BlockCall block_call(const BlendView& memories, const MixTreeView& mixes, int k, Scored* out) {
  BlockCall call{memories, mixes, SumNumber::kDouble, {}, k, out};
  if (largest_score(mixes.weights, memories, 0, mixes.num_mixes) < kFloatHolds) {
    call.number = SumNumber::kFloat;
  }
  for (std::int64_t i = 0; i < std::int64_t{mixes.num_mixes} * memories.num_features; ++i) {
    call.mean_weight[i % memories.num_features] +=
        std::abs(static_cast<double>(mixes.weights[i])) / mixes.num_mixes;
  }
  return call;
}

std::int64_t number_bytes(const BlockCall& call) {
  return static_cast<std::int64_t>(call.number == SumNumber::kFloat ? sizeof(float)
                                                                    : sizeof(double));
}

/// The arena of a query.
MemoryBlocks take_arrays(const BlockCall& call, Arena* arena) {
  const auto num_memories = static_cast<std::int32_t>(call.memories.num_memories);
  const auto numbers = [&](std::int64_t num) {
    return arena->take<std::byte>(num * call.memories.num_features * number_bytes(call));
  };
  MemoryBlocks blocks;
  std::int32_t num = num_nodes(num_memories, kBlockMemories);
  blocks.memory = arena->take<std::int32_t>(std::int64_t{num} * kBlockMemories);
  blocks.features = numbers(std::int64_t{num} * kBlockMemories);
  for (void*& bounds : blocks.bounds) {
    num = num_nodes(num, kChildren);
    bounds = numbers(std::int64_t{num} * 2 * kChildren);
  }
  blocks.places = arena->take<std::int32_t>(num_memories);
  blocks.first = arena->take<std::int32_t>((std::int64_t{1} << kMostCellBits) + 1);
  return blocks;
}

}  // namespace

bool block_tops_hold(const BlendView& memories, const std::int32_t* weights,
                     std::int64_t num_mixes) {
  return largest_score(weights, memories, 0, num_mixes) < kDoubleHolds;
}

std::int64_t block_tops_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                        const MixTreeView& mixes) {
  Arena arena(nullptr);
  take_arrays(block_call(memories, mixes, 0, nullptr), &arena);
  return num_queries * arena.used();
}

void block_tops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                const MixTreeView& mixes, int k, Scored* out, const Workspace& workspace) {
  SL_ASSERT(uses_vectors(executor));
  SL_ASSERT(block_tops_hold(memories, mixes.weights, mixes.num_mixes));
  SL_ASSERT(block_tops_workspace_bytes(memories, num_queries, mixes) <= workspace.num_bytes);
  if (memories.num_memories == 0) {
    std::fill_n(out, num_queries * mixes.num_mixes * k, Scored());
    return;
  }
  const BlockCall call = block_call(memories, mixes, k, out);
  Arena arena(static_cast<std::byte*>(workspace.data));
  std::vector<MemoryBlocks> blocks;
  for (std::int64_t q = 0; q < num_queries; ++q) blocks.push_back(take_arrays(call, &arena));
  const auto make = [&](std::int64_t query, std::int64_t) {
    make_blocks(call, query, &blocks[static_cast<std::size_t>(query)], executor.instructions);
  };
  for_each_piece(executor, num_queries, make, 1);
  const std::int64_t pieces = kPiecesPerThread * resolved_threads(executor);
  const std::int64_t piece = std::max(kLeastPiece, num_queries * mixes.num_mixes / pieces);
  const auto list = [&](std::int64_t query, std::int64_t first, std::int64_t end) {
    list_by_blocks(call, query, blocks[static_cast<std::size_t>(query)], first, end,
                   executor.instructions);
  };
  for_each_piece_of_rows(executor, num_queries, mixes.num_mixes, piece, list);
}

}  // namespace sightline::kernels
