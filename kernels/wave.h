// Batches of rays on the vector units of the CPU; host only.
//
// The ops of line_of_sight.h and march.h take one ray at a time. Here a wave of rays is under way
// at once: each has a slot, the vectors step over the slots, and a ray that is done makes room for
// the next one, so that no lane waits for a long ray. The answers are those of the op, bit for bit:
// the arithmetic is its own (exact integers, or the same operations on doubles in the same order),
// or it is in floats with a bound on their error, and what that leaves in doubt is done again in
// integers. What is rare (rays from outside the grid, doubtful crossings, ...) goes to the op
// itself.
#pragma once

#include <cstdint>

#include "kernels/line_of_sight.h"
#include "kernels/march.h"
#include "kernels/view.h"

namespace sightline::kernels {

/// op(i) for begin <= i < end. Returns how many of the rays the vectors answered, not the op. Exact
/// walks and marches are faster in a grid with tables of its bricks (GridView); first hits and
/// views need them.
std::int64_t exact_wave(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set = InstructionSet::kBest);
std::int64_t first_hit_wave(const ExactFirstHit& op, std::int64_t begin, std::int64_t end,
                            InstructionSet set = InstructionSet::kBest);
std::int64_t view_wave(const RenderViews& op, std::int64_t begin, std::int64_t end,
                       InstructionSet set = InstructionSet::kBest);
std::int64_t march_wave(const MarchGrid& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set = InstructionSet::kBest);

/// op(i) for begin <= i < end, their lines of sight in waves.
void covered_wave(const CoveredPixels& op, std::int64_t begin, std::int64_t end,
                  InstructionSet set = InstructionSet::kBest);

/// The instruction set that the waves use when asked for `set`, such as "AVX3"; empty if its
/// vectors are too short to pay, and the ops run one by one.
const char* wave_target(InstructionSet set = InstructionSet::kBest);

/// Are the waves compiled for kAvx2 or kAvx512, and has this CPU got it?
bool has_wave_target(InstructionSet set);

}  // namespace sightline::kernels
