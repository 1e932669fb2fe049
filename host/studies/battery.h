// The battery: seven types of question, asked of memories that store more or less of the world.
//
//   study: {battery: {type: occlusion, trials: 400}}   # or occlusion_live: battery_live.h
//                                            # truth: memories: broken, what F4 must tell
//   arms:
//     text: {answer: text}                     # M0: nearest sentence, ties to the lower id
//     coordinates: {answer: coordinates}       # M1b: nearest and within a radius
//     scene_graph: {answer: scene_graph}       # M2: scene_graph.h
//     cone: {answer: cone}                     # M3a: in front of the observer
//     cone_los: {answer: cone_line_of_sight}   # M3-occ; method: march, step_m: 0.5
//     view: {answer: rendered_view}            # M4: covers enough pixels of a picture
//     geometry: {answer: geometry}             # the predicate that each type needs
//     reader: {answer: text_coordinates}       # sentences with coordinates, read by a rule
//     broken: {answer: geometry, anchors: observer}   # or shuffled: what must not pass
//
// An arm that lacks what a type needs answers nothing there. The place of a memory is behind a
// counter (memory_place.h): reads by an arm are its coordinate_reads, those made while what is
// right is written down truth_reads, which must be none. What Spatial Memory Must Store (2026),
// sections 5.2 and 6.4.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError.
std::unique_ptr<Study> make_battery(const StudySettings& settings);

}  // namespace sightline::host
