// What an ideal reasoner makes of what an explorer saw: the nine tasks of Theory of Space (ToS),
// Table 1, answered by exact solvers from a map.
//
//     study:
//       space_tasks:
//         scenes: {...}, episode: {...}   space_settings.h
//         task: direction                 persp.take, perc.dec, act2view, view2act, alloc.map,
//                                         ment.rot, loc2view, view2loc
//         questions: 3                    (default) of each scene
//         strict: false                   (default) true: no credit for partial labels
//     arms:
//       truth: {map: true}                the true map: what the questions and solvers allow
//       scout: {explorer: scout}          the map in the middle of what it believes at the end
//       passive: {explorer: strategist, budget: 0}   turns of its own, in place of the episode's:
//                                         the logs that the paper has models read are of no budget
//
// A trial is a question. Of scenes that have fewer questions than asked for, such as those of few
// objects, there are fewer trials.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_space_tasks(const StudySettings& settings);

}  // namespace sightline::host
