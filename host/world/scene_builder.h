// Puts solids into a scene one by one. Metres, world frame.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/world/scene.h"

namespace sightline::host {

/// Which boundary points of an opening are open space.
enum class Edges : std::uint8_t {
  kClosed,   ///< all
  kOpen,     ///< none
  kHalfOpen  ///< those on the low edges
};

/// A box cut out of one solid. Faces on or beyond the solid's own lead out of it and have no edge.
struct Opening {
  Bounds bounds_m;
  Edges edges = Edges::kClosed;
};

/// A scene has at most this many solids, about 250 MB of them; adding more throws SceneTooLarge.
constexpr std::size_t kMaxSolids = 2'000'000;
/// Who asked for the scene says where.
class SceneTooLarge : public InputError {
 public:
  using InputError::InputError;
};

class SceneBuilder {
 public:
  /// Throws InputError unless min < max on each axis.
  SceneBuilder(std::string name, Frame frame, const Bounds& bounds_m);

  Frame frame() const { return scene_.frame; }
  const Bounds& bounds_m() const { return scene_.bounds_m; }

  /// Plan coordinates (right, height, ahead) are (x, y, z) with y up and (x, z, y) with z up: what
  /// is built in them stands upright in either frame.
  kernels::Vec3 from_plan(double right, double height, double ahead) const;
  Bounds from_plan(const Bounds& plan) const;
  Bounds plan_bounds() const { return from_plan(bounds_m()); }  // the exchange is its own inverse

  void add_box(const Bounds& box, const std::vector<Opening>& openings = {},
               std::uint8_t closed_faces = kernels::kAllFacesClosed);
  /// A box turned about the up axis through its centre, as an observer's yaw turns. Openings are
  /// given as if the box were not turned.
  void add_rotated_box(const Bounds& unturned, double yaw_rad,
                       const std::vector<Opening>& openings = {});
  /// The points p of a box with |normal . p - offset| <= thickness_m / 2 * |normal|.
  void add_diagonal_slab(const Bounds& box, kernels::Vec3 normal, double offset,
                         double thickness_m);
  /// An upright cylinder from the centre of its base.
  void add_cylinder(kernels::Vec3 base, double radius_m, double height_m);
  void add_sphere(kernels::Vec3 center, double radius_m);

  Scene build() { return std::move(scene_); }

 private:
  kernels::Primitive& add(kernels::PrimitiveKind kind, const Bounds& box);
  void cut(const Opening& opening, std::size_t solid);

  Scene scene_;
};

}  // namespace sightline::host
