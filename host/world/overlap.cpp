#include "host/world/overlap.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/error.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Primitive;
using kernels::PrimitiveKind;
using kernels::Vec3;

bool overlaps(const Bounds& a, const Bounds& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (component(a.min, axis) >= component(b.max, axis)) return false;
    if (component(b.min, axis) >= component(a.max, axis)) return false;
  }
  return true;
}

/// Appends what is left of `box` outside `hole`: at most two slices per axis.
void append_difference(Bounds box, const Bounds& hole, std::vector<Bounds>& out) {
  if (!overlaps(box, hole)) {
    out.push_back(box);
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double low = component(hole.min, axis), high = component(hole.max, axis);
    if (component(box.min, axis) < low) {
      Bounds below = box;
      component(below.max, axis) = low;
      out.push_back(below);
      component(box.min, axis) = low;
    }
    if (high < component(box.max, axis)) {
      Bounds above = box;
      component(above.min, axis) = high;
      out.push_back(above);
      component(box.max, axis) = high;
    }
  }
}

/// The two coordinates across the up axis.
struct Plan {
  double u, v;
};
Plan plan_of(const Vec3& p, int up) { return {p.x, up == 1 ? p.z : p.y}; }

/// A displacement in a turned box's own frame, and back in the world.
Vec3 to_own(const Primitive& box, const Vec3& d) {
  const auto [u, v] = plan_of(d, box.up_axis);
  const double own_u = box.cos_turn * u + box.sin_turn * v;
  const double own_v = box.cos_turn * v - box.sin_turn * u;
  return box.up_axis == 1 ? Vec3{own_u, d.y, own_v} : Vec3{own_u, own_v, d.z};
}
Vec3 to_world(const Primitive& box, const Vec3& d) {
  Primitive inverse = box;
  inverse.sin_turn = -box.sin_turn;
  return to_own(inverse, d);
}

Vec3 center_of(const Vec3& min, const Vec3& max) { return scaled(0.5, plus(min, max)); }

/// A part of a turned box moves with it: its bounds as if the whole box were not turned.
Bounds unturned(const Primitive& solid, const Primitive& part) {
  if (solid.kind == PrimitiveKind::kBox) return {part.min, part.max};
  const Vec3 pivot = center_of(solid.min, solid.max);
  const Vec3 center = center_of(part.min, part.max);
  const Vec3 d = minus(center, pivot);
  const Vec3 shift = minus(to_own(solid, d), d);
  return {plus(part.min, shift), plus(part.max, shift)};
}

/// The inverse: the primitive for a part of an unturned box.
Primitive turned(const Primitive& solid, const Bounds& part) {
  Primitive piece = solid;
  piece.first_opening = 0;
  piece.num_openings = 0;
  piece.min = part.min;
  piece.max = part.max;
  if (solid.kind == PrimitiveKind::kBox) return piece;
  const Vec3 pivot = center_of(solid.min, solid.max);
  const Vec3 d = minus(center_of(part.min, part.max), pivot);
  const Vec3 shift = minus(to_world(solid, d), d);
  piece.min = plus(piece.min, shift);
  piece.max = plus(piece.max, shift);
  return piece;
}

/// Separating axes of two rectangles in plan (one turned); heights are compared by the caller.
bool rotated_box_meets(const Primitive& rotated, const Bounds& box) {
  const int up = rotated.up_axis;
  if (component(rotated.min, up) >= component(box.max, up)) return false;
  if (component(box.min, up) >= component(rotated.max, up)) return false;
  const Plan center = plan_of(center_of(rotated.min, rotated.max), up);
  const Plan half = plan_of(scaled(0.5, minus(rotated.max, rotated.min)), up);
  const Plan box_center = plan_of(center_of(box.min, box.max), up);
  const Plan box_half = plan_of(scaled(0.5, minus(box.max, box.min)), up);
  const Plan d{box_center.u - center.u, box_center.v - center.v};
  const double c = std::fabs(rotated.cos_turn), s = std::fabs(rotated.sin_turn);
  const double own_u = rotated.cos_turn * d.u + rotated.sin_turn * d.v;
  const double own_v = rotated.cos_turn * d.v - rotated.sin_turn * d.u;
  return std::fabs(d.u) < box_half.u + c * half.u + s * half.v &&
         std::fabs(d.v) < box_half.v + s * half.u + c * half.v &&
         std::fabs(own_u) < half.u + c * box_half.u + s * box_half.v &&
         std::fabs(own_v) < half.v + s * box_half.u + c * box_half.v;
}

/// Squared distance of an interval from a centre, in radii.
double gap_squared(double low, double high, double center, double radius) {
  const double gap = std::max({low - center, center - high, 0.0}) / radius;
  return gap * gap;
}

/// Scaled by its radii, a round primitive is a unit ball or disc and the box stays a box.
bool round_meets(const Primitive& round, const Bounds& box) {
  const Vec3 center = center_of(round.min, round.max);
  double distance_squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double radius = 0.5 * (component(round.max, axis) - component(round.min, axis));
    const double gap = gap_squared(component(box.min, axis), component(box.max, axis),
                                   component(center, axis), radius);
    if (round.kind == PrimitiveKind::kCylinder && axis == round.up_axis) {
      if (gap >= 1) return false;
    } else {
      distance_squared += gap;
    }
  }
  return distance_squared < 1;
}

bool slab_meets(const Primitive& slab, const Bounds& box) {
  double lowest = -slab.offset, highest = -slab.offset;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = std::max(component(slab.min, axis), component(box.min, axis));
    const double high = std::min(component(slab.max, axis), component(box.max, axis));
    if (low >= high) return false;
    const double n = component(slab.normal, axis);
    lowest += n * (n > 0 ? low : high);
    highest += n * (n > 0 ? high : low);
  }
  return lowest < slab.half_width && highest > -slab.half_width;
}

}  // namespace

std::vector<Primitive> without_openings(const AnalyticSolid& set, const Primitive& solid) {
  if (solid.num_openings == 0) return {solid};
  std::vector<Bounds> pieces{{solid.min, solid.max}};
  for (std::int32_t k = 0; k < solid.num_openings; ++k) {
    const Primitive& opening =
        set.openings[static_cast<std::size_t>(solid.first_opening) + static_cast<std::size_t>(k)];
    const bool is_box =
        solid.kind == PrimitiveKind::kBox || solid.kind == PrimitiveKind::kRotatedBox;
    if (!is_box || opening.kind != solid.kind || opening.cos_turn != solid.cos_turn ||
        opening.sin_turn != solid.sin_turn || opening.up_axis != solid.up_axis) {
      throw InputError("an opening must be a box turned like the box that it is cut out of");
    }
    const Bounds hole = unturned(solid, opening);
    std::vector<Bounds> left;
    for (const Bounds& piece : pieces) append_difference(piece, hole, left);
    pieces = std::move(left);
  }
  std::vector<Primitive> result;
  for (const Bounds& piece : pieces) result.push_back(turned(solid, piece));
  return result;
}

bool meets(const Primitive& primitive, const Bounds& box) {
  switch (primitive.kind) {
    case PrimitiveKind::kBox:
      return overlaps({primitive.min, primitive.max}, box);
    case PrimitiveKind::kRotatedBox:
      return rotated_box_meets(primitive, box);
    case PrimitiveKind::kSlab:
      return slab_meets(primitive, box);
    default:
      return round_meets(primitive, box);
  }
}

}  // namespace sightline::host
