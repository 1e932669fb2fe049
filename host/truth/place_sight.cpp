#include "host/truth/place_sight.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace sightline::host {
namespace {

using kernels::Vec3;
using Corner = std::array<double, 2>;

constexpr double kNoWall = 2;

double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/// Where on a to b, in [0, 1], it meets c to d; nowhere for parallel ones.
std::optional<double> meeting(const Vec3& a, const Vec3& b, const Corner& c, const Corner& d) {
  const double ux = b.x - a.x, uy = b.y - a.y, vx = d[0] - c[0], vy = d[1] - c[1];
  const double turn = cross(ux, uy, vx, vy);
  if (turn == 0) return std::nullopt;
  const double t = cross(c[0] - a.x, c[1] - a.y, vx, vy) / turn;
  const double s = cross(c[0] - a.x, c[1] - a.y, ux, uy) / turn;
  if (t < 0 || t > 1 || s < 0 || s > 1) return std::nullopt;
  return t;
}

}  // namespace

PlaceSight::PlaceSight(const std::vector<WallRing>& rings) {
  for (const WallRing& ring : rings) {
    if (ring.empty()) continue;
    Boxed boxed{ring, ring[0][0], ring[0][1], ring[0][0], ring[0][1]};
    for (const auto& [x, y] : ring) {
      boxed.min_x = std::min(boxed.min_x, x);
      boxed.max_x = std::max(boxed.max_x, x);
      boxed.min_y = std::min(boxed.min_y, y);
      boxed.max_y = std::max(boxed.max_y, y);
    }
    rings_.push_back(std::move(boxed));
  }
}

double PlaceSight::first_wall(const Vec3& from_m, const Vec3& to_m) const {
  const double min_x = std::min(from_m.x, to_m.x), max_x = std::max(from_m.x, to_m.x);
  const double min_y = std::min(from_m.y, to_m.y), max_y = std::max(from_m.y, to_m.y);
  double first = kNoWall;
  for (const Boxed& ring : rings_) {
    if (ring.max_x < min_x || ring.min_x > max_x || ring.max_y < min_y || ring.min_y > max_y) {
      continue;
    }
    const std::size_t count = ring.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = meeting(from_m, to_m, ring.corners[i], ring.corners[(i + 1) % count]);
      if (at) first = std::min(first, *at);
    }
  }
  return first;
}

bool PlaceSight::is_free(const Vec3& from_m, const Vec3& to_m) const {
  return first_wall(from_m, to_m) == kNoWall;
}

bool PlaceSight::is_inside(const Vec3& place_m) const {
  for (const Boxed& ring : rings_) {
    bool inside = false;  // an odd number of walls lies east of it
    const std::size_t count = ring.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [ax, ay] = ring.corners[i];
      const auto& [bx, by] = ring.corners[(i + 1) % count];
      if ((ay > place_m.y) == (by > place_m.y)) continue;
      if (place_m.x < ax + (place_m.y - ay) / (by - ay) * (bx - ax)) inside = !inside;
    }
    if (inside) return true;
  }
  return false;
}

}  // namespace sightline::host
