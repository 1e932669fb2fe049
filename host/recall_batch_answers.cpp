// Ranks and lists of a RecallBatch.
#include "host/error.h"
#include "host/fast_top.h"
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
  const auto* there = impl_->place(impl_->targets_buffer, targets.data(), impl_->num_queries);
  auto* const out = impl_->reserve<std::int32_t>(impl_->out_buffer, num_ranks);
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
  const auto* weights = impl_->place(impl_->weights_buffer, mixes.weights.data(),
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
  if (k < 1 || k > kernels::kMaxTop) {
    throw InputError("lists of " + std::to_string(k) + " memories; give 1 to " +
                     std::to_string(kernels::kMaxTop));
  }
  impl_->check_stop();
  std::vector<Scored> lists(static_cast<std::size_t>(impl_->num_queries * mixes.num_mixes() * k));
  const TopCall call{impl_->executor(),
                     impl_->view_of(mixes),
                     impl_->num_queries,
                     mixes.weights.data(),
                     mixes.num_mixes(),
                     k,
                     [this] { impl_->check_stop(); },
                     lists.data()};
  if (impl_->device.gpu) {
    impl_->list_on_gpu(call, mixes.columns);
  } else {
    impl_->shared_bands.top_memories(call, impl_->keys_of(mixes));
  }
  return lists;
}

void RecallBatch::Impl::list_on_gpu(const TopCall& call, const std::vector<int>& of_columns) {
  if (!GatheredTop::pays(call, 1)) return scan_on_gpu(call);  // whatever the signs
  std::vector<std::int64_t> rest;
  for (SignGroup& group : group_by_sign(call.weights, call.num_mixes, call.memories.num_features)) {
    int num_compared = 0;
    for (std::size_t f = 0; f < of_columns.size(); ++f) {
      std::int8_t& direction = group.rule.direction[f];
      if (columns[static_cast<std::size_t>(of_columns[f])].is_constant) direction = 0;
      num_compared += direction != 0;
    }
    TopCall of_group = call;
    of_group.num_mixes = static_cast<std::int64_t>(group.mixes.size());
    if (GatheredTop::pays(of_group, num_compared)) {
      answer_some(call, group.mixes, [&](const TopCall& some) { gather_on_gpu(some, group.rule); });
    } else {
      rest.insert(rest.end(), group.mixes.begin(), group.mixes.end());
    }
  }
  answer_some(call, rest, [this](const TopCall& some) { scan_on_gpu(some); });
}

void RecallBatch::Impl::gather_on_gpu(const TopCall& call, const kernels::DominanceRule& rule) {
  try {
    gathered.top_memories(call, rule);
  } catch (const GpuOutOfMemory&) {  // a full scan takes less
    device.gpu->stream.synchronize();
    gathered.release();
    release_workspace();
    scan_on_gpu(call);
  }
}

void RecallBatch::Impl::scan_on_gpu(const TopCall& call) {
  const std::int64_t count = call.num_queries * call.num_mixes * call.k;
  const auto* const weights =
      place(weights_buffer, call.weights, call.num_mixes * call.memories.num_features);
  auto* const out = reserve<Scored>(out_buffer, count);
  queue_tops(*this, call.executor, call.memories, call.num_queries, call.weights, weights,
             call.num_mixes, call.k, out);
  fetch(out, count, call.out);
}

}  // namespace sightline::host
