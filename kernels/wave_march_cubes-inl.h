// Marches as a wave over empty cubes: the walk of kernels/march_ray.h, which says why it may be
// trusted, several rays at once. Rays that floats do not decide are handed back.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_MARCH_CUBES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_MARCH_CUBES_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_MARCH_CUBES_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_MARCH_CUBES_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "kernels/cube_rules.h"
#include "kernels/sample_moments.h"
#include "kernels/wave_cube_tables-inl.h"
#include "kernels/wave_march-inl.h"
#include "kernels/wave_march_rays-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// SampleMoments for all sizes of a pass at once, a lane each.
class SampledSizes {
  using N = Narrow;

 public:
  explicit SampledSizes(const SampleMoments& of) : of_(of) {}

  struct Found {
    std::uint32_t sure = 0, perhaps = 0;
  };
  /// Sizes that have a sample from one moment to another.
  HWY_INLINE Found between(float from, float to, float length_m) const {
    Found found;
    for (int k = 0; k < of_.num_sizes; k += N::lanes()) add(from, to, length_m, k, found);
    return found;
  }

 private:
  HWY_INLINE void add(float from, float to, float length_m, int k, Found& found) const {
    constexpr float kSlack = SampleMoments::kSlack;
    const N::Floats f;
    const auto scale = [&](float factor, N::FloatVec v) { return hn::Mul(hn::Set(f, factor), v); };
    auto steps = scale(length_m, hn::LoadU(f, of_.steps_per_m + k));
    auto undecided = hn::FirstN(f, 0);
    if (of_.uniform) {
      const auto intervals = hn::Ceil(scale(1 - kSlack, steps));
      undecided = hn::Or(hn::Ne(intervals, hn::Ceil(scale(1 + kSlack, steps))),
                         hn::Ge(steps, hn::Set(f, SampleMoments::kMostIntervals)));
      steps = intervals;
    }
    const auto skipped = hn::Set(f, of_.skipped);
    const auto one = hn::Set(f, 1.0f);
    const auto first = hn::Max(hn::Ceil(scale(from + kSlack, steps)), one);
    const auto sure = hn::And(hn::Le(first, scale(to - kSlack, steps)),
                              hn::Lt(first, hn::Sub(scale(1 - kSlack, steps), skipped)));
    const auto maybe_first = hn::Max(hn::Ceil(scale(from - kSlack, steps)), one);
    const auto maybe = hn::And(hn::Le(maybe_first, scale(to + kSlack, steps)),
                               hn::Le(maybe_first, hn::Sub(scale(1 + kSlack, steps), skipped)));
    const auto bits = [&](hn::Mask<N::Floats> mask) {
      return N::bits_of(hn::RebindMask(N::Ints(), mask)) << k;
    };
    found.sure |= bits(hn::AndNot(undecided, sure));
    found.perhaps |= bits(hn::Or(undecided, maybe));
  }

  const SampleMoments& of_;
};

template <bool kIsSecond>
class MarchCubeWave {
  using N = Narrow;

 public:
  /// Through one plane. kIsSecond: of rays whose answers say what was met among voxels that are not
  /// free; these are unknown where nothing is met now.
  MarchCubeWave(const MarchGrid& op, const SampleMoments& samples, const BrickRecord* bricks)
      : op_(op), tables_(op.grid, bricks), sizes_(samples), queue_(op, bricks, samples.all()) {}

  HWY_INLINE void run(const RaySource& source, CubeOutcome& outcome) {
    walk_in_groups(tables_, *this, source, outcome);
  }

  // For walk_in_groups:
  using Lanes = MarchLanes;
  HWY_INLINE void refill(const RaySource& source, CubeOutcome& outcome, MarchLanes& lanes) {
    queue_.refill(source, outcome, lanes);
  }
  HWY_INLINE void step(const RaySource& source, CubeOutcome& outcome, MarchLanes (&group)[kGroup],
                       const CubeProbe (&probes)[kGroup]) {
    CubeTables::Seen seen[kGroup];
    for (int k = 0; k < kGroup; ++k) seen[k] = tables_.look(probes[k]);
    MarchLeaving leaving[kGroup];
    for (int k = 0; k < kGroup; ++k) {
      N::IntVec last[3];  // of the cube
      for (int a = 0; a < 3; ++a) last[a] = hn::Or(group[k].cell[a], seen[k].in_cube);
      leaving[k] = MarchLeaving(group[k], last);
    }
    for (int k = 0; k < kGroup; ++k) {
      move(source, outcome, leaving[k], seen[k].set, group[k]);
    }
  }

