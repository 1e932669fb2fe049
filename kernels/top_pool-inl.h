// The k best so far of one mix, and the memories that have passed the scan since. Compiled once per
// instruction set.
//
// Nearly every branch on a score would be guessed wrongly, so there is none: memories that pass are
// packed side by side, and each finds its place by counting those before it.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_TOP_POOL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_TOP_POOL_INL_H_
#undef SIGHTLINE_KERNELS_TOP_POOL_INL_H_
#else
#define SIGHTLINE_KERNELS_TOP_POOL_INL_H_
#endif

#include <limits>

#include "kernels/blend_wave-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number>
using SignedOf = hn::RebindToSigned<NumbersOf<Number>>;

HWY_INLINE hn::Vec<SignedOf<float>> to_signed(IntVecOf<float> v) { return v; }
HWY_INLINE hn::Vec<SignedOf<double>> to_signed(IntVecOf<double> v) {
  return hn::PromoteTo(SignedOf<double>(), v);
}

/// Bit k: lane k.
template <class Number>
HWY_INLINE std::uint32_t lanes_in(hn::Mask<NumbersOf<Number>> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(NumbersOf<Number>(), mask, bytes);
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8;
}

/// Memories by keys that are all different: the score, then who was there first.
template <class Number>
class TopPool {
  using Vec = VecOf<Number>;
  using Mask = hn::Mask<NumbersOf<Number>>;
  using Key = hwy::MakeSigned<Number>;  ///< holds an exact score and a place in the pool
  static constexpr int kLanes = lanes_of<Number>();
  static constexpr int kPlaceBits = 6;
  static constexpr int kRoom = 1 << kPlaceBits;
  static constexpr Key kLastPlace = kRoom - 1;
  static constexpr Key kLowest = std::numeric_limits<Key>::min();  ///< below any key

 public:
  static constexpr int kMaxTop = kLanes;  ///< k at most

  TopPool() {
    for (int lane = 0; lane < kLanes; ++lane) from_last_[lane] = kLastPlace - Key{lane};
  }

  void clear() { num_ = num_best_ = 0; }

  void load(const Scored* list, int k) {
    for (num_ = 0; num_ < k && list[num_].memory != kNoMemory; ++num_) {
      key_[num_] = key_of(static_cast<Key>(list[num_].score), num_);
      memory_[num_] = list[num_].memory;
    }
    num_best_ = num_;
  }

  /// Adds the memories that pass, in ascending order of index.
  HWY_INLINE void add(Vec score, const std::int32_t* memory, Mask passes) {
    const SignedOf<Number> d;
    const auto index = to_signed(hn::Load(IntsOf<Number>(), memory));
    const auto passed = hn::ConvertTo(d, hn::Compress(score, passes));
    const auto place = hn::Sub(hn::Load(d, from_last_), hn::Set(d, static_cast<Key>(num_)));
    hn::StoreU(hn::Add(hn::ShiftLeft<kPlaceBits>(passed), place), d, key_ + num_);
    hn::StoreU(hn::Compress(index, hn::RebindMask(d, passes)), d, memory_ + num_);
    num_ += static_cast<int>(hn::CountTrue(NumbersOf<Number>(), passes));
  }

  /// Is there no room for another add()?
  bool is_full() const { return num_ > kRoom - kLanes; }
  bool has_new() const { return num_ > num_best_; }

  /// Keeps the k best, best first, and returns the score that others must exceed: at least `worst`.
  HWY_INLINE Number select(int k, Number worst) {
    const SignedOf<Number> d;
    hn::StoreU(hn::Set(d, kLowest), d, key_ + num_);
    alignas(64) Key best[kLanes + 1];
    alignas(64) Key memory[kLanes + 1];
    if (num_ <= kLanes) {
      pick_few(k, best, memory);
    } else {
      pick_many(k, best, memory);
    }
    num_best_ = num_ = num_ < k ? num_ : k;
    hn::Store(hn::Load(d, best), d, key_);
    hn::Store(hn::Load(d, memory), d, memory_);
    const auto last = static_cast<Number>(key_[k - 1] >> kPlaceBits);
    return num_ == k && last > worst ? last : worst;
  }

  void store(Scored* list) const {
    for (int i = 0; i < num_best_; ++i) {
      list[i] = {std::int64_t{key_[i] >> kPlaceBits}, static_cast<std::int32_t>(memory_[i]), 0};
    }
  }

 private:
  static Key key_of(Key score, int place) {
    return score * kRoom + (kLastPlace - static_cast<Key>(place));
  }

  HWY_INLINE void put(int i, int place, Key* best, Key* memory) const {
    best[place] = (key_[i] | kLastPlace) - static_cast<Key>(place);
    memory[place] = memory_[i];
  }

  /// Of no more than a vector: all count those before them at once, and the first k are put.
  HWY_INLINE void pick_few(int k, Key* best, Key* memory) const {
    const SignedOf<Number> d;
    const auto keys = hn::Load(d, key_);
    const auto one = hn::Set(d, 1);
    auto before = hn::Zero(d);
    for (int i = 0; i < kLanes; ++i) {
      const auto later = hn::Gt(hn::Set(d, key_[i]), keys);
      before = hn::Add(before, hn::IfThenElseZero(later, one));
    }
    alignas(64) Key place[kLanes];
    hn::Store(before, d, place);
    const auto first = hn::Lt(before, hn::Set(d, static_cast<Key>(k)));
    std::uint32_t lanes = lanes_in<Number>(hn::RebindMask(NumbersOf<Number>(), first));
    for (lanes &= (1u << num_) - 1; lanes != 0; lanes &= lanes - 1) {
      const int i = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(lanes));
      put(i, static_cast<int>(place[i]), best, memory);
    }
  }

  void pick_many(int k, Key* best, Key* memory) const {
    const SignedOf<Number> d;
    for (int i = 0; i < num_; ++i) {
      const auto own = hn::Set(d, key_[i]);
      std::size_t before = 0;
      for (int at = 0; at < num_; at += kLanes) {
        before += hn::CountTrue(d, hn::Gt(hn::Load(d, key_ + at), own));
      }
      put(i, before < std::size_t(k) ? static_cast<int>(before) : k, best, memory);
    }
  }

  alignas(64) Key key_[kRoom + kLanes];
  alignas(64) Key memory_[kRoom + kLanes];
  alignas(64) Key from_last_[kLanes];  ///< kLastPlace, kLastPlace - 1, ...
  int num_ = 0;                        ///< those in the list included
  int num_best_ = 0;                   ///< the list: the first so many
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
