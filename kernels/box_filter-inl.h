// A vector of a band's members against one reference after another, in integers of 16 bits.
// Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_BOX_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_BOX_FILTER_INL_H_
#undef SIGHTLINE_KERNELS_BOX_FILTER_INL_H_
#else
#define SIGHTLINE_KERNELS_BOX_FILTER_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/box_filter.h"
#include "kernels/compress-inl.h"
#include "kernels/with_features-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Scores and what half widths make of features, in units of 1 / scale_, so that no sum of
/// h_f |r_f - m_f| exceeds kLargest, nor does what a reference scores less than the best.
///
/// With features of b bits, every score is within (2 F + 4) 2^(b - 24) sum |c_f| of what it stands
/// for: float rounds features (to 2^(b - 24)), their differences (to twice that) and F sums of at
/// most 2^(b + 1) sum |c_f|; two scores, and what rounded features make of sum h_f |r_f - m_f|,
/// within 2^(b - 18) (sum |c_f| + sum h_f) for F <= 8. Rounding to integers makes a difference of
/// two features smaller by at most 1, and the other numbers take less than 1 each.
template <int kFeatures>
class BoxWave {
  using Floats = hn::ScalableTag<float>;
  using Shorts = hn::ScalableTag<std::int16_t>;
  using FewShorts = hn::Rebind<std::int16_t, Floats>;  ///< as many lanes as of floats
  using FloatVec = hn::Vec<Floats>;
  using ShortVec = hn::Vec<Shorts>;
  static constexpr int kFloatLanes = static_cast<int>(hn::MaxLanes(Floats()));
  static constexpr int kShortLanes = static_cast<int>(hn::MaxLanes(Shorts()));
  static constexpr int kBlock = 256;       ///< candidates that are rounded at a time
  static constexpr int kTrial = 2048;      ///< candidates that tell whether most are left
  static constexpr int kBetweenLooks = 4;  ///< references between looks at whether any is left
  static constexpr float kLargest = 30000, kLeastShort = -32768;

 public:
  BoxWave(const BoxFilter& filter, const Candidates& from, float* scores)
      : filter_(filter), box_(*filter.box), from_(from), scores_(scores) {}

  bool run(Candidates* left) {
    left->num = 0;
    num_references_ = std::min(num_references(filter_.k), from_.num);
    if (num_references_ < filter_.k) return false;
    take_best();
    choose_scale();
    round_references();
    for (int begin = 0; begin < from_.num; begin += kBlock) {
      const int num = std::min(kBlock, from_.num - begin);
      round_block(begin, num);
      copy_left(begin, num, left);
      const int seen = begin + num;
      if (seen >= std::min(kTrial, from_.num) && left->num > seen - seen / 8) return false;
    }
    return true;
  }

 private:
  /// Scores under the centre, and the places of the best among them, best first.
  void take_best() {
    const Floats d;
    FloatVec centre[kFeatures];
    for (int f = 0; f < kFeatures; ++f) centre[f] = hn::Set(d, box_.centre[f]);
    const float none = -std::numeric_limits<float>::infinity();
    std::fill_n(best_score_, num_references_, none);
    FloatVec worst = hn::Set(d, none);
    for (int i = 0; i < from_.num; i += kFloatLanes) {
      FloatVec score = hn::Mul(centre[0], hn::LoadU(d, from_.features[0] + i));
      for (int f = 1; f < kFeatures; ++f) {
        score = hn::MulAdd(centre[f], hn::LoadU(d, from_.features[f] + i), score);
      }
      hn::StoreU(score, d, scores_ + i);
      if (HWY_LIKELY(hn::AllFalse(d, hn::Gt(score, worst)))) continue;
      for (int j = i; j < std::min(i + kFloatLanes, from_.num); ++j) take(j);
      worst = hn::Set(d, best_score_[num_references_ - 1]);
    }
  }

  void take(int candidate) {
    const float score = scores_[candidate];
    int place = num_references_ - 1;
    if (!(score > best_score_[place])) return;
    for (; place > 0 && score > best_score_[place - 1]; --place) {
      best_score_[place] = best_score_[place - 1];
      best_[place] = best_[place - 1];
    }
    best_score_[place] = score;
    best_[place] = candidate;
  }

  void choose_scale() {
    top_ = best_score_[0];
    double largest_sum = 0, weights = 0;
    for (int f = 0; f < kFeatures; ++f) {
      largest_sum += double{box_.half_width[f]} * double{filter_.range[f]};
      weights += std::abs(double{box_.centre[f]}) + double{box_.half_width[f]};
    }
    const double largest_lead = double{top_} - double{best_score_[num_references_ - 1]};
    scale_ = static_cast<float>(double{kLargest} /
                                std::max({double{kLargest}, largest_sum, largest_lead}));
    const double error = std::ldexp(weights, filter_.feature_bits - 18) * double{scale_};
    margin_ = static_cast<float>(kFeatures + 2 + std::ceil(error));
    for (int f = 0; f < kFeatures; ++f) unit_[f] = box_.half_width[f] * scale_;
  }

