// A warp with matrix units on the CPU: 32 variables in a loop, and sums in double, which hold them
// exactly as the units do. It runs the source of the GPU's, so that its answers can be tested
// without one. Host only.
#pragma once

#include <cstdint>

#include "kernels/cpu_lanes.h"
#include "kernels/matrix_tiles.h"

namespace sightline::kernels {

class CpuMatrixWarp : public CpuLanes {
 public:
  /// Fills each lane's `less` from `from`, the memories and the c-th mixes of all lanes.
  template <class Lanes>
  void multiply(Lanes& lanes, int c) {
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int k = 0; k < 4; ++k) {
        const int memory = memory_together(lane, k);
        const int mix = mix_in_warp(lane, 0, k);
        double sum = double{lanes[lane].from[k % 2]} + 0.0;  // no -0
        for (int term = 0; term < kMatrixTerms; ++term) {
          const int t = term % 8 / 2, half = term / 8, shift = term % 2 * 16;
          const std::uint32_t a = lanes[memory % 8 * 4 + t].memories[half * 2 + memory / 8];
          const std::uint32_t b = lanes[mix * 4 + t].mixes[c][half];
          sum += half_value(a >> shift & 0xffffu) * half_value(b >> shift & 0xffffu);
        }
        lanes[lane].less[k] = static_cast<float>(sum);
      }
    }
  }

  /// Adds up what number(lane) is in all lanes of the same mixes, in each of them.
  template <class F>
  void add_up(const F& number) {
    for (int t = 0; t < 4; ++t) {
      std::uint32_t sum = 0;
      for (int lane = t; lane < kLanes; lane += 4) sum += number(lane);
      for (int lane = t; lane < kLanes; lane += 4) number(lane) = sum;
    }
  }

  /// Adds 1, and returns what was there. No other warp runs at the time.
  std::int32_t add_one(std::int32_t* number) { return (*number)++; }
};

}  // namespace sightline::kernels
