// Rays that wait for a lane of a wave over empty cubes, and how rays leave what is known to be
// empty around them, several at once: wave_cubes-inl.h says how far floats may be trusted there.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_LEAVING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_LEAVING_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_LEAVING_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_LEAVING_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "kernels/empty_box.h"
#include "kernels/wave_narrow-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Rays that are set up and wait for a lane.
struct CubeRays {
  static constexpr int kMost = 64;
  static constexpr int kRoom = kMost + Narrow::kMaxLanes;  // vectors read beyond the last
  alignas(64) float start[3][kRoom], extent[3][kRoom], inverse[3][kRoom];
  alignas(64) float near_face[kRoom];  ///< how near is in doubt
  alignas(64) std::int32_t cell[3][kRoom], target[3][kRoom];
  alignas(64) std::int32_t flip[3][kRoom];  ///< mirrors a voxel index
  alignas(64) std::int32_t ray[kRoom];      ///< of the source
  alignas(64) std::int32_t kind[kRoom];     ///< bits kSure, kFresh: as CubeLanes has them
  static constexpr std::int32_t kSure = 1, kFresh = 2;
  int num = 0, taken = 0;
};

/// Waiting rays from the k-th on, as far as leaving something asks for them.
struct WaitingRays {
  using N = Narrow;

  N::FloatVec start[3], extent[3], inverse[3], near_face;
  N::IntVec cell[3], target[3], flip[3];

  HWY_INLINE WaitingRays(const CubeRays& rays, int k) {
    const N::Floats f;
    const N::Ints d;
    for (int a = 0; a < 3; ++a) {
      start[a] = hn::Load(f, rays.start[a] + k);
      extent[a] = hn::Load(f, rays.extent[a] + k);
      inverse[a] = hn::Load(f, rays.inverse[a] + k);
      cell[a] = hn::Load(d, rays.cell[a] + k);
      target[a] = hn::Load(d, rays.target[a] + k);
      flip[a] = hn::Load(d, rays.flip[a] + k);
    }
    near_face = hn::Load(f, rays.near_face + k);
  }
};

/// How rays leave what is known to be empty around them.
struct Leaving {
  using N = Narrow;

  N::FloatVec moment;     ///< of the whole ray; infinite: it ends before
  N::IntVec next[3];      ///< the voxel beyond
  N::IntMask by_an_edge;  ///< two faces are so near that floats do not tell which comes first;
                          ///< if it ends before, anything

  /// least: moment_of.
  template <class Rays>
  HWY_INLINE Leaving(const Rays& rays, N::FloatVec least) : moment(least) {
    const N::Ints d;
    N::IntMask near[3];  // a face, by what rounding may do
    for (int a = 0; a < 3; ++a) {
      const auto place = hn::MulAdd(rays.extent[a], moment, rays.start[a]);
      const auto nearest = hn::Round(place);
      const auto is_near = hn::Lt(hn::Abs(hn::Sub(place, nearest)), rays.near_face);
      near[a] = hn::RebindMask(d, is_near);
      next[a] = N::truncate(hn::IfThenElse(is_near, nearest, place));  // else what lies below
    }
    by_an_edge = hn::Or(hn::And(near[0], near[1]), hn::And(near[2], hn::Or(near[0], near[1])));
  }

  /// last: the voxels on the way out that are empty still.
  template <class Rays>
  static HWY_INLINE N::FloatVec moment_of(const Rays& rays, const N::IntVec (&last)[3]) {
    const N::Floats f;
    N::FloatVec to_face[3];
    for (int a = 0; a < 3; ++a) {
      const auto crosses = hn::Gt(rays.target[a], last[a]);  // the face, before the end
      // It lies one further, which a fused sum adds before it rounds.
      const auto ahead = hn::Sub(hn::ConvertTo(f, last[a]), rays.start[a]);
      to_face[a] =
          hn::IfThenElse(hn::RebindMask(f, crosses),
                         hn::MulAdd(ahead, rays.inverse[a], rays.inverse[a]), hn::Set(f, INFINITY));
    }
    return hn::Min(to_face[0], hn::Min(to_face[1], to_face[2]));
  }

  HWY_INLINE N::IntMask ends_before() const {
    return hn::RebindMask(N::Ints(), hn::Eq(moment, hn::Set(N::Floats(), INFINITY)));
  }
  /// So near the end that floats do not tell whether the ray enters the voxel beyond.
  HWY_INLINE N::IntMask at_end() const {
    return hn::RebindMask(N::Ints(), hn::Gt(moment, hn::Set(N::Floats(), 1 - 0x1p-20f)));
  }
};

/// Which rays are in a box, and what of it is last on their way out. Rays have a voxel each,
/// mirrored where they go down (cell, flip).
template <class Rays>
HWY_INLINE Narrow::IntMask start_in_box(const CellBox& box, const Rays& rays,
                                        Narrow::IntVec (&last)[3]) {
  const Narrow::Ints d;
  const Narrow::Bits bits;
  auto outside = hn::FirstN(bits, 0);
  for (int a = 0; a < 3; ++a) {
    const auto low = hn::Set(d, box.low.v[a]), high = hn::Set(d, box.high.v[a]);
    const auto above = hn::Sub(hn::Xor(rays.cell[a], rays.flip[a]), low);
    const auto width = hn::BitCast(bits, hn::Sub(high, low));
    outside = hn::Or(outside, hn::Lt(width, hn::BitCast(bits, above)));
    const auto is_up = hn::Eq(rays.flip[a], hn::Zero(d));  // no grid's highest index is 0
    last[a] = hn::IfThenElse(is_up, high, hn::Xor(low, rays.flip[a]));
  }
  return hn::Not(hn::RebindMask(d, outside));
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
