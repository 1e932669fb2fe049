#include "kernels/host_points.h"
// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/host_points.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "kernels/kernels.h"
#include "kernels/lattice_point.h"

#if HWY_ONCE
#include "kernels/for_each_cpu.h"
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Coordinates of points as rows of numbers: three vectors hold as many points as a vector has
/// lanes, and each lane of each is of the same axis in every row.
using Doubles = hn::ScalableTag<double>;
using DoubleVec = hn::Vec<Doubles>;
constexpr std::size_t kMostLanes = hn::MaxLanes(Doubles());

/// A number of each axis, in the lanes of a row.
struct Row {
  explicit Row(const double* of_axis) {
    for (std::size_t k = 0; k < 3 * kMostLanes; ++k) at[k] = of_axis[k % 3];
  }
  HWY_INLINE DoubleVec vec(std::size_t v) const {
    return hn::Load(Doubles(), at + v * hn::Lanes(Doubles()));
  }
  alignas(64) double at[3 * kMostLanes];
};

/// lattice_point() of the points, if all are within the lattice's bounds.
bool points_to_lattice(const VoxelFrame& frame, int bits, const Vec3* points,
                       std::int64_t num_points, LatticePoint* out) {
  const Doubles d;
  const hn::Rebind<std::int32_t, Doubles> di;
  const std::size_t lanes = hn::Lanes(d);
  const Row origin(frame.origin_m), voxel(frame.voxel_m);
  const DoubleVec scale = hn::Set(d, static_cast<double>(std::int32_t{1} << bits));
  const DoubleVec most = hn::Set(d, kMostLatticeUnits);
  auto are_all = hn::Eq(scale, scale);
  const auto convert = [&](const double* from, std::int32_t* to) {
    for (std::size_t v = 0; v < 3; ++v) {
      const DoubleVec p = hn::LoadU(d, from + v * lanes);
      const DoubleVec unit =
          hn::Round(hn::Mul(hn::Div(hn::Sub(p, origin.vec(v)), voxel.vec(v)), scale));
      const auto is_within = hn::Le(hn::Abs(unit), most);  // NaN is not
      are_all = hn::And(are_all, is_within);
      hn::StoreU(hn::DemoteTo(di, hn::IfThenElseZero(is_within, unit)), di, to + v * lanes);
    }
  };
  const auto step = static_cast<std::int64_t>(lanes);
  std::int64_t i = 0;
  static_assert(sizeof(Vec3) == 3 * sizeof(double) &&
                sizeof(LatticePoint) == 3 * sizeof(std::int32_t));
  for (; i + step <= num_points; i += step) {
    convert(reinterpret_cast<const double*>(points + i), reinterpret_cast<std::int32_t*>(out + i));
  }
  double last[3 * kMostLanes];
  std::int32_t last_out[3 * kMostLanes];
  std::copy_n(origin.at, 3 * lanes, last);  // what is not a point is not out of bounds
  const auto rest = static_cast<std::size_t>(num_points - i);
  if (rest > 0) std::memcpy(last, points + i, rest * sizeof(Vec3));
  convert(last, last_out);
  if (rest > 0) std::memcpy(out + i, last_out, rest * sizeof(LatticePoint));
  return hn::AllTrue(d, are_all);
}

