// Where are things now? Questions to the memory of a robot that walks over one campus day after
// day, while things are carried elsewhere, vanish and appear: with entries that take the place of
// those whose view they see again, and without.
//
//     study:
//       moving_places:
//         sequence: 0               a campus, its changes and its walks
//         asked: any                (default) stayed, moved or vanished: what became of the things
//                                   that are asked for; 10 questions
//         noise: default            mild, perfect: errors of captions and of the verifier
//         noise_seed: 1             (default) of those errors
//         rounds: 4                 (default) days, 2 to 20
//         share_moved: 0.2          (default) of the small things, from each day to the next
//         share_vanished: 0.05      (default) likewise
//         share_appeared: 0.05      (default) likewise
//         way: same                 (default) each day's walk; alternate: every other day from its
//                                   end to its beginning; other: another walk each day
//         voxel_m: 0.5              (default) of the world in which views overlap
//         within_m: 15              (default) an answer nearer than this to the viewpoint is right
//     arms:
//       append: {update: none}                      every entry is kept
//       latest: {update: none, latest: true}        of several sightings the latest is the answer
//       overlap: {update: overlap, threshold: 0.5}  memory_update.h; with spares_own_walk: true,
//                                                   entries of the same day are not replaced
//       nearest: {update: nearest, reach_m: 3}      the nearest one is replaced, wherever it looks
//       oldest: {update: oldest, threshold: 0.5}    as often as by overlap, the oldest there is
//       random: {update: random, threshold: 0.5}    as often, whichever entry
//       keeps_old: {update: keeps_old}              broken: of both, the new entry is deleted
//
// Meta-Memory (Mao et al.), limitations, leaves scenes that change open. Truth is the state of the
// campus on the last day (host/truth/moving_things.h): a thing's viewpoint is the nearest pose that
// saw it where it now is. Of a thing that vanished any place is wrong; to have found none, or to
// guess, is right. Captions and the verifier err as in location_questions.h; all arms see the same
// entries, captions and errors, and differ in which entries are left.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_moving_places(const StudySettings& settings);

}  // namespace sightline::host
