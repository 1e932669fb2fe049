// Gates as recall: soft and hard gates and their combinations, in regimes of questions in which
// they help or hurt, and a rule of thumb that says when to use which (gate_rule.h).
//
//   study:
//     gates_as_recall:
//       regime: in_sight          # host/truth/regimes.h; or foretell: see below
//       trials: 80                # questions per regime
//       world: village_1          # one of:
//       worlds: {village_1: {scene: {name: village, seed: 1}}, scan: {file: map.bt}, ...}
//                                 # of a world also its own: walk, region_m
//       world_seed: 1             # scenes of another number are other worlds: 1000 of it is added
//       to
//                                 # the seed of the scene
//       voxel_m: 0.25             # of the grid of a scene, which gates look through
//       walk: {floor_m: 0, step_m: 0.5}   # host/world/walk.h; of a file's, the floor is found
//       near_m: 8, far_m: 16, range_m: 12, region_m: 6, half_angle_deg: 45
//       activities: 12, per_activity: 20  # memories; so many are alike
//       k: 5, alike_within: 0.13
//       method: hdda              # how in_sight looks
//       gates: {...}              # recall_gates.h
//   arms:
//     no_gate: {}                           # by meaning
//     blend: {spatial: 0.5}                 # and the rest by meaning
//     radius_5: {gate: radius_5}            # hard
//     radius_5_soft: {gate: radius_5, penalty: 0.1}
//     rule: {rule: declared}                # or told: also what no question says, its regime
//     inverted: {rule: declared, inverted: true}        # must fail: does what the rule advises
//     shuffled: {rule: declared, anchors: shuffled}     # against; and must fail: places of others
//
// The answer to a question is the memory of the thing that it was drawn for. An arm is right if
// that is among its first k. A question is unanswered if a hard gate dropped the answer.
//
// An arm with a rule may use every gate of the other arms as they use it, soft or hard, or none: of
// each question whichever it expects most of. It counts on how often gates kept the answer in
// development worlds (`kept`), of the regimes that are declared alike.
//
// With `regime: foretell` trials are the pairs of gated arm and regime in which the arm and ranking
// by meaning differ beyond chance (exact McNemar, p < 0.05): does the gate help there, or hurt?
// Arms with a rule say; an arm that is neither gated nor has a rule says that gates never help.
// Gated arms and blends are asked none.
//
// What Spatial Memory Must Store (2026), sections 5, 8 and 9, leaves gates as future work.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError.
std::unique_ptr<Study> make_gates_as_recall(const StudySettings& settings);

}  // namespace sightline::host
