// The launch site of persistent warps.
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cstdint>
#include <cub/device/device_select.cuh>

#include "kernels/for_each.cuh"
#include "kernels/walk.h"
#include "kernels/warp_walk.h"

namespace sightline::kernels {

/// A warp of the GPU (warp_walk.h). Made by all of its lanes at once.
class GpuWarp {
 public:
  template <class T>
  class PerLane {
   public:
    SL_HD T& operator[](int) { return mine_; }

   private:
    T mine_;
  };

  __device__ explicit GpuWarp(unsigned long long* pool)
      : pool_(pool), lane_(static_cast<int>(threadIdx.x % kWarpLanes)) {}

  // Called by code of both sides, so declared for both; there is a warp on one of them only.
  template <class F>
  SL_HD void each(const F& f) {
    f(lane_);
  }
  template <class F>
  SL_HD std::uint32_t vote(const F& f) {
#if defined(__CUDA_ARCH__)
    const bool mine = f(lane_);
    return __ballot_sync(kAllLanes, mine);
#else
    return f(lane_);
#endif
  }
  SL_HD std::int64_t take(std::int64_t num) {
    unsigned long long first = 0;
#if defined(__CUDA_ARCH__)
    if (lane_ == 0) first = atomicAdd(pool_, static_cast<unsigned long long>(num));
    first = __shfl_sync(kAllLanes, first, 0);
#else
    (void)num;
#endif
    return static_cast<std::int64_t>(first);
  }
  SL_HD void note_begin(std::uint32_t) {}
  SL_HD void note_step(std::uint32_t) {}
  SL_HD void note_vote() {}

 private:
  static constexpr unsigned kAllLanes = 0xffffffffu;

  unsigned long long* pool_;
  int lane_;
};

/// What a workspace begins with.
struct WalkState {
  unsigned long long pool;
  std::int32_t num_doubtful;
};

constexpr int kWalkThreads = 128;
constexpr int kLeastWalkBlocks = 8;  ///< of a processor: 64 registers for each thread

template <class Job>
__global__ void __launch_bounds__(kWalkThreads, kLeastWalkBlocks)
    walk_kernel(std::int64_t count, const __grid_constant__ Job job, WalkState* state) {
  GpuWarp warp(&state->pool);
  walk_in_warp(warp, job, count, WarpRhythm{});
}

template <class Job>
__global__ void ask_kernel(const __grid_constant__ Job job, const std::int32_t* slots,
                           const WalkState* state) {
  const std::int32_t num = state->num_doubtful;
  const auto stride = static_cast<std::int32_t>(gridDim.x * blockDim.x);
  for (auto k = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x); k < num;
       k += stride) {
    job.ask(slots[k]);
  }
}

template <class Job>
struct FinishSlot {
  Job job;
  SL_HD void operator()(std::int64_t slot) const { job.finish(slot); }
};

template <class Job>
struct IsDoubtful {
  Job job;
  __device__ bool operator()(std::int32_t slot) const { return job.is_doubtful(slot); }
};

/// Where the parts of a workspace lie.
struct WalkWorkspace {
  static constexpr std::size_t kAlignment = 256;
  static constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  static constexpr std::size_t slots_bytes(std::int64_t count) {
    return aligned(static_cast<std::size_t>(count) * sizeof(std::int32_t));
  }

  WalkState* state;
  std::int32_t* slots;
  void* select;

  WalkWorkspace(void* at, std::int64_t count)
      : state(static_cast<WalkState*>(at)),
        slots(reinterpret_cast<std::int32_t*>(static_cast<char*>(at) + kAlignment)),
        select(reinterpret_cast<char*>(slots) + slots_bytes(count)) {}
};

/// Lists the doubtful slots, in order; with null workspace tells the bytes of it instead.
template <class Job>
cudaError_t list_doubtful(void* workspace, std::size_t& bytes, const Job& job, std::int32_t* slots,
                          std::int32_t* num, std::int64_t count, cudaStream_t stream) {
  return cub::DeviceSelect::If(workspace, bytes, thrust::counting_iterator<std::int32_t>(0), slots,
                               num, static_cast<std::int32_t>(count), IsDoubtful<Job>{job}, stream);
}

template <class Job>
void walk_cuda(void* stream, std::int64_t count, const Job& job, void* workspace) {
  if (count <= 0) return;
  const auto on = static_cast<cudaStream_t>(stream);
  const WalkWorkspace parts(workspace, count);
  int device = 0, num_processors = 1, blocks_each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&num_processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, walk_kernel<Job>, kWalkThreads, 0);
  const std::int64_t most = std::int64_t{num_processors} * std::max(blocks_each, 1);
  const std::int64_t of_use = (count + kWalkThreads - 1) / kWalkThreads;
  const auto blocks = static_cast<unsigned>(std::min(most, of_use));
  cudaMemsetAsync(parts.state, 0, sizeof(WalkState), on);
  walk_kernel<<<blocks, kWalkThreads, 0, on>>>(count, job, parts.state);
  if (Job::kFinishes) for_each_cuda(stream, count, FinishSlot<Job>{job});
  std::size_t select_bytes = 0;
  list_doubtful(nullptr, select_bytes, job, parts.slots, &parts.state->num_doubtful, count, on);
  list_doubtful(parts.select, select_bytes, job, parts.slots, &parts.state->num_doubtful, count,
                on);
  ask_kernel<<<blocks, kWalkThreads, 0, on>>>(job, parts.slots, parts.state);
}

}  // namespace sightline::kernels
