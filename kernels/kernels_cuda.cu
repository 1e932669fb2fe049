// Instantiates the launch for every op.
#include "kernels/for_each.cuh"
#include "kernels/ops.h"

namespace sightline::kernels {

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

bool built_with_cuda() { return true; }

bool built_for_gpu() {
  cudaFuncAttributes attributes;
  switch (cudaFuncGetAttributes(&attributes, for_each_kernel<PackSight>)) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidKernelImage:
    case cudaErrorUnsupportedPtxVersion:
      (void)cudaGetLastError();
      return false;
    default:  // whatever else it is, the next call is told as well
      return true;
  }
}

#define SIGHTLINE_TEXT_OF(...) #__VA_ARGS__
#define SIGHTLINE_TEXT(...) SIGHTLINE_TEXT_OF(__VA_ARGS__)
const char* gpu_architectures() { return SIGHTLINE_TEXT(__CUDA_ARCH_LIST__); }

}  // namespace sightline::kernels
