// Instantiates the launch for every op.
#include "kernels/for_each.cuh"
#include "kernels/ops.h"

namespace sightline::kernels {

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

bool built_with_cuda() { return true; }

}  // namespace sightline::kernels
