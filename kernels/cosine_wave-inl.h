// Cosines of a few blocks of rows with a few queries at once: compiled once per instruction set.
//
// A lane is a row, and each sum is the op's own chain. Only sets with a fused multiply-add have it:
// elsewhere the op's fmaf is as good.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/feature_ops.h"

#if HWY_MAX_BYTES >= 32 && HWY_NATIVE_FMA
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums that fill the registers: rows of kCosineBlocks blocks times kCosineQueries queries.
constexpr int kCosineBlocks = HWY_MAX_BYTES >= 64 ? 2 : 1;
constexpr int kCosineQueries = HWY_MAX_BYTES >= 64 ? 8 : 4;

class CosineTile {
  using Floats = hn::CappedTag<float, kEmbeddingLanes>;
  using FloatVec = hn::Vec<Floats>;
  static constexpr int kLanes =
      HWY_MAX_BYTES / 4 < kEmbeddingLanes ? HWY_MAX_BYTES / 4 : kEmbeddingLanes;
  static constexpr int kParts = kEmbeddingLanes / kLanes;  ///< vectors per block

 public:
  explicit CosineTile(const Cosines& op)
      : op_(op), scale_(static_cast<float>(1ll << op.feature_bits)) {}

  /// kQueries queries from `query` on, against kBlocks blocks from `block` on.
  template <int kBlocks, int kQueries>
  HWY_INLINE void run(std::int64_t block, std::int64_t query) const {
    const Floats d;
    const std::int64_t width = op_.memories.width;
    const std::int64_t stride = width * kEmbeddingLanes;
    const float* rows = op_.memories.values + block * stride;
    const float* queries = op_.queries + query * width;
    constexpr int kVectors = kBlocks * kParts;
    FloatVec sum[kQueries][kVectors];
    for (int q = 0; q < kQueries; ++q) {
      for (int v = 0; v < kVectors; ++v) sum[q][v] = hn::Zero(d);
    }
    for (std::int64_t k = 0; k < width; ++k) {
      FloatVec row[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        row[v] =
            hn::LoadU(d, rows + v / kParts * stride + k * kEmbeddingLanes + v % kParts * kLanes);
      }
      for (int q = 0; q < kQueries; ++q) {
        const FloatVec element = hn::Set(d, queries[q * width + k]);
        for (int v = 0; v < kVectors; ++v) sum[q][v] = hn::MulAdd(element, row[v], sum[q][v]);
      }
    }
    for (int q = 0; q < kQueries; ++q) {
      for (int v = 0; v < kVectors; ++v) {
        write(sum[q][v], block * kEmbeddingLanes + v * kLanes, query + q);
      }
    }
  }

 private:
  HWY_INLINE void write(FloatVec dot, std::int64_t row, std::int64_t query) const {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const FloatVec cosine = hn::Min(hn::Max(dot, hn::Set(d, -1)), hn::Set(d, 1));
    // The product is exact, and is rounded half to even.
    const auto value = hn::NearestInt(hn::Mul(cosine, hn::Set(d, scale_)));
    const std::int64_t num_rows = op_.memories.num_rows, rest = num_rows - row;
    std::int32_t* out = op_.out + query * num_rows + row;
    if (rest >= kLanes) {
      hn::StoreU(value, di, out);
      return;
    }
    alignas(64) std::int32_t values[kLanes];
    hn::Store(value, di, values);
    for (std::int64_t lane = 0; lane < rest; ++lane) out[lane] = values[lane];
  }

  const Cosines& op_;
  float scale_;
};

template <int kBlocks, int kQueries>
void cosine_queries(const CosineTile& tile, std::int64_t block, std::int64_t query,
                    std::int64_t num_queries) {
  for (; query + kQueries <= num_queries; query += kQueries)
    tile.run<kBlocks, kQueries>(block, query);
  if constexpr (kQueries > 1) {
    cosine_queries<kBlocks, kQueries / 2>(tile, block, query, num_queries);
  }
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
