// How good the maps are that explorers believe in, turn by turn: Theory of Space (ToS), section 5.1
// and Table 3.
//
//     study:
//       space_beliefs:
//         scenes: {...}, episode: {...}      space_settings.h; without `profile`, for the belief is
//                                            that of the released code
//         measure: correctness               (default) of the last map, against the whole scene
//                  correctness_facing, correctness_position
//                  perception_facing, perception_position     of the map of what is in view, of
//                                            what was seen first in that turn
//                  consistency_facing, consistency_position   does that map say what the one of all
//                                            that was seen does?
//                  stability_facing, stability_position       of what is out of view: as right as
//                                            a turn ago, or better
//                  tracking_facing, tracking_position         of where one stands
//                  uncertainty               F1 of which cells were not looked at
//     arms:
//       scout: {explorer: scout}             explorer_kinds.h
//       gain: {explorer: gain, budget: 20}   turns; (default) that of the episode, 0: no limit
//       guesses: {explorer: scout, belief: guesses}   belief_solver.h; (default) settles
//
// A trial is a scene. Maps are asked for after every turn, and the belief solver answers from what
// an agent is told (model_evaluation.h); the score is the mean over the turns that have the
// measure. A scene that has none, for some arm, is no trial.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_space_beliefs(const StudySettings& settings);

}  // namespace sightline::host
