// The packed grid against a dense mirror: edits, counts, relocation, damaged blocks, great size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/world/visibility.h"
#include "support/effort.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::GridGeometry;
using host::InputError;
using host::OccupancyGrid;
using host::VoxelState;
using oracle::Index3;
using oracle::State;

GridGeometry of_size(const Index3& dims) {
  GridGeometry geometry;
  geometry.dims = dims;
  return geometry;
}

void expect_equal(const OccupancyGrid& grid, const DenseWorld& mirror) {
  OccupancyGrid::Counts counts;
  const Index3& n = mirror.dims();
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) {
        const State expected = mirror.at({x, y, z});
        ASSERT_EQ(static_cast<int>(grid.at(x, y, z)), static_cast<int>(expected))
            << "voxel " << x << ' ' << y << ' ' << z;
        counts.free += expected == State::kFree;
        counts.occupied += expected == State::kOccupied;
        counts.unknown += expected == State::kUnknown;
      }
    }
  }
  EXPECT_EQ(grid.count().free, counts.free);
  EXPECT_EQ(grid.count().occupied, counts.occupied);
  EXPECT_EQ(grid.count().unknown, counts.unknown);
}

/// The same grid from its block, which is checked as one read from a file.
OccupancyGrid checked_copy(const OccupancyGrid& grid) {
  return OccupancyGrid(grid.geometry(), grid.words(), grid.layout().occupied.offset,
                       grid.layout().not_free.offset);
}

/// A random box: often aligned to words, bricks or nodes, sometimes reaching past the grid.
void random_box(const Index3& dims, Index3& low, Index3& high, Random& random) {
  const std::int64_t alignment = std::int64_t{1} << (2 * random.integer(0, 4));
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = random.integer(-3, dims[axis]) / alignment * alignment;
    high[axis] = low[axis] + random.integer(0, dims[axis]) / alignment * alignment + 1;
    if (random.chance(0.7)) high[axis] += alignment - 1;
  }
}

TEST(OccupancyGrid, ReadsBackRandomEdits) {
  constexpr std::uint64_t kSeed = 101;
  Random random(kSeed);
  for (const Index3& dims : {Index3{1, 1, 1}, Index3{70, 33, 20}, Index3{260, 9, 18},
                             Index3{5, 64, 64}, Index3{16, 15, 270}}) {
    OccupancyGrid grid(of_size(dims));
    DenseWorld mirror(dims);
    for (int edit = 0; edit < 120; ++edit) {
      const auto state = static_cast<State>(random.integer(0, edit < 60 ? 1 : 2));
      Index3 low{}, high{};
      random_box(dims, low, high, random);
      if (random.chance(0.4)) {
        for (int axis = 0; axis < 3; ++axis) low[axis] = random.integer(0, dims[axis] - 1);
        mirror.set(low, state);
        grid.set(low[0], low[1], low[2], static_cast<VoxelState>(state));
      } else {
        mirror.set_box(low, high, state);
        grid.set_box(low, high, static_cast<VoxelState>(state));
      }
      if (edit % 15 != 0) continue;
      SCOPED_TRACE("seed " + std::to_string(kSeed) + ", edit " + std::to_string(edit));
      expect_equal(grid, mirror);
      if (HasFatalFailure()) return;
      expect_equal(checked_copy(grid), mirror);  // masks and offsets are as a reader demands
    }
  }
}

TEST(OccupancyGrid, KnowsUnknownSpaceOnceItWasSet) {
  OccupancyGrid grid(of_size({20, 20, 20}));
  EXPECT_FALSE(grid.has_unknown());
  grid.set_box({0, 0, 0}, {5, 20, 20}, VoxelState::kOccupied);
  EXPECT_FALSE(grid.has_unknown());
  grid.set(3, 3, 3, VoxelState::kUnknown);
  EXPECT_TRUE(grid.has_unknown());
  EXPECT_EQ(grid.at(3, 3, 3), VoxelState::kUnknown);
  EXPECT_EQ(grid.count().unknown, 1);
  EXPECT_EQ(grid.count().occupied, 5 * 400 - 1);
}

