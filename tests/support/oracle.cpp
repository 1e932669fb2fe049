#include "support/oracle.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sightline::oracle {
namespace {

/// A fraction with a positive denominator. Cross products of 63-bit parts fit 128 bits.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

bool less(const Fraction& a, const Fraction& b) {
  __extension__ using Wide = __int128;
  return Wide{a.numerator} * b.denominator < Wide{b.numerator} * a.denominator;
}

Fraction make_fraction(std::int64_t numerator, std::int64_t denominator) {
  if (denominator < 0) return {-numerator, -denominator};
  return {numerator, denominator};
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

enum class Overlap { kNone, kPoint, kLength };

/// How the parameters t in [0, 1] for which the segment lies in the box make up: nothing, one
/// instant, or an interval. Along an axis on which the segment stands still, the box is half-open
/// or closed as asked; along the others a bound is one instant and does not change the length.
Overlap overlap(const Segment& segment, const LatticeBox& box, bool closed) {
  Fraction enter{0, 1}, leave{1, 1};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t start = segment.from[axis];
    const std::int64_t run = segment.to[axis] - start;
    if (run == 0) {
      const bool inside =
          start >= box.low[axis] && (closed ? start <= box.high[axis] : start < box.high[axis]);
      if (!inside) return Overlap::kNone;
      continue;
    }
    Fraction first = make_fraction(box.low[axis] - start, run);
    Fraction last = make_fraction(box.high[axis] - start, run);
    if (less(last, first)) std::swap(first, last);
    if (less(enter, first)) enter = first;
    if (less(last, leave)) leave = last;
  }
  if (less(enter, leave)) return Overlap::kLength;
  return less(leave, enter) ? Overlap::kNone : Overlap::kPoint;
}

LatticeBox box_of_voxels(const Index3& low, const Index3& high, int bits) {
  const std::int64_t unit = std::int64_t{1} << bits;
  return {{low[0] * unit, low[1] * unit, low[2] * unit},
          {high[0] * unit, high[1] * unit, high[2] * unit}};
}

bool visits(const Segment& segment, const Index3& voxel, int bits, Ties ties) {
  const LatticeBox box = box_of_voxels(voxel, {voxel[0] + 1, voxel[1] + 1, voxel[2] + 1}, bits);
  return ties == Ties::kDiagonal ? has_length_in(segment, box) : touches(segment, box);
}

/// Voxels [low, high).
struct VoxelRange {
  Index3 low, high;

  bool empty() const { return low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2]; }
};

/// Every voxel that the segment can touch, and a layer more.
VoxelRange bounding_range(const Segment& segment, int bits) {
  const Index3 a = voxel_of(segment.from, bits), b = voxel_of(segment.to, bits);
  VoxelRange range;
  for (int axis = 0; axis < 3; ++axis) {
    range.low[axis] = std::min(a[axis], b[axis]) - 1;
    range.high[axis] = std::max(a[axis], b[axis]) + 2;
  }
  return range;
}

/// Calls found(voxel) for each visited voxel of the range until it returns false.
bool for_each_visited(const Segment& segment, int bits, Ties ties, const VoxelRange& range,
                      const std::function<bool(const Index3&)>& found) {
  if (range.empty()) return true;
  if (!touches(segment, box_of_voxels(range.low, range.high, bits))) return true;
  int axis = 0;
  for (int other = 1; other < 3; ++other) {
    if (range.high[other] - range.low[other] > range.high[axis] - range.low[axis]) axis = other;
  }
  const std::int64_t extent = range.high[axis] - range.low[axis];
  if (extent == 1) {
    return !visits(segment, range.low, bits, ties) || found(range.low);
  }
  VoxelRange lower = range, upper = range;
  lower.high[axis] = upper.low[axis] = range.low[axis] + extent / 2;
  return for_each_visited(segment, bits, ties, lower, found) &&
         for_each_visited(segment, bits, ties, upper, found);
}

Policy policy_at(const VoxelWorld& world, const Index3& voxel, const Rules& rules) {
  if (!world.contains(voxel)) return rules.outside;
  switch (world.state_at(voxel)) {
    case State::kFree:
      return Policy::kFree;
    case State::kOccupied:
      return Policy::kBlocks;
    case State::kUnknown:
      return rules.unknown;
  }
  return Policy::kFree;
}

/// The moment at which the segment enters or first touches a voxel that it visits.
Fraction entry_of(const Segment& segment, const Index3& voxel, int bits) {
  const LatticeBox box = box_of_voxels(voxel, {voxel[0] + 1, voxel[1] + 1, voxel[2] + 1}, bits);
  Fraction entered{0, 1};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t start = segment.from[axis], run = segment.to[axis] - start;
    if (run == 0) continue;
    const Fraction crossed = make_fraction((run > 0 ? box.low[axis] : box.high[axis]) - start, run);
    if (less(entered, crossed)) entered = crossed;
  }
  return entered;
}

