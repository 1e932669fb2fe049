// Was it visible then, is it visible now? Memories of a world that changes, and what each way to
// keep its geometry can answer.
//
//     study:
//       geometry_versions:
//         question: then             # of every memory and every later edit: was the place visible
//                                    # when the memory was encoded?
//                                    # now: is it, from the same pose? object_now: is the object,
//                                    # wherever it is now? elsewhere_then: was another place, which
//                                    # nobody asked about then?
//         world: rooms               # one of:
//         worlds: {rooms: {scene: {name: rooms}}, mine: {file: map.bt, walk: {...}}, ...}
//         voxel_m: 0.125             # (default) of scenes
//         walk: {floor_m: 0}         # host/world/walk.h; of a world, its own: worlds.NAME.walk
//         edits: 100                 # (default) versions after the first
//         kinds: [door, wall, object]  # (default) of edits, drawn alike
//         objects: 64                # (default) things that are remembered, and carried elsewhere
//         memories: 1000             # (default) spread evenly over the versions
//         pairs_per_memory: 20       # (default) later edits asked of, at most, spread evenly
//         range_m: 8                 # (default) how far what is remembered is, at most
//     arms:
//       current: {keeps: [current]}  # any of current, snapshots, shared_snapshots, versions,
//                                    # crossed_bricks, seen_bits, object_places: geometry_arms.h
//       paper: {keeps: [current], stands_in: true}  # asks the geometry it has about any time
//       audit: {keeps: [current], stands_in: true, judged_by: changed_pairs}  # `then` only: right
//                                    # where its answer is wrong and the truth has changed, or
//                                    # neither
//       late: {keeps: [snapshots], late_by: 10}     # broken: taken ten edits late
//       mixed: {keeps: [versions], log: shuffled}   # broken: edits out of order
//
// What an arm cannot answer is unanswered, and counts as not right. What is true is read off a
// plain array of voxels, rebuilt from the list of edits (host/truth/plain_voxels.h), before any arm
// is asked: it shares no code with VersionedGrid, packed grids or walks along rays. All ends lie on
// the lattice of 1/256 voxel that exact methods round to, and both sides decide by the rule
// `diagonal` in whole numbers; so an exact answer for the right version must equal it on every
// pair, ties included, and one that differs is wrong. What Spatial Memory Must Store (2026),
// section 9, "Dynamic world and geometry versioning", which leaves this open.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_geometry_versions(const StudySettings& settings);

}  // namespace sightline::host
