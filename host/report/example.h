// One observer of a run and its targets, with the world around them: what the slice figure draws.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/sweep/store.h"
#include "host/world/world.h"

namespace sightline::host::report {

/// A point seen from above: metres along the two axes that are not up.
using PlanPoint = std::array<double, 2>;

/// A horizontal cut through a world. Rectangles: low and high along the first axis, then the
/// second.
struct PlanView {
  std::array<double, 4> world_m{};   ///< what the states cover
  std::array<double, 4> window_m{};  ///< what is shown
  std::int64_t rows = 0, columns = 0;
  std::vector<std::uint8_t> states;  ///< 0 free, 1 solid, 2 unknown: [rows, columns], top to bottom
  double height_m = 0;
  const char* first_axis = "x";
  const char* second_axis = "z";
};

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
