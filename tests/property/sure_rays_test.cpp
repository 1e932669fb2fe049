// Rays that floats cannot mistake (kernels/cube_ray.h): which they are, and that each step of
// theirs is one of the exact ray.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "host/brick_tables.h"
#include "kernels/cube_ray.h"
#include "kernels/lattice_ray.h"
#include "support/effort.h"
#include "support/lattice_rays.h"
#include "support/rays.h"
#include "support/vectors.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261128;

/// How many of the rays come to an edge that integers have to settle.
int num_in_doubt(const host::OccupancyGrid& grid, const LatticeRays& rays, int bits) {
  host::BrickTables tables;
  const kernels::GridView view = with_tables(grid, &tables);
  const kernels::CubeField field(view, bits);
  int num = 0;
  for (std::size_t i = 0; i < rays.from.size(); ++i) {
    kernels::CubeRay<kernels::SightWalk> ray;
    if (!ray.begin(field, {rays.from[i], rays.to[i]})) continue;
    kernels::CubeStep state = kernels::CubeStep::kGoesOn;
    while (state == kernels::CubeStep::kGoesOn) state = ray.step(field, view.occupied_bricks);
    num += state == kernels::CubeStep::kEdge;
  }
  return num;
}

// Half of these rays meet an edge exactly.
TEST(SureRays, AreThoseBetweenVoxelCentres) {
  Random random(kSeed);
  const oracle::Index3 dims{500, 300, 200};
  const host::OccupancyGrid grid(host::GridGeometry{{dims[0], dims[1], dims[2]}});
  const LatticeRays batch =
      lattice_rays(to_batch(make_rays(RayKind::kCentreToCentre, dims, 5000, random)), {}, 8);
  EXPECT_EQ(num_in_doubt(grid, batch, 8), 0);
  // A unit of the lattice off the centres, nothing is sure.
  LatticeRays moved = batch;
  for (kernels::LatticePoint& p : moved.from) ++p.x;
  EXPECT_GT(num_in_doubt(grid, moved, 8), 0);
}

/// x for which a x mod m is 1; 0 if there is none.
std::int64_t inverse_of(std::int64_t a, std::int64_t m) {
  std::int64_t x = 0, next_x = 1, rest = m, next = a % m;
  while (next != 0) {
    const std::int64_t times = rest / next;
    x = std::exchange(next_x, x - times * next_x);
    rest = std::exchange(next, rest - times * next);
  }
  return rest != 1 ? 0 : x < 0 ? x + m : x;
}

/// A ray near the far corner of a grid of `size` voxels along x and y, between points of a lattice
/// of 2^-coarse_bits voxels. Where it leaves its first cube of 64 voxels along x it is as little
/// below a face along y as such rays can be: by `ratio` times the error of a place. It may end on
/// the face below the grid along z.
LatticeRays near_miss(std::int64_t size, int bits, int coarse_bits, double ratio, Random& random) {
  const std::int64_t voxel = std::int64_t{1} << coarse_bits, cube = 64 * voxel;
  const std::int64_t unit = std::int64_t{1} << (bits - coarse_bits), num = size * voxel;
  const double apart = std::ldexp(1.0, -2 * coarse_bits), grid = static_cast<double>(size);
  // apart / length is `ratio` times (2 length + size) 2^-24.
  const double length = (std::sqrt(grid * grid + 8 * apart / ratio * 0x1p24) - grid) / 4;
  const std::int64_t span =
      std::clamp(static_cast<std::int64_t>(std::ldexp(length, coarse_bits)), cube, num / 2);
  for (;;) {
    const std::int64_t ahead = random.integer(1, cube - 1), up = span - inverse_of(ahead, span);
    if (up == span) continue;                            // what both can be divided by
    const std::int64_t risen = (up * ahead + 1) / span;  // and 1 / span less
    const std::int64_t x = (num - span) / cube * cube - ahead;
    const std::int64_t y = random.integer(num - up - std::min(num - up, cube), num - up - 1);
    if ((y + risen) % voxel != 0 || y % cube + risen >= cube) continue;
    std::int64_t p[3] = {x, y, random.integer(0, 8 * voxel - 1)};
    std::int64_t t[3] = {x + span, y + up,
                         std::max(random.integer(-8 * voxel, 8 * voxel - 1), std::int64_t{0})};
    for (int a = 0; a < 2; ++a) {  // downwards, which the walk mirrors
      if (random.integer(0, 1) == 0) p[a] = num - p[a], t[a] = num - t[a];
    }
    const auto point = [&](const std::int64_t* v) {
      return kernels::LatticePoint{int(v[0] * unit), int(v[1] * unit), int(v[2] * unit)};
    };
    return {{point(p)}, {point(t)}};
  }
}

// Steps of rays that floats are just sure of, or just not: onto cells that the exact ray visits.
// With a fifth of the factor that they are sure by, some steps are wrong.
TEST(SureRays, StepOntoCellsOfTheExactRay) {
  Random random(kSeed);
  int num_sure = 0, num_doubtful = 0;
  for (const std::int64_t size : {256, 1024, 4096}) {
    const host::OccupancyGrid grid(host::GridGeometry{{size, size, 8}});
    host::BrickTables tables;
    const kernels::GridView view = with_tables(grid, &tables);
    for (int i = 0; i < effort(100000); ++i) {
      const int coarse_bits = i % 5, bits = std::max(coarse_bits, 5);
      const double ratio = std::exp2(static_cast<double>(random.integer(-10, 20)) / 10);
      const LatticeRays rays = near_miss(size, bits, coarse_bits, ratio, random);
      const kernels::CubeField field(view, bits);
      kernels::CubeRay<kernels::SightWalk> ray;
      if (!ray.begin(field, {rays.from[0], rays.to[0]})) continue;
      kernels::LatticeRay exact(rays.from[0], rays.to[0], bits);
      kernels::CubeStep state = kernels::CubeStep::kGoesOn;
      while ((state = ray.step(field, view.occupied_bricks)) == kernels::CubeStep::kGoesOn) {
        const kernels::Cell cell{{ray.voxel(0), ray.voxel(1), ray.voxel(2)}};
        // That of the end may be touched alone, and counts no more.
        bool is_on_ray = exact.cell == cell || ray.is_at_target(field);
        while (!is_on_ray && exact.leave_cube(0)) is_on_ray = exact.cell == cell;
        ASSERT_TRUE(is_on_ray) << describe(rays, 0) << ", " << bits << " bits, at " << cell.v[0]
                               << " " << cell.v[1] << " " << cell.v[2];
      }
      (state == kernels::CubeStep::kEdge ? num_doubtful : num_sure) += 1;
    }
  }
  EXPECT_GT(num_sure, 1000);
  EXPECT_GT(num_doubtful, 1000);
}

}  // namespace
}  // namespace sightline::tests
