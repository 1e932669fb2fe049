// What waves over empty cubes look up: the tables of a plane's bricks and its words, by groups of
// sets of lanes.

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

/// Sets of lanes that step together, each part of a step for all of them before the next. A part
/// waits for what it computes, time and again; the others' are what a processor does meanwhile, if
/// they stand near enough for it to look ahead so far. More sets need more registers. Chosen on an
/// EPYC (Zen 4).
#if HWY_TARGET <= HWY_AVX3
constexpr int kGroup = 3;
constexpr int kIdleLanes = 4;  ///< refilled once so many are
#else
constexpr int kGroup = 4;
constexpr int kIdleLanes = 2;
#endif

/// What waves ask the caches for before they load it. A load that the nearest caches do not have
/// keeps a processor from looking further ahead; asking does not. What pays depends on where a
/// grid's words and its table lie: in the caches that a core has for itself; the words beyond them;
/// both.
enum class Ahead { kNothing, kWords, kRecordsToo };

/// What is looked up where rays are.
struct CubeProbe {
  using N = Narrow;

  N::IntVec record;         ///< where it is asked for ahead: twice its index, and which half
  N::IntVec brick, filled;  ///< of the records where the rays are
  N::IntVec word, voxel;    ///< which word of the brick they are in, and which voxel of the word
  N::IntVec half, voxels;   ///< which half of a word of the brick, and that half
  N::IntMask in_word;       ///< the word has voxels
};

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
  HWY_INLINE void find(const CubeLanes& lanes, CubeProbe& probe) const {
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
      probe.record = record;
      N::prefetch_pairs(bricks_, record);
    } else {
      load_records(record, probe);
    }
    // child_index, twice: above its six bits lies more.
    const auto voxel_xy = N::joined(two_bits_, x, hn::ShiftLeft<2>(y));
    probe.voxel = N::joined(four_bits_, voxel_xy, hn::ShiftLeft<4>(z));
    const auto word_xy = N::joined(two_bits_, hn::ShiftRight<2>(x), y);
    probe.word = N::joined(four_bits_, word_xy, hn::ShiftLeft<2>(z));
    const auto halves = N::joined(one_, hn::ShiftRight<1>(z), hn::Add(probe.word, probe.word));
    probe.half = hn::And(halves, of_half_);
  }

  /// Looks up the halves of words where rays are, or asks for them.
  template <Ahead kAhead>
  HWY_INLINE void read(CubeProbe& probe) const {
    if constexpr (kAhead == Ahead::kRecordsToo) load_records(probe.record, probe);
    probe.in_word = is_set(probe.filled, probe.word);
    if constexpr (kAhead == Ahead::kNothing) {
      load_words(probe);
    } else {
      N::prefetch(in_bricks_, hn::Add(probe.brick, probe.half), probe.in_word);
    }
  }
  HWY_INLINE void load_words(CubeProbe& probe) const {
    probe.voxels = N::gather_or_zero(in_bricks_, hn::Add(probe.brick, probe.half), probe.in_word);
  }

  struct Seen {
    N::IntMask set;     ///< the voxel is
    N::IntVec in_cube;  ///< else, the bits of its place that lie within the cube around it
  };

  /// What is known of the voxels where rays are.
  HWY_INLINE Seen look(const CubeProbe& probe) const {
    const N::Ints d;
    const auto of_word = hn::IfThenElseZero(half_block_is_empty(probe.voxels, probe.voxel), one_);
    const auto of_brick =
        hn::IfThenElse(half_block_is_empty(probe.filled, probe.word), block_bits_, word_bits_);
    const auto of_region = hn::And(probe.brick, four_bits_);
    const auto outside_words =
        hn::IfThenElse(hn::Lt(probe.brick, hn::Zero(d)), of_region, of_brick);
    const auto bits = hn::IfThenElse(probe.in_word, of_word, outside_words);
    return {is_set(probe.voxels, probe.voxel), hn::Sub(hn::Shl(one_, bits), one_)};
  }

 private:
  static constexpr std::int64_t kMostNearRecords = 8192, kMostFarRecords = 65536;

  HWY_INLINE void load_records(N::IntVec records, CubeProbe& probe) const {
    const auto [brick, filled] = N::gather_pairs(bricks_, records);
    probe.brick = brick;
    probe.filled = filled;
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

/// Of the lanes of a group and what is looked up for them, set by set.
template <class Lanes>
bool any_live(const Lanes (&group)[kGroup]) {
  int num_live = 0;
  for (const Lanes& lanes : group) num_live += lanes.num_live;
  return num_live != 0;
}
template <Ahead kAhead, class Lanes>
HWY_INLINE void find(const CubeTables& tables, const Lanes (&group)[kGroup],
                     CubeProbe (&probes)[kGroup]) {
  for (int k = 0; k < kGroup; ++k) tables.find<kAhead>(group[k], probes[k]);
}
template <Ahead kAhead>
HWY_INLINE void read(const CubeTables& tables, CubeProbe (&probes)[kGroup]) {
  for (CubeProbe& probe : probes) tables.read<kAhead>(probe);
}
template <class Wave>
HWY_INLINE void begin(Wave& wave, const RaySource& source, CubeOutcome& outcome,
                      typename Wave::Lanes (&group)[kGroup]) {
  for (auto& lanes : group) {
    lanes.clear();
    wave.refill(source, outcome, lanes);
  }
}

/// One group, whose memory is near.
template <class Wave>
HWY_INLINE void walk_near(const CubeTables& tables, Wave& wave, const RaySource& source,
                          CubeOutcome& outcome) {
  typename Wave::Lanes group[kGroup];
  begin(wave, source, outcome, group);
  while (any_live(group)) {
    CubeProbe probes[kGroup];  // anew in every step, so that much of it never leaves registers
    find<Ahead::kNothing>(tables, group, probes);
    read<Ahead::kNothing>(tables, probes);
    wave.step(source, outcome, group, probes);
  }
}

/// Two groups in turn: a part of a step waits for memory that the one before asked for, and one
/// group's waiting is the other's work.
template <Ahead kAhead, class Wave>
HWY_INLINE void walk_far(const CubeTables& tables, Wave& wave, const RaySource& source,
                         CubeOutcome& outcome) {
  typename Wave::Lanes groups[2][kGroup];
  CubeProbe probes[2][kGroup];
  for (int g = 0; g < 2; ++g) {
    begin(wave, source, outcome, groups[g]);
    find<kAhead>(tables, groups[g], probes[g]);
  }
  read<kAhead>(tables, probes[1]);
  for (bool under_way = true; under_way;) {
    under_way = false;
    for (int g = 0; g < 2; ++g) {
      const int due = 1 - g;
      if (any_live(groups[g])) read<kAhead>(tables, probes[g]);
      if (!any_live(groups[due])) continue;
      for (CubeProbe& probe : probes[due]) tables.load_words(probe);
      wave.step(source, outcome, groups[due], probes[due]);
      find<kAhead>(tables, groups[due], probes[due]);
      under_way = true;
    }
  }
}

/// Lets lanes walk until all are done. A wave has
///     Lanes                                    CubeLanes, or more
///     refill(source, outcome, lanes)           gives idle lanes the next rays, if there are any
///     step(source, outcome, group, probes)     moves rays whose words were read
template <class Wave>
HWY_INLINE void walk_in_groups(const CubeTables& tables, Wave& wave, const RaySource& source,
                               CubeOutcome& outcome) {
  if (tables.is_farthest()) return walk_far<Ahead::kRecordsToo>(tables, wave, source, outcome);
  if (tables.is_far()) return walk_far<Ahead::kWords>(tables, wave, source, outcome);
  walk_near(tables, wave, source, outcome);
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