double length_of(const Point3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

Point3 difference(const Point3& a, const Point3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Index3 floor_of(const Point3& p) {
  return {static_cast<std::int64_t>(std::floor(p[0])), static_cast<std::int64_t>(std::floor(p[1])),
          static_cast<std::int64_t>(std::floor(p[2]))};
}

/// Does the sampler meet something else near p? An axis along which the ray stands still is exact.
bool is_doubtful(const Sampler& sampler, const Point3& p, const Point3& run, Sample met) {
  for (int corner = 0; corner < 8; ++corner) {
    Point3 q = p;
    for (int axis = 0; axis < 3; ++axis) {
      if (run[axis] != 0) q[axis] += (corner >> axis & 1) ? kDoubt_m : -kDoubt_m;
    }
    if (sampler(q) != met) return true;
  }
  return false;
}

/// Joins what the samples meet: a blocker outweighs unknown space.
class March {
 public:
  March(const Sampler& sampler, const Point3& from_m, const Point3& to_m)
      : sampler_(sampler), from_(from_m), run_(difference(to_m, from_m)) {}

  double length() const { return length_of(run_); }

  void sample_at(double part) {
    const Point3 p{from_[0] + part * run_[0], from_[1] + part * run_[1], from_[2] + part * run_[2]};
    const Sample met = sampler_(p);
    if (is_doubtful(sampler_, p, run_, met)) result_.doubtful = true;
    if (met == Sample::kBlocker) result_.answer = Answer::kHidden;
    if (met == Sample::kUnknownSpace && result_.answer == Answer::kVisible) {
      result_.answer = Answer::kUnknown;
    }
  }
  void doubt() { result_.doubtful = true; }
  Sampled result() const { return result_; }

 private:
  const Sampler& sampler_;
  Point3 from_, run_;
  Sampled result_;
};

}  // namespace

bool VoxelWorld::contains(const Index3& voxel) const {
  return voxel[0] >= 0 && voxel[1] >= 0 && voxel[2] >= 0 && voxel[0] < dims[0] &&
         voxel[1] < dims[1] && voxel[2] < dims[2];
}

Index3 round_to_lattice(const Point3& p_vox, int bits) {
  Index3 rounded{};
  for (int axis = 0; axis < 3; ++axis) {
    const double scaled = std::ldexp(p_vox[axis], bits);
    const double below = std::floor(scaled);
    const double part = scaled - below;
    const bool odd = std::fmod(below, 2.0) != 0;
    const bool up = part > 0.5 || (part == 0.5 && odd);
    rounded[axis] = static_cast<std::int64_t>(below) + (up ? 1 : 0);
  }
  return rounded;
}

Index3 voxel_of(const Index3& point, int bits) {
  const std::int64_t unit = std::int64_t{1} << bits;
  return {floor_divide(point[0], unit), floor_divide(point[1], unit), floor_divide(point[2], unit)};
}

bool has_length_in(const Segment& segment, const LatticeBox& box) {
  return overlap(segment, box, false) == Overlap::kLength;
}

bool touches(const Segment& segment, const LatticeBox& box) {
  return overlap(segment, box, true) != Overlap::kNone;
}

std::vector<Index3> visited_voxels(const Segment& segment, int bits, Ties ties) {
  std::vector<Index3> visited;
  for_each_visited(segment, bits, ties, bounding_range(segment, bits), [&](const Index3& voxel) {
    visited.push_back(voxel);
    return true;
  });
  std::sort(visited.begin(), visited.end());
  return visited;
}

std::vector<Index3> visited_voxels_one_by_one(const Segment& segment, int bits, Ties ties) {
  const VoxelRange range = bounding_range(segment, bits);
  std::vector<Index3> visited;
  for (std::int64_t x = range.low[0]; x < range.high[0]; ++x) {
    for (std::int64_t y = range.low[1]; y < range.high[1]; ++y) {
      for (std::int64_t z = range.low[2]; z < range.high[2]; ++z) {
        if (visits(segment, {x, y, z}, bits, ties)) visited.push_back({x, y, z});
      }
    }
  }
  return visited;
}

Answer line_of_sight(const VoxelWorld& world, const Segment& segment, int bits,
                     const Rules& rules) {
  const Index3 from = voxel_of(segment.from, bits), to = voxel_of(segment.to, bits);
  if (from == to) return Answer::kVisible;
  VoxelRange range = bounding_range(segment, bits);
  if (rules.outside == Policy::kFree) {  // then only the grid can answer
    for (int axis = 0; axis < 3; ++axis) {
      range.low[axis] = std::max<std::int64_t>(range.low[axis], 0);
      range.high[axis] = std::min(range.high[axis], world.dims[axis]);
    }
  }
  Answer answer = Answer::kVisible;
  for_each_visited(segment, bits, rules.ties, range, [&](const Index3& voxel) {
    if (voxel == from || voxel == to) return true;
    const Policy policy = policy_at(world, voxel, rules);
    if (policy == Policy::kBlocks) answer = Answer::kHidden;
    if (policy == Policy::kUnknown) answer = Answer::kUnknown;
    return answer != Answer::kHidden;
  });
  return answer;
}

FirstHit first_hit(const VoxelWorld& world, const Segment& segment, int bits, const Rules& rules) {
  const Index3 start = voxel_of(segment.from, bits);
  FirstHit hit;
  if (segment.from == segment.to) return hit;
  Fraction moment{2, 1}, unknown_since{2, 1};  // later than any
  for (const Index3& voxel : visited_voxels(segment, bits, rules.ties)) {
    const Policy policy = policy_at(world, voxel, rules);
    if (voxel == start || policy == Policy::kFree) continue;
    const Fraction entered = entry_of(segment, voxel, bits);
    if (policy == Policy::kUnknown) {
      if (less(entered, unknown_since)) unknown_since = entered;
      continue;
    }
    if (less(moment, entered)) continue;
    if (less(entered, moment)) hit.voxels.clear();
    moment = entered;
    hit.voxels.push_back(voxel);
  }
  hit.through_unknown = !hit.voxels.empty() && less(unknown_since, moment);
  hit.fraction = static_cast<double>(moment.numerator) / static_cast<double>(moment.denominator);
  if (!hit.voxels.empty()) {
    hit.sight = Answer::kHidden;
  } else if (less(unknown_since, {2, 1})) {
    hit.sight = Answer::kUnknown;
  }
  return hit;
}

Index3 entered_face(const Segment& segment, const Index3& voxel, int bits) {
  const Fraction moment = entry_of(segment, voxel, bits);
  const LatticeBox box = box_of_voxels(voxel, {voxel[0] + 1, voxel[1] + 1, voxel[2] + 1}, bits);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t start = segment.from[axis], run = segment.to[axis] - start;
    if (run == 0) continue;
    const std::int64_t plane = run > 0 ? box.low[axis] : box.high[axis];
    const Fraction crossed = make_fraction(plane - start, run);
    if (less(crossed, moment) || less(moment, crossed)) continue;
    Index3 normal{0, 0, 0};
    normal[axis] = run > 0 ? -1 : 1;
    return normal;
  }
  // Touched from the start, through a face that the segment lies on: the voxel is the lower one.
  for (int axis = 0; axis < 3; ++axis) {
    Index3 normal{0, 0, 0};
    normal[axis] = 1;
    if (segment.from[axis] == box.high[axis]) return normal;
  }
  return {0, 0, 0};
}

