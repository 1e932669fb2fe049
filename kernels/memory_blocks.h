// What block_tops.h lays out for a query, and the vectors of the CPU that make and search it; host
// only.
#pragma once

#include <cstdint>

#include "kernels/mix_tree.h"
#include "kernels/recall.h"

namespace sightline::kernels {

constexpr int kBlockMemories = 32;
constexpr int kChildren = 16;    ///< blocks of a group, and groups of a supergroup
constexpr int kBoundLevels = 2;  ///< bounds of blocks, and of groups
constexpr int kMostCellBits = 18;

constexpr std::int32_t num_nodes(std::int32_t num_children, int together) {
  return num_children / together + (num_children % together != 0);
}

/// What holds all sums exactly.
enum class SumNumber : std::uint8_t { kFloat, kDouble };

/// The memories of a query that are kept, by cells of their features, and by index in a cell. The
/// last block, group and supergroup are filled up: with the features, or bounds, that come last.
struct MemoryBlocks {
  std::int32_t* memory = nullptr;  ///< [blocks, kBlockMemories]
  void* features = nullptr;        ///< numbers [blocks, num_features, kBlockMemories]
  /// Numbers [groups, num_features, 2, kChildren], the least and the greatest of each block, and
  /// likewise of each group of a supergroup.
  void* bounds[kBoundLevels] = {};
  std::int32_t* places = nullptr;  ///< [num_memories]: while blocks are made, where memories go
  std::int32_t* first = nullptr;   ///< [2^kMostCellBits + 1]: likewise, the next place of a cell
  std::int32_t num_kept = 0;
};

struct BlockCall {
  BlendView memories;
  MixTreeView mixes;
  SumNumber number = SumNumber::kFloat;
  double mean_weight[kMaxFeatures] = {};  ///< of absolute values
  int k = 0;
  Scored* out = nullptr;
};

/// Fills the rooms of `blocks`.
void make_blocks(const BlockCall& call, std::int64_t query, MemoryBlocks* blocks,
                 InstructionSet set);

/// Writes the lists of mixes [first, end) of the tree's order.
void list_by_blocks(const BlockCall& call, std::int64_t query, const MemoryBlocks& blocks,
                    std::int64_t first, std::int64_t end, InstructionSet set);

}  // namespace sightline::kernels
