// Spatial search against a scan over all points, on places where borders are hit exactly.
#include "index/spatial_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/polygon.h"
#include "support/search.h"

namespace sightline::tests {
namespace {

using index::BoxRegion;
using index::Hit;
using index::Hits;
using index::IdFilter;
using index::Point;
using index::PolygonRegion;
using index::SpatialIndex;

constexpr std::uint64_t kSeed = 20240905;

class PlacesOf : public testing::Test {
 protected:
  void SetUp() override {
    if (index::backend_info().nanoflann_version.empty()) GTEST_SKIP() << "no nanoflann";
  }
};

/// Points on a lattice, many of them equal, so that ties and borders are everywhere.
std::vector<Point> lattice_points(std::int64_t num, double spacing, std::uint64_t seed) {
  Random random(seed);
  std::vector<Point> points(static_cast<std::size_t>(num));
  for (Point& point : points) {
    for (double& value : point) value = spacing * static_cast<double>(random.integer(-6, 6));
  }
  return points;
}

std::vector<Point> scattered_points(std::int64_t num, std::uint64_t seed) {
  Random random(seed);
  std::vector<Point> points(static_cast<std::size_t>(num));
  for (Point& point : points) {
    for (double& value : point) value = 1000 + random.uniform(-5, 5);
  }
  return points;
}

/// All points by (d2, row), those of the mask alone if there is one.
Hits plain_order(const std::vector<Point>& points, const Point& centre,
                 const std::vector<std::uint8_t>& mask) {
  Hits hits;
  for (std::size_t row = 0; row < points.size(); ++row) {
    if (!mask.empty() && mask[row] == 0) continue;
    const double dx = centre[0] - points[row][0];
    const double dy = centre[1] - points[row][1];
    const double dz = centre[2] - points[row][2];
    hits.push_back({static_cast<std::int64_t>(row), (dx * dx + dy * dy) + dz * dz});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& a, const Hit& b) { return a.score < b.score; });
  return hits;
}

struct Case {
  std::vector<Point> points, centres;
};

std::vector<Case> cases() {
  return {{lattice_points(900, 1, kSeed), lattice_points(15, 1, kSeed + 1)},
          {lattice_points(900, 0.1, kSeed), lattice_points(15, 0.05, kSeed + 1)},  // inexact sums
          {scattered_points(900, kSeed), scattered_points(15, kSeed + 1)},
          {std::vector<Point>(60, Point{1, 2, 3}), {{1, 2, 3}, {0, 0, 0}}},
          {{{1e140, -1e140, 0}, {1e-160, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {1e140, 0, 0}}}};
}

TEST_F(PlacesOf, BallsAreClosedAndOrderedByDistanceThenRow) {
  const std::vector<std::uint8_t> no_mask;
  for (const Case& c : cases()) {
    const SpatialIndex index(c.points);
    const std::vector<std::uint8_t> mask =
        random_mask(static_cast<std::int64_t>(c.points.size()), 0.3, kSeed);
    const IdFilter kept = IdFilter::of_mask(mask);
    for (const Point& centre : c.centres) {
      std::vector<double> radii{0, 0.1, 1, 3, 5, std::numeric_limits<double>::infinity()};
      const Hits all = plain_order(c.points, centre, no_mask);
      for (std::size_t i = 0; i < all.size(); i += 97) radii.push_back(std::sqrt(all[i].score));
      for (const double radius : radii) {
        for (const auto* m : {&no_mask, &mask}) {
          Hits expected = plain_order(c.points, centre, *m);
          expected.erase(std::find_if(expected.begin(), expected.end(),
                                      [&](const Hit& hit) { return hit.score > radius * radius; }),
                         expected.end());
          ASSERT_EQ(index.within(centre, radius, m->empty() ? nullptr : &kept), expected) << radius;
        }
      }
    }
  }
}

TEST_F(PlacesOf, NearestAreOrderedByDistanceThenRow) {
  const std::vector<std::uint8_t> no_mask;
  for (const Case& c : cases()) {
    const SpatialIndex index(c.points);
    const std::vector<std::uint8_t> mask =
        random_mask(static_cast<std::int64_t>(c.points.size()), 0.1, kSeed);
    const IdFilter kept = IdFilter::of_mask(mask);
    for (const Point& centre : c.centres) {
      for (const std::int64_t k : {1, 2, 4, 7, 30, 899, 900, 1000}) {
        for (const auto* m : {&no_mask, &mask}) {
          Hits expected = plain_order(c.points, centre, *m);
          expected.resize(std::min(expected.size(), static_cast<std::size_t>(k)));
          ASSERT_EQ(index.nearest(centre, k, m->empty() ? nullptr : &kept), expected) << k;
        }
      }
    }
  }
}

TEST_F(PlacesOf, BoxesHoldTheirFaces) {
  for (const Case& c : cases()) {
    const SpatialIndex index(c.points);
    Random random(kSeed);
    const IdFilter kept = IdFilter::range(index.num_rows(), 0, index.num_rows() / 2);
    for (int trial = 0; trial < 40; ++trial) {
      const Point& a = c.points[static_cast<std::size_t>(random.integer(0, index.num_rows() - 1))];
      const Point& b = c.points[static_cast<std::size_t>(random.integer(0, index.num_rows() - 1))];
      BoxRegion box;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low_m[axis] = std::min(a[axis], b[axis]);
        box.high_m[axis] = std::max(a[axis], b[axis]);
      }
      std::vector<std::int64_t> expected, expected_kept;
      for (std::int64_t row = 0; row < index.num_rows(); ++row) {
        const Point& p = c.points[static_cast<std::size_t>(row)];
        bool inside = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          inside = inside && p[axis] >= box.low_m[axis] && p[axis] <= box.high_m[axis];
        }
        if (inside) expected.push_back(row);
        if (inside && kept.contains(row)) expected_kept.push_back(row);
      }
      ASSERT_EQ(index.inside(box), expected);
      ASSERT_EQ(index.inside(box, &kept), expected_kept);
    }
  }
}

