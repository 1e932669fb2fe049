// Is a map that can be asked for a sign of what is known? How right it is beside how well tasks are
// solved with it, scene by scene: Theory of Space (ToS), C.4 and Table 11.
//
//     study:
//       space_diagnosis:
//         scenes: {...}, episode: {...}   space_settings.h
//         explorer: gain                  whose map it is (explorer_kinds.h)
//         questions: 3                    (default) of each task and scene
//     arms:
//       map: {score: map}                 how right the map is, of all that the scene holds
//       tasks: {score: tasks}             mean score, over the nine tasks, of exact solvers that
//                                         have this map and nothing else
//       turns: {score: ment.rot}          of one of the tasks (space_tasks.h)
//
// A trial is a scene; of all arms it is the same walk and the same map. A scene about which a task
// of some arm has no question is no trial. Claims on `correlation` are of an arm and the baseline.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_space_diagnosis(const StudySettings& settings);

}  // namespace sightline::host
