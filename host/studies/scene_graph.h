// Objects at locations: what is in, on and near what, and on which side of somebody's pose.
//
// The arm M2 of What Spatial Memory Must Store (2026), section 5.2: an object-at-location graph. It
// holds boxes of things, the places that they are at and boxes of regions, and no occupancy: of
// what stands between it knows nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/world/world.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// The side of a pose that a place is on, each a quarter turn around ahead, right, behind and left.
/// On a border the first of these in this order.
enum class Side : std::uint8_t { kFront, kRight, kBehind, kLeft };
Side side_of(const kernels::Pose& pose, const kernels::Vec3& place_m);

class SceneGraph {
 public:
  struct Object {
    std::string name;
    Bounds box_m;  ///< of the thing
  };
  struct Region {
    std::string name;
    Bounds box_m;
  };

  struct Place {
    kernels::Vec3 at_m;  ///< of the first object that made it
  };

  explicit SceneGraph(Frame frame) : axes_(frame_axes(frame)) {}

  /// Returns the index of what is added; indices count from 0.
  std::size_t add_object(std::string name, const Bounds& box_m);
  std::size_t add_region(std::string name, const Bounds& box_m);
  /// A thing that a memory is bound to: a box of kThing_m around its anchor, at the nearest place
  /// within kPlace_m of it, or at a new one.
  std::size_t add_remembered(std::string name, const kernels::Vec3& anchor_m);
  const Object& object(std::size_t i) const { return objects_.at(i); }
  std::size_t num_objects() const { return objects_.size(); }
  const Place& place(std::size_t i) const { return places_.at(i); }
  std::size_t num_places() const { return places_.size(); }

  /// Objects of a name, ascending.
  std::vector<std::size_t> named(const std::string& name) const;
  /// Objects whose middle lies in the region's box, faces included, ascending.
  std::vector<std::size_t> in(std::size_t region) const;
  /// Objects that stand on `below`: they overlap it seen from above, and their lower face lies
  /// within kTouch_m of its upper one.
  std::vector<std::size_t> on(std::size_t below) const;
  /// Objects at a place, ascending; of those that were remembered.
  std::vector<std::size_t> at(std::size_t place) const;
  /// Objects whose middle is at most radius_m from the place, nearest first, ties ascending.
  std::vector<std::size_t> near(const kernels::Vec3& place_m, double radius_m) const;
  /// The side of the pose on which the object's middle is.
  Side side(std::size_t object, const kernels::Pose& pose) const;

  static constexpr double kTouch_m = 0.05;
  static constexpr double kThing_m = 0.5;  ///< the cell that a gaze binds a memory to
  static constexpr double kPlace_m = 1;

 private:
  std::size_t place_near(const kernels::Vec3& anchor_m);

  FrameAxes axes_;
  std::vector<Object> objects_;
  std::vector<Place> places_;
  std::vector<std::pair<std::size_t, std::size_t>> at_;  ///< object, place
  std::vector<Region> regions_;
};

}  // namespace sightline::host
