#include "index/spatial_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "index/error.h"
#include "index/parallel.h"
#include "index/point_tree.h"
#include "index/polygon.h"

namespace sightline::index {
namespace {

constexpr double kMaxCoordinate = 1e150;  // its square is finite, three times over
constexpr std::int64_t kQueriesOfTask = 64;

bool nearer(const Hit& a, const Hit& b) {
  return std::tie(a.score, a.row) < std::tie(b.score, b.row);
}

void check_coordinates(const double* values, std::size_t num, const std::string& what) {
  for (std::size_t i = 0; i < num; ++i) {
    if (std::fabs(values[i]) <= kMaxCoordinate) continue;  // false for NaN
    throw BadInput(what + " has the coordinate " + std::to_string(values[i]) +
                   "; every coordinate must be finite and at most 1e150 in size");
  }
}

void check_range(const char* what, double low, double high) {
  check_coordinates(&low, 1, what);
  check_coordinates(&high, 1, what);
  if (low <= high) return;
  throw BadInput(std::string(what) + " reaches from " + std::to_string(low) + " to " +
                 std::to_string(high) + "; give the lower end first");
}

using Corner = std::array<double, 2>;

bool on_edge(const Corner& a, const Corner& b, const Corner& p) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (p[axis] < std::min(a[axis], b[axis]) || p[axis] > std::max(a[axis], b[axis])) return false;
  }
  return side_of_line(a, b, p) == 0;
}

/// Borders are inside; else a ray towards higher first coordinates crosses an odd number of edges.
/// An edge holds its lower end, not its upper one, so that a corner is crossed once.
bool in_outline(const std::vector<Corner>& outline, const Corner& p) {
  bool inside = false;
  for (std::size_t i = 0, before = outline.size() - 1; i < outline.size(); before = i++) {
    const Corner &a = outline[before], &b = outline[i];
    if (on_edge(a, b, p)) return true;
    if ((a[1] <= p[1]) == (b[1] <= p[1])) continue;
    const bool upwards = a[1] < b[1];
    if (side_of_line(a, b, p) == (upwards ? 1 : -1)) inside = !inside;
  }
  return inside;
}

BoxRegion bounds_of(const PolygonRegion& polygon, std::size_t first, std::size_t second) {
  const auto up = static_cast<std::size_t>(polygon.up_axis);
  BoxRegion box;
  box.low_m[up] = polygon.low_m;
  box.high_m[up] = polygon.high_m;
  for (const auto& [axis, part] : {std::pair{first, 0u}, std::pair{second, 1u}}) {
    const auto by_part = [part = part](const Corner& a, const Corner& b) {
      return a[part] < b[part];
    };
    const auto [low, high] =
        std::minmax_element(polygon.outline_m.begin(), polygon.outline_m.end(), by_part);
    box.low_m[axis] = (*low)[part];
    box.high_m[axis] = (*high)[part];
  }
  return box;
}

bool in_box(const BoxRegion& box, const Point& p) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (p[axis] < box.low_m[axis] || p[axis] > box.high_m[axis]) return false;
  }
  return true;
}

}  // namespace

double squared_distance(const Point& a, const Point& b) {
  const double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
  return (dx * dx + dy * dy) + dz * dz;
}

struct SpatialIndex::Impl {
  std::vector<Point> points;
  std::unique_ptr<PointTree> tree;

  void check(const Point& centre, const IdFilter* filter) const {
    check_coordinates(centre.data(), 3, "the place to search around");
    check_filters({filter}, 1, static_cast<std::int64_t>(points.size()));
  }

  /// Rows for which `accept` holds, of those in the box, ascending.
  template <class Accept>
  std::vector<std::int64_t> in_region(const BoxRegion& box, const IdFilter* filter,
                                      const Accept& accept) const {
    // The ball around the box, wide enough for its rounded centre and radius.
    Point centre{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      centre[axis] = box.low_m[axis] / 2 + box.high_m[axis] / 2;
    }
    const double bound =
        std::max(squared_distance(centre, box.low_m), squared_distance(centre, box.high_m)) *
            (1 + 1e-9) +
        std::numeric_limits<double>::min();
    std::vector<std::int64_t> rows;
    tree->visit_near(centre, bound, [&](double, std::int64_t row) {
      const Point& point = points[static_cast<std::size_t>(row)];
      if (in_box(box, point) && (filter == nullptr || filter->contains(row)) && accept(point)) {
        rows.push_back(row);
      }
      return bound;
    });
    std::sort(rows.begin(), rows.end());
    return rows;
  }
};

SpatialIndex::SpatialIndex(std::vector<Point> points) : impl_(std::make_unique<Impl>()) {
  for (std::size_t row = 0; row < points.size(); ++row) {
    check_coordinates(points[row].data(), 3, "row " + std::to_string(row));
  }
  impl_->points = std::move(points);
  impl_->tree = make_point_tree(impl_->points);
}

