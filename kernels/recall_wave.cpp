#include "kernels/recall_wave.h"
// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/recall_wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/cosine_wave-inl.h"
#include "kernels/decay_wave-inl.h"
#include "kernels/rank_wave-inl.h"
#include "kernels/top_wave-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

void cosines_of(const Cosines& op, const float* packed_queries, std::int64_t num_queries,
                std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32 && HWY_NATIVE_FMA
  const CosineTile tile(op, packed_queries, num_queries);
  for (std::int64_t row = begin; row < end; row += kLineRows) tile.run(row, end);
#else
  (void)packed_queries;
  for (std::int64_t q = 0; q < num_queries; ++q) {
    for (std::int64_t row = begin; row < end; ++row) op(q * op.memories.num_rows + row);
  }
#endif
}

void proximities_of(const Proximities& op, std::int64_t query, std::int64_t begin,
                    std::int64_t end) {
  const std::int64_t row = query * op.num_anchors;
  std::int64_t i = begin;
#if HWY_MAX_BYTES >= 32
  const DecayWave decays(op.decay, op.feature_bits);
  const Vec3 centre = op.centres[query];
  for (; i + DecayWave::kLanes <= end; i += DecayWave::kLanes) {
    decays.store(hn::Sqrt(DecayWave::squared_distances(op.anchors + i, centre)), op.out + row + i);
  }
#endif
  for (; i < end; ++i) op(row + i);
}

void recencies_of(const Recencies& op, std::int64_t query, std::int64_t begin, std::int64_t end) {
  const std::int64_t row = query * op.num_memories;
  std::int64_t i = begin;
#if HWY_MAX_BYTES >= 32
  const DecayWave decays(op.decay, op.feature_bits);
  const double now_s = op.now_s[query];
  for (; i + DecayWave::kLanes <= end; i += DecayWave::kLanes) {
    decays.store(DecayWave::ages(now_s, op.time_s + i), op.out + row + i);
  }
#endif
  for (; i < end; ++i) op(row + i);
}

#if HWY_MAX_BYTES >= 32
void ranks_of(const TargetRanks& op, const BlendPiece& piece) { run_blend<RankWave>(op, piece); }
void tops_of(const TopMemories& op, const BlendPiece& piece) { run_blend<TopWave>(op, piece); }
#else
template <class Op>
void one_by_one(const Op& op, const BlendPiece& piece) {
  for (std::int64_t q = piece.first_query; q < piece.first_query + piece.num_queries; ++q) {
    for (std::int64_t c = 0; c < piece.num_mixes; ++c) op(q * op.num_mixes + piece.first_mix + c);
  }
}
void ranks_of(const TargetRanks& op, const BlendPiece& piece) { one_by_one(op, piece); }
void tops_of(const TopMemories& op, const BlendPiece& piece) { one_by_one(op, piece); }
#endif

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(cosines_of);
HWY_EXPORT(proximities_of);
HWY_EXPORT(ranks_of);
HWY_EXPORT(recencies_of);
HWY_EXPORT(tops_of);

void cosines_wave(const Cosines& op, const float* packed_queries, std::int64_t num_queries,
                  std::int64_t begin, std::int64_t end, InstructionSet set) {
  SL_WAVE_CALL(set, cosines_of)(op, packed_queries, num_queries, begin, end);
}

void proximities_wave(const Proximities& op, std::int64_t query, std::int64_t begin,
                      std::int64_t end, InstructionSet set) {
  SL_WAVE_CALL(set, proximities_of)(op, query, begin, end);
}

void recencies_wave(const Recencies& op, std::int64_t query, std::int64_t begin, std::int64_t end,
                    InstructionSet set) {
  SL_WAVE_CALL(set, recencies_of)(op, query, begin, end);
}

void target_ranks_wave(const TargetRanks& op, const BlendPiece& piece, InstructionSet set) {
  SL_WAVE_CALL(set, ranks_of)(op, piece);
}

void top_memories_wave(const TopMemories& op, const BlendPiece& piece, InstructionSet set) {
  SL_WAVE_CALL(set, tops_of)(op, piece);
}

}  // namespace sightline::kernels
#endif
