// The tree behind SpatialIndex. Not for users of the folder.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "index/spatial_index.h"

namespace sightline::index {

class PointTree {
 public:
  virtual ~PointTree() = default;

  /// Calls visit(d2, row) for every point with d2 <= bound, and perhaps for others, in any order.
  /// What it returns is the bound from then on.
  using Visit = std::function<double(double d2, std::int64_t row)>;
  virtual void visit_near(const Point& centre, double bound, const Visit& visit) const = 0;
};

/// `points` must stay where they are. point_tree.cpp, or point_tree_none.cpp, which throws
/// MissingLibrary where nanoflann was not found.
std::unique_ptr<PointTree> make_point_tree(const std::vector<Point>& points);

}  // namespace sightline::index
