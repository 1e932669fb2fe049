// How much explorers learn of a scene, and how soon: Theory of Space (ToS), 4.2, Figures 2 and 12.
//
//     study:
//       space_exploration:
//         scenes: {...}, episode: {...}      space_settings.h
//         measure: information_gain          (default) of an ideal observer of all that was seen
//                  node_coverage, edge_coverage
//                  map_correctness           of the map in the middle of what it believes
//                  looks                     a hundredth of the observes made
//                  looks_to_gain             a hundredth of those made until the gain that the
//                                            explorer named by aim ends with; twice its own, if
//                                            that never comes; of that explorer all of its own,
//                                            or those needed
//         aim: strategist                    (default) any explorer (explorer_kinds.h)
//         aim_looks: all                     (default) that the explorer named by aim makes, or
//                    needed                  those until its gain first is what it ends with
//     arms:
//       scout: {explorer: scout}             explorer_kinds.h
//       two: {explorer: gain, agents: 2}     1 (default) to 8 who share what they see
//       (agent_team.h)
//
// A trial is a scene; its score is the measure: of agents, gain, coverage and the map are those of
// all together, and looks are observes per agent. The column of candidates counts all observes.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_space_exploration(const StudySettings& settings);

}  // namespace sightline::host