 private:
  HWY_INLINE void move(const RaySource& source, CubeOutcome& outcome, const MarchLeaving& leaving,
                       N::IntMask is_set, MarchLanes& lanes) {
    const N::Floats f;
    const N::Ints d;
    N::IntVec next[3] = {leaving.next[0], leaving.next[1], leaving.next[2]};
    const auto left = leaving.moment;
    const auto clear = leaving.ends(lanes);
    const auto met = hn::AndNot(hn::Or(lanes.fresh, clear), is_set);
    auto edge = leaving.by_an_edge(lanes);
    edge = hn::AndNot(hn::Or(met, clear), edge);
    auto stays = met;  // in the voxel
    lanes.fresh = hn::FirstN(d, 0);
    const auto to_look = hn::And(lanes.live, hn::Or(met, hn::Or(clear, edge)));
    if (!hn::AllFalse(d, to_look)) {
      const std::uint32_t edges = N::bits_of(hn::And(lanes.live, edge));
      if (edges != 0) pass_edges(lanes, left, edge, leaving.place, next);
      const std::uint32_t cleared = N::bits_of(hn::And(lanes.live, clear));
      look(source, outcome, lanes, left, N::bits_of(hn::And(lanes.live, met)), edges, cleared,
           cleared != 0 ? ends_near_face(lanes) : 0);
      lanes.fresh = hn::And(lanes.live, met);
      stays = hn::Or(stays, hn::Not(lanes.live));
    }
    const auto goes_on = hn::AndNot(stays, lanes.live);
    for (int a = 0; a < 3; ++a) lanes.cell[a] = hn::IfThenElse(goes_on, next[a], lanes.cell[a]);
    lanes.entered = hn::IfThenElse(hn::RebindMask(f, goes_on), left, lanes.entered);
    if (N::lanes() - lanes.num_live >= kIdleLanes || lanes.num_live == 0) {
      queue_.refill(source, outcome, lanes);
    }
  }

  /// MarchRay::pass_edge: which side of a face that is near, by the clock.
  static HWY_NOINLINE void pass_edges(const MarchLanes& lanes, N::FloatVec left, N::IntMask edge,
                                      const N::FloatVec (&place)[3], N::IntVec (&next)[3]) {
    const N::Floats f;
    const N::Ints d;
    for (int a = 0; a < 3; ++a) {
      const auto face = hn::Round(place[a]);
      const auto is_near = hn::Lt(hn::Abs(hn::Sub(place[a], face)), lanes.near_face);
      const auto is_behind = hn::RebindMask(d, hn::Le(moment_of(lanes, a, face), left));
      const auto nearest = N::truncate(face);
      const auto by_clock = hn::IfThenElse(is_behind, nearest, hn::Sub(nearest, hn::Set(d, 1)));
      const auto cell = hn::Max(by_clock, lanes.cell[a]);
      next[a] = hn::IfThenElse(hn::And(edge, hn::RebindMask(d, is_near)), cell, next[a]);
    }
  }

  /// MarchRay::ends_near_face, as bits.
  static HWY_INLINE std::uint32_t ends_near_face(const MarchLanes& lanes) {
    const N::Floats f;
    auto is_near = hn::FirstN(f, 0);
    for (int a = 0; a < 3; ++a) {
      const auto end = hn::Add(hn::Add(lanes.extent[a], lanes.start[a]), lanes.rest[a]);
      is_near = hn::Or(is_near, hn::Lt(hn::Abs(N::from_nearest(end)), lanes.near_face));
    }
    return N::bits_of(hn::RebindMask(N::Ints(), is_near));
  }

