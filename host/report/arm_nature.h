// What a sweep file says of its arms, beyond what they answered.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/sweep/judge.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

struct ArmNature {
  double step_m = 0;       ///< of its march; 0: it takes no steps
  bool is_oracle = false;  ///< asks the oracle's own question: right by construction
  /// Asks that question of what lies in its field of view: right by construction on all of it.
  bool is_oracle_in_view = false;
  bool looks_at_place = false;  ///< at rays or a field of view: not a memory of text alone
};

/// The settings of the configuration of a row, without what makes a sweep of them.
ConfigValue settings_of(const RunData& run, std::size_t row);

/// Does the arm give the setting at an axis' key itself, or is it an axis of another arm? Then the
/// axis says nothing of the arm.
bool replaces_axis(const RunData& run, const std::string& arm, const std::string& key);

/// The arms of the configuration of a row of a run of visibility. Throws InputError if its settings
/// cannot be read (those of another version).
std::vector<Arm> arms_at(const RunData& run, std::size_t row);

/// By arm, of the configuration of a row. Throws InputError if its settings cannot be read (those
/// of another version).
std::map<std::string, ArmNature> arm_natures_at(const RunData& run, std::size_t row);

/// By arm, from the settings of the run's first configuration. Empty if they cannot be read: a page
/// can be made without.
std::map<std::string, ArmNature> read_arm_natures(const RunData& run);

}  // namespace sightline::host::report
