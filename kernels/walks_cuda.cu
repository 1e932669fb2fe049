// Instantiates the launch of persistent warps for every job.
#include "kernels/walk.cuh"

namespace sightline::kernels {

#define SIGHTLINE_INSTANTIATE(...) \
  template void walk_cuda(void*, std::int64_t, const __VA_ARGS__&, void*);
SIGHTLINE_FOR_EVERY_WARP_JOB(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

}  // namespace sightline::kernels
