// What a sweep file says of its arms, beyond what they answered.
#pragma once

#include <map>
#include <string>

#include "host/sweep/store.h"

namespace sightline::host::report {

struct ArmNature {
  double step_m = 0;       ///< of its march; 0: it takes no steps
  bool is_oracle = false;  ///< asks the oracle's own question: right by construction
};

/// Does the arm give the setting at an axis' key itself, or is it an axis of another arm? Then the
/// axis says nothing of the arm.
bool replaces_axis(const RunData& run, const std::string& arm, const std::string& key);

/// By arm, from the settings of the run's first configuration. Empty if the settings cannot be read
/// (those of another version): a page can be made without.
std::map<std::string, ArmNature> read_arm_natures(const RunData& run);

}  // namespace sightline::host::report
