#include "host/truth/way_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/truth/place_geometry.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// The point of a piece that is nearest to p, as a share of the piece.
double nearest_share(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 along = kernels::minus(b, a);
  const double square = kernels::dot(along, along);
  return square > 0 ? std::clamp(kernels::dot(kernels::minus(p, a), along) / square, 0.0, 1.0) : 0;
}

}  // namespace

BesideWay beside(const std::vector<Vec3>& way_m, const Vec3& point_m, double slack_m) {
  struct Piece {
    double distance_m, s_m;
  };
  std::vector<Piece> pieces{{distance_m(way_m[0], point_m), 0}};
  double before_m = 0;
  for (std::size_t i = 1; i < way_m.size(); ++i) {
    const Vec3 &a = way_m[i - 1], &b = way_m[i];
    const double share = nearest_share(a, b, point_m), length = distance_m(a, b);
    const Vec3 nearest{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                       a.z + share * (b.z - a.z)};
    pieces.push_back({distance_m(nearest, point_m), before_m + share * length});
    before_m += length;
  }
  BesideWay found{pieces[0].distance_m, 0, std::numeric_limits<double>::infinity(), 0};
  for (const Piece& piece : pieces) {
    if (piece.distance_m < found.distance_m) {
      found.distance_m = piece.distance_m;
      found.s_m = piece.s_m;
    }
  }
  for (const Piece& piece : pieces) {
    if (piece.distance_m > found.distance_m + slack_m) continue;
    found.first_s_m = std::min(found.first_s_m, piece.s_m);
    found.last_s_m = std::max(found.last_s_m, piece.s_m);
  }
  return found;
}

double length_of(const std::vector<Vec3>& way_m) {
  double length = 0;
  for (std::size_t i = 1; i < way_m.size(); ++i) length += distance_m(way_m[i - 1], way_m[i]);
  return length;
}

}  // namespace sightline::host
