// The ops that make quantised features: a column of numbers, cosines, proximities, recencies.
#pragma once

#include <cmath>
#include <cstring>

#include "kernels/hd.h"
#include "kernels/portable_exp.h"
#include "kernels/recall.h"

namespace sightline::kernels {

SL_HD inline double decay_at(const Decay& decay, double x) {
  switch (decay.form) {
    case DecayForm::kLinear: {
      const double left = 1 - x / decay.scale;
      return left > 0 ? left : 0;
    }
    case DecayForm::kExponential:
      return portable_exp(-x / decay.scale);
    case DecayForm::kHyperbolic:
      return 1 / (1 + x / decay.scale);
    case DecayForm::kGaussian: {
      const double ratio = x / decay.scale;
      return portable_exp(-0.5 * (ratio * ratio));
    }
    case DecayForm::kStep:
      return x <= decay.scale ? 1 : 0;
    case DecayForm::kHalfLife:
      return portable_exp2(-x / decay.scale);
  }
  return 0;
}

SL_HD inline std::int32_t quantised_at(double x, int feature_bits) {
  return static_cast<std::int32_t>(rounded(x * static_cast<double>(1ll << feature_bits)));
}

/// The square of a distance, as every gate and every proximity takes it.
SL_HD inline double squared_distance(const Vec3& a, const Vec3& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return (dx * dx + dy * dy) + dz * dz;
}

/// 0 for what is to come.
SL_HD inline double age_at(double now_s, double time_s) {
  const double age_s = now_s - time_s;
  return age_s > 0 ? age_s : 0;
}

/// Where element 0 of a row lies among rows packed in blocks of kLanes; the next is kLanes on.
template <int kLanes>
SL_HD std::int64_t packed_start(std::int64_t row, std::int32_t width) {
  return row / kLanes * width * kLanes + row % kLanes;
}
SL_HD inline std::int64_t embedding_start(std::int64_t row, std::int32_t width) {
  return packed_start<kEmbeddingLanes>(row, width);
}

/// The quantised cosine of a dot product of unit vectors.
SL_HD inline std::int32_t quantised_cosine(float dot, int feature_bits) {
  const float cosine = dot < -1 ? -1 : dot > 1 ? 1 : dot;
  return quantised_at(cosine, feature_bits);
}

struct QuantiseColumn {
  const double* values;
  int feature_bits;
  std::int32_t* out;
  SL_HD void operator()(std::int64_t i) const { out[i] = quantised_at(values[i], feature_bits); }
};

/// Slot i is row i % num_rows for query i / num_rows.
struct Cosines {
  EmbeddingView memories;
  const float* queries;
  int feature_bits;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t r = i % memories.num_rows;
    const float* row = memories.values + (memories.is_packed ? embedding_start(r, memories.width)
                                                             : r * memories.width);
    const std::int64_t stride = memories.is_packed ? kEmbeddingLanes : 1;
    const float* query = queries + i / memories.num_rows * memories.width;
    float dot = 0;
    for (std::int32_t k = 0; k < memories.width; ++k) {
      dot = std::fmaf(query[k], row[k * stride], dot);
    }
    out[i] = quantised_cosine(dot, feature_bits);
  }
};

/// Slot i is anchor i % num_anchors for query i / num_anchors.
struct Proximities {
  const Vec3* anchors;
  std::int64_t num_anchors;
  const Vec3* centres;
  Decay decay;
  int feature_bits;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const double d2 = squared_distance(anchors[i % num_anchors], centres[i / num_anchors]);
    out[i] = quantised_at(decay_at(decay, std::sqrt(d2)), feature_bits);
  }
};

/// Slot i is memory i % num_memories for query i / num_memories.
struct Recencies {
  const double* time_s;
  std::int64_t num_memories;
  const double* now_s;
  Decay decay;
  int feature_bits;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const double age_s = age_at(now_s[i / num_memories], time_s[i % num_memories]);
    out[i] = quantised_at(decay_at(decay, age_s), feature_bits);
  }
};

/// The key of x >= 0: recall.h says what that is. All beyond the largest float have the same.
SL_HD inline std::int32_t key_of(double x) {
  constexpr double kLargest = 0x1.fffffep127;
  const auto rounded = static_cast<float>(x < kLargest ? x : kLargest);
  std::int32_t bits;
  std::memcpy(&bits, &rounded, sizeof(bits));
  return -bits;
}

}  // namespace sightline::kernels