  /// Looks for the samples of lanes that met a set voxel, pass next to an edge, or end next to a
  /// face, and answers those that are done.
  HWY_NOINLINE void look(const RaySource& source, CubeOutcome& outcome, MarchLanes& lanes,
                         N::FloatVec left_of, std::uint32_t met, std::uint32_t edges,
                         std::uint32_t clear, std::uint32_t near_end) const {
    const N::Floats f;
    const N::Ints d;
    alignas(64) float entered[N::kMaxLanes], left[N::kMaxLanes], length_m[N::kMaxLanes];
    alignas(64) std::int32_t open[N::kMaxLanes], hidden[N::kMaxLanes], ray[N::kMaxLanes];
    hn::Store(lanes.entered, f, entered);
    hn::Store(left_of, f, left);
    hn::Store(lanes.length_m, f, length_m);
    hn::Store(lanes.open, d, open);
    hn::Store(lanes.hidden, d, hidden);
    hn::Store(lanes.ray, d, ray);
    std::uint32_t done = 0;
    for (std::uint32_t rest = met | edges | clear; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(rest));
      const std::uint32_t bit = std::uint32_t{1} << lane;
      bool is_clear = (clear & bit) != 0, is_doubtful = false;
      auto still_open = static_cast<std::uint32_t>(open[lane]);
      if ((met & bit) != 0) {
        const auto found = sizes_.between(entered[lane], left[lane], length_m[lane]);
        const bool is_sure = entered[lane] < SampleMoments::kNearEnd;
        const std::uint32_t meets = is_sure ? still_open & found.sure : 0;
        hidden[lane] |= static_cast<std::int32_t>(meets);
        still_open &= ~meets;
        is_doubtful = (still_open & found.perhaps) != 0;
        is_clear = still_open == 0;
      } else if ((edges & bit) != 0) {
        is_clear = left[lane] > SampleMoments::kNearEnd;
        const auto found = sizes_.between(left[lane], is_clear ? 1 : left[lane], length_m[lane]);
        is_doubtful = (still_open & found.perhaps) != 0;
      } else if ((near_end & bit) != 0) {
        const auto found = sizes_.between(SampleMoments::kNearEnd, 1, length_m[lane]);
        is_doubtful = (still_open & found.perhaps) != 0;
      }
      open[lane] = static_cast<std::int32_t>(still_open);
      if (is_doubtful) {
        outcome.doubtful[outcome.num_doubtful++] = source[ray[lane]];
      } else if (is_clear) {
        answer(source[ray[lane]], static_cast<std::uint32_t>(hidden[lane]));
      }
      if (is_doubtful || is_clear) done |= bit;
    }
    lanes.open = hn::Load(d, open);
    lanes.hidden = hn::Load(d, hidden);
    if (done == 0) return;
    const auto lane_bits = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
    const auto is_done = hn::TestBit(hn::Set(d, static_cast<std::int32_t>(done)), lane_bits);
    lanes.live = hn::AndNot(is_done, lanes.live);
    lanes.num_live -= static_cast<int>(hwy::PopCount(done));
  }

  HWY_INLINE void answer(std::int64_t ray, std::uint32_t hidden) const {
    const std::uint32_t not_free = kIsSecond ? op_.out[ray].hidden : 0;
    op_.out[ray] = {hidden, not_free & ~hidden};
  }

  const MarchGrid& op_;
  const CubeTables tables_;
  const SampledSizes sizes_;
  MarchQueue queue_;
};

inline std::int64_t march_by_words(const MarchGrid& op, const RaySource& rays) {
  if (op.rules.unknown == SpacePolicy::kUnknown) {
    return op.rules.uniform ? run_words<MarchWave<true, true>>(op, rays)
                            : run_words<MarchWave<false, true>>(op, rays);
  }
  return op.rules.uniform ? run_words<MarchWave<true, false>>(op, rays)
                          : run_words<MarchWave<false, false>>(op, rays);
}

constexpr std::int64_t kMarchBlock = 8192;  ///< rays, many beside those under way at its end

/// Where unknown space is an answer, twice, as MarchJob of kernels/march_job.h does.
inline void ask_march(const MarchGrid& op, const SampleMoments& samples, const RaySource& rays,
                      CubeOutcome& outcome) {
  const BrickRecord* bricks = opaque_bricks(op.grid, op.rules.unknown);
  if (op.rules.unknown != SpacePolicy::kUnknown || bricks == op.grid.occupied_bricks) {
    return MarchCubeWave<false>(op, samples, bricks).run(rays, outcome);
  }
  for (std::int64_t k = 0; k < rays.num; ++k) op.out[rays[k]] = {};
  MarchCubeWave<false>(op, samples, bricks).run(rays, outcome);
  std::int64_t again[kMarchBlock];
  RaySource stopped;
  stopped.listed = again;
  for (std::int64_t k = 0; k < rays.num; ++k) {
    if (op.out[rays[k]].hidden != 0) again[stopped.num++] = rays[k];
  }
  // Rays that the op has answered are asked again too, and once more are the op's.
  const std::int64_t num_left_to_op = outcome.num_left_to_op;
  MarchCubeWave<true>(op, samples, op.grid.occupied_bricks).run(stopped, outcome);
  outcome.num_left_to_op = num_left_to_op;
}

/// Both return how many rays the vectors answered.
inline std::int64_t march_by_cubes(const MarchGrid& op, std::int64_t begin, std::int64_t end) {
  const SampleMoments samples(op);
  std::int64_t num_by_vectors = 0;
  std::int64_t doubtful[kMarchBlock];
  for (std::int64_t first = begin; first < end; first += kMarchBlock) {
    const std::int64_t num = end - first < kMarchBlock ? end - first : kMarchBlock;
    CubeOutcome outcome{doubtful};
    ask_march(op, samples, {first, num}, outcome);
    num_by_vectors += num - outcome.num_doubtful - outcome.num_left_to_op;
    num_by_vectors += march_by_words(op, {0, outcome.num_doubtful, doubtful});
  }
  return num_by_vectors;
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
