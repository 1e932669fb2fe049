// The build without CUDA: host/device never picks Backend::kCuda, so the launch cannot be reached.
#include "kernels/walk.h"

namespace sightline::kernels {

template <class Job>
void walk_cuda(void*, std::int64_t, const Job&, void*) {
  SL_ASSERT(false && "this build has no CUDA backend");
}

#define SIGHTLINE_INSTANTIATE(...) \
  template void walk_cuda(void*, std::int64_t, const __VA_ARGS__&, void*);
SIGHTLINE_FOR_EVERY_WARP_JOB(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

}  // namespace sightline::kernels