TEST(OccupancyGrid, StartsAllUnknownWhenAskedTo) {
  OccupancyGrid grid = OccupancyGrid::unknown(of_size({33, 17, 70}));
  EXPECT_TRUE(grid.has_unknown());
  EXPECT_EQ(grid.count().unknown, 33 * 17 * 70);
  grid.set_box({0, 0, 0}, {33, 17, 35}, VoxelState::kFree);
  grid.set(0, 0, 69, VoxelState::kOccupied);
  EXPECT_EQ(grid.count().free, 33 * 17 * 35);
  EXPECT_EQ(grid.count().occupied, 1);
}

TEST(OccupancyGrid, StoresUniformSpaceInNoMemory) {
  OccupancyGrid grid(of_size({1024, 1024, 1024}));
  const std::size_t empty_bytes = grid.bytes();
  grid.set_box({256, 256, 256}, {768, 1024, 512}, VoxelState::kOccupied);
  EXPECT_EQ(grid.bytes(), empty_bytes);
  EXPECT_EQ(grid.count().occupied, std::int64_t{512} * 768 * 256);
}

TEST(OccupancyGrid, DoesNotGrowWhenSpaceIsFilledAndClearedAgain) {
  OccupancyGrid grid(of_size({100, 100, 100}));
  std::size_t bytes_after_first = 0;
  for (int round = 0; round < 20; ++round) {
    grid.set_box({3, 5, 7}, {91, 55, 60}, VoxelState::kOccupied);
    grid.set_box({0, 0, 0}, {100, 100, 100}, VoxelState::kFree);
    EXPECT_EQ(grid.count().occupied, 0);
    if (round == 0) bytes_after_first = grid.bytes();
  }
  EXPECT_EQ(grid.bytes(), bytes_after_first);
}

TEST(OccupancyGrid, KeepsADenseWorldWithinItsTargetOfMemory) {
  constexpr double kTarget_bits_per_voxel = 1.05;  // one version of a world without unknown space
  Random random(102);
  const DenseWorld world = make_world(WorldKind::kDense, {256, 256, 64}, false, random);
  EXPECT_LE(to_grid(world).bits_per_voxel(), kTarget_bits_per_voxel);
}

TEST(OccupancyGrid, RefusesImpossibleGeometry) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 22) + 1}) {
    EXPECT_THROW(OccupancyGrid(of_size({4, size, 4})), InputError) << size;
  }
  constexpr std::int64_t kLargest = std::int64_t{1} << 22;
  EXPECT_THROW(OccupancyGrid(of_size({kLargest, kLargest, kLargest})), InputError);
  for (const double size : {0.0, -1.0, kNan, 1e-101, 1e101, double(INFINITY)}) {
    GridGeometry geometry = of_size({4, 4, 4});
    geometry.voxel_m[2] = size;
    EXPECT_THROW(OccupancyGrid{geometry}, InputError) << size;
  }
  for (const double origin : {kNan, double(INFINITY), 1e308, -1e16}) {
    GridGeometry geometry = of_size({4, 4, 4});
    geometry.origin_m[0] = origin;
    EXPECT_THROW(OccupancyGrid{geometry}, InputError) << origin;
  }
}

TEST(OccupancyGrid, RefusesVoxelsOutsideItself) {
  OccupancyGrid grid(of_size({4, 5, 6}));
  for (const Index3& voxel :
       {Index3{4, 0, 0}, Index3{0, 5, 0}, Index3{0, 0, 6}, Index3{-1, 0, 0}}) {
    EXPECT_THROW(grid.at(voxel[0], voxel[1], voxel[2]), InputError);
    EXPECT_THROW(grid.set(voxel[0], voxel[1], voxel[2], VoxelState::kFree), InputError);
  }
}

