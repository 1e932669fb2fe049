#include "host/backend_tops.h"

namespace sightline::host {

bool has_matrix_units(const BackendBuffers& buffers, const kernels::Executor& executor) {
  return buffers.is_on_gpu() && executor.instructions != kernels::InstructionSet::kPortable;
}

void queue_tops(BackendBuffers& buffers, const kernels::Executor& executor,
                const kernels::BlendView& memories, std::int64_t num_queries,
                const std::int32_t* weights, const std::int32_t* there, std::int64_t num_mixes,
                int k, kernels::Scored* out) {
  if (has_matrix_units(buffers, executor) &&
      kernels::can_list_by_matrix(memories, weights, num_mixes, k)) {
    const kernels::Workspace workspace = buffers.workspace(
        kernels::matrix_tops_workspace_bytes(memories, num_queries, num_mixes, k));
    if (workspace.num_bytes >= kernels::least_matrix_tops_workspace_bytes(memories, num_mixes, k)) {
      return kernels::matrix_tops(executor, memories, num_queries, there, num_mixes, k, out,
                                  workspace);
    }
  }
  const kernels::Workspace workspace = buffers.workspace(
      kernels::top_memories_workspace_bytes(executor, memories, num_queries, num_mixes, k));
  kernels::top_memories(executor, memories, num_queries, there, num_mixes, k, out, workspace);
}

}  // namespace sightline::host
