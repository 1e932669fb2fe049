#include "kernels/mix_products.h"

#include "kernels/blend.h"
#include "kernels/recall_tiles.h"

namespace sightline::kernels {

std::int64_t target_ranks_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, const MixProductsView& mixes) {
  return executor.backend == Backend::kCuda
             ? product_rank_workspace_bytes(memories, num_queries, mixes)
             : 0;
}

bool can_rank(const MixProductsView& mixes, int feature_bits) {
  return mixes.largest_sum < kDoubleHolds >> (feature_bits + 1);
}

void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const MixProductsView& mixes, std::int32_t* out,
                  const Workspace& workspace) {
  SL_ASSERT(can_rank(mixes, memories.feature_bits));
  SL_ASSERT(memories.num_features == mixes.num_features);
  product_ranks_by_tiles(executor, memories, targets, num_queries, mixes, out, workspace);
}

}  // namespace sightline::kernels
