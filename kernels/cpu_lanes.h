// The lanes of a warp on the CPU: 32 variables in a loop. Host only.
#pragma once

#include <cstdint>

namespace sightline::kernels {

class CpuLanes {
 public:
  static constexpr int kLanes = 32;

  template <class T>
  class PerLane {
   public:
    T& operator[](int lane) { return lanes_[lane]; }

   private:
    T lanes_[kLanes] = {};
  };

  template <class F>
  void each(const F& f) {
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
  }
  template <class F>
  std::uint32_t vote(const F& f) {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < kLanes; ++lane) bits |= std::uint32_t{f(lane)} << lane;
    return bits;
  }
};

}  // namespace sightline::kernels
