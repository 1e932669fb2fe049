// Memories in blocks, made and searched. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_MEMORY_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_MEMORY_BLOCKS_INL_H_
#undef SIGHTLINE_KERNELS_MEMORY_BLOCKS_INL_H_
#else
#define SIGHTLINE_KERNELS_MEMORY_BLOCKS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/blend.h"
#include "kernels/memory_blocks.h"
#include "kernels/with_features-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Puts the memories of a query in cells, and these into blocks.
template <class Number, int kFeatures>
class BlockMaker {
 public:
  BlockMaker(const BlockCall& call, std::int64_t query, MemoryBlocks* blocks)
      : call_(call),
        of_(call.memories, query),
        num_memories_(call.memories.num_memories),
        blocks_(*blocks) {}

  void run() {
    divide_features();
    assign_cells();
    find_places();
    fill_blocks();
    bound_blocks();
    bound_groups();
  }

 private:
  /// Halves all cells along the feature along which scores differ most within one, until there is
  /// about one for each block.
  void divide_features() {
    double reach[kFeatures];
    for (int f = 0; f < kFeatures; ++f) {
      const std::int32_t* const values = of_.features[f];
      std::int32_t low = values[0], high = values[0];
      for (std::int64_t m = 1; m < num_memories_; ++m) {
        low = values[m] < low ? values[m] : low;
        high = values[m] > high ? values[m] : high;
      }
      least_[f] = static_cast<float>(low);
      range_[f] = static_cast<double>(high) - static_cast<double>(low);
      reach[f] = range_[f] * call_.mean_weight[f];
      num_along_[f] = 1;
    }
    for (int bits = 0; bits < kMostCellBits; ++bits) {
      if (std::int64_t{kBlockMemories} << bits >= num_memories_) break;
      const auto widest = std::max_element(reach, reach + kFeatures) - reach;
      reach[widest] /= 2;
      num_along_[widest] *= 2;
    }
  }

  /// Feature by feature: loops that the compiler makes vectors of.
  void assign_cells() {
    std::int32_t* const cells = blocks_.places;
    std::fill_n(cells, num_memories_, 0);
    for (int f = 0; f < kFeatures; ++f) {
      if (num_along_[f] == 1) continue;
      const std::int32_t* const values = of_.features[f];
      const std::int32_t num_along = num_along_[f], last = num_along - 1;
      const float least = least_[f];
      const auto per_unit = static_cast<float>(num_along / (range_[f] + 1));
      for (std::int64_t m = 0; m < num_memories_; ++m) {
        const auto along =
            static_cast<std::int32_t>((static_cast<float>(values[m]) - least) * per_unit);
        cells[m] = cells[m] * num_along + (along < last ? along : last);
      }
    }
  }

  /// Leaves in places where each memory goes. first[c + 1] counts those of cell c, then says where
  /// they end.
  void find_places() {
    std::int32_t num_cells = 1;
    for (int f = 0; f < kFeatures; ++f) num_cells *= num_along_[f];
    std::int32_t* const first = blocks_.first;
    std::fill_n(first, num_cells + 1, 0);
    for_each_kept([&](std::int64_t m) { ++first[blocks_.places[m] + 1]; });
    for (std::int32_t c = 0; c < num_cells; ++c) first[c + 1] += first[c];
    blocks_.num_kept = first[num_cells];
    for_each_kept([&](std::int64_t m) {
      const std::int32_t place = first[blocks_.places[m]]++;
      blocks_.places[m] = place;
      blocks_.memory[place] = static_cast<std::int32_t>(m);
    });
  }

  /// Feature by feature: what is open for writing then fits into the L2 cache.
  void fill_blocks() {
    for (int f = 0; f < kFeatures; ++f) {
      const std::int32_t* const values = of_.features[f];
      for_each_kept([&](std::int64_t m) {
        *feature_at(blocks_.places[m], f) = static_cast<Number>(values[m]);
      });
      for (std::int32_t place = blocks_.num_kept; place % kBlockMemories != 0; ++place) {
        *feature_at(place, f) = *feature_at(place - 1, f);
      }
    }
  }

  void bound_blocks() {
    const std::int32_t num = num_nodes(blocks_.num_kept, kBlockMemories);
    for (std::int32_t block = 0; block < num; ++block) {
      for (int f = 0; f < kFeatures; ++f) {
        const Number* const from = feature_at(block * kBlockMemories, f);
        bound(0, block, f, from, from, kBlockMemories);
      }
    }
    repeat_last(0, num);
  }

