// A warp on the CPU: 32 variables in a loop. It runs the source of the GPU's warps, so that its
// answers can be tested without a GPU, and counts what a warp there would spend its time on.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu_lanes.h"
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
  std::int64_t left = 0;  ///< rays that the op had to answer
};

class CpuWarp : public CpuLanes {
 public:
  CpuWarp(std::uint32_t* pool, std::vector<std::uint32_t>* left, WarpEffort* effort)
      : pool_(pool), left_(left), effort_(effort) {}

  std::uint32_t take(std::uint32_t num) {
    const std::uint32_t first = *pool_;
    *pool_ += num;
    return first;
  }
  void leave(std::uint32_t slot) { left_->push_back(slot); }

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
  std::uint32_t* pool_;
  std::vector<std::uint32_t>* left_;
  WarpEffort* effort_;
};

/// What walk_cuda() does, by one warp of this kind.
template <class Job>
WarpEffort walk_cpu(std::int64_t count, const Job& job, const WarpRhythm& rhythm = {}) {
  WarpEffort effort;
  std::uint32_t pool = 0;
  std::vector<std::uint32_t> left;
  CpuWarp warp(&pool, &left, &effort);
  walk_in_warp(warp, job, static_cast<std::uint32_t>(count), rhythm);
  if (Job::kFinishes) {
    for (std::int64_t slot = 0; slot < count; ++slot) job.finish(slot);
  }
  for (const std::uint32_t slot : left) job.ask(slot);
  effort.left = static_cast<std::int64_t>(left.size());
  return effort;
}

}  // namespace sightline::kernels
