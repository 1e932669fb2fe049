// Dominance by vectors: many memories against one pivot, one memory against many that are left.
// Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_SKYBAND_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_SKYBAND_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_SKYBAND_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_SKYBAND_WAVE_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/blend_wave-inl.h"
#include "kernels/skyband_wave.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

using Values = hn::ScalableTag<std::int32_t>;
using ValueVec = hn::Vec<Values>;
using ValueMask = hn::Mask<Values>;
constexpr int kValueLanes = HWY_MAX_BYTES / 4;

/// The columns that a rule compares, and the sign that makes more the better.
struct ComparedFeatures {
  const std::int32_t* column[kMaxFeatures];
  std::int32_t sign[kMaxFeatures];
  std::int32_t least[kMaxFeatures];      ///< that a dominator of a lower index is better by
  std::int32_t to_exceed[kMaxFeatures];  ///< likewise, of a higher index
  int num = 0;

  ComparedFeatures(const BlendView& memories, const DominanceRule& rule, std::int64_t query) {
    const QueryMemories of(memories, query);
    for (int f = 0; f < memories.num_features; ++f) {
      if (rule.direction[f] == 0) continue;
      column[num] = of.features[f];
      least[num] = rule.least[f];
      to_exceed[num] = rule.least[f] > 0 ? rule.least[f] : 1;
      sign[num++] = rule.direction[f];
    }
  }

  std::int32_t value(int f, std::int64_t memory) const { return sign[f] * column[f][memory]; }
};

/// num + 1 in the lanes of the mask.
HWY_INLINE ValueVec count_lanes(ValueVec num, ValueMask mask) {
  const Values d;
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(mask, hn::Add(num, hn::Set(d, 1)), num);
#else
  return hn::Sub(num, hn::VecFromMask(d, mask));
#endif
}

/// Pivots against vectors of memories. A pivot dominates a memory of a higher index if no value of
/// the memory exceeds the pivot's; one of a lower index, if none exceeds the pivot's less 1. Of a
/// key, the pivot's less the gap, either way.
///
/// The first pivots drop most, and look at values of 16 bits, of the memories rounded up and of
/// themselves rounded down: what they drop, they dominate. All pivots look at the others.
template <int kFeatures>
class DropWave {
  static constexpr int kVectors = 2;            ///< of memories, that share the loads of a pivot
  static constexpr int kPivotsAtOnce = 8;       ///< between looks at whether any memory is left
  static constexpr int kFirstPivotsOfEach = 6;  ///< of the k: drop most, and few meet all others
  static constexpr int kWordsAtOnce = 8;        ///< of memories that are rounded

 public:
  DropWave(const DropDominated& op, const ComparedFeatures& compared, std::int64_t query)
      : op_(op), compared_(compared), query_(query), kept_(QueryMemories(op.memories, query).kept) {
    for (int f = 0; f < kFeatures; ++f) {
      shift_[f] = compared.least[f] > 0 ? 16 : std::max(0, op.memories.feature_bits - 14);
    }
    const std::int32_t* pivots = op.pivots + query * op.num_pivots;
    for (std::int64_t p = 0; p < op.num_pivots; ++p) {
      if (pivots[p] == kNoMemory) continue;
      memory_[num_] = pivots[p];
      for (int f = 0; f < kFeatures; ++f) {
        const std::int32_t value = compared.value(f, pivots[p]);
        at_most_[num_][f] = value - compared.least[f];
        below_[num_][f] = value - compared.to_exceed[f];
        short_at_most_[num_][f] = twice(at_most_[num_][f] >> shift_[f]);
        short_below_[num_][f] = twice(below_[num_][f] >> shift_[f]);
      }
      ++num_;
    }
    num_first_ = std::min(num_, kFirstPivotsOfEach * op.k);
  }

  void run(std::int64_t begin, std::int64_t end) {
    const std::int64_t words = words_of_bits(op_.memories.num_memories);
    std::uint64_t* out = op_.out + query_ * words;
    const std::int64_t whole = std::min(end, op_.memories.num_memories / 64);
    for (std::int64_t first = begin; first < whole; first += kWordsAtOnce) {
      const std::int64_t last = std::min(whole, first + kWordsAtOnce);
      round_up(first * 64, last * 64);
      for (std::int64_t word = first; word < last; ++word) {
        const std::uint64_t kept = kept_ == nullptr ? ~std::uint64_t{0} : kept_[word];
        out[word] = kept == 0 ? 0 : kept & left_of(word * 64, static_cast<int>(word - first) * 64);
      }
    }
    meet_all(begin, whole, out);
    for (std::int64_t word = std::max(begin, whole); word < end; ++word) op_(query_ * words + word);
  }

 private:
  using Shorts = hn::ScalableTag<std::int16_t>;
  using FewShorts = hn::Rebind<std::int16_t, Values>;
  using ShortVec = hn::Vec<Shorts>;
  static constexpr int kShortLanes = HWY_MAX_BYTES / 2;

  /// A value of 16 bits in both halves.
  static std::int32_t twice(std::int32_t value) {
    const auto half = static_cast<std::uint16_t>(value);
    return static_cast<std::int32_t>(std::uint32_t{half} << 16 | half);
  }

