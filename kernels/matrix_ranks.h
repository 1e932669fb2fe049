// Ranks and lists under any mixes, of small weights, by the matrix units of a GPU: matrix_tiles.h
// and matrix_tops.h.
#pragma once

#include <cstdint>

#include "kernels/recall.h"

namespace sightline::kernels {

/// May matrix_ranks() take these? weights [num_mixes, num_features] lie in the host's memory.
bool can_rank_by_matrix(const BlendView& memories, const std::int32_t* weights,
                        std::int64_t num_mixes);

/// target_ranks() of recall.h, can_rank_by_matrix(). The workspace must have room for
/// least_matrix_workspace_bytes(). The CPU does what a GPU would, lane by lane.
void matrix_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const std::int32_t* weights, std::int64_t num_mixes,
                  std::int32_t* out, const Workspace& workspace);
std::int64_t matrix_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                    std::int64_t num_mixes);
std::int64_t least_matrix_workspace_bytes(std::int64_t num_mixes);

/// The same for top_memories(): are lists of these worth matrix_tops(), which makes them of all
/// that can be ranked so?
bool can_list_by_matrix(const BlendView& memories, const std::int32_t* weights,
                        std::int64_t num_mixes, int k);

/// top_memories() of recall.h, can_rank_by_matrix() but for the number of mixes. The workspace must
/// have room for least_matrix_tops_workspace_bytes().
void matrix_tops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                 const std::int32_t* weights, std::int64_t num_mixes, int k, Scored* out,
                 const Workspace& workspace);
std::int64_t matrix_tops_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                         std::int64_t num_mixes, int k);
std::int64_t least_matrix_tops_workspace_bytes(const BlendView& memories, std::int64_t num_mixes,
                                               int k);

}  // namespace sightline::kernels
