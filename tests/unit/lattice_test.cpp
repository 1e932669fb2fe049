// Rounding of points to the lattice on which exact walks are exact.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "host/error.h"
#include "host/world/visibility.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

host::OccupancyGrid unit_grid() {
  host::GridGeometry geometry;
  geometry.dims = {4, 4, 4};
  return host::OccupancyGrid(geometry);
}

kernels::LatticePoint rounded(const host::OccupancyGrid& grid, int bits, kernels::Vec3 p) {
  return host::to_lattice(grid, bits, {p}, "observers")[0];
}

TEST(Lattice, RoundsHalfToEven) {
  const host::OccupancyGrid grid = unit_grid();
  const auto zero_bits = rounded(grid, 0, {0.5, 1.5, 2.5});
  EXPECT_EQ(zero_bits.x, 0);
  EXPECT_EQ(zero_bits.y, 2);
  EXPECT_EQ(zero_bits.z, 2);
  const auto negative = rounded(grid, 0, {-0.5, -1.5, -2.5});
  EXPECT_EQ(negative.x, 0);
  EXPECT_EQ(negative.y, -2);
  EXPECT_EQ(negative.z, -2);
  const auto fine = rounded(grid, 8, {1.0 + 0.5 / 256, 1.0 + 1.5 / 256, -1.0 - 0.5 / 256});
  EXPECT_EQ(fine.x, 256);
  EXPECT_EQ(fine.y, 258);
  EXPECT_EQ(fine.z, -256);
}

TEST(Lattice, CountsVoxelsOfTheGridFromItsOrigin) {
  host::GridGeometry geometry;
  geometry.dims = {4, 4, 4};
  geometry.origin_m = {-10, 5, 0.5};
  geometry.voxel_m = {0.5, 0.25, 2};
  const auto point = rounded(host::OccupancyGrid(geometry), 4, {-9, 5.25, 4.5});
  EXPECT_EQ(point.x, 2 << 4);
  EXPECT_EQ(point.y, 1 << 4);
  EXPECT_EQ(point.z, 2 << 4);
}

TEST(Lattice, StaysWithinHalfAUnitOfThePoint) {
  constexpr std::uint64_t kSeed = 11;
  constexpr double kRounding = 1e-6;  // lattice units: of double arithmetic at 2^14 voxels, 16 bits
  Random random(kSeed);
  const host::OccupancyGrid grid = unit_grid();
  for (int bits = 0; bits <= 16; ++bits) {
    const double reach = std::ldexp(1, 30 - bits);
    for (int i = 0; i < 100; ++i) {
      const kernels::Vec3 p{random.uniform(-reach, reach), random.uniform(-1, 1), 0.25};
      const auto point = rounded(grid, bits, p);
      EXPECT_NEAR(point.x, std::ldexp(p.x, bits), 0.5 + kRounding) << "seed " << kSeed;
      EXPECT_NEAR(point.y, std::ldexp(p.y, bits), 0.5 + kRounding) << "seed " << kSeed;
    }
  }
}

TEST(Lattice, HoldsPointsUpToItsBoundsAndNoneBeyond) {
  const host::OccupancyGrid grid = unit_grid();
  for (const int bits : {0, 8, 16}) {
    const double reach = std::ldexp(1, 30 - bits);
    EXPECT_EQ(rounded(grid, bits, {reach, 0, 0}).x, 1 << 30);
    EXPECT_EQ(rounded(grid, bits, {0, 0, -reach}).z, -(1 << 30));
    EXPECT_THROW(rounded(grid, bits, {reach + 1, 0, 0}), host::InputError);
    EXPECT_THROW(rounded(grid, bits, {0, -reach - 1, 0}), host::InputError);
    EXPECT_THROW(rounded(grid, bits, {0, 0, 1e300}), host::InputError);
  }
}

TEST(Lattice, RejectsBitsOutsideItsRange) {
  EXPECT_THROW(rounded(unit_grid(), -1, {0, 0, 0}), host::InputError);
  EXPECT_THROW(rounded(unit_grid(), 17, {0, 0, 0}), host::InputError);
}

TEST(Lattice, NamesTheRowOfABadPoint) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const kernels::Vec3 bad_points[] = {
      {kNan, 0, 0}, {0, kInfinity, 0}, {0, 0, -kInfinity}, {1e9, 0, 0}};
  for (const kernels::Vec3 bad : bad_points) {
    std::vector<kernels::Vec3> points(9);
    points[7] = bad;
    try {
      host::to_lattice(unit_grid(), 8, points, "targets");
      FAIL() << "accepted " << bad.x << ' ' << bad.y << ' ' << bad.z;
    } catch (const host::InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("targets"), std::string::npos) << message;
      EXPECT_NE(message.find('7'), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
