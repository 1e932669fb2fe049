// Spatial search: memories by where they are, by a k-d tree (nanoflann).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "index/hit.h"
#include "index/id_filter.h"

namespace sightline::index {

/// A place, in metres, in whatever frame the points have.
using Point = std::array<double, 3>;

/// Points within both corners, faces included.
struct BoxRegion {
  Point low_m{};
  Point high_m{};
};

/// Points over a polygon and between two heights, borders included. A point is inside where a ray
/// from it crosses the outline an odd number of times; whether it lies on the outline, or on which
/// side of an edge, is computed without rounding. The outline closes itself, either way round.
struct PolygonRegion {
  int up_axis = 1;  ///< 0, 1 or 2: 1 in scenes, 2 in OctoMap worlds
  /// The two axes that are not up, in their order: (x, z) in scenes, (x, y) in OctoMap worlds.
  std::vector<std::array<double, 2>> outline_m;
  double low_m = 0, high_m = 0;  ///< along the up axis
};

/// d2 as every finder here means it: (dx dx + dy dy) + dz dz.
double squared_distance(const Point& a, const Point& b);

/// An immutable set of points; any number of threads may search at a time. Answers are those of a
/// scan over all points, whatever the tree. All members that search throw BadInput for a query that
/// is not finite or a filter over another number of rows.
class SpatialIndex {
 public:
  /// Row i is points[i]. Throws BadInput for a coordinate that is not finite or above 1e150, with
  /// its row; MissingLibrary in a build without nanoflann.
  explicit SpatialIndex(std::vector<Point> points);
  SpatialIndex(SpatialIndex&&) noexcept;
  SpatialIndex& operator=(SpatialIndex&&) noexcept;
  ~SpatialIndex();

  std::int64_t num_rows() const;

  /// Rows with d2 <= radius_m * radius_m, nearest first, ties by row; a hit's score is its d2.
  /// Throws BadInput if the radius is negative or NaN.
  Hits within(const Point& centre, double radius_m, const IdFilter* filter = nullptr) const;

  /// The k rows of least (d2, row), in that order; fewer if there are fewer. Throws BadInput if k
  /// < 1.
  Hits nearest(const Point& centre, std::int64_t k, const IdFilter* filter = nullptr) const;

  /// Rows inside, ascending. Throw BadInput for a box or heights that are upside down, an up axis
  /// that is none, or an outline of fewer than three corners.
  std::vector<std::int64_t> inside(const BoxRegion& box, const IdFilter* filter = nullptr) const;
  std::vector<std::int64_t> inside(const PolygonRegion& polygon,
                                   const IdFilter* filter = nullptr) const;

  /// within() and nearest() for each of a batch; `filters`: see IdFilters.
  std::vector<Hits> within(const std::vector<Point>& centres, double radius_m,
                           const IdFilters& filters, int num_threads) const;
  std::vector<Hits> nearest(const std::vector<Point>& centres, std::int64_t k,
                            const IdFilters& filters, int num_threads) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::index