  void round_up(std::int64_t begin, std::int64_t end) {
    const Values d;
    const FewShorts ds;
    for (int f = 0; f < kFeatures; ++f) {
      const ValueVec sign = hn::Set(d, compared_.sign[f]);
      const ValueVec up = hn::Set(d, (std::int32_t{1} << shift_[f]) - 1);
      for (std::int64_t m = begin; m < end; m += kValueLanes) {
        const ValueVec value = hn::Mul(hn::LoadU(d, compared_.column[f] + m), sign);
        const ValueVec rounded = hn::ShiftRightSame(hn::Add(value, up), shift_[f]);
        hn::StoreU(hn::DemoteTo(ds, rounded), ds, rounded_[f] + (m - begin));
      }
    }
  }

  /// Of 64 memories, rounded from `at` on, those that the first pivots leave.
  std::uint64_t left_of(std::int64_t begin, int at) const {
    std::uint64_t left = 0;
    for (int i = 0; i < 64; i += kVectors * kShortLanes) {
      left |= left_of_vectors(begin, at + i) << i;
    }
    return left;
  }

  HWY_INLINE std::uint64_t left_of_vectors(std::int64_t word_begin, int at) const {
    const Shorts d;
    ShortVec value[kVectors][kFeatures], num[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      num[v] = hn::Zero(d);
      for (int f = 0; f < kFeatures; ++f) {
        value[v][f] = hn::LoadU(d, rounded_[f] + at + v * kShortLanes);
      }
    }
    const ShortVec k = hn::Set(d, static_cast<std::int16_t>(op_.k));
    for (int p = 0; p < num_first_; ++p) {
      const std::int32_t* bound = memory_[p] < word_begin ? short_at_most_[p] : short_below_[p];
      hn::Mask<Shorts> exceeds[kVectors];
      for (int f = 0; f < kFeatures; ++f) {
        const ShortVec most = hn::BitCast(d, hn::Set(Values(), bound[f]));
        for (int v = 0; v < kVectors; ++v) {
          const auto more = hn::Gt(value[v][f], most);
          exceeds[v] = f == 0 ? more : hn::Or(exceeds[v], more);
        }
      }
      for (int v = 0; v < kVectors; ++v) num[v] = hn::Add(num[v], one_where_not(exceeds[v]));
      if (p % kPivotsAtOnce < kPivotsAtOnce - 1) continue;
      if (hn::AllFalse(d, hn::Lt(hn::Min(num[0], num[1]), k))) return 0;
    }
    std::uint64_t left = 0;
    for (int v = 0; v < kVectors; ++v) {
      left |= bits<Shorts>(hn::Lt(num[v], k)) << (v * kShortLanes);
    }
    return left;
  }

  static HWY_INLINE ShortVec one_where_not(hn::Mask<Shorts> mask) {
    const Shorts d;
    return hn::IfThenZeroElse(mask, hn::Set(d, std::int16_t{1}));
  }

  HWY_INLINE ValueMask fewer_than_k(ValueVec num) const {
    return hn::Lt(num, hn::Set(Values(), op_.k));
  }

  template <class Tag>
  static HWY_INLINE std::uint64_t bits(hn::Mask<Tag> mask) {
    alignas(64) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Tag(), mask, bytes);
    std::uint64_t value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }

  static HWY_INLINE ValueMask within(const ValueVec* value, const std::int32_t* bound) {
    const Values d;
    ValueMask exceeds = hn::Gt(value[0], hn::Set(d, bound[0]));
    for (int f = 1; f < kFeatures; ++f) {
      exceeds = hn::Or(exceeds, hn::Gt(value[f], hn::Set(d, bound[f])));
    }
    return hn::Not(exceeds);
  }

  /// By pivot p, of memories that may have lower and higher indices.
  HWY_INLINE ValueMask dominated(const ValueVec* value, ValueVec index, int p) const {
    const Values d;
    const ValueMask is_after = hn::Gt(index, hn::Set(d, memory_[p]));
    return hn::Or(within(value, below_[p]), hn::And(is_after, within(value, at_most_[p])));
  }

  /// Drops those of the words that all pivots together drop.
  void meet_all(std::int64_t begin, std::int64_t end, std::uint64_t* out) const {
    alignas(64) std::int32_t memory[kValueLanes];
    int num = 0;
    for (std::int64_t word = begin; word < end; ++word) {
      for (std::uint64_t rest = out[word]; rest != 0; rest &= rest - 1) {
        memory[num++] = static_cast<std::int32_t>(
            word * 64 + static_cast<std::int64_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(rest)));
        if (num < kValueLanes) continue;
        drop_listed(memory, num, out);
        num = 0;
      }
    }
    if (num == 0) return;
    for (int i = num; i < kValueLanes; ++i) memory[i] = memory[num - 1];
    drop_listed(memory, num, out);
  }

  HWY_INLINE void drop_listed(const std::int32_t* memory, int listed, std::uint64_t* out) const {
    const Values d;
    const ValueVec index = hn::Load(d, memory);
    ValueVec value[kFeatures], num = hn::Zero(d);
    for (int f = 0; f < kFeatures; ++f) {
      value[f] =
          hn::Mul(hn::GatherIndex(d, compared_.column[f], index), hn::Set(d, compared_.sign[f]));
    }
    for (int p = 0; p < num_; ++p) {
      const std::int32_t first = memory[0], last = memory[kValueLanes - 1];
      num = count_lanes(num, memory_[p] < first   ? within(value, at_most_[p])
                             : memory_[p] >= last ? within(value, below_[p])
                                                  : dominated(value, index, p));
      if (p % kPivotsAtOnce == kPivotsAtOnce - 1 && hn::AllFalse(d, fewer_than_k(num))) break;
    }
    const std::uint64_t left = bits<Values>(fewer_than_k(num));
    for (int i = 0; i < listed; ++i) {
      if ((left >> i & 1) == 0) out[memory[i] / 64] &= ~(std::uint64_t{1} << memory[i] % 64);
    }
  }

  const DropDominated& op_;
  const ComparedFeatures& compared_;
  const std::int64_t query_;
  const std::uint64_t* const kept_;
  int num_ = 0, num_first_ = 0;
  std::int32_t memory_[kMaxPivots];
  std::int32_t at_most_[kMaxPivots][kFeatures], below_[kMaxPivots][kFeatures];
  int shift_[kFeatures];
  std::int32_t short_at_most_[kMaxPivots][kFeatures], short_below_[kMaxPivots][kFeatures];
  alignas(64) std::int16_t rounded_[kFeatures][kWordsAtOnce * 64];
};