/// On integers: on the outline, or wound around an odd number of times (the signed crossings of a
/// ray upwards, where the index sends one sideways).
bool plainly_inside(const std::vector<std::array<std::int64_t, 2>>& outline, std::int64_t x,
                    std::int64_t y) {
  std::int64_t crossings = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const auto [ax, ay] = outline[i];
    const auto [bx, by] = outline[(i + 1) % outline.size()];
    const std::int64_t cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (cross == 0 && std::min(ax, bx) <= x && x <= std::max(ax, bx) && std::min(ay, by) <= y &&
        y <= std::max(ay, by)) {
      return true;
    }
    if ((ax <= x && bx > x && cross < 0) || (bx <= x && ax > x && cross > 0)) ++crossings;
  }
  return crossings % 2 == 1;
}

TEST_F(PlacesOf, PolygonsHoldTheirOutlineAndTheirHeights) {
  Random random(kSeed);
  const std::vector<Point> points = lattice_points(1500, 1, kSeed);
  const SpatialIndex index(points);
  for (int trial = 0; trial < 150; ++trial) {
    PolygonRegion region;
    region.up_axis = trial % 3;
    region.low_m = static_cast<double>(random.integer(-5, 0));
    region.high_m = region.low_m + static_cast<double>(random.integer(0, 5));
    std::vector<std::array<std::int64_t, 2>> outline;
    for (std::int64_t i = random.integer(3, 9); i > 0; --i) {
      outline.push_back({random.integer(-6, 6), random.integer(-6, 6)});
      region.outline_m.push_back(
          {static_cast<double>(outline.back()[0]), static_cast<double>(outline.back()[1])});
    }
    const std::size_t up = static_cast<std::size_t>(region.up_axis);
    const std::size_t first = up == 0 ? 1 : 0, second = up == 2 ? 1 : 2;
    std::vector<std::int64_t> expected;
    for (std::size_t row = 0; row < points.size(); ++row) {
      const Point& p = points[row];
      if (p[up] >= region.low_m && p[up] <= region.high_m &&
          plainly_inside(outline, static_cast<std::int64_t>(p[first]),
                         static_cast<std::int64_t>(p[second]))) {
        expected.push_back(static_cast<std::int64_t>(row));
      }
    }
    ASSERT_EQ(index.inside(region), expected) << "trial " << trial;
  }
}

