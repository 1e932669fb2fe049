// Instantiates the launch of persistent warps for every job.
#include "kernels/walk.cuh"

namespace sightline::kernels {

std::int64_t walk_workspace_bytes(std::int64_t count) {
  std::size_t most = 0;
#define SIGHTLINE_MOST(...)                                               \
  {                                                                       \
    std::size_t bytes = 0;                                                \
    using Job = __VA_ARGS__;                                              \
    const Job job{typename Job::Op{}};                                    \
    list_doubtful(nullptr, bytes, job, nullptr, nullptr, count, nullptr); \
    most = std::max(most, bytes);                                         \
  }
  SIGHTLINE_FOR_EVERY_WARP_JOB(SIGHTLINE_MOST)
#undef SIGHTLINE_MOST
  return static_cast<std::int64_t>(WalkWorkspace::kAlignment + WalkWorkspace::slots_bytes(count) +
                                   most);
}

#define SIGHTLINE_INSTANTIATE(...) \
  template void walk_cuda(void*, std::int64_t, const __VA_ARGS__&, void*);
SIGHTLINE_FOR_EVERY_WARP_JOB(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

}  // namespace sightline::kernels
