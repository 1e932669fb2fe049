// The lanes of a warp of the GPU. Made by all of them at once.
#pragma once

#include <cstdint>

#include "kernels/hd.h"

namespace sightline::kernels {

class GpuLanes {
 public:
  template <class T>
  class PerLane {
   public:
    SL_HD T& operator[](int) { return mine_; }

   private:
    T mine_;
  };

  // Called by code of both sides, so declared for both; there is a warp on one of them only.
  template <class F>
  SL_HD void each(const F& f) {
    f(lane());
  }
  template <class F>
  SL_HD std::uint32_t vote(const F& f) {
    const bool mine = f(lane());
#if defined(__CUDA_ARCH__)
    return __ballot_sync(kAllLanes, mine);
#else
    return mine;
#endif
  }

 protected:
  static constexpr unsigned kAllLanes = 0xffffffffu;

  SL_HD static int lane() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x % 32);
#else
    return 0;
#endif
  }
};

}  // namespace sightline::kernels
