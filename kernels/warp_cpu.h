// A warp on the CPU: 32 variables in a loop. It runs the source of the GPU's warps, so that its
// answers can be tested without a GPU, and counts what a warp there would spend its time on.
#pragma once

#include <cstdint>

#include "kernels/walk.h"
#include "kernels/warp_walk.h"

namespace sightline::kernels {

/// What warps did. One of a GPU spends the same time on a step of one lane as on one of 32.
struct WarpEffort {
  std::int64_t begins = 0;      ///< times that a warp set rays up
  std::int64_t begun = 0;       ///< lanes that did
  std::int64_t steps = 0;       ///< times that a warp took a step
  std::int64_t lane_steps = 0;  ///< lanes that had a ray then
  std::int64_t votes = 0;
  std::int64_t doubtful = 0;  ///< rays that integers had to decide
};

class CpuWarp {
 public:
  template <class T>
  class PerLane {
   public:
    T& operator[](int lane) { return lanes_[lane]; }

   private:
    T lanes_[kWarpLanes] = {};
  };

  explicit CpuWarp(std::int64_t* pool, WarpEffort* effort) : pool_(pool), effort_(effort) {}

  template <class F>
  void each(const F& f) {
    for (int lane = 0; lane < kWarpLanes; ++lane) f(lane);
  }
  template <class F>
  std::uint32_t vote(const F& f) {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) bits |= std::uint32_t{f(lane)} << lane;
    return bits;
  }
  std::int64_t take(std::int64_t num) {
    const std::int64_t first = *pool_;
    *pool_ += num;
    return first;
  }

  void note_begin(std::uint32_t lanes) {
    ++effort_->begins;
    effort_->begun += num_set_bits(lanes);
  }
  void note_step(std::uint32_t lanes) {
    ++effort_->steps;
    effort_->lane_steps += num_set_bits(lanes);
  }
  void note_vote() { ++effort_->votes; }

 private:
  std::int64_t* pool_;
  WarpEffort* effort_;
};

/// What walk_cuda() does, by one warp of this kind.
template <class Job>
WarpEffort walk_cpu(std::int64_t count, const Job& job, const WarpRhythm& rhythm = {}) {
  WarpEffort effort;
  std::int64_t pool = 0;
  CpuWarp warp(&pool, &effort);
  walk_in_warp(warp, job, count, rhythm);
  for (std::int64_t slot = 0; slot < count; ++slot) {
    if (Job::kFinishes) job.finish(slot);
    if (!job.is_doubtful(slot)) continue;
    ++effort.doubtful;
    job.ask(slot);
  }
  return effort;
}

}  // namespace sightline::kernels
