#include "kernels/mix_lines.h"

#include <algorithm>

#include "kernels/for_each_backend.h"
#include "kernels/line_ranks.h"

namespace sightline::kernels {

void rank_one_by_one(const LineRanks& op, const LinePiece& piece) {
  const int num_features = op.mixes.num_features;
  for (std::int64_t l = piece.first_line; l < piece.first_line + piece.num_lines; ++l) {
    const MixLine& line = op.mixes.lines[l];
    std::int32_t mix[kMaxFeatures];
    std::copy_n(op.mixes.firsts + l * num_features, num_features, mix);
    for (std::int32_t i = 0; i < line.num_mixes; ++i) {
      const TargetRanks ranks{op.memories, op.targets, mix, 1, nullptr};
      const std::int32_t slot = op.mixes.slots[line.first_slot + i];
      for (std::int64_t q = piece.first_query; q < piece.first_query + piece.num_queries; ++q) {
        op.out[q * op.mixes.num_mixes + slot] = fits_float(mix, op.memories)
                                                    ? ranks.rank<float>(q, mix)
                                                    : ranks.rank<std::int64_t>(q, mix);
      }
      for (int f = 0; f < num_features; ++f) mix[f] += op.mixes.step[f];
    }
  }
}

// Turns are kept as multiples of 2^-shift, and 2^shift / b is at most 2 (largest_sum + 2).
bool can_rank(const MixLinesView& mixes, int feature_bits) {
  constexpr double kHolds = std::int64_t{1} << 50;
  const auto difference = static_cast<double>(std::int64_t{2} << feature_bits);
  const auto sum = static_cast<double>(mixes.largest_sum);
  const double largest_turn = (sum * difference + 1) * 2 * (sum + 2) + sum + 2;
  return largest_turn < kHolds &&
         static_cast<double>(mixes.step_sum) * difference * (sum + 2) < kHolds;
}

void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const MixLinesView& mixes, std::int32_t* out) {
  SL_ASSERT(executor.backend == Backend::kCpu);
  SL_ASSERT(can_rank(mixes, memories.feature_bits));
  SL_ASSERT(memories.num_features == mixes.num_features);
  if (num_queries == 0) return;
  const LineRanks op{memories, targets, mixes, out};
  // With few queries, the lines are shared out too; each part looks at the memories anew, which
  // takes as long as some hundred lines.
  constexpr std::int64_t kFewLines = 512;
  const std::int64_t threads = resolved_threads(executor);
  const std::int64_t wanted = num_queries < 2 * threads ? 4 * threads / num_queries : 1;
  const std::int64_t parts =
      std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, mixes.num_lines / kFewLines));
  const auto run = [&](std::int64_t i, std::int64_t) {
    LinePiece piece;
    piece.first_query = i / parts;
    piece.num_queries = 1;
    piece.first_line = mixes.num_lines * (i % parts) / parts;
    piece.num_lines = mixes.num_lines * (i % parts + 1) / parts - piece.first_line;
    if (uses_vectors(executor)) {
      line_ranks_wave(op, piece, executor.instructions);
    } else {
      rank_one_by_one(op, piece);
    }
  };
  for_each_piece(executor, num_queries * parts, run, 1);
}

}  // namespace sightline::kernels
