#include "host/world/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/error.h"
#include "host/world/extent.h"
#include "host/world/text_scan.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;
// A grid has up to 2^22 voxels along an axis, 2^34 corners of the lattice: a normal times a corner
// has up to 2^105.
__extension__ using Wide = __int128;
using Wide3 = std::array<Wide, 3>;

constexpr double kMaxCoordinate_vox = 0x1p40;  // a double still holds 1/4096 voxel
constexpr double kMaxVoxelsMet = 0x1p31;       // some minutes' work
constexpr const char* kFix = "give a larger voxel size, in the unit of the file's coordinates";

Wide3 cross(const Wide3& a, const Wide3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A direction along which triangle and box may lie apart.
struct Axis {
  Wide3 direction;
  Wide low, high;  ///< of the triangle
};

/// A triangle against half-open boxes, exactly. The box [lo, hi) is the closed box that ends a
/// vanishing bit before hi: where projections touch, that bit decides.
class Triangle {
 public:
  explicit Triangle(const std::array<Index3, 3>& corners) : corners_(corners) {
    std::array<Wide3, 3> edges;
    for (std::size_t e = 0; e < 3; ++e) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        edges[e][axis] = Wide{corners[(e + 1) % 3][axis]} - corners[e][axis];
      }
    }
    normal_ = cross(edges[0], edges[1]);
    add(normal_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Wide3 unit{0, 0, 0};
      unit[axis] = 1;
      add(unit);
      for (const Wide3& edge : edges) add(cross(edge, unit));
    }
  }

  bool meets(const Index3& lo, const Index3& hi) const {
    for (std::size_t a = 0; a < num_axes_; ++a) {
      const Axis& axis = axes_[a];
      Wide box_low = 0, box_high = 0;
      bool high_is_open = false, low_is_open = false;
      for (std::size_t i = 0; i < 3; ++i) {
        const Wide along = axis.direction[i];
        box_high += along * (along > 0 ? hi[i] : lo[i]);
        box_low += along * (along < 0 ? hi[i] : lo[i]);
        high_is_open = high_is_open || along > 0;
        low_is_open = low_is_open || along < 0;
      }
      if (axis.low > box_high || (axis.low == box_high && high_is_open)) return false;
      if (axis.high < box_low || (axis.high == box_low && low_is_open)) return false;
    }
    return true;
  }

  /// The voxels that can meet it, both included.
  void bounds(Index3& low, Index3& high) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] =
          std::minmax({corners_[0][axis], corners_[1][axis], corners_[2][axis]});
      low[axis] = least / kSurfaceLattice;
      high[axis] = most / kSurfaceLattice;
    }
  }

  double area_vox() const {
    double squares = 0;
    for (const Wide along : normal_)
      squares += static_cast<double>(along) * static_cast<double>(along);
    return std::sqrt(squares) / 2 / kSurfaceLattice / kSurfaceLattice;
  }

 private:
  void add(const Wide3& direction) {
    if (direction == Wide3{0, 0, 0}) return;
    Wide along[3];
    for (std::size_t c = 0; c < 3; ++c) {
      along[c] = 0;
      for (std::size_t i = 0; i < 3; ++i) along[c] += direction[i] * corners_[c][i];
    }
    axes_[num_axes_++] = {direction, std::min({along[0], along[1], along[2]}),
                          std::max({along[0], along[1], along[2]})};
  }

  std::array<Index3, 3> corners_;
  Wide3 normal_;
  std::array<Axis, 13> axes_;
  std::size_t num_axes_ = 0;
};

/// Marks what a triangle meets: cubes first, then those of their eighths that it meets too.
class Marker {
 public:
  explicit Marker(OccupancyGrid& grid) : grid_(grid) {}

  void mark(const Triangle& triangle) {
    triangle.bounds(low_, high_);
    int bits = 0;
    for (int axis = 0; axis < 3; ++axis) {
      while (high_[axis] - low_[axis] >= std::int64_t{2} << bits) ++bits;
    }
    Index3 cube;
    for (cube[2] = low_[2] >> bits; cube[2] <= high_[2] >> bits; ++cube[2]) {
      for (cube[1] = low_[1] >> bits; cube[1] <= high_[1] >> bits; ++cube[1]) {
        for (cube[0] = low_[0] >> bits; cube[0] <= high_[0] >> bits; ++cube[0]) {
          mark_cube(triangle, cube, bits);
        }
      }
    }
  }

