// Points of batches as vectors round and bound them, beside one point at a time.
#include "kernels/host_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/kernels.h"
#include "support/blends.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

using kernels::Executor;
using kernels::LatticePoint;
using kernels::PointBounds;
using kernels::Vec3;

/// Next to the numbers of lanes, and more than a thread takes at a time.
constexpr std::int64_t kCounts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 8191, 8193, 40'001};
constexpr int kThreads[] = {1, 3};
constexpr int kBits = 5;

kernels::VoxelFrame some_frame() {
  kernels::VoxelFrame frame;
  const double origin_m[3] = {-10, 1e6, 0.1}, voxel_m[3] = {0.25, 0.1, 3};
  std::copy_n(origin_m, 3, frame.origin_m);
  std::copy_n(voxel_m, 3, frame.voxel_m);
  return frame;
}

/// Points of a frame: anywhere in the lattice, halfway between two of its points, and at its ends.
std::vector<Vec3> some_points(std::int64_t count, Random& random) {
  const kernels::VoxelFrame frame = some_frame();
  const double most = std::ldexp(1, 30 - kBits);
  const auto coordinate = [&](int a) {
    const std::int64_t kind = random.integer(0, 2);
    const double voxels = kind == 0   ? random.uniform(-most, most)
                          : kind == 1 ? std::ldexp(2.0 * random.integer(-99, 99) + 1, -kBits - 1)
                                      : (random.integer(0, 1) == 0 ? -most : most) / 2;
    return frame.origin_m[a] + voxels * frame.voxel_m[a];
  };
  std::vector<Vec3> points;
  for (std::int64_t i = 0; i < count; ++i) {
    points.push_back({coordinate(0), coordinate(1), coordinate(2)});
  }
  return points;
}

template <class Check>
void for_all_executors(const Check& check) {
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int num_threads : kThreads) {
      Executor cpu;
      cpu.num_threads = num_threads;
      cpu.instructions = set;
      check(cpu);
    }
  }
}

TEST(LatticePoints, AreThoseOfEachPoint) {
  Random random(20261128);
  const kernels::VoxelFrame frame = some_frame();
  for (const std::int64_t count : kCounts) {
    const std::vector<Vec3> points = some_points(count, random);
    for_all_executors([&](const Executor& cpu) {
      constexpr LatticePoint kUntouched{-7, -7, -7};
      std::vector<LatticePoint> out(points.size() + 1, kUntouched);
      ASSERT_EQ(lattice_points(cpu, frame, kBits, points.data(), count, out.data()), count);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const LatticePoint one = kernels::lattice_point(frame, kBits, points[i]);
        ASSERT_TRUE(out[i].x == one.x && out[i].y == one.y && out[i].z == one.z) << i;
      }
      EXPECT_EQ(out.back().x, kUntouched.x);
    });
  }
}

TEST(LatticePoints, TellTheFirstThatIsBeyondTheLattice) {
  Random random(20261129);
  const kernels::VoxelFrame frame = some_frame();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double beyond_m = frame.origin_m[1] + 0.1 * (std::ldexp(1, 30 - kBits) + 1);
  std::vector<LatticePoint> out(40'001);
  for (const std::int64_t row : {0, 3, 16, 8191, 8192, 30'000, 40'000}) {
    for (const double fault : {kInfinity, -kInfinity, std::nan(""), beyond_m, -1e300}) {
      std::vector<Vec3> points = some_points(40'001, random);
      points[static_cast<std::size_t>(row)].y = fault;
      points.back().z = fault;
      for_all_executors([&](const Executor& cpu) {
        EXPECT_EQ(lattice_points(cpu, frame, kBits, points.data(), 40'001, out.data()), row);
      });
    }
  }
}

TEST(PointBounds, AreLeastAndGreatestOfEachAxis) {
  Random random(20261130);
  for (const std::int64_t count : kCounts) {
    const std::vector<Vec3> points = some_points(count, random);
    constexpr double kMost = std::numeric_limits<double>::infinity();
    Vec3 low{kMost, kMost, kMost}, high{-kMost, -kMost, -kMost};
    for (const Vec3& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    for_all_executors([&](const Executor& cpu) {
      const PointBounds bounds = bounds_of(cpu, points.data(), count);
      EXPECT_TRUE(bounds.are_finite);
      EXPECT_TRUE(bounds.low.x == low.x && bounds.low.y == low.y && bounds.low.z == low.z);
      EXPECT_TRUE(bounds.high.x == high.x && bounds.high.y == high.y && bounds.high.z == high.z);
    });
  }
}

TEST(PointBounds, TellOfWhatIsNotFinite) {
  Random random(20261131);
  for (const std::int64_t count : kCounts) {
    for (std::int64_t row = 0; row < count; row += 1 + count / 9) {
      for (const double fault : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        std::vector<Vec3> points = some_points(count, random);
        points[static_cast<std::size_t>(row)].z = fault;
        for_all_executors([&](const Executor& cpu) {
          EXPECT_FALSE(bounds_of(cpu, points.data(), count).are_finite) << row << " of " << count;
        });
      }
    }
  }
}

TEST(Masks, AreReadBitByBit) {
  Random random(20261201);
  for (const std::int64_t count : kCounts) {
    std::vector<kernels::StepAnswers> masks(static_cast<std::size_t>(count));
    std::vector<std::uint32_t> bits;
    for (kernels::StepAnswers& mask : masks) {
      mask.hidden = static_cast<std::uint32_t>(random.integer(0, 0xffffffff));
      mask.unknown = static_cast<std::uint32_t>(random.integer(0, 0xffffffff)) & ~mask.hidden;
      bits.push_back(mask.hidden);
    }
    std::vector<kernels::Visibility> said(masks.size());
    std::vector<std::uint8_t> set(masks.size());
    for (const int step : {0, 1, 17, 31}) {
      for_all_executors([&](const Executor& cpu) {
        answers_of_step(cpu, masks.data(), count, step, said.data());
        bits_of_masks(cpu, bits.data(), count, step, set.data());
        for (std::size_t i = 0; i < masks.size(); ++i) {
          const bool hidden = (masks[i].hidden >> step & 1) != 0;
          const bool unknown = (masks[i].unknown >> step & 1) != 0;
          ASSERT_EQ(said[i], hidden    ? kernels::Visibility::kHidden
                             : unknown ? kernels::Visibility::kUnknown
                                       : kernels::Visibility::kVisible);
          ASSERT_EQ(set[i], hidden ? 1 : 0);
        }
      });
    }
  }
}

}  // namespace
}  // namespace sightline::tests
