// Ranks and lists of a RecallBatch.
#include "host/error.h"
#include "host/recall_batch_impl.h"

namespace sightline::host {

using kernels::BlendView;
using kernels::Scored;

std::vector<std::int32_t> RecallBatch::target_ranks(const RecallMixes& mixes,
                                                    const std::vector<std::int64_t>& targets) {
  impl_->check_mixes(mixes);
  impl_->check_targets(targets);
  impl_->check_stop();
  const std::int64_t num_mixes = mixes.num_mixes(), num_ranks = impl_->num_queries * num_mixes;
  const auto* there = impl_->place(impl_->targets_room, targets.data(), impl_->num_queries);
  auto* const out = impl_->reserve<std::int32_t>(impl_->out_room, num_ranks);
  const BlendView view = impl_->view_of(mixes);
  if (!impl_->device.gpu) {
    if (const MixLines* const found = impl_->found_in(impl_->known_lines, mixes)) {
      kernels::target_ranks(impl_->executor(), view, there, impl_->num_queries, found->view(), out);
      return impl_->fetch(out, num_ranks);
    }
  } else if (const LineTiles* const found = impl_->found_in(impl_->known_tiles, mixes)) {
    const kernels::LineTilesView tiles = impl_->placed(*found);
    const kernels::Workspace workspace =
        impl_->workspace(target_ranks_workspace_bytes(view, impl_->num_queries, tiles));
    if (workspace.num_bytes >= least_workspace_bytes(tiles)) {
      kernels::target_ranks(impl_->executor(), view, there, impl_->num_queries, tiles, out,
                            workspace);
      return impl_->fetch(out, num_ranks);
    }
  }
  const auto* weights = impl_->place(impl_->weights_room, mixes.weights.data(),
                                     static_cast<std::int64_t>(mixes.weights.size()));
  if (impl_->ranks_by_matrix(view, mixes)) {
    const kernels::Workspace workspace =
        impl_->workspace(kernels::matrix_workspace_bytes(view, impl_->num_queries, num_mixes));
    if (workspace.num_bytes >= kernels::least_matrix_workspace_bytes(num_mixes)) {
      kernels::matrix_ranks(impl_->executor(), view, there, impl_->num_queries, weights, num_mixes,
                            out, workspace);
      return impl_->fetch(out, num_ranks);
    }
  }
  const kernels::Workspace workspace = impl_->workspace(
      target_ranks_workspace_bytes(impl_->executor(), view, impl_->num_queries, num_mixes));
  kernels::target_ranks(impl_->executor(), view, there, impl_->num_queries, weights, num_mixes, out,
                        workspace);
  return impl_->fetch(out, num_ranks);
}

std::vector<Scored> RecallBatch::top_memories(const RecallMixes& mixes, int k) {
  impl_->check_mixes(mixes);
  if (k < 1) throw InputError("lists of " + std::to_string(k) + " memories; give 1 or more");
  impl_->check_stop();
  const std::int64_t num_mixes = mixes.num_mixes(), count = impl_->num_queries * num_mixes * k;
  const auto* weights = impl_->place(impl_->weights_room, mixes.weights.data(),
                                     static_cast<std::int64_t>(mixes.weights.size()));
  auto* const out = impl_->reserve<Scored>(impl_->out_room, count);
  const BlendView view = impl_->view_of(mixes);
  if (!impl_->device.gpu) {
    impl_->shared_bands.top_memories({impl_->executor(), view, impl_->num_queries, weights,
                                      num_mixes, k, [this] { impl_->check_stop(); }, out},
                                     impl_->keys_of(mixes));
    return impl_->fetch(out, count);
  }
  if (impl_->lists_by_matrix(view, mixes, k)) {
    const kernels::Workspace workspace = impl_->workspace(
        kernels::matrix_tops_workspace_bytes(view, impl_->num_queries, num_mixes, k));
    if (workspace.num_bytes >= kernels::least_matrix_tops_workspace_bytes(view, num_mixes, k)) {
      kernels::matrix_tops(impl_->executor(), view, impl_->num_queries, weights, num_mixes, k, out,
                           workspace);
      return impl_->fetch(out, count);
    }
  }
  const kernels::Workspace workspace = impl_->workspace(
      top_memories_workspace_bytes(impl_->executor(), view, impl_->num_queries, num_mixes, k));
  kernels::top_memories(impl_->executor(), view, impl_->num_queries, weights, num_mixes, k, out,
                        workspace);
  return impl_->fetch(out, count);
}

}  // namespace sightline::host
