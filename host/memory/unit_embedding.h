// Embeddings of unit length.
//
// The rule: a vector is rounded to float; if its length then differs from 1 by at most 2^-23 it is
// kept, else every component is divided by the length, in double, and rounded to float. What has
// been through the rule once goes through it unchanged: rounding moves a length by at most 2^-24.
#pragma once

#include <cstdint>

namespace sightline::host {

/// Puts `vector` [width] through the rule into `unit` [width]. Returns null, or why it cannot be
/// done: "holds a NaN or an infinity", "is a zero vector, which has no direction".
const char* to_unit_length(const double* vector, std::int32_t width, float* unit);
/// The same in place, for a vector of floats.
const char* to_unit_length(float* vector, std::int32_t width);

/// The length of a vector, summed in double.
float length_of(const float* vector, std::int32_t width);

/// Does the rule leave the vector as it is?
bool has_unit_length(const float* vector, std::int32_t width);

}  // namespace sightline::host
