#include "host/studies/scene_graph.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sightline::host {
namespace {

using kernels::Vec3;

Vec3 middle_of(const Bounds& box) {
  return {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, (box.min.z + box.max.z) / 2};
}

std::array<double, 3> coordinates(const Vec3& p) { return {p.x, p.y, p.z}; }

double squared_distance(const Vec3& a, const Vec3& b) {
  const Vec3 d = kernels::minus(a, b);
  return kernels::dot(d, d);
}

}  // namespace

Side side_of(const kernels::Pose& pose, const Vec3& place_m) {
  const Vec3 to = kernels::minus(place_m, pose.position);
  const double ahead = kernels::dot(to, pose.level_forward), right = kernels::dot(to, pose.right);
  if (ahead >= std::fabs(right)) return Side::kFront;
  if (right >= std::fabs(ahead)) return Side::kRight;
  return -ahead >= std::fabs(right) ? Side::kBehind : Side::kLeft;
}

std::size_t SceneGraph::add_object(std::string name, const Bounds& box_m) {
  objects_.push_back({std::move(name), box_m});
  return objects_.size() - 1;
}

std::size_t SceneGraph::add_region(std::string name, const Bounds& box_m) {
  regions_.push_back({std::move(name), box_m});
  return regions_.size() - 1;
}

std::size_t SceneGraph::add_remembered(std::string name, const Vec3& anchor_m) {
  constexpr double kHalf_m = kThing_m / 2;
  const Vec3 half{kHalf_m, kHalf_m, kHalf_m};
  const Vec3 top{anchor_m.x + kHalf_m, anchor_m.y + kHalf_m, anchor_m.z + kHalf_m};
  const std::size_t object = add_object(std::move(name), {kernels::minus(anchor_m, half), top});
  at_.emplace_back(object, place_near(anchor_m));
  return object;
}

std::size_t SceneGraph::place_near(const Vec3& anchor_m) {
  std::size_t nearest = places_.size();
  double least = kPlace_m * kPlace_m;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double d2 = squared_distance(places_[i].at_m, anchor_m);
    if (d2 > least || (nearest < places_.size() && d2 == least)) continue;
    nearest = i;
    least = d2;
  }
  if (nearest == places_.size()) places_.push_back({anchor_m});
  return nearest;
}

std::vector<std::size_t> SceneGraph::at(std::size_t place) const {
  std::vector<std::size_t> found;
  for (const auto& [object, where] : at_) {
    if (where == place) found.push_back(object);
  }
  return found;
}

std::vector<std::size_t> SceneGraph::named(const std::string& name) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].name == name) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> SceneGraph::in(std::size_t region) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (holds(regions_.at(region).box_m, middle_of(objects_[i].box_m))) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> SceneGraph::on(std::size_t below) const {
  const Bounds& support = objects_.at(below).box_m;
  const auto low = coordinates(support.min), high = coordinates(support.max);
  const auto up = static_cast<std::size_t>(axes_.up_axis);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const auto from = coordinates(objects_[i].box_m.min), to = coordinates(objects_[i].box_m.max);
    bool stands = i != below && std::fabs(from[up] - high[up]) <= kTouch_m;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      if (axis != up) stands = stands && from[axis] < high[axis] && to[axis] > low[axis];
    }
    if (stands) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> SceneGraph::near(const Vec3& place_m, double radius_m) const {
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const double d2 = squared_distance(middle_of(objects_[i].box_m), place_m);
    if (d2 <= radius_m * radius_m) found.emplace_back(d2, i);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> objects;
  for (const auto& [d2, object] : found) objects.push_back(object);
  return objects;
}

Side SceneGraph::side(std::size_t object, const kernels::Pose& pose) const {
  return side_of(pose, middle_of(objects_.at(object).box_m));
}

}  // namespace sightline::host
