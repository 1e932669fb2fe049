// Ranks and lists by the matrix units: a warp of the GPU, and the launches.
#include <cstdint>

#include "kernels/for_each.cuh"
#include "kernels/gpu_lanes.cuh"
#include "kernels/matrix_tops.h"

namespace sightline::kernels {

namespace {

class GpuMatrixWarp : public GpuLanes {
 public:
  template <class Lanes>
  SL_HD void multiply(Lanes& lanes, int c) {
    MatrixLane& mine = lanes[0];
#if defined(__CUDA_ARCH__)
    const std::uint32_t *const a = mine.memories, *const b = mine.mixes[c];
    const float* const from = mine.from;
    float* const sum = mine.less;
    // volatile: what is multiplied twice is not to be kept in between.
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %10, %11};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(from[0]),
          "f"(from[1]));
#else  // terms 0 to 7, then the others
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %7, %8};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(from[0]), "f"(from[1]));
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[2]), "r"(a[3]), "r"(b[1]));
#endif
#else
    (void)mine, (void)c;
#endif
  }

  template <class F>
  SL_HD void add_up(const F& number) {
    std::uint32_t& mine = number(lane());
#if defined(__CUDA_ARCH__)
    for (int apart = 4; apart < 32; apart *= 2) mine += __shfl_xor_sync(kAllLanes, mine, apart);
#else
    (void)mine;
#endif
  }

  SL_HD std::int32_t add_one(std::int32_t* number) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(number, 1);
#else
    return *number;
#endif
  }
};

/// As many as leave a thread the registers for all of a tile.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kLeastMatrixBlocks = 2;
#else
constexpr int kLeastMatrixBlocks = 3;
#endif

template <class Job>
__global__ void __launch_bounds__(kThreadsPerBlock, kLeastMatrixBlocks)
    matrix_kernel(std::int64_t count, const __grid_constant__ Job job) {
  const std::int64_t i =
      (static_cast<std::int64_t>(blockIdx.x) * kThreadsPerBlock + threadIdx.x) / 32;
  if (i >= count) return;
  GpuMatrixWarp warp;
  job.run(warp, i);
}

}  // namespace

template <class Job>
void matrix_cuda(void* stream, std::int64_t count, const Job& job) {
  constexpr std::int64_t kWarps = kThreadsPerBlock / 32;
  if (count <= 0) return;
  matrix_kernel<<<static_cast<unsigned>((count + kWarps - 1) / kWarps), kThreadsPerBlock, 0,
                  static_cast<cudaStream_t>(stream)>>>(count, job);
}

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_MATRIX_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE
#define SIGHTLINE_INSTANTIATE(Job) template void matrix_cuda(void*, std::int64_t, const Job&);
SIGHTLINE_FOR_EVERY_MATRIX_JOB(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

}  // namespace sightline::kernels
