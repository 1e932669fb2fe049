// The launch of persistent warps on the GPU, as a declaration that needs no CUDA compiler.
// walk.cuh defines it and walks_cuda.cu instantiates it for every job; walks_no_cuda.cpp stands in
// for it in a build without CUDA.
#pragma once

#include <cstdint>

#include "kernels/march_job.h"
#include "kernels/warp_jobs.h"

namespace sightline::kernels {

/// What a workspace begins with; behind it, the slots that are left to the op.
struct WalkState {
  std::uint32_t pool, num_left;
};

/// Of slots in one launch: a pool counts a little further, until all warps know that it is empty.
constexpr std::int64_t kMostWalkSlots = INT32_MAX;

/// Device memory that walk_cuda() needs for `count` slots.
constexpr std::int64_t walk_workspace_bytes(std::int64_t count) {
  return static_cast<std::int64_t>(sizeof(WalkState) + sizeof(std::uint32_t) * count);
}

/// Queues a job's slots, at most kMostWalkSlots, on a cudaStream_t: persistent warps walk
/// (warp_walk.h), and the op is asked about the slots that they leave to it. workspace:
/// walk_workspace_bytes(count), in use until the work is done.
template <class Job>
void walk_cuda(void* stream, std::int64_t count, const Job& job, void* workspace);

/// Each job of the library: what a backend instantiates its launch for.
#define SIGHTLINE_FOR_EVERY_WARP_JOB(DO) \
  DO(SightJob)                           \
  DO(MarchJob)                           \
  DO(HitJob<ExactFirstHit>)              \
  DO(HitJob<RenderViews>)

}  // namespace sightline::kernels