TEST(SideOfLine, IsExactWherePlainArithmeticIsNot) {
  using index::side_of_line;
  EXPECT_EQ(side_of_line({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(side_of_line({0, 0}, {1, 0}, {0, -1}), -1);
  // On the line through (0, 0) and (12, 12), and one unit in the last place off it.
  const double x = 0.5 + 0x1p-52;
  EXPECT_EQ(side_of_line({0, 0}, {12, 12}, {x, x}), 0);
  EXPECT_EQ(side_of_line({12, 12}, {24, 24}, {0.5, x}), 1);
  EXPECT_EQ(side_of_line({12, 12}, {24, 24}, {x, 0.5}), -1);
  // Far from the origin plain arithmetic sees no more than its rounding.
  const double far = 0x1p50, step = 0x1p-2;
  EXPECT_EQ(side_of_line({-far, -far}, {far, far + step}, {0, 0}), -1);
  EXPECT_EQ(side_of_line({-far, -far}, {far, far - step}, {0, 0}), 1);
}

TEST_F(PlacesOf, AnswersDoNotDependOnThreads) {
  const SpatialIndex index(lattice_points(900, 1, kSeed));
  const std::vector<Point> centres = lattice_points(300, 0.5, kSeed + 1);
  const IdFilter kept = IdFilter::of_mask(random_mask(900, 0.5, kSeed));
  const std::vector<Hits> near = index.nearest(centres, 6, {&kept}, 1);
  const std::vector<Hits> around = index.within(centres, 2, {}, 1);
  for (const int num_threads : {2, 4}) {
    EXPECT_EQ(index.nearest(centres, 6, {&kept}, num_threads), near);
    EXPECT_EQ(index.within(centres, 2, {}, num_threads), around);
  }
  EXPECT_EQ(near[7], index.nearest(centres[7], 6, &kept));
}

TEST_F(PlacesOf, NothingIsFoundInNothing) {
  const SpatialIndex none({});
  EXPECT_TRUE(none.nearest(Point{}, 3).empty());
  EXPECT_TRUE(none.within(Point{}, 3).empty());
  EXPECT_TRUE(none.inside(BoxRegion{{-1, -1, -1}, {1, 1, 1}}).empty());
  const SpatialIndex one({{1, 2, 3}});
  EXPECT_EQ(one.nearest(Point{}, 3).size(), 1u);
  EXPECT_TRUE(one.within(Point{}, 3.7).empty());
}

TEST_F(PlacesOf, WhatCannotBeIsRefused) {
  const double nan = std::nan("");
  EXPECT_TRUE(says(bad_input_of([&] { SpatialIndex({{0, 0, 0}, {0, nan, 0}}); }), "row 1"));
  const SpatialIndex index({{1, 2, 3}});
  EXPECT_TRUE(says(bad_input_of([&] { index.within(Point{}, -1); }), "radius -1"));
  EXPECT_TRUE(says(bad_input_of([&] { index.within(Point{}, nan); }), "radius"));
  EXPECT_TRUE(says(bad_input_of([&] { index.within(Point{nan, 0, 0}, 1); }), "place to search"));
  EXPECT_TRUE(says(bad_input_of([&] { index.nearest(Point{}, 0); }), "k 0"));
  EXPECT_TRUE(says(bad_input_of([&] {
                     index.inside(BoxRegion{{1, 0, 0}, {0, 1, 1}});
                   }),
                   "lower end"));
  PolygonRegion region;
  region.outline_m = {{0, 0}, {1, 1}};
  EXPECT_TRUE(says(bad_input_of([&] { index.inside(region); }), "2 corners"));
  region.outline_m.push_back({nan, 0});
  EXPECT_TRUE(says(bad_input_of([&] { index.inside(region); }), "corner 2"));
  region.outline_m.back() = {1, 0};
  region.up_axis = 3;
  EXPECT_TRUE(says(bad_input_of([&] { index.inside(region); }), "up axis 3"));
  const IdFilter other = IdFilter::all(2);
  EXPECT_TRUE(says(bad_input_of([&] { index.within(Point{}, 1, &other); }), "is over 2 rows"));
}

}  // namespace
}  // namespace sightline::tests