/// The members left so far are columns in the scratch, less what a dominator is better by, filled
/// up to whole vectors with values that dominate nothing.
template <int kFeatures>
class ThinWave {
 public:
  ThinWave(const ThinBands& op, const ComparedFeatures& compared, std::int64_t query)
      : op_(op),
        compared_(compared),
        query_(query),
        members_(op.bands.members + op.bands.first[query]),
        num_(op.bands.first[query + 1] - op.bands.first[query]),
        room_(num_ + 64),
        left_(op.scratch +
              band_scratch_values(op.bands.first[query], query, op.memories.num_features)) {}

  void run() {
    op_.sort_by_strength(query_);
    std::int64_t tests = 0;
    for (std::int64_t i = 0; i < num_; ++i) {
      const std::int32_t memory = members_[i].memory;
      const bool is_tested = (tests += num_left_) <= op_.most_tests;
      if (is_tested && num_dominators(memory) >= op_.k) continue;
      append(memory);
      members_[num_left_ - 1] = members_[i];
    }
    op_.finish(query_, num_left_);
  }

 private:
  std::int32_t* column(int f) const { return left_ + f * room_; }

  void append(std::int32_t memory) {
    const std::int64_t at = num_left_++;
    for (int f = 0; f < kFeatures; ++f) {
      if (at % kValueLanes == 0) {
        const Values d;
        hn::StoreU(hn::Set(d, std::numeric_limits<std::int32_t>::min()), d, column(f) + at);
      }
      column(f)[at] = compared_.value(f, memory) - compared_.least[f];
    }
    column(kFeatures)[at] = memory;
  }

  /// Of a memory, or k if there are more.
  int num_dominators(std::int32_t memory) const {
    const Values d;
    const ValueVec index = hn::Set(d, memory);
    ValueVec value[kFeatures];
    for (int f = 0; f < kFeatures; ++f) value[f] = hn::Set(d, compared_.value(f, memory));
    int num = 0;
    for (std::int64_t at = 0; at < num_left_; at += kValueLanes) {
      ValueMask is_below = hn::Gt(value[0], hn::LoadU(d, column(0) + at));
      for (int f = 1; f < kFeatures; ++f) {
        is_below = hn::Or(is_below, hn::Gt(value[f], hn::LoadU(d, column(f) + at)));
      }
      if (HWY_LIKELY(hn::AllTrue(d, is_below))) continue;
      ValueMask wins = exceeds(value[0], 0, at);
      for (int f = 1; f < kFeatures; ++f) wins = hn::And(wins, exceeds(value[f], f, at));
      wins = hn::Or(wins, hn::Gt(index, hn::LoadU(d, column(kFeatures) + at)));
      num += static_cast<int>(hn::CountTrue(d, hn::AndNot(is_below, wins)));
      if (num >= op_.k) return op_.k;
    }
    return num;
  }

  /// Members of which a feature exceeds a value; of a key, those that are better by the gap.
  HWY_INLINE ValueMask exceeds(ValueVec value, int f, std::int64_t at) const {
    const Values d;
    const ValueVec less = hn::Set(d, compared_.least[f] + 1 - compared_.to_exceed[f]);
    return hn::Gt(hn::LoadU(d, column(f) + at), hn::Sub(value, less));
  }

  const ThinBands& op_;
  const ComparedFeatures& compared_;
  const std::int64_t query_;
  BandMember* const members_;
  const std::int64_t num_, room_;
  std::int32_t* const left_;
  std::int64_t num_left_ = 0;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