/// Peak resident memory of this process.
double peak_memory_gib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib / (1024.0 * 1024.0);
  }
  return std::numeric_limits<double>::infinity();
}

constexpr double kMaxPeak_gib = kSanitized ? 64 : 1.2;  // shadow memory is not ours to count

constexpr std::int64_t kGreat = 2048;

/// Every 16th voxel on each axis, its place moved about so that no plane is empty: each of the
/// 2^21 bricks is stored, as in a world of clutter, and most voxels lie past index 2^31.
Index3 clutter_in_brick(std::int64_t x, std::int64_t y, std::int64_t z) {
  return {16 * x + (5 * y + 3 * z) % 16, 16 * y + (7 * z + x) % 16, 16 * z + (3 * x + 11 * y) % 16};
}
State clutter_at(const Index3& v) {
  return v == clutter_in_brick(v[0] / 16, v[1] / 16, v[2] / 16) ? State::kOccupied : State::kFree;
}

host::World build_great_world() {
  host::World world;
  world.grid.emplace(of_size({kGreat, kGreat, kGreat}));
  for (std::int64_t z = 0; z < kGreat / 16; ++z) {
    for (std::int64_t y = 0; y < kGreat / 16; ++y) {
      for (std::int64_t x = 0; x < kGreat / 16; ++x) {
        const Index3 v = clutter_in_brick(x, y, z);
        world.grid->set(v[0], v[1], v[2], VoxelState::kOccupied);
      }
    }
  }
  return world;
}

/// Compares both walks with the oracle on rays that lie past voxel index 2^31.
bool great_world_answers_match(const host::World& world) {
  Random random(105);
  host::Device device(host::DeviceChoice::kCpu);
  host::RayBatch rays;
  for (int i = 0; i < 400; ++i) {
    const auto anywhere = [&] { return random.uniform(600, kGreat); };
    rays.observers.push_back({anywhere(), anywhere(), anywhere()});
    const kernels::Vec3 p = rays.observers.back();
    const double reach = i % 4 == 0 ? 1400 : 90;
    const auto near = [&](double c) {
      return std::min(c + random.uniform(-reach, reach), kGreat - 0.5);
    };
    rays.targets.push_back({near(p.x), near(p.y), near(p.z)});
  }
  host::VisibilityQuery flat, skipping;
  flat.method = host::Method::kDda;
  const auto a = line_of_sight(world, rays, flat, 0, device);
  const auto b = line_of_sight(world, rays, skipping, 0, device);
  const oracle::VoxelWorld truth{{kGreat, kGreat, kGreat}, clutter_at};
  std::set<oracle::Answer> seen;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const kernels::Vec3 p = rays.observers[i], t = rays.targets[i];
    const oracle::Segment segment{oracle::round_to_lattice({p.x, p.y, p.z}, 8),
                                  oracle::round_to_lattice({t.x, t.y, t.z}, 8)};
    const oracle::Answer answer = oracle::line_of_sight(truth, segment, 8, {});
    seen.insert(answer);
    if (a[i] != to_engine(answer) || b[i] != a[i]) return false;
  }
  return seen.size() == 2;
}

/// Runs in a process of its own, whose peak memory is that of this world alone.
[[noreturn]] void measure_great_world() {
  const host::World world = build_great_world();
  const bool counted =
      world.grid->count().occupied == (kGreat / 16) * (kGreat / 16) * (kGreat / 16);
  const bool matches = great_world_answers_match(world);
  const double peak_gib = peak_memory_gib();
  std::fprintf(stderr, "peak %.3f GiB, counted %d, matches %d\n", peak_gib, counted, matches);
  std::_Exit(counted && matches && peak_gib < kMaxPeak_gib ? 0 : 1);
}

TEST(GreatGridDeathTest, BuildsAndAnswersPast2To31VoxelsWithinItsMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process, not a fork of this one
  EXPECT_EXIT(measure_great_world(), testing::ExitedWithCode(0), "counted 1, matches 1");
}

}  // namespace
}  // namespace sightline::tests
