// Voxels of surfaces, against a slow clip of each triangle by each voxel, and by hand.
#include "host/world/surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/grids.h"
#include "support/random.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::OccupancyGrid;
using host::Placement;
using host::Surface;
using host::VoxelState;
using tests::TemporaryFolder;

constexpr std::uint64_t kSeed = 21;

OccupancyGrid voxelised(const Surface& surface, double voxel_m,
                        std::optional<std::array<double, 3>> origin_m = std::nullopt) {
  const TemporaryFolder folder;
  tests::write_text(folder / "any", "");
  const host::InputFile file(folder / "any");
  Placement placement;
  placement.voxel_m = {voxel_m, voxel_m, voxel_m};
  placement.origin_m = origin_m;
  return host::voxelise_surface(file, surface, placement);
}

using Point = std::array<double, 3>;

/// What is left of a polygon on one side of a plane across an axis (Sutherland and Hodgman 1974).
std::vector<Point> clipped(const std::vector<Point>& polygon, std::size_t axis, double at,
                           bool keep_above) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    const double da = keep_above ? a[axis] - at : at - a[axis];
    const double db = keep_above ? b[axis] - at : at - b[axis];
    if (da >= 0) kept.push_back(a);
    if ((da < 0) == (db < 0)) continue;
    Point cut;
    for (std::size_t k = 0; k < 3; ++k) cut[k] = a[k] + (b[k] - a[k]) * (da / (da - db));
    kept.push_back(cut);
  }
  return kept;
}

/// Does the triangle meet the voxel, grown (or shrunk) by a margin?
bool meets(const std::vector<Point>& triangle, const std::array<std::int64_t, 3>& voxel,
           double margin) {
  std::vector<Point> polygon = triangle;
  for (std::size_t axis = 0; axis < 3 && !polygon.empty(); ++axis) {
    const auto low = static_cast<double>(voxel[axis]);
    polygon = clipped(polygon, axis, low - margin, true);
    if (!polygon.empty()) polygon = clipped(polygon, axis, low + 1 + margin, false);
  }
  return !polygon.empty();
}

Surface random_surface(tests::Random& random, int num_triangles, double size) {
  Surface surface;
  for (int t = 0; t < num_triangles; ++t) {
    const std::uint32_t row = static_cast<std::uint32_t>(surface.points.size());
    for (int c = 0; c < 3; ++c) {
      // Multiples of 1/4: on the lattice, and often on faces and edges.
      const auto coordinate = [&] { return std::floor(random.uniform(0, 4 * size)) / 4; };
      surface.points.push_back({coordinate(), coordinate(), coordinate()});
    }
    surface.triangles.push_back({row, row + 1, row + 2});
  }
  return surface;
}

TEST(Surfaces, OccupyWhatTheirTrianglesMeetAndNothingElse) {
  // Of the clip's own rounding; a lattice of 1/4 keeps all other distances far larger.
  constexpr double kMargin_vox = 1e-9;
  tests::Random random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const Surface surface = random_surface(random, 1, 12);
    const OccupancyGrid grid = voxelised(surface, 1, Point{0, 0, 0});
    std::vector<Point> triangle;
    for (const kernels::Vec3& p : surface.points) triangle.push_back({p.x, p.y, p.z});
    const auto& dims = grid.geometry().dims;
    for (std::int64_t i = 0; i < dims[0]; ++i) {
      for (std::int64_t j = 0; j < dims[1]; ++j) {
        for (std::int64_t k = 0; k < dims[2]; ++k) {
          const bool occupied = grid.at(i, j, k) == VoxelState::kOccupied;
          if (meets(triangle, {i, j, k}, -kMargin_vox)) {
            ASSERT_TRUE(occupied) << "seed " << kSeed << " round " << round << ": " << i << ' ' << j
                                  << ' ' << k;
          } else if (!meets(triangle, {i, j, k}, kMargin_vox)) {
            ASSERT_FALSE(occupied)
                << "seed " << kSeed << " round " << round << ": " << i << ' ' << j << ' ' << k;
          }
        }
      }
    }
  }
}

TEST(Surfaces, DoNotDependOnTheOrderOfTrianglesAndCorners) {
  tests::Random random(kSeed);
  Surface surface = random_surface(random, 40, 30);
  const OccupancyGrid grid = voxelised(surface, 0.3);
  std::reverse(surface.triangles.begin(), surface.triangles.end());
  for (auto& triangle : surface.triangles) {
    std::rotate(triangle.begin(), triangle.begin() + random.integer(0, 2), triangle.end());
    if (random.chance(0.5)) std::swap(triangle[0], triangle[1]);
  }
  const OccupancyGrid again = voxelised(surface, 0.3);
  tests::expect_same_grid(again, grid);
}

TEST(Surfaces, BetweenTwoLayersBelongToTheUpperOne) {
  Surface wall;
  wall.points = {{3, 0, 0}, {3, 4, 0}, {3, 4, 4}, {3, 0, 4}};
  wall.triangles = {{0, 1, 2}, {0, 2, 3}};
  const OccupancyGrid grid = voxelised(wall, 1, Point{0, 0, 0});
  // The upper edges of the wall, at 4, belong to voxel 4.
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{4, 5, 5}));
  EXPECT_EQ(grid.count().occupied, 25);
  EXPECT_EQ(grid.at(3, 0, 0), VoxelState::kOccupied);
  EXPECT_EQ(grid.at(2, 2, 2), VoxelState::kFree);
}

TEST(Surfaces, OfACubeAreHollow) {
  Surface cube;
  for (int c = 0; c < 8; ++c) {
    cube.points.push_back(
        {(c & 1) ? 0.95 : 0.05, (c >> 1 & 1) ? 0.95 : 0.05, (c >> 2) ? 0.95 : 0.05});
  }
  cube.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
  const OccupancyGrid grid = voxelised(cube, 0.1);
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{10, 10, 10}));
  EXPECT_EQ(grid.geometry().origin_m, (Point{0, 0, 0}));
  EXPECT_EQ(grid.count().occupied, 10 * 10 * 10 - 8 * 8 * 8);
}

TEST(Surfaces, BeginAtTheMultipleOfTheVoxelSizeBelow) {
  Surface points;
  points.points = {{-0.25, 7, 0}, {0.3, 7.1, 12.5}};
  const OccupancyGrid grid = voxelised(points, 0.5);
  EXPECT_EQ(grid.geometry().origin_m, (Point{-0.5, 7, 0}));
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{2, 1, 26}));
  EXPECT_EQ(grid.count().occupied, 2);
  EXPECT_EQ(grid.at(1, 0, 25), VoxelState::kOccupied);
}

TEST(Surfaces, AsThinAsALineOrAPointStillCount) {
  Surface thin;
  thin.points = {{0.5, 0.5, 0.5}, {7.5, 0.5, 0.5}, {3.5, 0.5, 0.5}};
  thin.triangles = {{0, 1, 2}};
  EXPECT_EQ(voxelised(thin, 1).count().occupied, 8);
  thin.triangles = {{2, 2, 2}};
  EXPECT_EQ(voxelised(thin, 1).count().occupied, 1);
}

}  // namespace
}  // namespace sightline