  void round_references() {
    const Shorts d;
    for (int r = 0; r < num_references_; ++r) {
      for (int f = 0; f < kFeatures; ++f) {
        const float feature = from_.features[f][best_[r]] - filter_.least[f];
        const auto value = static_cast<std::int16_t>(std::nearbyint(feature * unit_[f]));
        hn::Store(hn::Set(d, value), d, reference_[r][f]);
      }
      // Where it does not fit, no memory's is below it.
      const float lead = std::floor((best_score_[r] - top_) * scale_) - margin_;
      const auto value = static_cast<std::int16_t>(std::max(kLeastShort, lead));
      hn::Store(hn::Set(d, value), d, reference_[r][kFeatures]);
    }
  }

  void round_block(int begin, int num) {
    const Floats d;
    const FewShorts ds;
    const FloatVec scale = hn::Set(d, scale_), top = hn::Set(d, top_);
    for (int i = 0; i < num; i += kFloatLanes) {
      for (int f = 0; f < kFeatures; ++f) {
        const FloatVec feature =
            hn::Sub(hn::LoadU(d, from_.features[f] + begin + i), hn::Set(d, filter_.least[f]));
        hn::StoreU(hn::DemoteTo(ds, hn::NearestInt(hn::Mul(feature, hn::Set(d, unit_[f])))), ds,
                   rounded_[f] + i);
      }
      const FloatVec behind = hn::Mul(hn::Sub(hn::LoadU(d, scores_ + begin + i), top), scale);
      const FloatVec at_least = hn::Max(hn::Ceil(behind), hn::Set(d, kLeastShort));
      hn::StoreU(hn::DemoteTo(ds, hn::NearestInt(at_least)), ds, rounded_[kFeatures] + i);
    }
  }

  void copy_left(int begin, int num, Candidates* left) const {
    for (int i = 0; i < num; i += kShortLanes) {
      std::uint64_t bits = left_of(i);
      if (num - i < kShortLanes) bits &= (std::uint64_t{1} << (num - i)) - 1;
      for (int at = begin + i; bits != 0; at += kFloatLanes) {
        const std::uint64_t low = bits & ((std::uint64_t{1} << kFloatLanes) - 1);
        bits >>= kFloatLanes;
        if (low != 0) copy_lanes(at, low, left);
      }
    }
  }

  void copy_lanes(int at, std::uint64_t bits, Candidates* left) const {
    const Floats d;
    const hn::Rebind<std::int32_t, Floats> di;
    const Compressor some(static_cast<std::uint32_t>(bits));
    for (int f = 0; f < kFeatures; ++f) {
      hn::StoreU(some(hn::LoadU(d, from_.features[f] + at)), d, left->features[f] + left->num);
    }
    hn::StoreU(some(hn::LoadU(di, from_.member + at)), di, left->member + left->num);
    left->num += static_cast<std::int32_t>(hwy::PopCount(bits));
  }

  /// Of a vector of rounded candidates, those that fewer than k references beat.
  HWY_INLINE std::uint64_t left_of(int at) const {
    const Shorts d;
    ShortVec value[kFeatures], num = hn::Zero(d);
    for (int f = 0; f < kFeatures; ++f) value[f] = hn::LoadU(d, rounded_[f] + at);
    const ShortVec score = hn::LoadU(d, rounded_[kFeatures] + at);
    const ShortVec enough = hn::Set(d, static_cast<std::int16_t>(filter_.k));
    for (int r = 0; r < num_references_; ++r) {
      ShortVec apart = hn::Abs(hn::Sub(hn::Load(d, reference_[r][0]), value[0]));
      for (int f = 1; f < kFeatures; ++f) {
        apart = hn::Add(apart, hn::Abs(hn::Sub(hn::Load(d, reference_[r][f]), value[f])));
      }
      const auto lead = hn::SaturatedSub(hn::Load(d, reference_[r][kFeatures]), score);
      num = hn::Sub(num, hn::VecFromMask(d, hn::Gt(lead, apart)));
      if (r % kBetweenLooks == kBetweenLooks - 1 && hn::AllFalse(d, hn::Lt(num, enough))) return 0;
    }
    alignas(64) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Lt(num, enough), bytes);
    std::uint64_t bits;
    std::memcpy(&bits, bytes, sizeof(bits));
    return bits;
  }

  const BoxFilter& filter_;
  const MixBox& box_;
  const Candidates& from_;
  float* const scores_;
  float scale_ = 1, margin_ = 0, top_ = 0;
  int num_references_ = 0;
  float best_score_[kMaxReferences];
  int best_[kMaxReferences];
  float unit_[kFeatures];
  alignas(64) std::int16_t reference_[kMaxReferences][kFeatures + 1][kShortLanes];
  alignas(64) std::int16_t rounded_[kFeatures + 1][kBlock];
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggle
