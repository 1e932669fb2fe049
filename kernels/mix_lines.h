// Ranks under mixes that lie on lines, as the points of a lattice of weights do; on the CPU.
//
// Let g be what a memory's features exceed the target's by. Under mix i of a line, which is
// first + i step, the memory comes before the target where
//
//   first . g + i (step . g) + tie > 0,
//
// in whole numbers, with tie = 1 where the memory has the lower index, else 0. In i this changes at
// most once. Let b = |step . g|, at least 1, and turn = floor((first . g + tie - 1) / b): the
// memory comes before the target under mix i if and only if
//
//   turn > -1 - i sign(step . g).
//
// The right side is the same for all lines and small. So a turn, cut off at what a byte holds, is
// found once for each memory and line, and a mix takes a comparison of bytes: 64 memories in one
// instruction of AVX-512. A line of the lattice of five weights in steps of 1/20 has 6 mixes on
// average.
//
// No division: a memory's g / b are rounded once to multiples of 2^-shift, of which `first . g / b`
// is a sum that goes from line to line by additions. (x - 1/2) / b for a whole x is at least 1 / (2
// b) from any whole number, so that its floor is right where 2^shift exceeds b (largest_sum + 2):
// the roundings add up to less than that.
#pragma once

#include <cstdint>

#include "kernels/recall.h"

namespace sightline::kernels {

constexpr std::int32_t kMostOnLine = 128;  ///< bytes hold what turns are compared with
constexpr std::int32_t kMostWays = 32;

/// Mixes first, first + step, ..
struct MixLine {
  std::int64_t first_slot = 0;  ///< behind the slots of the line before
  std::int32_t num_mixes = 0;   ///< 1 to kMostOnLine
  /// The way from the first mix of the line before to that of this one; -1: none of these.
  std::int32_t way = -1;
};

/// Mixes as lines, at least one, each mix on one of them.
struct MixLinesView {
  int num_features = 0;
  const std::int32_t* step = nullptr;  ///< [num_features]
  const MixLine* lines = nullptr;
  std::int64_t num_lines = 0;
  const std::int32_t* firsts = nullptr;  ///< [num_lines, num_features]
  const std::int32_t* ways = nullptr;    ///< [num_ways, num_features]
  std::int32_t num_ways = 0;             ///< at most kMostWays
  /// Which mix the i-th of a line is: slots[first_slot + i].
  const std::int32_t* slots = nullptr;
  std::int64_t num_mixes = 0;
  std::int64_t largest_sum = 0;  ///< no absolute values of a first mix add up to more
  std::int64_t step_sum = 0;     ///< what those of the step add up to
};

/// May target_ranks() take these? All that it computes stays below 2^50.
bool can_rank(const MixLinesView& mixes, int feature_bits);

/// target_ranks() of recall.h on the CPU; can_rank(mixes, memories.feature_bits).
void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const MixLinesView& mixes, std::int32_t* out);

// The same for a GPU: line_tiles.h. The lines are cut into parts, of which those whose first mixes
// lie a way apart are a run.

constexpr std::int32_t kPartMixes = 16;
constexpr std::int32_t kRunParts = 4;

struct LinePart {
  std::int32_t first_slot = 0;
  std::int32_t num_mixes = 0;  ///< 0 to kPartMixes
};

/// Mixes as parts of lines, at least one, each mix in one of them.
struct LineTilesView {
  int num_features = 0;
  const std::int32_t* step = nullptr;    ///< [num_features], from a mix to the next of its part
  const std::int32_t* way = nullptr;     ///< [num_features], from a part's first mix to the next's
  const std::int32_t* firsts = nullptr;  ///< [num_runs, num_features]: the first mix of each
  const LinePart* parts = nullptr;       ///< [num_runs, kRunParts]
  std::int64_t num_runs = 0;             ///< even
  /// Which mix the i-th of a part is: slots[first_slot + i].
  const std::int32_t* slots = nullptr;
  std::int64_t num_mixes = 0;
  std::int64_t largest_sum = 0;  ///< no absolute values of a part's first mix add up to more
  std::int64_t step_sum = 0, way_sum = 0;  ///< what those of step and way add up to
};

/// May target_ranks() take these? All that it computes stays below 2^52, and divisors below 2^46.
bool can_rank(const LineTilesView& mixes, int feature_bits);

/// target_ranks() of recall.h; can_rank(mixes, memories.feature_bits). The workspace must have room
/// for least_workspace_bytes(). The CPU runs what a GPU would, slot by slot.
void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const LineTilesView& mixes, std::int32_t* out,
                  const Workspace& workspace);
std::int64_t target_ranks_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                          const LineTilesView& mixes);
std::int64_t least_workspace_bytes(const LineTilesView& mixes);

}  // namespace sightline::kernels
