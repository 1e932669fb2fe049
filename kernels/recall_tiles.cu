// Instantiates the launch for every op of recall by tiles, beside kernels_cuda.cu, so that the two
// compile side by side.
#include "kernels/for_each.cuh"
#include "kernels/recall_tiles.h"

namespace sightline::kernels {

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_TILE_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

}  // namespace sightline::kernels
