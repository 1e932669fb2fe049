// To what memories are bound: the thing they are about, or, broken on purpose, somewhere else.
//
// What Spatial Memory Must Store (2026), sections 3 and 6.9: an anchor is where the subject is, and
// a system that read the observer's place in its stead answered from the wrong one without an
// error.
#pragma once

#include <cstdint>
#include <string>

#include "host/config/value.h"
#include "host/memory/memory_spec.h"

namespace sightline::host {

enum class BoundTo : std::uint8_t {
  kSubject,   ///< the thing
  kObserver,  ///< where somebody stood who saw it
  kShuffled   ///< the thing of another memory: a permutation of them all
};

/// Reads subject, observer or shuffled. Throws InputError.
BoundTo parse_bound_to(const ConfigValue& bound_to);

/// Moves the anchors, and keeps where the things are in `subject_m`: questions are asked around the
/// thing, and recall reads the anchor. Throws InputError, at `place`, if an observer is wanted of a
/// memory that has none.
void bind(BoundTo bound_to, const std::string& place, std::uint64_t seed, MemorySet* memories);

}  // namespace sightline::host
