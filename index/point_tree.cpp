#include "index/point_tree.h"

#include <limits>
#include <nanoflann.hpp>

namespace sightline::index {
namespace {

/// The tree leaves branches out by lower bounds that are rounded: a few units in the last place per
/// level. Bounds this much wider leave out nothing that belongs; who visits compares exact d2.
constexpr double kWider = 1 + 1e-9;

struct Cloud {
  const std::vector<Point>& points;

  std::size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(std::size_t row, std::size_t axis) const { return points[row][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// What nanoflann hands points to. It compares them with a bound that it may have read before.
class Visitor {
 public:
  using DistanceType = double;

  Visitor(const Point& centre, const std::vector<Point>& points, double bound,
          const PointTree::Visit& visit)
      : centre_(centre), points_(points), visit_(visit) {
    set_bound(bound);
  }

  std::size_t size() const { return 0; }
  bool full() const { return true; }
  double worstDist() const { return wide_bound_; }
  bool addPoint(double, std::size_t row) {
    const double d2 = squared_distance(centre_, points_[row]);
    set_bound(visit_(d2, static_cast<std::int64_t>(row)));
    return true;
  }

 private:
  /// The tree takes points strictly below the bound.
  void set_bound(double bound) {
    wide_bound_ = bound * kWider + std::numeric_limits<double>::min();
  }

  const Point& centre_;
  const std::vector<Point>& points_;
  const PointTree::Visit& visit_;
  double wide_bound_ = 0;
};

class NanoflannTree : public PointTree {
 public:
  explicit NanoflannTree(const std::vector<Point>& points)
      : cloud_{points}, tree_(3, cloud_, nanoflann::KDTreeSingleIndexAdaptorParams(16)) {
    tree_.buildIndex();
  }

  void visit_near(const Point& centre, double bound, const Visit& visit) const override {
    if (cloud_.points.empty()) return;
    Visitor visitor(centre, cloud_.points, bound, visit);
    tree_.findNeighbors(visitor, centre.data(), {});
  }

 private:
  using Distance = nanoflann::L2_Simple_Adaptor<double, Cloud>;
  Cloud cloud_;
  nanoflann::KDTreeSingleIndexAdaptor<Distance, Cloud, 3, std::size_t> tree_;
};

}  // namespace

std::unique_ptr<PointTree> make_point_tree(const std::vector<Point>& points) {
  return std::make_unique<NanoflannTree>(points);
}

}  // namespace sightline::index