 private:
  void mark_cube(const Triangle& triangle, const Index3& cube, int bits) {
    Index3 lo, hi;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t first = cube[axis] << bits;
      if (first > high_[axis] || first + (std::int64_t{1} << bits) <= low_[axis]) return;
      lo[axis] = first * kSurfaceLattice;
      hi[axis] = (first + (std::int64_t{1} << bits)) * kSurfaceLattice;
    }
    if (!triangle.meets(lo, hi)) return;
    if (bits == 0) {
      grid_.set(cube[0], cube[1], cube[2], VoxelState::kOccupied);
      return;
    }
    for (int c = 0; c < 8; ++c) {
      mark_cube(triangle,
                {2 * cube[0] + (c & 1), 2 * cube[1] + (c >> 1 & 1), 2 * cube[2] + (c >> 2)},
                bits - 1);
    }
  }

  OccupancyGrid& grid_;
  Index3 low_{0, 0, 0}, high_{0, 0, 0};
};

std::int64_t floor_to_voxel(std::int64_t lattice) {
  return lattice >= 0 ? lattice / kSurfaceLattice
                      : -((kSurfaceLattice - 1 - lattice) / kSurfaceLattice);
}

/// The points on the lattice of the voxels, counted from the placement's origin or from 0.
std::vector<Index3> to_lattice(const InputFile& file, const Surface& surface,
                               const GridGeometry& geometry) {
  std::vector<Index3> corners(surface.points.size());
  for (std::size_t row = 0; row < corners.size(); ++row) {
    for (int axis = 0; axis < 3; ++axis) {
      const double at_vox =
          (component(surface.points[row], axis) - geometry.origin_m[axis]) / geometry.voxel_m[axis];
      if (!(std::fabs(at_vox) < kMaxCoordinate_vox)) {
        file.fail("vertex " + std::to_string(row) + " lies " + exact_text(at_vox) +
                  " voxels from the origin along " + "xyz"[axis] + ", 2^40 at most; " + kFix);
      }
      corners[row][axis] = std::llrint(at_vox * kSurfaceLattice);
    }
  }
  return corners;
}

/// Lays the grid around the corners and counts them from its low corner.
void place(const InputFile& file, bool has_origin, std::vector<Index3>& corners,
           GridGeometry& geometry) {
  Index3 low, high;
  low.fill(std::numeric_limits<std::int64_t>::max());
  high.fill(std::numeric_limits<std::int64_t>::min());
  for (const Index3& corner : corners) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], floor_to_voxel(corner[axis]));
      high[axis] = std::max(high[axis], floor_to_voxel(corner[axis]));
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (has_origin && low[axis] < 0) {
      file.fail("reaches " + std::to_string(-low[axis]) + " voxels below the origin given, along " +
                "xyz"[axis] + "; move the origin there, or leave it out");
    }
    if (has_origin) low[axis] = 0;
  }
  geometry.dims = checked_extent(file, low, high, kFix);
  if (has_origin) return;
  for (int axis = 0; axis < 3; ++axis) {
    geometry.origin_m[axis] = static_cast<double>(low[axis]) * geometry.voxel_m[axis];
    for (Index3& corner : corners) corner[axis] -= low[axis] * kSurfaceLattice;
  }
}

}  // namespace

OccupancyGrid voxelise_surface(const InputFile& file, const Surface& surface,
                               const Placement& placement) {
  if (surface.points.empty()) file.fail("holds no vertices; export it again");
  GridGeometry geometry = geometry_of(placement, Frame::kSceneYUp);
  for (const double voxel_m : geometry.voxel_m) {
    if (!(voxel_m > 0) || !std::isfinite(voxel_m)) {
      file.fail("cannot become voxels of " + exact_text(voxel_m) +
                " m; voxel_m is a length above 0");
    }
  }
  std::vector<Index3> corners = to_lattice(file, surface, geometry);
  place(file, placement.origin_m.has_value(), corners, geometry);
  OccupancyGrid grid(geometry);
  if (surface.triangles.empty()) {
    for (const Index3& p : corners) {
      grid.set(p[0] / kSurfaceLattice, p[1] / kSurfaceLattice, p[2] / kSurfaceLattice,
               VoxelState::kOccupied);
    }
    return grid;
  }
  Marker marker(grid);
  double num_met = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Triangle triangle({corners[a], corners[b], corners[c]});
    num_met += triangle.area_vox();
    if (num_met > kMaxVoxelsMet) file.fail("meets more than 2^31 voxels; " + std::string(kFix));
    marker.mark(triangle);
  }
  return grid;
}

}  // namespace sightline::host
