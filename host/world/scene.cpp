#include "host/world/scene.h"

#include <string>
#include <vector>

#include "host/world/binary_file.h"
#include "host/world/scene_builder.h"
#include "host/world/scene_library.h"
#include "host/world/turn.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

Vec3 point_of(const ConfigValue& value) {
  const std::vector<double> p = value.as_numbers(3);
  return {p[0], p[1], p[2]};
}

Vec3 size_of(const ConfigValue& value) {
  const Vec3 size = point_of(value);
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) value.fail("each size must be above 0");
  return size;
}

void check_bounds(const ConfigValue& value, const Bounds& bounds) {
  for (int axis = 0; axis < 3; ++axis) {
    if (component(bounds.min, axis) < component(bounds.max, axis)) continue;
    value.fail(std::string("min must be below max along ") + "xyz"[axis]);
  }
}

/// {min: [x, y, z], max: [x, y, z]} among other keys.
Bounds bounds_of(const ConfigValue& value) {
  const Bounds bounds{point_of(value.at("min")), point_of(value.at("max"))};
  check_bounds(value, bounds);
  return bounds;
}

/// Narrows `bounds` along the axes for which the map has a range, {y: [0, 2], z: [9, 11]}, counted
/// from `origin`.
Bounds narrowed(const ConfigValue& value, Bounds bounds, Vec3 origin = {}) {
  for (int axis = 0; axis < 3; ++axis) {
    const ConfigValue* range = value.find(std::string(1, "xyz"[axis]));
    if (range == nullptr) continue;
    const std::vector<double> ends = range->as_numbers(2);
    if (!(ends[0] < ends[1])) range->fail("the range must begin below its end");
    component(bounds.min, axis) = component(origin, axis) + ends[0];
    component(bounds.max, axis) = component(origin, axis) + ends[1];
  }
  return bounds;
}

Opening opening_of(const ConfigValue& value, const Bounds& solid, Vec3 origin) {
  value.allow_only({"box", "x", "y", "z", "edges"});
  Opening opening;
  if (const ConfigValue* box = value.find("box")) {
    box->allow_only({"min", "max"});
    const Bounds bounds = bounds_of(*box);
    opening.bounds_m = {plus(bounds.min, origin), plus(bounds.max, origin)};
  } else {
    opening.bounds_m = narrowed(value, solid, origin);
  }
  if (const ConfigValue* edges = value.find("edges")) opening.edges = edges_of(*edges);
  return opening;
}

/// Openings of a solid, their coordinates counted from `origin`.
std::vector<Opening> openings_of(const ConfigValue& solid, const Bounds& bounds, Vec3 origin = {}) {
  std::vector<Opening> openings;
  if (const ConfigValue* list = solid.find("openings")) {
    for (const ConfigValue& item : list->items()) {
      openings.push_back(opening_of(item, bounds, origin));
    }
  }
  return openings;
}

std::uint8_t closed_faces_of(const ConfigValue& solid) {
  const ConfigValue* closed = solid.find("closed");
  if (closed == nullptr) return kernels::kAllFacesClosed;
  if (closed->is_text()) {
    return closed->as_choice({"all", "none"}) == 0 ? kernels::kAllFacesClosed : std::uint8_t{0};
  }
  std::uint8_t faces = 0;
  for (const ConfigValue& face : closed->items()) {
    faces |= static_cast<std::uint8_t>(
        1u << face.as_choice({"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}));
  }
  return faces;
}

void add_box(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"min", "max", "closed", "openings"});
  const Bounds bounds = bounds_of(value);
  scene.add_box(bounds, openings_of(value, bounds), closed_faces_of(value));
}

/// A wall across the scene: centred at `at`, spanning the scene's bounds unless told otherwise.
void add_slab(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"axis", "at", "thickness", "span", "closed", "openings"});
  const int axis = static_cast<int>(value.at("axis").as_choice({"x", "y", "z"}));
  Bounds bounds = scene.bounds_m();
  if (const ConfigValue* span = value.find("span")) {
    if (span->find(std::string(1, "xyz"[axis]))) {
      span->fail("the slab's own axis is set by at and thickness, not by span");
    }
    span->allow_only({"x", "y", "z"});
    bounds = narrowed(*span, bounds);
  }
  const double at = value.at("at").as_number();
  const double half = 0.5 * value.at("thickness").as_positive();
  component(bounds.min, axis) = at - half;
  component(bounds.max, axis) = at + half;
  scene.add_box(bounds, openings_of(value, bounds), closed_faces_of(value));
}

/// Openings are measured from the centre of the box, before it is turned.
void add_rotated_box(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"center", "size", "yaw_deg", "openings"});
  const Vec3 center = point_of(value.at("center"));
  const Vec3 half = scaled(0.5, size_of(value.at("size")));
  const Bounds bounds{minus(center, half), plus(center, half)};
  scene.add_rotated_box(bounds, value.at("yaw_deg").as_number(-360, 360) * (kPi / 180),
                        openings_of(value, bounds, center));
}

