// Ranks under mixes on lines, on the vector units of the CPU or a mix at a time; host only.
#pragma once

#include <cstdint>

#include "kernels/blend.h"
#include "kernels/mix_lines.h"

namespace sightline::kernels {

struct LineRanks {
  BlendView memories;
  const std::int64_t* targets;
  MixLinesView mixes;
  std::int32_t* out;
};

/// Some queries under the mixes of some lines.
struct LinePiece {
  std::int64_t first_query = 0, num_queries = 0;
  std::int64_t first_line = 0, num_lines = 0;
};

/// A mix at a time.
void rank_one_by_one(const LineRanks& op, const LinePiece& piece);
/// The same by vectors.
void line_ranks_wave(const LineRanks& op, const LinePiece& piece, InstructionSet set);

}  // namespace sightline::kernels