  void bound_groups() {
    const std::int32_t num = num_nodes(num_nodes(blocks_.num_kept, kBlockMemories), kChildren);
    for (std::int32_t group = 0; group < num; ++group) {
      for (int f = 0; f < kFeatures; ++f) {
        const Number* const of_blocks = bounds_at(0, group * kChildren, f);
        bound(1, group, f, of_blocks, of_blocks + kChildren, kChildren);
      }
    }
    repeat_last(1, num);
  }

  void bound(int level, std::int32_t child, int f, const Number* lows, const Number* highs,
             int num) {
    const hn::ScalableTag<Number> d;
    auto low = hn::Load(d, lows), high = hn::Load(d, highs);
    for (int i = static_cast<int>(hn::Lanes(d)); i < num; i += static_cast<int>(hn::Lanes(d))) {
      low = hn::Min(low, hn::Load(d, lows + i));
      high = hn::Max(high, hn::Load(d, highs + i));
    }
    Number* const out = bounds_at(level, child, f);
    out[0] = hn::GetLane(hn::MinOfLanes(d, low));
    out[kChildren] = hn::GetLane(hn::MaxOfLanes(d, high));
  }

  /// Fills up the last node's children.
  void repeat_last(int level, std::int32_t num) {
    for (std::int32_t child = num; child % kChildren != 0; ++child) {
      for (int f = 0; f < kFeatures; ++f) {
        Number* const out = bounds_at(level, child, f);
        out[0] = out[-1];
        out[kChildren] = out[kChildren - 1];
      }
    }
  }

  Number* feature_at(std::int32_t place, int f) const {
    const auto block = static_cast<std::int64_t>(place) / kBlockMemories;
    return static_cast<Number*>(blocks_.features) + (block * kFeatures + f) * kBlockMemories +
           place % kBlockMemories;
  }

  Number* bounds_at(int level, std::int32_t child, int f) const {
    return static_cast<Number*>(blocks_.bounds[level]) +
           (std::int64_t{child / kChildren} * kFeatures + f) * 2 * kChildren + child % kChildren;
  }

  /// Calls take(memory), ascending.
  template <class Take>
  HWY_INLINE void for_each_kept(const Take& take) const {
    if (of_.kept == nullptr) {
      for (std::int64_t m = 0; m < num_memories_; ++m) take(m);
      return;
    }
    for (std::int64_t w = 0; w < words_of_bits(num_memories_); ++w) {
      for (std::uint64_t rest = of_.kept[w]; rest != 0; rest &= rest - 1) {
        take(w * 64 + static_cast<std::int64_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(rest)));
      }
    }
  }

  const BlockCall& call_;
  const QueryMemories of_;
  const std::int64_t num_memories_;
  MemoryBlocks& blocks_;
  float least_[kFeatures];
  double range_[kFeatures];
  std::int32_t num_along_[kFeatures];  ///< cells
};