/// The bounds of points, of which there is at least one.
PointBounds box_of_points(const Vec3* points, std::int64_t num_points) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const double first[3] = {points->x, points->y, points->z};
  const Row start(first);
  DoubleVec low[3], high[3];
  for (std::size_t v = 0; v < 3; ++v) low[v] = high[v] = start.vec(v);
  DoubleVec rest = hn::Zero(d);  // NaN once a coordinate is not finite
  const auto join = [&](const double* from) {
    for (std::size_t v = 0; v < 3; ++v) {
      const DoubleVec p = hn::LoadU(d, from + v * lanes);
      low[v] = hn::Min(low[v], p);
      high[v] = hn::Max(high[v], p);
      rest = hn::Add(rest, hn::Sub(p, p));
    }
  };
  const auto step = static_cast<std::int64_t>(lanes);
  std::int64_t i = 0;
  for (; i + step <= num_points; i += step) join(reinterpret_cast<const double*>(points + i));
  Row last = start;
  if (i < num_points) {
    std::memcpy(last.at, points + i, static_cast<std::size_t>(num_points - i) * sizeof(Vec3));
  }
  join(last.at);
  PointBounds box{*points, *points, hn::AllTrue(d, hn::Eq(rest, hn::Zero(d)))};
  for (std::size_t v = 0; v < 3; ++v) {
    double lows[kMostLanes], highs[kMostLanes];
    hn::StoreU(low[v], d, lows);
    hn::StoreU(high[v], d, highs);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t axis = (v * lanes + lane) % 3;
      double& lowest = axis == 0 ? box.low.x : axis == 1 ? box.low.y : box.low.z;
      double& highest = axis == 0 ? box.high.x : axis == 1 ? box.high.y : box.high.z;
      lowest = std::min(lowest, lows[lane]);
      highest = std::max(highest, highs[lane]);
    }
  }
  return box;
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {
namespace {

/// Points that a thread takes at a time: some tens of microseconds.
constexpr std::int64_t kPointsTogether = std::int64_t{1} << 13;

}  // namespace

HWY_EXPORT(points_to_lattice);
HWY_EXPORT(box_of_points);

std::int64_t lattice_points(const Executor& cpu, const VoxelFrame& frame, int bits,
                            const Vec3* points, std::int64_t num_points, LatticePoint* out) {
  const auto convert = SL_WAVE_CALL(cpu.instructions, points_to_lattice);
  std::atomic<std::int64_t> first_beyond{num_points};
  for_each_piece(
      cpu, num_points,
      [&](std::int64_t begin, std::int64_t end) {
        if (convert(frame, bits, points + begin, end - begin, out + begin)) return;
        while (convert(frame, bits, points + begin, 1, out + begin)) ++begin;
        std::int64_t known = first_beyond;
        while (begin < known && !first_beyond.compare_exchange_weak(known, begin)) {
        }
      },
      kPointsTogether);
  return first_beyond;
}

PointBounds bounds_of(const Executor& cpu, const Vec3* points, std::int64_t num_points) {
  constexpr double kMost = std::numeric_limits<double>::infinity();
  PointBounds bounds{{kMost, kMost, kMost}, {-kMost, -kMost, -kMost}, true};
  std::mutex mutex;
  const auto box_of = SL_WAVE_CALL(cpu.instructions, box_of_points);
  for_each_piece(
      cpu, num_points,
      [&](std::int64_t begin, std::int64_t end) {
        const PointBounds box = box_of(points + begin, end - begin);
        const std::lock_guard<std::mutex> lock(mutex);
        bounds.low = {std::min(bounds.low.x, box.low.x), std::min(bounds.low.y, box.low.y),
                      std::min(bounds.low.z, box.low.z)};
        bounds.high = {std::max(bounds.high.x, box.high.x), std::max(bounds.high.y, box.high.y),
                       std::max(bounds.high.z, box.high.z)};
        bounds.are_finite = bounds.are_finite && box.are_finite;
      },
      kPointsTogether);
  return bounds;
}

void answers_of_step(const Executor& cpu, const StepAnswers* masks, std::int64_t num_rays, int step,
                     Visibility* out) {
  static_assert(static_cast<int>(Visibility::kHidden) == 0 &&
                static_cast<int>(Visibility::kVisible) == 1 &&
                static_cast<int>(Visibility::kUnknown) == 2);
  for_each_piece(
      cpu, num_rays,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const std::uint32_t hidden = (masks[i].hidden >> step) & 1u;
          const std::uint32_t unknown = (masks[i].unknown >> step) & 1u;
          out[i] = static_cast<Visibility>(1u - hidden + unknown);  // never both
        }
      },
      kPointsTogether);
}

void bits_of_masks(const Executor& cpu, const std::uint32_t* masks, std::int64_t num_masks, int bit,
                   std::uint8_t* out) {
  for_each_piece(
      cpu, num_masks,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          out[i] = static_cast<std::uint8_t>((masks[i] >> bit) & 1u);
        }
      },
      kPointsTogether);
}

}  // namespace sightline::kernels
#endif
