// Instantiates the launch for every op of ranks by tiles of lines, beside kernels_cuda.cu, so that
// they compile side by side.
#include "kernels/for_each.cuh"
#include "kernels/line_tiles.h"

namespace sightline::kernels {

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_LINE_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

}  // namespace sightline::kernels
