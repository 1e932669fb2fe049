// The few best of a block of memories by maxima and minima alone, where a scan against the worst of
// a list, as in top_wave-inl.h, would stumble: among the first memories most pass under some mix.
// A lane is a mix. Compiled once per instruction set.
//
// A score and its memory's index are one whole number, the key, so that what orders keys orders
// memories by score and then by lower index. Of four memories at a time the keys are sorted and
// merged into the list, as Batcher's bitonic network does (Sorting networks and their applications,
// 1968).

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_TOP_NETWORK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_TOP_NETWORK_INL_H_
#undef SIGHTLINE_KERNELS_TOP_NETWORK_INL_H_
#else
#define SIGHTLINE_KERNELS_TOP_NETWORK_INL_H_
#endif

#include <algorithm>
#include <array>

#include "kernels/blend_wave-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Memories of a block that keys tell apart.
constexpr int kKeyIndexBits = 8;
constexpr int kMaxKeyMemories = 1 << kKeyIndexBits;
/// The bits of the least float that is no denormal. Keys are compared as the floats that have their
/// bits, which more execution ports do than compare integers.
constexpr std::int32_t kLeastKey = 1 << 23;
/// How far apart the scores of a mix may lie: a key's bits are those of a number.
constexpr std::int64_t kLargestKeySpread =
    (0x7f800000 - kLeastKey - kMaxKeyMemories) >> kKeyIndexBits;

/// Between which the features of a block's memories lie, and 0 with them.
template <int kFeatures>
struct FeatureBounds {
  float least[kFeatures], greatest[kFeatures];

  explicit FeatureBounds(const MemoryBlock<float>& block) {
    const NumbersOf<float> d;
    for (int f = 0; f < kFeatures; ++f) {
      VecOf<float> low = hn::Zero(d), high = hn::Zero(d);
      for (int i = 0; i < block.num; i += lanes_of<float>()) {
        const VecOf<float> values = hn::Load(d, block.features[f] + i);
        low = hn::Min(low, values);
        high = hn::Max(high, values);
      }
      least[f] = hn::GetLane(hn::MinOfLanes(d, low));
      greatest[f] = hn::GetLane(hn::MaxOfLanes(d, high));
    }
  }

  std::int64_t widest() const {
    float widest = 0;
    for (int f = 0; f < kFeatures; ++f) widest = std::max(widest, greatest[f] - least[f]);
    return static_cast<std::int64_t>(widest);
  }
};

template <int kFeatures, int kPlaces>
class TopNetwork {
  using D = NumbersOf<float>;
  using Vec = VecOf<float>;
  using DI = IntsOf<float>;
  using IntVec = IntVecOf<float>;

 public:
  /// weight: of a vector of mixes, by feature.
  TopNetwork(const Vec* weight, const FeatureBounds<kFeatures>& bounds) {
    const D d;
    lift_ = hn::Zero(d);
    for (int f = 0; f < kFeatures; ++f) {
      weight_[f] = weight[f];
      const Vec from = hn::Mul(weight[f], hn::Set(d, bounds.least[f]));
      const Vec to = hn::Mul(weight[f], hn::Set(d, bounds.greatest[f]));
      lift_ = hn::Sub(lift_, hn::Min(from, to));
    }
    for (int place = 0; place < kPlaces; ++place) keys_[place] = hn::Zero(d);
  }

  /// Takes memories [0, num) of a block, kMaxKeyMemories at most.
  HWY_INLINE void take(const MemoryBlock<float>& block, int num) {
    const Vec start = hn::Add(lift_, hn::Set(D(), kWhole));
    int i = 0;
    for (; i + 4 <= num; i += 4) {
      Vec a = key_of(block, i, start), b = key_of(block, i + 1, start);
      Vec c = key_of(block, i + 2, start), d = key_of(block, i + 3, start);
      sort(a, b);
      sort(c, d);
      sort(a, c);
      sort(b, d);
      sort(b, c);
      raise(kPlaces - 1, a);
      raise(kPlaces - 2, b);
      raise(kPlaces - 3, c);
      raise(kPlaces - 4, d);
      merge<kWidth / 2>();
    }
    for (; i < num; ++i) {
      Vec key = key_of(block, i, start);
      for (int place = 0; place < kPlaces; ++place) sort(keys_[place], key);
    }
  }

  /// Of the lanes that have fewer memories than places, at a place.
  HWY_INLINE hn::Mask<DI> is_none(int place) const {
    return hn::Eq(hn::BitCast(DI(), keys_[place]), hn::Zero(DI()));
  }
  HWY_INLINE Vec score(int place) const {
    const IntVec above = hn::Sub(hn::BitCast(DI(), keys_[place]), hn::Set(DI(), kLeastKey));
    return hn::Sub(hn::ConvertTo(D(), hn::ShiftRight<kKeyIndexBits>(above)), lift_);
  }
  /// In the block.
  HWY_INLINE IntVec index(int place) const {
    return hn::AndNot(hn::BitCast(DI(), keys_[place]), hn::Set(DI(), kMaxKeyMemories - 1));
  }

 private:
  /// Floats from here to twice this are whole numbers, and their bits count them.
  static constexpr float kWhole = 1 << 23;
  static_assert(kPlaces >= 4 && kPlaces <= 16, "four are merged into them at once");
  static constexpr int kWidth = kPlaces <= 4 ? 4 : kPlaces <= 8 ? 8 : 16;
  static constexpr int kPad = kWidth - kPlaces;  ///< as if of keys above all, before the first

  static constexpr std::array<std::int32_t, kMaxKeyMemories> order() {
    std::array<std::int32_t, kMaxKeyMemories> keys{};
    for (std::int32_t& key : keys) {
      key = kLeastKey + kMaxKeyMemories - 1 - static_cast<std::int32_t>(&key - keys.data());
    }
    return keys;
  }
  /// What a memory's index adds to its key.
  static constexpr std::array<std::int32_t, kMaxKeyMemories> kOrder = order();

  HWY_INLINE Vec key_of(const MemoryBlock<float>& block, int i, Vec start) const {
    const D d;
    Vec sum = start;
    for (int f = 0; f < kFeatures; ++f) {
      sum = hn::MulAdd(weight_[f], hn::Set(d, block.features[f][i]), sum);
    }
    // kWhole's own bits leave at the top.
    const IntVec score = hn::ShiftLeft<kKeyIndexBits>(hn::BitCast(DI(), sum));
    return hn::BitCast(d, hn::Add(score, hn::Set(DI(), kOrder[std::size_t(i)])));
  }

  static HWY_INLINE void sort(Vec& high, Vec& low) {
    const Vec least = hn::Min(high, low);
    high = hn::Max(high, low);
    low = least;
  }

  HWY_INLINE void raise(int place, Vec key) { keys_[place] = hn::Max(keys_[place], key); }

  /// Keys that fall and then rise, put in order.
  template <int kStride>
  HWY_INLINE void merge() {
    for (int i = kPad; i + kStride < kWidth; ++i) {
      if ((i & kStride) == 0) sort(keys_[i - kPad], keys_[i + kStride - kPad]);
    }
    if constexpr (kStride > 1) merge<kStride / 2>();
  }

  Vec weight_[kFeatures];
  Vec lift_;           ///< the least score, negated: sums start there and are never negative
  Vec keys_[kPlaces];  ///< best first; 0: none
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
