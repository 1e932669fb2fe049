// The build without CUDA: host/device never picks Backend::kCuda, so the launch cannot be reached.
#include "kernels/band_ops.h"
#include "kernels/for_each.h"
#include "kernels/line_tiles.h"
#include "kernels/matrix_tops.h"
#include "kernels/ops.h"
#include "kernels/recall_tiles.h"

namespace sightline::kernels {

template <class Op>
void for_each_cuda(void*, std::int64_t, const Op&) {
  SL_ASSERT(false && "this build has no CUDA backend");
}

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_OP(SIGHTLINE_INSTANTIATE)
SIGHTLINE_FOR_EVERY_TILE_OP(SIGHTLINE_INSTANTIATE)
SIGHTLINE_FOR_EVERY_LINE_OP(SIGHTLINE_INSTANTIATE)
SIGHTLINE_FOR_EVERY_MATRIX_OP(SIGHTLINE_INSTANTIATE)
SIGHTLINE_FOR_EVERY_BAND_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

template <class Job>
void matrix_cuda(void*, std::int64_t, const Job&) {
  SL_ASSERT(false && "this build has no CUDA backend");
}

#define SIGHTLINE_INSTANTIATE(Job) template void matrix_cuda(void*, std::int64_t, const Job&);
SIGHTLINE_FOR_EVERY_MATRIX_JOB(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

int collect_cuda(void*, const std::uint8_t*, std::int64_t, std::int32_t*, std::int32_t*, void*,
                 std::size_t) {
  SL_ASSERT(false && "this build has no CUDA backend");
  return 0;
}
std::size_t collect_cuda_scratch_bytes(std::int64_t) { return 0; }

bool built_with_cuda() { return false; }
bool built_for_gpu() { return false; }
const char* gpu_architectures() { return ""; }

}  // namespace sightline::kernels
