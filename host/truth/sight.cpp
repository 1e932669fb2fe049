#include "host/truth/sight.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Primitive;
using kernels::PrimitiveKind;
using kernels::Vec3;

/// A stretch of a line from + t (to - from), t in [0, 1]; empty where end <= begin.
struct Stretch {
  double begin = 0, end = 1;
  bool is_empty() const { return !(begin < end); }
};

struct Line {
  Vec3 from, along;  ///< along = to - from
};

/// Where low <= offset + t slope <= high.
Stretch between(Stretch part, double offset, double slope, double low, double high) {
  if (slope == 0) return offset < low || offset > high ? Stretch{1, 0} : part;
  const double a = (low - offset) / slope, b = (high - offset) / slope;
  return {std::max(part.begin, std::min(a, b)), std::min(part.end, std::max(a, b))};
}

Stretch in_box(const Line& line, const Vec3& min, const Vec3& max) {
  Stretch part;
  for (int axis = 0; axis < 3 && !part.is_empty(); ++axis) {
    part = between(part, component(line.from, axis), component(line.along, axis),
                   component(min, axis), component(max, axis));
  }
  return part;
}

/// The line as the box sees it that was turned about its centre.
Line turned_back(const Primitive& box, const Line& line) {
  const Vec3 c = scaled(0.5, plus(box.min, box.max));
  const int u = 0, v = box.up_axis == 1 ? 2 : 1;
  const auto turned = [&](Vec3 d) {
    const double along_u = box.cos_turn * component(d, u) + box.sin_turn * component(d, v);
    const double along_v = box.cos_turn * component(d, v) - box.sin_turn * component(d, u);
    component(d, u) = along_u;
    component(d, v) = along_v;
    return d;
  };
  return {plus(c, turned(kernels::minus(line.from, c))), turned(line.along)};
}

/// A ball or an upright cylinder scaled to radius 1: |p|^2 <= 1 over the axes that are round.
Stretch in_round(const Primitive& round, const Line& line) {
  double a = 0, b = 0, c = -1;  // a t^2 + 2 b t + c <= 0
  for (int axis = 0; axis < 3; ++axis) {
    if (round.kind == PrimitiveKind::kCylinder && axis == round.up_axis) continue;
    const double low = component(round.min, axis), high = component(round.max, axis);
    const double radius = 0.5 * (high - low);
    const double p = (component(line.from, axis) - 0.5 * (low + high)) / radius;
    const double d = component(line.along, axis) / radius;
    a += d * d;
    b += p * d;
    c += p * p;
  }
  Stretch part;
  if (a > 0) {
    const double discriminant = b * b - a * c;
    if (discriminant < 0) return {1, 0};
    const double root = std::sqrt(discriminant);
    part = {std::max(0.0, (-b - root) / a), std::min(1.0, (-b + root) / a)};
  } else if (c > 0) {
    return {1, 0};
  }
  if (round.kind == PrimitiveKind::kSphere) return part;
  return between(part, component(line.from, round.up_axis), component(line.along, round.up_axis),
                 component(round.min, round.up_axis), component(round.max, round.up_axis));
}

Stretch inside(const Primitive& primitive, const Line& line) {
  switch (primitive.kind) {
    case PrimitiveKind::kBox:
      return in_box(line, primitive.min, primitive.max);
    case PrimitiveKind::kRotatedBox:
      return in_box(turned_back(primitive, line), primitive.min, primitive.max);
    case PrimitiveKind::kSlab:
      return between(in_box(line, primitive.min, primitive.max),
                     kernels::dot(primitive.normal, line.from) - primitive.offset,
                     kernels::dot(primitive.normal, line.along), -primitive.half_width,
                     primitive.half_width);
    case PrimitiveKind::kCylinder:
    case PrimitiveKind::kSphere:
      break;
  }
  return in_round(primitive, line);
}

/// The length, as a share of the line, of a stretch less some others.
double length_without(const Stretch& whole, std::vector<Stretch>* holes) {
  std::sort(holes->begin(), holes->end(),
            [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  double length = 0, at = whole.begin;
  for (const Stretch& hole : *holes) {
    if (hole.is_empty()) continue;
    length += std::max(0.0, std::min(hole.begin, whole.end) - at);
    at = std::max(at, hole.end);
  }
  return length + std::max(0.0, whole.end - at);
}

/// The length of the line in one solid, metres.
double length_in_m(const AnalyticSolid& solid, const Primitive& primitive, const Line& line,
                   double line_m, std::vector<Stretch>* holes) {
  const Stretch part = inside(primitive, line);
  if (part.is_empty()) return 0;
  holes->clear();
  for (std::int32_t i = 0; i < primitive.num_openings; ++i) {
    const auto row = static_cast<std::size_t>(primitive.first_opening + i);
    holes->push_back(inside(solid.openings[row], line));
  }
  return length_without(part, holes) * line_m;
}

/// Calls `use(length_m)` for each solid, until it returns false.
template <class Use>
void each_length(const AnalyticSolid& solid, const Vec3& from_m, const Vec3& to_m, const Use& use) {
  const Line line{from_m, kernels::minus(to_m, from_m)};
  const double line_m = std::sqrt(kernels::dot(line.along, line.along));
  std::vector<Stretch> holes;
  for (const Primitive& primitive : solid.solids) {
    if (!use(length_in_m(solid, primitive, line, line_m, &holes))) return;
  }
}

}  // namespace

bool is_clear(const AnalyticSolid& solid, const Vec3& from_m, const Vec3& to_m) {
  bool clear = true;
  each_length(solid, from_m, to_m, [&](double length_m) { return clear = length_m <= kTouch_m; });
  return clear;
}

double length_in_solids_m(const AnalyticSolid& solid, const Vec3& from_m, const Vec3& to_m) {
  double total_m = 0;
  each_length(solid, from_m, to_m, [&](double length_m) {
    total_m += length_m;
    return true;
  });
  return total_m;
}

}  // namespace sightline::host
