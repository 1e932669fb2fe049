// A check before memories are recalled: is one that is known to be behind a wall called hidden?
//
// What Spatial Memory Must Store (2026), section 6.9: a memory bound to where its observer stood is
// in sight of who stands there, whatever is in between, and the answers look like a result. So the
// lines of sight of every arm are asked of the anchors that recall reads, as the arm asks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/memory/gate.h"

namespace sightline::host {

/// `preflight: {hidden: [0, 3]}`: ids of memories whose things cannot be seen from where the first
/// question is asked.
struct RecallPreflight {
  std::vector<std::int64_t> hidden;
  std::string place;  ///< of the setting, for messages
};
/// Throws InputError.
RecallPreflight parse_recall_preflight(const ConfigValue& preflight);

/// Lines of sight that an arm asks for, at its anchors, or as the truth, of where the things are.
struct PreflightSights {
  std::string name;  ///< "arm cone_los"
  std::vector<SightGate> sights;
  bool is_truth = false;
};

/// The lines of sight that a gate is made of.
std::vector<SightGate> sights_of(const Gate& gate);

/// Throws InputError, at the setting's place, naming who and the memory, if a line of sight from
/// the context's first query does not call a memory hidden, if there is no such memory, or if
/// nobody looks along rays. `subjects_m`: where the things are; empty: at the anchors.
void check_recall_preflight(const RecallPreflight& preflight,
                            const std::vector<PreflightSights>& judges, const GateContext& context,
                            const std::vector<kernels::Vec3>& subjects_m);

}  // namespace sightline::host
