// The k best of many mixes by one full scan, where the memory of a backend is.
#pragma once

#include <cstdint>

#include "host/backend_buffers.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Queues kernels::top_memories(), by matrix units where a GPU's serve. weights [num_mixes,
/// memories.num_features] in the host's memory, and `there` where the kernels find them; out
/// [num_queries, num_mixes, k] too. Uses the workspace of `buffers`.
void queue_tops(BackendBuffers& buffers, const kernels::Executor& executor,
                const kernels::BlendView& memories, std::int64_t num_queries,
                const std::int32_t* weights, const std::int32_t* there, std::int64_t num_mixes,
                int k, kernels::Scored* out);

/// May matrix units be used?
bool has_matrix_units(const BackendBuffers& buffers, const kernels::Executor& executor);

}  // namespace sightline::host
