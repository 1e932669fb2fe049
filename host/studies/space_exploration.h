// How much explorers learn of a scene, and how soon: Theory of Space (ToS), 4.2, Figures 2 and 12.
//
//     study:
//       space_exploration:
//         scenes: {...}, episode: {...}      space_settings.h
//         measure: information_gain          (default) of an ideal observer of all that was seen
//                  node_coverage, edge_coverage
//                  map_correctness           of the map in the middle of what it believes
//                  looks                     a hundredth of the observes made
//                  looks_to_gain             a hundredth of those made until the gain that
//                                            STRATEGIST ends with; twice STRATEGIST's own, if
//                                            that never comes
//     arms:
//       scout: {explorer: scout}             explorer_kinds.h
//
// A trial is a scene; its score is the measure. The column of candidates counts observes.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_space_exploration(const StudySettings& settings);

}  // namespace sightline::host
