// Cosines of a few rows with a few blocks of queries at once: compiled once per instruction set.
//
// A lane is a query, an element of a row is broadcast to all of them, and so rows are read where
// they lie, each once. Each sum is the op's own chain. Only sets with a fused multiply-add have it:
// elsewhere the op's fmaf is as good.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_COSINE_WAVE_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

#include "kernels/feature_ops.h"

#if HWY_MAX_BYTES >= 32 && HWY_NATIVE_FMA
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums that fill the registers: kCosineRows rows times kCosineVectors vectors of queries.
constexpr int kCosineRows = HWY_MAX_BYTES >= 64 ? 8 : 4;
constexpr int kCosineVectors = 2;
/// Rows whose answers to a query fill a line of the cache.
constexpr int kLineRows = 16;

class CosineTile {
  using Floats = hn::CappedTag<float, kEmbeddingLanes>;
  using Ints = hn::RebindToSigned<Floats>;
  using FloatVec = hn::Vec<Floats>;
  static constexpr int kLanes =
      HWY_MAX_BYTES / 4 < kEmbeddingLanes ? HWY_MAX_BYTES / 4 : kEmbeddingLanes;

 public:
  /// packed: the queries as pack_embeddings() puts them.
  CosineTile(const Cosines& op, const float* packed, std::int64_t num_queries)
      : op_(op),
        packed_(packed),
        num_queries_(num_queries),
        scale_(static_cast<float>(1ll << op.feature_bits)) {}

  /// kLineRows rows from `row` on, or up to `end`, with all queries.
  void run(std::int64_t row, std::int64_t end) const {
    constexpr int kTogether = kCosineVectors * kLanes;
    std::int64_t query = 0;
    for (; query + kTogether <= num_queries_; query += kTogether) {
      run<kCosineVectors>(row, end, query);
    }
    for (; query < num_queries_; query += kLanes) run<1>(row, end, query);
  }

 private:
  template <int kVectors>
  HWY_INLINE void run(std::int64_t row, std::int64_t end, std::int64_t query) const {
    alignas(64) std::int32_t answers[kVectors][kLineRows][kLanes];
    const std::int64_t num = end - row < kLineRows ? end - row : kLineRows;
    std::int64_t r = 0;
    for (; r + kCosineRows <= num; r += kCosineRows) {
      sum_up<kCosineRows, kVectors>(row + r, query, answers[0][r]);
    }
    for (; r < num; ++r) sum_up<1, kVectors>(row + r, query, answers[0][r]);
    for (int v = 0; v < kVectors; ++v) write(answers[v][0], row, num, query + v * kLanes);
  }

  /// answers [kVectors, kLineRows, kLanes]. Not inlined: what callers keep in registers would crowd
  /// sums out.
  template <int kRows, int kVectors>
  HWY_NOINLINE void sum_up(std::int64_t row, std::int64_t query, std::int32_t* answers) const {
    const Floats d;
    const std::int64_t width = op_.memories.width;
    const float* rows = op_.memories.values + row * width;
    const float* queries[kVectors];
    FloatVec sum[kRows][kVectors];
    for (int v = 0; v < kVectors; ++v) {
      queries[v] = packed_ + embedding_start(query + v * kLanes, op_.memories.width);
      for (int r = 0; r < kRows; ++r) sum[r][v] = hn::Zero(d);
    }
    // Rows are short for a prefetcher to follow, and each stands in a line of its own: asked for by
    // name, those of the next tile come while this one is summed (1.4 times as fast on a million).
    // Beyond the last row nothing is read.
    const float* next = rows + kRows * width;
    for (std::int64_t k = 0; k < width; ++k) {
      hwy::Prefetch(next + k * kRows);
      FloatVec of_query[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        of_query[v] = hn::LoadU(d, queries[v] + k * kEmbeddingLanes);
      }
      for (int r = 0; r < kRows; ++r) {
        const FloatVec element = hn::Set(d, rows[r * width + k]);
        for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(of_query[v], element, sum[r][v]);
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      for (int r = 0; r < kRows; ++r) {
        hn::Store(quantised(sum[r][v]), Ints(), answers + (v * kLineRows + r) * kLanes);
      }
    }
  }

  HWY_INLINE hn::Vec<Ints> quantised(FloatVec dot) const {
    const Floats d;
    const FloatVec cosine = hn::Min(hn::Max(dot, hn::Set(d, -1)), hn::Set(d, 1));
    // The product is exact, and is rounded half to even.
    return hn::NearestInt(hn::Mul(cosine, hn::Set(d, scale_)));
  }

  /// answers [num, kLanes]: of a lane to a query, whose answers lie side by side.
  HWY_INLINE void write(const std::int32_t* answers, std::int64_t row, std::int64_t num,
                        std::int64_t query) const {
    const std::int64_t num_rows = op_.memories.num_rows, rest = num_queries_ - query;
    std::int32_t* out = op_.out + query * num_rows + row;
    for (int lane = 0; lane < kLanes && lane < rest; ++lane, out += num_rows) {
      if (num == kLineRows) {
        for (int r = 0; r < kLineRows; ++r) out[r] = answers[r * kLanes + lane];
      } else {
        for (int r = 0; r < num; ++r) out[r] = answers[r * kLanes + lane];
      }
    }
  }

  const Cosines& op_;
  const float* packed_;
  std::int64_t num_queries_;
  float scale_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
