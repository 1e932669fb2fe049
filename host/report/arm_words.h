// What the arms of a run do, in words, read from its settings: a table for those who have not read
// the sweep file.
#pragma once

#include <string>

#include "host/memory/gate.h"
#include "host/sweep/judge.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// "within 45° of straight ahead, level", "in a view of 90° by 60°, up to 10 m".
std::string field_of_view_text(const kernels::FieldOfView& field_of_view);
/// "march in steps of 0.5 m", "exact walk".
std::string sight_text(const VisibilityQuery& query, double step_m);
/// Which memories a gate keeps: "within 8 m and in sight (exact walk)".
std::string gate_text(const Gate& gate);

/// A row for each arm of a run of visibility or recall, by the settings of its first configuration,
/// with the axes that set something of the arm. Empty for a study, and where the settings cannot be
/// read.
std::string arms_table(const RunData& run);

}  // namespace sightline::host::report
