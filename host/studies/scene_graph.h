// Objects at locations: what is in, on and near what, and on which side of somebody's pose.
//
// The arm M2 of What Spatial Memory Must Store (2026), section 5.2: an object-at-location graph. It
// holds boxes of things and of regions, and no occupancy: of what stands between it knows nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/world/world.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// The side of a pose that a place is on, each a quarter turn around ahead, right, behind and left.
/// On a border, the one that comes first when turning from ahead to the right.
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

  explicit SceneGraph(Frame frame) : axes_(frame_axes(frame)) {}

  /// Returns the index of what is added; indices count from 0.
  std::size_t add_object(std::string name, const Bounds& box_m);
  std::size_t add_region(std::string name, const Bounds& box_m);
  const Object& object(std::size_t i) const { return objects_.at(i); }
  std::size_t num_objects() const { return objects_.size(); }

  /// Objects of a name, ascending.
  std::vector<std::size_t> named(const std::string& name) const;
  /// Objects whose middle lies in the region's box, faces included, ascending.
  std::vector<std::size_t> in(std::size_t region) const;
  /// Objects that stand on `below`: they overlap it seen from above, and their lower face lies
  /// within kTouch_m of its upper one.
  std::vector<std::size_t> on(std::size_t below) const;
  /// Objects whose middle is at most radius_m from the place, nearest first, ties ascending.
  std::vector<std::size_t> near(const kernels::Vec3& place_m, double radius_m) const;
  /// The side of the pose on which the object's middle is.
  Side side(std::size_t object, const kernels::Pose& pose) const;

  static constexpr double kTouch_m = 0.05;

 private:
  FrameAxes axes_;
  std::vector<Object> objects_;
  std::vector<Region> regions_;
};

}  // namespace sightline::host
