// Scenes that change behind an explorer's back: the false beliefs of Theory of Space (ToS), section
// 6 and A.4, played by the belief that revises itself.
//
//     study:
//       space_changes:
//         scenes: {...}, episode: {...}   space_settings.h, of the first exploration; the profile
//                                         is that of both
//         budget: 15                      (default) turns of the second one
//         rotated: 2, moved: 2            (default) things that change in between
//         measure: f1                     (default) of what is said to have changed, and how
//                  f1_moved, f1_rotated
//                  correctness            of each changed thing when it is first seen again:
//                                         exp(-d / L) of a moved one, 0 or 1 of a rotated one;
//                                         unseen: 0
//                  inertia                half of 1 plus the mean positional inertia of what
//                                         moved: 1 for a stale belief, 0.5 for one that does
//                                         not lean, and where none of it was seen again (reports
//                                         take less for better, also below 0.5: leaning away)
//                  facing_inertia         of what turned and was seen again
//                  steps, redundancy      as shares of the budget: turns, and looks made after
//                                         the last changed thing had been seen
//     arms:
//       revises: {explorer: scout}
//       stale: {explorer: scout, belief: stale}   broken: sees, and believes what it did before
//       exact: {explorer: scout, belief: exact}   is told what is true, of all that it sees again
//
// A trial is a scene. All arms have the same scenes and changes.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_space_changes(const StudySettings& settings);

}  // namespace sightline::host
