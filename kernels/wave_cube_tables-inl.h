// What waves over empty cubes look up: the tables of a plane's bricks and its words, by sets of
// lanes in turn.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_CUBE_TABLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_CUBE_TABLES_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_CUBE_TABLES_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_CUBE_TABLES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/brick_table.h"
#include "kernels/wave_cube_rays-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// What waves ask the caches for before they load it. A load that the nearest caches do not have
/// keeps a processor from looking further ahead than a step or two; asking does not.
enum class Ahead { kNothing, kWords, kRecordsToo };

/// A step has three parts, each of which waits for memory that the one before asked for: find(),
/// read(), step(). Sets of lanes take turns, so that one set's waiting is another's work.
struct CubeRhythm {
  int num_sets;
  int turns;    ///< from read() to step(), at least 1 and fewer than the sets
  Ahead ahead;  ///< from find() to read(), and from there to step()
};
// What pays depends on where a grid's words and its table lie: in the caches that a core has for
// itself; the words beyond them; both. Tried with AVX2 on an EPYC (Zen 3), where asking is in the
// way of what is near, and with AVX-512 on a Xeon (Cascade Lake), where it gains nothing there.
#if HWY_TARGET <= HWY_AVX3
constexpr CubeRhythm kNear{2, 1, Ahead::kNothing}, kFar{5, 3, Ahead::kWords},
    kFarthest{5, 3, Ahead::kRecordsToo};
constexpr int kIdleLanes = 3;  ///< refilled once so many are
#else
constexpr CubeRhythm kNear{4, 1, Ahead::kNothing}, kFar{5, 2, Ahead::kWords},
    kFarthest{5, 2, Ahead::kRecordsToo};
constexpr int kIdleLanes = 2;
#endif

/// Of one plane of a grid.
class CubeTables {
  using N = Narrow;

 public:
  CubeTables(const GridView& grid, const BrickRecord* bricks)
      : bricks_(bricks),
        in_bricks_(reinterpret_cast<const std::int32_t*>(grid.words + 1)),
        num_records_(brick_table_size(grid.layout)) {
    const int y_shift = brick_table_bits(grid.layout, 0) + 1;
    y_shift_ = hn::Set(N::Ints(), y_shift);
    z_shift_ = hn::Set(N::Ints(), y_shift + brick_table_bits(grid.layout, 1));
  }

  /// Do the grid's words lie beyond the nearest caches?
  bool is_far() const { return num_records_ > kMostNearRecords; }
  /// The table, too?
  bool is_farthest() const { return num_records_ > kMostFarRecords; }

  /// Looks up the records of the regions where rays are, or asks for them.
  template <Ahead kAhead>
  HWY_INLINE void find(CubeLanes& lanes) const {
    const auto x = hn::Xor(lanes.cell[0], lanes.flip[0]);
    const auto y = hn::Xor(lanes.cell[1], lanes.flip[1]);
    const auto z = hn::Xor(lanes.cell[2], lanes.flip[2]);
    // Twice the record's index, and which half.
    const auto half_and_x =
        N::joined(one_, hn::ShiftRight<kWordBits + 1>(z), hn::ShiftRight<kBrickBits - 1>(x));
    const auto of_y = hn::Shl(hn::ShiftRight<kBrickBits>(y), y_shift_);
    const auto of_z = hn::Shl(hn::ShiftRight<kBrickBits>(z), z_shift_);
    const auto record = hn::Or3(half_and_x, of_y, of_z);
    if constexpr (kAhead == Ahead::kRecordsToo) {
      lanes.record = record;
      N::prefetch_pairs(bricks_, record);
    } else {
      load_records(record, lanes);
    }
    // child_index, twice: above its six bits lies more.
    const auto voxel_xy = N::joined(two_bits_, x, hn::ShiftLeft<2>(y));
    lanes.voxel = N::joined(four_bits_, voxel_xy, hn::ShiftLeft<4>(z));
    const auto word_xy = N::joined(two_bits_, hn::ShiftRight<2>(x), y);
    lanes.word = N::joined(four_bits_, word_xy, hn::ShiftLeft<2>(z));
    const auto halves = N::joined(one_, hn::ShiftRight<1>(z), hn::Add(lanes.word, lanes.word));
    lanes.half = hn::And(halves, of_half_);
  }

  /// Looks up the halves of words where rays are, or asks for them.
  template <Ahead kAhead>
  HWY_INLINE void read(CubeLanes& lanes) const {
    if constexpr (kAhead == Ahead::kRecordsToo) load_records(lanes.record, lanes);
    lanes.in_word = is_set(lanes.filled, lanes.word);
    if constexpr (kAhead == Ahead::kNothing) {
      load_words(lanes);
    } else {
      N::prefetch(in_bricks_, hn::Add(lanes.brick, lanes.half), lanes.in_word);
    }
  }
  HWY_INLINE void load_words(CubeLanes& lanes) const {
    lanes.voxels = N::gather_or_zero(in_bricks_, hn::Add(lanes.brick, lanes.half), lanes.in_word);
  }

