// Samples of several marching rays, each in a word of its own.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_SAMPLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_SAMPLES_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_SAMPLES_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_SAMPLES_INL_H_
#endif

#include "kernels/march.h"
#include "kernels/wave-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// The lowest voxel of words, per axis; see corner_of_word.
HWY_INLINE void corners_of_words(const GridLayout& layout, WordVec place, DoubleVec corner[3]) {
  const Words w;
  const WordVec root = hn::ShiftRight<kPlaceRootShift - 6>(place);
  int below = 0;
  for (int a = 0; a < 3; ++a) {
    const WordVec axis = hn::ShiftRightSame(place, 2 * a);
    const WordVec in_brick = hn::ShiftLeft<2>(hn::And(axis, hn::Set(w, 3)));
    const WordVec in_node = hn::And(hn::ShiftRight<2>(axis), hn::Set(w, 48));
    const WordVec entry = hn::And(hn::ShiftRightSame(root, below),
                                  hn::Set(w, (std::uint64_t{1} << layout.root_bits[a]) - 1));
    const WordVec voxel = hn::Or(hn::Or(in_brick, in_node), hn::ShiftLeft<kNodeBits>(entry));
    corner[a] = hn::ConvertTo(Doubles(), hn::BitCast(Ints(), voxel));
    below += layout.root_bits[a];
  }
}

/// What a march needs per ray beside its walk: the ray in voxels, its clock's slack, the parameter
/// at its far end, its samples, and which series are open or hidden (SeriesSet).
template <bool kUniform, int kNum>
struct MarchSlots : Slots<kNum> {
  alignas(64) double origin[3][kNum], direction[3][kNum], slack[kNum], unit[kNum];
  alignas(64) double last_t[kMaxSteps][kNum], intervals[kMaxSteps][kNum];
  alignas(64) std::uint64_t open[kNum], hidden[kNum];

  template <int kOther>
  HWY_INLINE void copy(int to, const MarchSlots<kUniform, kOther>& other, int from, int num_steps) {
    Slots<kNum>::copy(to, other, from);
    for (int a = 0; a < 3; ++a) {
      origin[a][to] = other.origin[a][from];
      direction[a][to] = other.direction[a][from];
    }
    slack[to] = other.slack[from];
    unit[to] = other.unit[from];
    open[to] = other.open[from];
    hidden[to] = other.hidden[from];
    for (int k = 0; k < num_steps; ++k) {
      if (kUniform) intervals[k][to] = other.intervals[k][from];
      last_t[k][to] = other.last_t[k][from];
    }
  }
};

/// Samples of several rays, each in a word of its own.
struct SampledWords {
  DoubleVec origin[3], direction[3], corner[3];
  FilledWords words;

  template <bool kUniform>
  HWY_INLINE SampledWords(const MarchSlots<kUniform, kSlots>& slots, const GridLayout& layout,
                          IntVec slot)
      : words(slots, slot) {
    corners_of_words(layout, words.place, corner);
    for (int a = 0; a < 3; ++a) {
      origin[a] = gather(slots.origin[a], slot);
      direction[a] = gather(slots.direction[a], slot);
    }
  }

  /// The voxels in which samples at t lie, as the index in the word; 64 outside it.
  HWY_INLINE WordVec voxels_at(DoubleVec t) const {
    const Doubles f;
    const Words w;
    auto in_word = hn::Not(hn::FirstN(f, 0));
    DoubleVec voxel[3];
    for (int a = 0; a < 3; ++a) {
      // The corner is a whole number: near it the difference is exact, and its sign always is.
      const DoubleVec offset = hn::Sub(hn::Add(origin[a], hn::Mul(direction[a], t)), corner[a]);
      const auto in = hn::And(hn::Ge(offset, hn::Zero(f)), hn::Lt(offset, hn::Set(f, 4.0)));
      in_word = hn::And(in_word, in);
      voxel[a] = hn::Floor(offset);
    }
    const DoubleVec layer = hn::Add(voxel[1], hn::Mul(voxel[2], hn::Set(f, 4.0)));
    const DoubleVec index = hn::Add(voxel[0], hn::Mul(layer, hn::Set(f, 4.0)));
    // Beyond 2^52 a double's lowest bits are a whole number.
    const WordVec number = hn::BitCast(w, hn::Add(index, hn::Set(f, 0x1p52)));
    return hn::IfThenElse(hn::RebindMask(w, in_word), hn::And(number, hn::Set(w, 63)),
                          hn::Set(w, 64));
  }

  static HWY_INLINE hn::Mask<Doubles> has(WordVec voxels, WordVec index) {
    const Words w;
    const WordVec bit = hn::And(hn::Shr(voxels, hn::And(index, hn::Set(w, 63))), hn::Set(w, 1));
    const auto in_word = hn::Ne(index, hn::Set(w, 64));
    return hn::RebindMask(Doubles(), hn::And(in_word, hn::Ne(bit, hn::Zero(w))));
  }
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
