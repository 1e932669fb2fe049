#include "host/world/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "host/world/turn.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Primitive;
using kernels::PrimitiveKind;
using kernels::Vec3;

Vec3 center_of(const Bounds& box) { return scaled(0.5, plus(box.min, box.max)); }

/// Pushes the faces that lie on or beyond the solid's outwards by the solid's size: they cut
/// nothing more, and no rounding can leave a skin of solid points on them.
Bounds pushed_through(Bounds opening, const Bounds& solid) {
  for (int axis = 0; axis < 3; ++axis) {
    const double low = component(solid.min, axis), high = component(solid.max, axis);
    double& from = component(opening.min, axis);
    double& to = component(opening.max, axis);
    if (from <= low) from = std::min(from, low - (high - low));
    if (to >= high) to = std::max(to, high + (high - low));
  }
  return opening;
}

std::uint8_t closed_faces_of(Edges edges) {
  constexpr std::uint8_t kLowFaces = 0x15;
  if (edges == Edges::kClosed) return kernels::kAllFacesClosed;
  return edges == Edges::kHalfOpen ? kLowFaces : std::uint8_t{0};
}

/// Where a point of an unturned box lies after the box was turned about `center`.
Vec3 turned(Vec3 point, Vec3 center, const Primitive& box) {
  const Vec3 d = minus(point, center);
  if (box.up_axis == 1) {
    return {center.x + (box.cos_turn * d.x - box.sin_turn * d.z), point.y,
            center.z + (box.sin_turn * d.x + box.cos_turn * d.z)};
  }
  return {center.x + (box.cos_turn * d.x - box.sin_turn * d.y),
          center.y + (box.sin_turn * d.x + box.cos_turn * d.y), point.z};
}

}  // namespace

SceneBuilder::SceneBuilder(std::string name, Frame frame, const Bounds& bounds_m) {
  for (int axis = 0; axis < 3; ++axis) {
    if (component(bounds_m.min, axis) < component(bounds_m.max, axis)) continue;
    throw InputError("scene " + name + ": its bounds hold no space along " + "xyz"[axis] +
                     "; min must be below max");
  }
  scene_.name = std::move(name);
  scene_.frame = frame;
  scene_.bounds_m = bounds_m;
}

Vec3 SceneBuilder::from_plan(double right, double height, double ahead) const {
  return frame() == Frame::kMapZUp ? Vec3{right, ahead, height} : Vec3{right, height, ahead};
}

Bounds SceneBuilder::from_plan(const Bounds& plan) const {
  return {from_plan(plan.min.x, plan.min.y, plan.min.z),
          from_plan(plan.max.x, plan.max.y, plan.max.z)};
}

Primitive& SceneBuilder::add(PrimitiveKind kind, const Bounds& box) {
  Primitive primitive;
  primitive.kind = kind;
  primitive.up_axis = static_cast<std::uint8_t>(frame_axes(frame()).up_axis);
  primitive.min = box.min;
  primitive.max = box.max;
  primitive.first_opening = static_cast<std::int32_t>(scene_.solid.openings.size());
  if (scene_.solid.solids.size() == kMaxSolids) {
    throw SceneTooLarge("has more than " + std::to_string(kMaxSolids) +
                        " solids; make it smaller, or its parts larger");
  }
  scene_.solid.solids.push_back(primitive);
  return scene_.solid.solids.back();
}

void SceneBuilder::cut(const Opening& opening, std::size_t solid_index) {
  Primitive& solid = scene_.solid.solids[solid_index];
  const Bounds bounds{solid.min, solid.max};
  const Bounds through = pushed_through(opening.bounds_m, bounds);
  Primitive hole = solid;
  hole.num_openings = 0;
  hole.closed_faces = closed_faces_of(opening.edges);
  hole.min = through.min;
  hole.max = through.max;
  if (solid.kind == PrimitiveKind::kRotatedBox) {  // a hole turns about its own centre
    const Vec3 center = center_of(through);
    const Vec3 shift = minus(turned(center, center_of(bounds), solid), center);
    hole.min = plus(hole.min, shift);
    hole.max = plus(hole.max, shift);
  }
  scene_.solid.openings.push_back(hole);
  ++solid.num_openings;
}

void SceneBuilder::add_box(const Bounds& box, const std::vector<Opening>& openings,
                           std::uint8_t closed_faces) {
  add(PrimitiveKind::kBox, box).closed_faces = closed_faces;
  const std::size_t solid = scene_.solid.solids.size() - 1;
  for (const Opening& opening : openings) cut(opening, solid);
}

void SceneBuilder::add_rotated_box(const Bounds& unturned, double yaw_rad,
                                   const std::vector<Opening>& openings) {
  const Turn turn = exact_turn(yaw_rad);
  if (turn.cos == 1) return add_box(unturned, openings);
  Primitive& box = add(PrimitiveKind::kRotatedBox, unturned);
  box.cos_turn = turn.cos;
  // Yaw turns z towards x in a scene, x towards y in a map; a primitive turns its first axis.
  box.sin_turn = frame() == Frame::kMapZUp ? turn.sin : -turn.sin;
  const std::size_t solid = scene_.solid.solids.size() - 1;
  for (const Opening& opening : openings) cut(opening, solid);
}

void SceneBuilder::add_diagonal_slab(const Bounds& box, Vec3 normal, double offset,
                                     double thickness_m) {
  Primitive& slab = add(PrimitiveKind::kSlab, box);
  slab.normal = normal;
  slab.offset = offset;
  slab.half_width = 0.5 * thickness_m * std::sqrt(kernels::dot(normal, normal));
}

void SceneBuilder::add_cylinder(Vec3 base, double radius_m, double height_m) {
  const int up = frame_axes(frame()).up_axis;
  Bounds box{{base.x - radius_m, base.y - radius_m, base.z - radius_m},
             {base.x + radius_m, base.y + radius_m, base.z + radius_m}};
  component(box.min, up) = component(base, up);
  component(box.max, up) = component(base, up) + height_m;
  add(PrimitiveKind::kCylinder, box);
}

void SceneBuilder::add_sphere(Vec3 center, double radius_m) {
  add(PrimitiveKind::kSphere, {{center.x - radius_m, center.y - radius_m, center.z - radius_m},
                               {center.x + radius_m, center.y + radius_m, center.z + radius_m}});
}

}  // namespace sightline::host
