// The launch of persistent warps on the GPU, as a declaration that needs no CUDA compiler.
// walk.cuh defines it and walks_cuda.cu instantiates it for every job; walks_no_cuda.cpp stands in
// for it in a build without CUDA.
#pragma once

#include <cstdint>

#include "kernels/warp_jobs.h"

namespace sightline::kernels {

/// Device memory that walk_cuda() needs for `count` slots, fewer than 2^31.
std::int64_t walk_workspace_bytes(std::int64_t count);

/// Queues a job's slots on a cudaStream_t: persistent warps walk (warp_walk.h), and the op is asked
/// about the slots that they are in doubt about. workspace: walk_workspace_bytes(count), in use
/// until the work is done.
template <class Job>
void walk_cuda(void* stream, std::int64_t count, const Job& job, void* workspace);

/// Each job of the library: what a backend instantiates its launch for.
#define SIGHTLINE_FOR_EVERY_WARP_JOB(DO) \
  DO(SightJob)                           \
  DO(HitJob<ExactFirstHit>)              \
  DO(HitJob<RenderViews>)

}  // namespace sightline::kernels
