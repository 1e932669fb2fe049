// NanoVDB's walk on the GPU: a thread per ray, as NanoVDB's own examples do. Compiled with nvcc's
// usual arithmetic (a*b+c contracted), which is what its users get.
#include <algorithm>

#include "bench/peers/nanovdb_sight.h"

namespace sightline::bench {
namespace {

constexpr int kThreadsPerBlock = 128;

__global__ void sight_kernel(std::int64_t count, const NanoVdbSight op) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    op(i);
  }
}

}  // namespace

void nanovdb_sight_cuda(void* stream, std::int64_t count, const NanoVdbSight& op) {
  if (count <= 0) return;
  constexpr std::int64_t kMaxBlocks = std::int64_t{1} << 30;
  const std::int64_t blocks =
      std::min(kMaxBlocks, (count + kThreadsPerBlock - 1) / kThreadsPerBlock);
  sight_kernel<<<static_cast<unsigned>(blocks), kThreadsPerBlock, 0,
                 static_cast<cudaStream_t>(stream)>>>(count, op);
}

}  // namespace sightline::bench
