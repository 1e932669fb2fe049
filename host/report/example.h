// One observer of a run and its targets, with the world around them: what the slice figure draws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/report/plan_view.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

struct Example {
  struct Target {
    PlanPoint position_m;
    kernels::Visibility truth, said;  ///< by the oracle, and by the arm
  };
  std::string arm;
  double step_m = 0;  ///< of the arm; 0: it takes no steps
  PlanPoint observer_m{};
  std::vector<Target> targets;
  std::vector<PlanPoint> cone_m;  ///< outline of the field of view; empty without one
  PlanView plan;
  bool targets_are_its_own = true;     ///< false: targets of other rays, judged from this observer
  std::int64_t num_other_heights = 0;  ///< targets left out: too far above or below the cut
};

/// Makes the rays of one configuration again, the one with the coarsest march, and judges those of
/// the observer whose targets are most evenly visible and hidden. Throws InputError if an input of
/// the run can no longer be read.
Example make_example(const RunData& run, const std::string& arm);

}  // namespace sightline::host::report