/// Lists of one mix after another.
template <class Number, int kFeatures>
class BlockSearch {
  using Numbers = hn::ScalableTag<Number>;
  using Vec = hn::Vec<Numbers>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(Numbers()));
  static_assert(kChildren % kLanes == 0 && kBlockMemories % kLanes == 0, "whole vectors");

 public:
  BlockSearch(const BlockCall& call, const MemoryBlocks& blocks)
      : call_(call),
        blocks_(blocks),
        num_blocks_(num_nodes(blocks.num_kept, kBlockMemories)),
        num_groups_(num_nodes(num_blocks_, kChildren)) {}

  void run(std::int64_t query, std::int64_t first, std::int64_t end) {
    const MixTreeView& mixes = call_.mixes;
    for (std::int64_t mix = first; mix < end; ++mix) {
      take_weights(mixes.weights + mix * kFeatures);
      pass_ = sure_pass();
      num_listed_ = 0;
      search();
      store(call_.out + (query * mixes.num_mixes + mixes.places[mix]) * call_.k);
    }
  }

 private:
  struct Entry {
    Number score;
    std::int32_t memory, place;  ///< in blocks

    bool comes_before(const Entry& other) const {
      return score != other.score ? score > other.score : memory < other.memory;
    }
  };

  void take_weights(const std::int32_t* weights) {
    for (int f = 0; f < kFeatures; ++f) {
      weight_[f] = static_cast<Number>(weights[f]);
      bound_[f] = f * 2 * kChildren + (weights[f] > 0 ? kChildren : 0);
      column_[f] = f * kBlockMemories;
    }
  }

  /// k memories score as much or more: those of the list before.
  Number sure_pass() const {
    Number least = std::numeric_limits<Number>::max();
    if (num_listed_ < call_.k) return -least;
    for (int i = 0; i < num_listed_; ++i) {
      const std::int32_t place = list_[i].place;
      const Number* const features = features_of(place / kBlockMemories) + place % kBlockMemories;
      Number score = 0;
      for (int f = 0; f < kFeatures; ++f) score += weight_[f] * features[column_[f]];
      least = std::min(least, score);
    }
    return least;
  }

  void search() {
    Number sums[kChildren];
    for (std::int32_t i = 0; i < num_groups_; i += kChildren) {
      const auto* const of_groups = bounds_of(1, i / kChildren);
      for_each_bit(passing<kChildren>(of_groups, bound_, sums), num_groups_ - i, [&](int group) {
        const auto* const of_blocks = bounds_of(0, i + group);
        const std::int32_t first = (i + group) * kChildren;
        for_each_bit(passing<kChildren>(of_blocks, bound_, sums), num_blocks_ - first,
                     [&](int block) { search_block(first + block); });
      });
    }
  }

  void search_block(std::int32_t block) {
    Number sums[kBlockMemories];
    const std::int32_t first = block * kBlockMemories;
    for_each_bit(passing<kBlockMemories>(features_of(block), column_, sums),
                 blocks_.num_kept - first, [&](int i) {
                   offer({sums[i], blocks_.memory[first + i], first + i});
                 });
  }

  /// Of kNum columns side by side, those whose sums are not below what is to be passed, as bits;
  /// and the sums if there are any.
  template <int kNum>
  HWY_INLINE std::uint64_t passing(const Number* from, const int (&rows)[kFeatures],
                                   Number* sums) const {
    const Numbers d;
    const Vec pass = hn::Set(d, pass_);
    Vec sum[kNum / kLanes];
    std::uint64_t bits = 0;
    for (int v = 0; v < kNum / kLanes; ++v) {
      sum[v] = hn::Mul(hn::Set(d, weight_[0]), hn::Load(d, from + rows[0] + v * kLanes));
      for (int f = 1; f < kFeatures; ++f) {
        const Vec column = hn::Load(d, from + rows[f] + v * kLanes);
        sum[v] = hn::MulAdd(hn::Set(d, weight_[f]), column, sum[v]);
      }
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Ge(sum[v], pass), bytes);
      std::uint64_t some;
      std::memcpy(&some, bytes, sizeof(some));
      bits |= some << (v * kLanes);
    }
    if (HWY_LIKELY(bits == 0)) return 0;
    for (int v = 0; v < kNum / kLanes; ++v) hn::StoreU(sum[v], d, sums + v * kLanes);
    return bits;
  }

  /// Of those below num.
  template <class Take>
  static HWY_INLINE void for_each_bit(std::uint64_t bits, std::int32_t num, const Take& take) {
    for (; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
      if (bit >= num) return;
      take(bit);
    }
  }

  void offer(const Entry& entry) {
    const bool is_full = num_listed_ == call_.k;
    if (is_full && !entry.comes_before(list_[call_.k - 1])) return;
    int place = is_full ? call_.k - 1 : num_listed_++;
    for (; place > 0 && entry.comes_before(list_[place - 1]); --place) {
      list_[place] = list_[place - 1];
    }
    list_[place] = entry;
    if (num_listed_ == call_.k) pass_ = std::max(pass_, list_[call_.k - 1].score);
  }

  void store(Scored* out) const {
    for (int i = 0; i < call_.k; ++i) {
      out[i] = i < num_listed_
                   ? Scored{static_cast<std::int64_t>(list_[i].score), list_[i].memory, 0}
                   : Scored();
    }
  }

  const Number* features_of(std::int32_t block) const {
    return static_cast<const Number*>(blocks_.features) +
           std::int64_t{block} * kFeatures * kBlockMemories;
  }

  const Number* bounds_of(int level, std::int32_t node) const {
    return static_cast<const Number*>(blocks_.bounds[level]) +
           std::int64_t{node} * kFeatures * 2 * kChildren;
  }

  const BlockCall& call_;
  const MemoryBlocks& blocks_;
  const std::int32_t num_blocks_, num_groups_;
  Number weight_[kFeatures];
  int bound_[kFeatures];   ///< where a feature's bounds of the weight's sign begin
  int column_[kFeatures];  ///< where a feature's values begin
  Number pass_ = 0;        ///< what scores less is in no list
  int num_listed_ = 0;
  Entry list_[kMaxTop];
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggle
