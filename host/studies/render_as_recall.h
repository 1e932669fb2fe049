// Render-as-recall, head to head: is a target visible from here, asked of a line of sight, of
// rendered pictures and of what neighbouring systems do in their place, on one set of questions.
//
//   study:
//     render_as_recall:
//       world: village                    # one of
//       worlds: {village: {scene: village, solid: {grid: {voxel_m: 0.1}}, walk: {step_m: 1}}}
//       poses: 128                        # observers; targets: 200 of each, frames: 256 stored
//       asked: any                        # or hidden, visible
//       cases: any                        # or clear, grazing
//       question: from_here               # or from_frames: is it in sight from any stored frame?
//       damage: {kind: lost_percent, amount: 10}      # map_damage.h
//   arms:
//     text: {answer: text}                                    # a sentence: everything is visible
//     march: {answer: line_of_sight, method: march, step_m: 0.5}
//     exact: {answer: line_of_sight}
//     ego: {answer: view, from: observer, width: 96}          # one picture for a pose's targets
//     query_view: {answer: view, from: query}                 # a picture of each question's own
//     keyframe: {answer: view, from: keyframe}                # the same from the nearest frame
//     best_view: {answer: view, from: best_frame}             # from where the target is in sight
//     coverage: {answer: field_of_view, from: frames}         # walls play no part
//     reader: {answer: coordinates, boxes: 64}                # the map as text, read by a rule
//     broken: {answer: view, from: query, pose: another}      # or targets: shuffled: must not pass
//
// The pictures are of voxels and the gates are of poses: these are the mechanisms of GSMem (best
// view), RenderMem (query's view) and 3DSPMR (coverage), not those systems. What Spatial Memory
// Must Store (2026), sections 2 and 9.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError.
std::unique_ptr<Study> make_render_as_recall(const StudySettings& settings);

}  // namespace sightline::host