Point3 Frame::to_voxels(const Point3& p_m) const {
  return {(p_m[0] - origin_m[0]) / voxel_m[0], (p_m[1] - origin_m[1]) / voxel_m[1],
          (p_m[2] - origin_m[2]) / voxel_m[2]};
}

Sampler grid_sampler(const VoxelWorld& world, const Frame& frame, const Point3& from_m,
                     const Point3& to_m, const Rules& rules) {
  const Index3 from = floor_of(frame.to_voxels(from_m)), to = floor_of(frame.to_voxels(to_m));
  return [world, frame, from, to, rules](const Point3& p_m) {
    const Index3 voxel = floor_of(frame.to_voxels(p_m));
    if (voxel == from || voxel == to) return Sample::kNothing;
    switch (policy_at(world, voxel, rules)) {
      case Policy::kFree:
        return Sample::kNothing;
      case Policy::kBlocks:
        return Sample::kBlocker;
      case Policy::kUnknown:
        return Sample::kUnknownSpace;
    }
    return Sample::kNothing;
  };
}

Sampled march(const Sampler& sampler, const Point3& from_m, const Point3& to_m, double step_m,
              EndRule end_rule) {
  March ray(sampler, from_m, to_m);
  const double d = ray.length();
  const double last = end_rule == EndRule::kBeforeTarget ? d
                      : end_rule == EndRule::kStepBefore ? d - step_m
                                                         : d - step_m / 2;
  for (std::int64_t k = 1;; ++k) {
    const double at = static_cast<double>(k) * step_m;
    if (std::fabs(at - last) < kDoubt_m) ray.doubt();
    const bool within = end_rule == EndRule::kHalfStepBefore ? at <= last : at < last;
    if (!within) return ray.result();
    ray.sample_at(at / d);
  }
}

Sampled march_uniform(const Sampler& sampler, const Point3& from_m, const Point3& to_m,
                      double step_m) {
  March ray(sampler, from_m, to_m);
  const double steps = ray.length() / step_m;
  if (std::fabs(steps - std::round(steps)) < kDoubt_m) ray.doubt();
  const std::int64_t n = static_cast<std::int64_t>(std::ceil(steps));
  for (std::int64_t i = 1; i < n; ++i) {
    ray.sample_at(static_cast<double>(i) / static_cast<double>(n));
  }
  return ray.result();
}

}  // namespace sightline::oracle