SpatialIndex::SpatialIndex(SpatialIndex&&) noexcept = default;
SpatialIndex& SpatialIndex::operator=(SpatialIndex&&) noexcept = default;
SpatialIndex::~SpatialIndex() = default;

std::int64_t SpatialIndex::num_rows() const {
  return static_cast<std::int64_t>(impl_->points.size());
}

Hits SpatialIndex::within(const Point& centre, double radius_m, const IdFilter* filter) const {
  impl_->check(centre, filter);
  if (!(radius_m >= 0)) {
    throw BadInput("radius " + std::to_string(radius_m) + " m; give 0 or more");
  }
  const double bound = radius_m * radius_m;
  Hits hits;
  impl_->tree->visit_near(centre, bound, [&](double d2, std::int64_t row) {
    if (d2 <= bound && (filter == nullptr || filter->contains(row))) hits.push_back({row, d2});
    return bound;
  });
  std::sort(hits.begin(), hits.end(), nearer);
  return hits;
}

Hits SpatialIndex::nearest(const Point& centre, std::int64_t k, const IdFilter* filter) const {
  impl_->check(centre, filter);
  if (k < 1) throw BadInput("k " + std::to_string(k) + " is below 1; give at least 1");
  const auto wanted = static_cast<std::size_t>(std::min(k, num_rows()));
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Hits heap;  // the best so far, the worst of them in front
  impl_->tree->visit_near(centre, kFar, [&](double d2, std::int64_t row) {
    const Hit hit{row, d2};
    if (filter == nullptr || filter->contains(row)) {
      if (heap.size() < wanted) {
        heap.push_back(hit);
        std::push_heap(heap.begin(), heap.end(), nearer);
      } else if (nearer(hit, heap.front())) {
        std::pop_heap(heap.begin(), heap.end(), nearer);
        heap.back() = hit;
        std::push_heap(heap.begin(), heap.end(), nearer);
      }
    }
    return heap.size() < wanted ? kFar : heap.front().score;
  });
  std::sort(heap.begin(), heap.end(), nearer);
  return heap;
}

std::vector<std::int64_t> SpatialIndex::inside(const BoxRegion& box, const IdFilter* filter) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    check_range("the box", box.low_m[axis], box.high_m[axis]);
  }
  impl_->check(box.low_m, filter);
  return impl_->in_region(box, filter, [](const Point&) { return true; });
}

std::vector<std::int64_t> SpatialIndex::inside(const PolygonRegion& polygon,
                                               const IdFilter* filter) const {
  if (polygon.up_axis < 0 || polygon.up_axis > 2) {
    throw BadInput("up axis " + std::to_string(polygon.up_axis) + " of a polygon; give 0, 1 or 2");
  }
  if (polygon.outline_m.size() < 3) {
    throw BadInput("a polygon of " + std::to_string(polygon.outline_m.size()) +
                   " corners; give at least 3");
  }
  for (std::size_t i = 0; i < polygon.outline_m.size(); ++i) {
    check_coordinates(polygon.outline_m[i].data(), 2, "corner " + std::to_string(i));
  }
  check_range("the polygon's height", polygon.low_m, polygon.high_m);
  const std::size_t first = polygon.up_axis == 0 ? 1 : 0;
  const std::size_t second = polygon.up_axis == 2 ? 1 : 2;
  const BoxRegion box = bounds_of(polygon, first, second);
  impl_->check(box.low_m, filter);
  return impl_->in_region(box, filter, [&](const Point& point) {
    return in_outline(polygon.outline_m, {point[first], point[second]});
  });
}

std::vector<Hits> SpatialIndex::within(const std::vector<Point>& centres, double radius_m,
                                       const IdFilters& filters, int num_threads) const {
  std::vector<Hits> found(centres.size());
  const auto num = static_cast<std::int64_t>(centres.size());
  check_filters(filters, num, num_rows());
  for_each_task((num + kQueriesOfTask - 1) / kQueriesOfTask, num_threads, [&](std::int64_t task) {
    const std::int64_t end = std::min(num, (task + 1) * kQueriesOfTask);
    for (std::int64_t i = task * kQueriesOfTask; i < end; ++i) {
      const auto query = static_cast<std::size_t>(i);
      found[query] = within(centres[query], radius_m, filter_of(filters, i));
    }
  });
  return found;
}

std::vector<Hits> SpatialIndex::nearest(const std::vector<Point>& centres, std::int64_t k,
                                        const IdFilters& filters, int num_threads) const {
  std::vector<Hits> found(centres.size());
  const auto num = static_cast<std::int64_t>(centres.size());
  check_filters(filters, num, num_rows());
  for_each_task((num + kQueriesOfTask - 1) / kQueriesOfTask, num_threads, [&](std::int64_t task) {
    const std::int64_t end = std::min(num, (task + 1) * kQueriesOfTask);
    for (std::int64_t i = task * kQueriesOfTask; i < end; ++i) {
      const auto query = static_cast<std::size_t>(i);
      found[query] = nearest(centres[query], k, filter_of(filters, i));
    }
  });
  return found;
}

}  // namespace sightline::index