  struct Seen {
    N::IntMask set;     ///< the voxel is
    N::IntVec in_cube;  ///< else, the bits of its place that lie within the cube around it
  };

  /// What is known of the voxels where rays are.
  HWY_INLINE Seen look(const CubeLanes& lanes) const {
    const N::Ints d;
    const auto of_word = hn::IfThenElseZero(half_block_is_empty(lanes.voxels, lanes.voxel), one_);
    const auto of_brick =
        hn::IfThenElse(half_block_is_empty(lanes.filled, lanes.word), block_bits_, word_bits_);
    const auto of_region = hn::And(lanes.brick, four_bits_);
    const auto outside_words =
        hn::IfThenElse(hn::Lt(lanes.brick, hn::Zero(d)), of_region, of_brick);
    const auto bits = hn::IfThenElse(lanes.in_word, of_word, outside_words);
    return {is_set(lanes.voxels, lanes.voxel), hn::Sub(hn::Shl(one_, bits), one_)};
  }

 private:
  static constexpr std::int64_t kMostNearRecords = 8192, kMostFarRecords = 65536;

  HWY_INLINE void load_records(N::IntVec records, CubeLanes& lanes) const {
    const auto [brick, filled] = N::gather_pairs(bricks_, records);
    lanes.brick = brick;
    lanes.filled = filled;
  }

  HWY_INLINE N::IntMask is_set(N::IntVec halves, N::IntVec index) const {
    return hn::TestBit(N::bits_from(halves, index), one_);
  }
  /// Is the aligned 2x2x2 block around child `index` of a word empty? It lies in one half.
  HWY_INLINE N::IntMask half_block_is_empty(N::IntVec halves, N::IntVec index) const {
    return N::none_of(N::bits_from(halves, hn::And(index, corner_)), block_);
  }

  const BrickRecord* bricks_;
  const std::int32_t* in_bricks_;  ///< words of the block by halves, behind a brick's own mask
  N::IntVec y_shift_, z_shift_;
  const N::IntVec one_ = hn::Set(N::Ints(), 1), two_bits_ = hn::Set(N::Ints(), 3),
                  four_bits_ = hn::Set(N::Ints(), 15);
  const N::IntVec of_half_ = hn::Set(N::Ints(), 127);  ///< bits of a half's place in its brick
  const N::IntVec word_bits_ = hn::Set(N::Ints(), kWordBits),
                  block_bits_ = hn::Set(N::Ints(), kWordBits + 1);
  const N::IntVec corner_ = hn::Set(N::Ints(), kHalfCorner & 31),
                  block_ = hn::Set(N::Ints(), kHalfBlock);
  const std::int64_t num_records_;
};

/// Lets sets of lanes walk until all are done. A wave has
///     Lanes                            CubeLanes, or more
///     refill(source, outcome, lanes)   gives idle lanes the next rays, if there are any
///     step(source, outcome, lanes)     moves rays that were read
template <const CubeRhythm& kRhythm, class Wave>
HWY_INLINE void walk_in_sets(const CubeTables& tables, Wave& wave, const RaySource& source,
                             CubeOutcome& outcome) {
  constexpr int kSets = kRhythm.num_sets, kFirstDue = kSets - kRhythm.turns;
  constexpr Ahead kAhead = kRhythm.ahead;
  typename Wave::Lanes sets[kSets];
  for (int k = 0; k < kSets; ++k) {
    sets[k].clear();
    wave.refill(source, outcome, sets[k]);
    tables.template find<kAhead>(sets[k]);
    if (k >= kFirstDue) tables.template read<kAhead>(sets[k]);
  }
  for (bool under_way = true; under_way;) {
    under_way = false;
    int due = kFirstDue;
    for (int k = 0; k < kSets; ++k) {
      if (sets[k].num_live != 0) tables.template read<kAhead>(sets[k]);
      if (sets[due].num_live != 0) {
        if constexpr (kAhead != Ahead::kNothing) tables.load_words(sets[due]);
        wave.step(source, outcome, sets[due]);
        tables.template find<kAhead>(sets[due]);
        under_way = true;
      }
      due = due + 1 == kSets ? 0 : due + 1;
    }
  }
}
template <class Wave>
HWY_INLINE void walk_in_sets(const CubeTables& tables, Wave& wave, const RaySource& source,
                             CubeOutcome& outcome) {
  if (tables.is_farthest()) return walk_in_sets<kFarthest>(tables, wave, source, outcome);
  if (tables.is_far()) return walk_in_sets<kFar>(tables, wave, source, outcome);
  walk_in_sets<kNear>(tables, wave, source, outcome);
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
