// Bands as columns, where ops run one by one and many at a time, as on a GPU: the memories of each
// query that a list of the k best can hold, or somewhat more, are marked, collected, and copied to
// columns of their own, of which lists are then made as of any memories. skyband.h says why these
// are the same lists. A CPU is faster by host/bands.h.
#pragma once

#include <cstdint>

#include "kernels/recall.h"
#include "kernels/skyband.h"

namespace sightline::kernels {

/// Lists that pivots are taken of: the best of some mixes, each query's memories that are kept,
/// [num_queries, num_lists, per_list] as top_memories() writes them.
struct PivotLists {
  const Scored* lists = nullptr;
  int num_lists = 0, per_list = 0;

  constexpr std::int64_t per_query() const { return std::int64_t{num_lists} * per_list; }
};

/// What mark_bands() takes of a workspace, and must have.
std::int64_t mark_bands_workspace_bytes(std::int64_t num_queries, const PivotLists& pivots);

/// Marks what a list of the k best may hold: out [num_queries, num_memories], 0 for memories that
/// are not kept and for such as k pivots dominate, else 1; and 1 for the k kept of the lowest
/// indices. `rule` compares no keys, and something. A pivot counts for those next to it only if all
/// it has is more.
void mark_bands(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                const DominanceRule& rule, const PivotLists& pivots, int k, std::uint8_t* out,
                const Workspace& workspace);

/// Memories of each query, ascending: member i of query q is places[first[q] + i] less
/// q * num_memories.
struct PlacesView {
  const std::int32_t* places = nullptr;
  const std::int32_t* first = nullptr;  ///< [num_queries + 1]
};

std::int64_t collect_bands_workspace_bytes(const Executor& executor, std::int64_t num_marks);

/// Collects what is marked: marks [num_queries, num_memories], fewer than 2^31, each 0 or 1;
/// places: room for as many as may be marked; first [num_queries + 1]. Returns 0, or CUDA's code of
/// why nothing is queued. On CUDA, launches before it must have been checked, as it clears errors.
int collect_bands(const Executor& executor, const std::uint8_t* marks, std::int64_t num_queries,
                  std::int64_t num_memories, std::int32_t* places, std::int32_t* first,
                  const Workspace& workspace);

/// Copies the features of bands whose largest has `width` members: feature f of member i of query q
/// to columns[(f * num_queries + q) * width + i]; beyond a query's last member zeros, which `kept`
/// [num_queries, words_of_bits(width)] says take no part.
void gather_bands(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                  const PlacesView& bands, std::int64_t width, std::int32_t* columns,
                  std::uint64_t* kept);

/// What gather_bands() wrote. Equal scores stay in the order of the memories' indices.
BlendView view_of_bands(const BlendView& memories, std::int64_t num_queries, std::int64_t width,
                        const std::int32_t* columns, const std::uint64_t* kept);

/// Puts memories in place of members: lists [num_queries, per_query] of view_of_bands().
void name_members(const Executor& executor, const PlacesView& bands, std::int64_t num_memories,
                  std::int64_t num_queries, std::int64_t per_query, Scored* lists);

}  // namespace sightline::kernels
