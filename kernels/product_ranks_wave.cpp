// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/product_ranks_wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/product_ranks.h"
#include "kernels/product_ranks_wave-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

#if HWY_MAX_BYTES >= 32
template <class Number>
void rank_products_in(const ProductRanks& op, const ProductPiece& piece) {
  const auto with_tail = [&](auto num_tail_features) {
    ProductRankWave<Number, decltype(num_tail_features)::value> wave(op, piece);
    const std::int64_t end = piece.first_query + piece.num_queries;
    for (std::int64_t q = piece.first_query; q < end; ++q) wave.run(q);
  };
  static_assert(kMaxTailFeatures == 4, "a case each");
  switch (op.mixes.num_tail_features) {
    case 1:
      return with_tail(std::integral_constant<int, 1>());
    case 2:
      return with_tail(std::integral_constant<int, 2>());
    case 3:
      return with_tail(std::integral_constant<int, 3>());
    default:
      return with_tail(std::integral_constant<int, 4>());
  }
}

void rank_products(const ProductRanks& op, const ProductPiece& piece) {
  if (largest_difference(op.mixes, op.memories.feature_bits) < kFloatHolds) {
    return rank_products_in<float>(op, piece);
  }
  rank_products_in<double>(op, piece);
}
#else
void rank_products(const ProductRanks& op, const ProductPiece& piece) {
  rank_one_by_one(op, piece);
}
#endif

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(rank_products);

void product_ranks_wave(const ProductRanks& op, const ProductPiece& piece, InstructionSet set) {
  SL_WAVE_CALL(set, rank_products)(op, piece);
}

}  // namespace sightline::kernels
#endif
