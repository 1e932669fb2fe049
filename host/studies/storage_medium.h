// Is it the geometry that a memory must store, or the medium it is stored in? One question, whether
// a thing can be seen from here, to memories that store more or less of the world.
//
//   study: {storage_medium: {trials: 200}}
//   arms:
//     blind_text: {answer: blind_text}           # a sentence, no coordinates
//     stored_label: {answer: stored_label}       # a sentence, and the answer, computed beforehand
//     coordinates_only: {answer: coordinates_only}     # a sentence and places as text, no wall
//     reader: {answer: coordinates_and_occluder}       # and the wall, as text
//     line_of_sight: {answer: line_of_sight, method: march, step_m: 0.5}   # over voxels of 0.5 m
//     broken: {answer: line_of_sight, anchors: observer}   # or shuffled: what must not pass
//     misled: {answer: coordinates_and_occluder, wall: another}   # another trial's, likewise
//
// All but line_of_sight read text: what they are given is prompts(), and the rule-based reader
// (storage_medium_texts.h) answers from that alone. Places of things are read through
// CountedPlaces. What Spatial Memory Must Store (2026), section 7 (E3).
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError.
std::unique_ptr<Study> make_storage_medium(const StudySettings& settings);

}  // namespace sightline::host
