// The k best under many mixes of any signs. Memories that are alike lie side by side, in blocks,
// and blocks side by side in groups. Under weights w no memory of a block scores more than
// sum w_f x_f, x_f the greatest of feature f in the block where w_f > 0 and the least elsewhere:
// where that is less than a list's last, the block is passed over, and so is a group.
//
// Bands (skyband.h) are for the mixes of one pattern of signs, and are made anew for each; blocks
// serve all patterns, but take longer to make.
#pragma once

#include "kernels/mix_tree.h"
#include "kernels/recall.h"

namespace sightline::kernels {

/// Do sums hold what block_tops() needs, below 2^53? weights [num_mixes, memories.num_features].
bool block_tops_hold(const BlendView& memories, const std::int32_t* weights,
                     std::int64_t num_mixes);

/// As top_memories() of recall.h, where block_tops_hold(): out [num_queries, num_mixes, k] in the
/// caller's order of mixes. Of the tree only the order counts: the list of a mix tells the next
/// one what scores to pass. CPU only; the workspace is one of block_tops_workspace_bytes().
void block_tops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                const MixTreeView& mixes, int k, Scored* out, const Workspace& workspace);

std::int64_t block_tops_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                        const MixTreeView& mixes);

}  // namespace sightline::kernels
