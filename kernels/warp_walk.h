// Persistent warps that walk over empty cubes, with lane refill.
//
// Rays differ in length, so a warp with one ray per lane idles until its longest is done: the
// longest of 32 takes two to four times the steps of the mean. Here a warp takes rays from a pool
// for as long as there are any, and lanes that are done take the next ones: Aila and Laine (2009),
// "Understanding the Efficiency of Ray Traversal on GPUs", section 3. Slot i is answered by whoever
// takes it, so who does changes no answer.
//
// A warp is 32 lanes that vote. `Warp` is a GPU's (walk.cuh) or 32 variables in a loop
// (warp_cpu.h): one source for both, and the second counts what the first would do.
#pragma once

#include <cstdint>

#include "kernels/cube_ray.h"
#include "kernels/hd.h"

namespace sightline::kernels {

constexpr int kWarpLanes = 32;
/// Rays that a warp takes from the pool at once: neighbours in a batch are often neighbours in
/// space, and the pool is asked seldom.
constexpr std::int64_t kRaysTogether = 256;

/// When lanes are looked after.
struct WarpRhythm {
  int idle_lanes = 10;       ///< refilled once so many are
  int steps_until_vote = 3;  ///< that lanes take on their own
};

SL_HD inline int num_set_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

/// Runs one warp until the pool has no more rays. `warp` has
///     PerLane<T>          a T of each lane, [lane]
///     each(f)             calls f(lane) for each lane
///     vote(f)             the number whose bit `lane` is f(lane)
///     take(n)             the first of the pool's next n slots; not below `count`: none are left
///     note_begin(lanes), note_step(lanes), note_vote()    what these lanes were about to do
template <class Warp, class Job>
SL_HD void walk_in_warp(Warp& warp, const Job& job, std::int64_t count, const WarpRhythm& rhythm) {
  typename Warp::template PerLane<typename Job::Ray> rays;
  typename Warp::template PerLane<std::int64_t> slots;
  typename Warp::template PerLane<CubeStep> states;
  std::int64_t next = 0, end = 0;  // slots that the warp took and has not begun
  std::uint32_t busy = 0;          // lanes with a ray
  for (bool more = true;;) {
    if (more && next == end) {
      next = warp.take(kRaysTogether);
      end = next + kRaysTogether < count ? next + kRaysTogether : count;
      more = next < end;
      if (!more) next = end;
    }
    const int num_idle = kWarpLanes - num_set_bits(busy);
    if (next < end && num_idle >= rhythm.idle_lanes) {
      warp.note_begin(~busy);
      const std::uint32_t begun = warp.vote([&](int lane) {
        const std::uint32_t idle_before = ~busy & ((std::uint32_t{1} << lane) - 1);
        const std::int64_t slot = next + num_set_bits(idle_before);
        if (((busy >> lane) & 1u) != 0 || slot >= end) return false;
        slots[lane] = slot;
        states[lane] = CubeStep::kGoesOn;
        return job.begin(slot, rays[lane]);
      });
      busy |= begun;
      next = next + num_idle < end ? next + num_idle : end;
    }
    if (busy == 0) {
      if (!more) return;
      continue;
    }
    for (int k = 0; k < rhythm.steps_until_vote; ++k) {
      warp.note_step(busy);
      warp.each([&](int lane) {
        const bool walks = ((busy >> lane) & 1u) != 0 && states[lane] == CubeStep::kGoesOn;
        if (walks) states[lane] = job.step(rays[lane]);
      });
    }
    warp.note_vote();
    busy = warp.vote([&](int lane) {
      if (((busy >> lane) & 1u) == 0) return false;
      if (states[lane] == CubeStep::kGoesOn) return true;
      const bool goes_on = job.answer(slots[lane], states[lane], rays[lane]);
      if (goes_on) states[lane] = CubeStep::kGoesOn;
      return goes_on;
    });
  }
}

}  // namespace sightline::kernels
