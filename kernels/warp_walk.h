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
#include "kernels/warp_jobs.h"

namespace sightline::kernels {

constexpr std::uint32_t kWarpLanes = 32;

/// When lanes are looked after.
struct WarpRhythm {
  std::uint32_t idle_lanes = 8;  ///< refilled once so many are
  int steps_until_vote = 5;      ///< that lanes take on their own
  /// Rays that a warp takes from the pool at once: neighbours in a batch are often neighbours in
  /// space, and the pool is asked seldom; but at the end warps wait for the one that took last.
  std::uint32_t rays_together = 64;
};

SL_HD inline std::uint32_t num_set_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}

/// Runs one warp until the pool has no more rays. `warp` has
///     PerLane<T>          a T of each lane, [lane]
///     each(f)             calls f(lane) for each lane
///     vote(f)             the number whose bit `lane` is f(lane)
///     take(n)             the first of the pool's next n slots; not below `count`: none are left
///     leave(slot)         called by a lane: the op shall answer this slot
///     note_begin(lanes), note_step(lanes), note_vote()    what these lanes were about to do
template <class Warp, class Job>
SL_HD void walk_in_warp(Warp& warp, const Job& job, std::uint32_t count, const WarpRhythm& rhythm) {
  typename Warp::template PerLane<typename Job::Ray> rays;
  typename Warp::template PerLane<std::uint32_t> slots;
  typename Warp::template PerLane<CubeStep> states;
  std::uint32_t next = 0, end = 0;  // slots that the warp took and has not begun
  std::uint32_t busy = 0;           // lanes with a ray
  for (bool more = true;;) {
    if (more && next == end) {
      next = warp.take(rhythm.rays_together);
      end = next + rhythm.rays_together < count ? next + rhythm.rays_together : count;
      more = next < end;
      if (!more) next = end;
    }
    const std::uint32_t num_idle = kWarpLanes - num_set_bits(busy);
    if (next < end && num_idle >= rhythm.idle_lanes) {
      warp.note_begin(~busy);
      busy |= warp.vote([&](int lane) {
        const std::uint32_t idle_before = ~busy & ((std::uint32_t{1} << lane) - 1);
        const std::uint32_t slot = next + num_set_bits(idle_before);
        if (((busy >> lane) & 1u) != 0 || slot >= end) return false;
        slots[lane] = slot;
        states[lane] = CubeStep::kGoesOn;
        if (job.begin(slot, rays[lane])) return true;
        warp.leave(slot);
        return false;
      });
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
      if (states[lane] == CubeStep::kEdge) states[lane] = job.settle(rays[lane]);
      if (states[lane] == CubeStep::kGoesOn) return true;
      const RayFate fate = job.answer(slots[lane], states[lane], rays[lane]);
      if (fate == RayFate::kLeft) warp.leave(slots[lane]);
      states[lane] = CubeStep::kGoesOn;
      return fate == RayFate::kWalksOn;
    });
  }
}

}  // namespace sightline::kernels
