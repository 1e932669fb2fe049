// The launch site of persistent warps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/for_each.cuh"
#include "kernels/gpu_lanes.cuh"
#include "kernels/walk.h"
#include "kernels/warp_walk.h"

namespace sightline::kernels {

/// A warp of the GPU (warp_walk.h). Made by all of its lanes at once.
class GpuWarp : public GpuLanes {
 public:
  __device__ GpuWarp(WalkState* state, std::uint32_t* left) : state_(state), left_(left) {}

  SL_HD std::uint32_t take(std::uint32_t num) {
    std::uint32_t first = 0;
#if defined(__CUDA_ARCH__)
    if (lane() == 0) first = atomicAdd(&state_->pool, num);
    first = __shfl_sync(kAllLanes, first, 0);
#else
    (void)num;
#endif
    return first;
  }
  /// In whatever order: each slot is answered by itself.
  SL_HD void leave(std::uint32_t slot) {
#if defined(__CUDA_ARCH__)
    const unsigned together = __activemask();  // one of them asks for all
    const int first = __ffs(static_cast<int>(together)) - 1;
    std::uint32_t place = 0;
    if (lane() == first) place = atomicAdd(&state_->num_left, num_set_bits(together));
    place = __shfl_sync(together, place, first);
    left_[place + num_set_bits(together & ((1u << lane()) - 1))] = slot;
#else
    (void)slot;
#endif
  }
  SL_HD void note_begin(std::uint32_t) {}
  SL_HD void note_step(std::uint32_t) {}
  SL_HD void note_vote() {}

 private:
  WalkState* state_;
  std::uint32_t* left_;
};

constexpr int kWalkThreads = 128;
/// Of a processor: as many as leave a thread the registers that it needs, 48 up to Hopper and 64
/// for a large ray; Turing has 1,024 threads at most.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kLeastWalkBlocks = 8;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
constexpr int kLeastWalkBlocks = 9;
#else
constexpr int kLeastWalkBlocks = 10;
#endif
constexpr int kLeastBlocksOfLargeRays = 8;

template <class Job>
__global__ void __launch_bounds__(kWalkThreads,
                                  Job::kHasLargeRays ? kLeastBlocksOfLargeRays : kLeastWalkBlocks)
    walk_kernel(std::uint32_t count, const __grid_constant__ Job job, WalkState* state,
                std::uint32_t* left) {
  GpuWarp warp(state, left);
  walk_in_warp(warp, job, count, WarpRhythm{});
}

template <class Job>
__global__ void ask_kernel(const __grid_constant__ Job job, const WalkState* state,
                           const std::uint32_t* left) {
  const std::uint32_t num = state->num_left;
  const std::uint32_t stride = gridDim.x * blockDim.x;
  for (std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < num; k += stride) {
    job.ask(left[k]);
  }
}

template <class Job>
struct FinishSlot {
  Job job;
  SL_HD void operator()(std::int64_t slot) const { job.finish(slot); }
};

template <class Job>
void walk_cuda(void* stream, std::int64_t count, const Job& job, void* workspace) {
  if (count <= 0) return;
  const auto on = static_cast<cudaStream_t>(stream);
  auto* const state = static_cast<WalkState*>(workspace);
  auto* const left = reinterpret_cast<std::uint32_t*>(state + 1);
  int device = 0, num_processors = 1, blocks_each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&num_processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, walk_kernel<Job>, kWalkThreads, 0);
  const std::int64_t most = std::int64_t{num_processors} * std::max(blocks_each, 1);
  const std::int64_t of_use = (count + kWalkThreads - 1) / kWalkThreads;
  const auto blocks = static_cast<unsigned>(std::min(most, of_use));
  cudaMemsetAsync(state, 0, sizeof(WalkState), on);
  walk_kernel<<<blocks, kWalkThreads, 0, on>>>(static_cast<std::uint32_t>(count), job, state, left);
  if (Job::kFinishes) for_each_cuda(stream, count, FinishSlot<Job>{job});
  ask_kernel<<<blocks, kWalkThreads, 0, on>>>(job, state, left);
}

}  // namespace sightline::kernels
