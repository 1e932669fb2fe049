// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/line_ranks_wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/line_ranks.h"
#include "kernels/line_ranks_wave-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

void rank_lines(const LineRanks& op, const LinePiece& piece) {
#if HWY_MAX_BYTES >= 32
  LineRankWave wave(op, piece);
  const std::int64_t end = piece.first_query + piece.num_queries;
  for (std::int64_t q = piece.first_query; q < end; ++q) wave.run(q);
#else
  rank_one_by_one(op, piece);
#endif
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(rank_lines);

void line_ranks_wave(const LineRanks& op, const LinePiece& piece, InstructionSet set) {
  SL_WAVE_CALL(set, rank_lines)(op, piece);
}

}  // namespace sightline::kernels
#endif