void add_diagonal_slab(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"min", "max", "normal", "offset", "thickness"});
  const Vec3 normal = point_of(value.at("normal"));
  if (kernels::dot(normal, normal) == 0) value.at("normal").fail("must not be zero");
  scene.add_diagonal_slab(bounds_of(value), normal, value.at("offset").as_number(),
                          value.at("thickness").as_positive());
}

void add_cylinder(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"base", "radius", "height"});
  scene.add_cylinder(point_of(value.at("base")), value.at("radius").as_positive(),
                     value.at("height").as_positive());
}

void add_sphere(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"center", "radius"});
  scene.add_sphere(point_of(value.at("center")), value.at("radius").as_positive());
}

/// Square pillars in a row, each standing on a point of first + i * step.
void add_pillars(SceneBuilder& scene, const ConfigValue& value) {
  value.allow_only({"first", "step", "count", "width", "height"});
  constexpr std::int64_t kMaxPillars = 100000;
  const Vec3 first = point_of(value.at("first"));
  const Vec3 step = point_of(value.at("step"));
  const double half = 0.5 * value.at("width").as_positive();
  const double height = value.at("height").as_positive();
  const int up = frame_axes(scene.frame()).up_axis;
  const std::int64_t count = value.at("count").as_integer(1, kMaxPillars);
  for (std::int64_t i = 0; i < count; ++i) {
    const Vec3 base = plus(first, scaled(static_cast<double>(i), step));
    Bounds pillar{{base.x - half, base.y - half, base.z - half},
                  {base.x + half, base.y + half, base.z + half}};
    component(pillar.min, up) = component(base, up);
    component(pillar.max, up) = component(base, up) + height;
    scene.add_box(pillar);
  }
}

void add_solid(SceneBuilder& scene, const ConfigValue& solid) {
  if (!solid.is_map() || solid.entries().size() != 1) {
    solid.fail("a solid is a map with one entry, such as {box: {min: [0, 0, 0], max: [1, 2, 1]}}");
  }
  solid.allow_only({"box", "slab", "rotated_box", "diagonal_slab", "cylinder", "sphere", "pillars",
                    "rooms", "clutter"});
  const auto& [kind, value] = solid.entries().front();
  if (kind == "box") add_box(scene, value);
  if (kind == "slab") add_slab(scene, value);
  if (kind == "rotated_box") add_rotated_box(scene, value);
  if (kind == "diagonal_slab") add_diagonal_slab(scene, value);
  if (kind == "cylinder") add_cylinder(scene, value);
  if (kind == "sphere") add_sphere(scene, value);
  if (kind == "pillars") add_pillars(scene, value);
  if (kind == "rooms") add_rooms(scene, value);
  if (kind == "clutter") add_clutter(scene, value);
}

Scene make_described_scene(const ConfigValue& scene) {
  scene.allow_only({"frame", "bounds_m", "solids"});
  const ConfigValue* frame = scene.find("frame");
  const bool z_up = frame != nullptr && frame->as_choice({"y_up", "z_up"}) == 1;
  const ConfigValue& bounds = scene.at("bounds_m");
  bounds.allow_only({"min", "max"});
  SceneBuilder builder("scene", z_up ? Frame::kMapZUp : Frame::kSceneYUp, bounds_of(bounds));
  for (const ConfigValue& solid : scene.at("solids").items()) add_solid(builder, solid);
  return builder.build();
}

bool is_scene_file(const std::string& name) {
  const std::string extension = extension_of(name);
  return extension == ".yaml" || extension == ".yml";
}

}  // namespace

Edges edges_of(const ConfigValue& value) {
  constexpr Edges kEdges[] = {Edges::kClosed, Edges::kOpen, Edges::kHalfOpen};
  return kEdges[value.as_choice({"closed", "open", "half_open"})];
}

ConfigValue resolve_scene(const ConfigValue& scene) {
  if (!scene.is_text()) return scene;
  const std::string name = scene.as_text();
  if (is_scene_file(name)) {
    const InputFile checked(name);  // says "a folder", "no such file" as every reader does
    return ConfigValue::load_yaml(name);
  }
  check_scene_name(scene);
  return ConfigValue::map({{"name", scene}});
}

Scene make_scene(const ConfigValue& scene) {
  const ConfigValue resolved = resolve_scene(scene);
  if (!resolved.is_map()) {
    resolved.fail("a scene is a name, a .yaml file or a map with bounds_m and solids");
  }
  try {
    return resolved.find("name") ? make_named_scene(resolved) : make_described_scene(resolved);
  } catch (const SceneTooLarge& error) {
    resolved.fail(error.what());
  }
}

}  // namespace sightline::host
