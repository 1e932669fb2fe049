#include "host/blocked_top.h"

#include <algorithm>

#include "host/bands.h"
#include "host/host_workspace.h"
#include "host/mix_tree.h"
#include "kernels/kernels.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kWorkspace_bytes = std::int64_t{1} << 30;  ///< of queries at a time

/// The view of num queries from first on.
TopCall some_queries(TopCall call, std::int64_t first, std::int64_t num) {
  call.memories = from_query(call.memories, first);
  call.num_queries = num;
  call.out += first * call.num_mixes * call.k;
  return call;
}

}  // namespace

bool blocks_serve(const TopCall& call) {
  return call.executor.backend == kernels::Backend::kCpu &&
         call.executor.instructions != kernels::InstructionSet::kPortable &&
         kernels::block_tops_hold(call.memories, call.weights, call.num_mixes);
}

void blocked_top_memories(const TopCall& call) {
  const MixTree tree = make_mix_tree(call.weights, call.num_mixes,
                                     sampled_deviations(call.memories, call.num_queries));
  const auto bytes_of = [&](std::int64_t num_queries) {
    return kernels::block_tops_workspace_bytes(call.memories, num_queries, tree.view());
  };
  const std::int64_t at_once = std::clamp<std::int64_t>(kWorkspace_bytes / bytes_of(1), 1,
                                                        kernels::resolved_threads(call.executor));
  HostWorkspace workspace;
  for (std::int64_t first = 0; first < call.num_queries; first += at_once) {
    call.check_stop();
    const TopCall some = some_queries(call, first, std::min(at_once, call.num_queries - first));
    kernels::block_tops(some.executor, some.memories, some.num_queries, tree.view(), some.k,
                        some.out, workspace.reserve(bytes_of(some.num_queries)));
  }
}

}  // namespace sightline::host
