// Edited is rebuilt: every version of a grid is what a world built afresh from its voxels is, in
// every voxel, every answer, and every byte once it is checked out. And versions cost what changed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/world/gaze.h"
#include "host/world/versioned_grid.h"
#include "support/effort.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Edit;
using host::Method;
using host::OccupancyGrid;
using host::VersionedGrid;
using host::VoxelState;
using oracle::Index3;
using oracle::State;

constexpr std::uint64_t kSeed = 20261122;

/// A voxel, a small box, or a large one, often aligned to words, bricks or nodes, sometimes
/// reaching past the grid.
Edit random_edit(const Index3& dims, bool with_unknown, Random& random) {
  Edit edit;
  edit.state = static_cast<VoxelState>(random.integer(0, with_unknown ? 2 : 1));
  const std::int64_t alignment = std::int64_t{1} << (2 * random.integer(0, 3));
  const std::int64_t longest = random.chance(0.3) ? 70 : random.chance(0.5) ? 8 : 1;
  for (std::size_t a = 0; a < 3; ++a) {
    edit.lo[a] = random.integer(0, dims[a] - 1) / alignment * alignment;
    edit.hi[a] = edit.lo[a] + (random.integer(1, longest) + alignment - 1) / alignment * alignment;
  }
  return edit;
}

void expect_equal_voxels(const OccupancyGrid& grid, const DenseWorld& mirror) {
  const Index3& n = mirror.dims();
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) {
        const auto wanted = static_cast<VoxelState>(mirror.at({x, y, z}));
        if (grid.at(x, y, z) != wanted) FAIL() << "voxel " << x << ' ' << y << ' ' << z;
      }
    }
  }
}

host::World world_of(OccupancyGrid grid) {
  host::World world;
  world.grid = std::move(grid);
  return world;
}

host::VisibilityQuery random_query(Random& random) {
  host::VisibilityQuery query;
  query.unknown = static_cast<kernels::SpacePolicy>(random.integer(0, 2));
  query.outside = static_cast<kernels::SpacePolicy>(random.integer(0, 2));
  query.tie_rule = static_cast<kernels::TieRule>(random.integer(0, 1));
  return query;
}

void expect_equal_answers(const host::World& version, const host::World& rebuilt,
                          const Index3& dims, Random& random) {
  host::Device device(host::DeviceChoice::kCpu);
  for (const RayKind kind : {RayKind::kRandom, RayKind::kCentreToCentre, RayKind::kObserverOutside,
                             RayKind::kAlongFace}) {
    const host::RayBatch rays = to_batch(make_rays(kind, dims, 150, random));
    host::VisibilityQuery query = random_query(random);
    for (const Method method : {Method::kHdda, Method::kDda, Method::kMarch}) {
      SCOPED_TRACE(std::string(name_of(kind)) + ", method " + std::to_string(int(method)));
      query.method = method;
      ASSERT_EQ(line_of_sight(version, rays, query, 0.3, device),
                line_of_sight(rebuilt, rays, query, 0.3, device));
    }
    query.method = Method::kHdda;
    const std::vector<kernels::FirstHit> here = first_hit(version, rays, query, device);
    const std::vector<kernels::FirstHit> there = first_hit(rebuilt, rays, query, device);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      for (int a = 0; a < 3; ++a) {
        ASSERT_EQ(here[i].voxel[a], there[i].voxel[a]) << describe(rays, i);
      }
      ASSERT_EQ(here[i].distance_m, there[i].distance_m) << describe(rays, i);
      ASSERT_EQ(here[i].face, there[i].face) << describe(rays, i);
      ASSERT_EQ(here[i].sight, there[i].sight) << describe(rays, i);
    }
  }
}

void expect_edited_is_rebuilt(WorldKind kind, const Index3& dims, bool with_unknown,
                              Random& random) {
  std::vector<DenseWorld> mirrors{make_world(kind, dims, with_unknown, random)};
  VersionedGrid versions(to_grid(mirrors[0]));
  for (int step = 0; step < 8; ++step) {
    DenseWorld mirror = mirrors.back();
    std::vector<Edit> edits;
    for (std::int64_t n = random.integer(0, 6); n >= 0; --n) {
      edits.push_back(random_edit(dims, with_unknown, random));
      mirror.set_box(edits.back().lo, edits.back().hi, static_cast<State>(edits.back().state));
    }
    mirrors.push_back(mirror);
    ASSERT_EQ(versions.edit(edits), step + 1);
  }
  for (std::int64_t v = 0; v < versions.num_versions(); ++v) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", " + name_of(kind) + ", version " +
                 std::to_string(v));
    const DenseWorld& mirror = mirrors[static_cast<std::size_t>(v)];
    const OccupancyGrid rebuilt = to_grid(mirror);
    expect_equal_voxels(versions.grid(v), mirror);
    const OccupancyGrid checked_out = versions.checkout(v);
    ASSERT_EQ(checked_out.words(), rebuilt.compacted().words());
    ASSERT_EQ(checked_out.has_unknown(), rebuilt.compacted().has_unknown());
    expect_equal_answers(world_of(versions.grid(v)), world_of(rebuilt), dims, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Versions, AreWhatAWorldRebuiltFromTheirVoxelsIs) {
  Random random(kSeed);
  for (const WorldKind kind : kAllWorldKinds) {
    for (const bool with_unknown : {false, true}) {
      const Index3 dims = kSanitized ? Index3{70, 18, 34} : Index3{70, 33, 140};
      expect_edited_is_rebuilt(kind, dims, with_unknown, random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Versions, AreWhatAWorldRebuiltFromTheirVoxelsIsInWorldsOfOddSizes) {
  Random random(kSeed + 1);
  for (const Index3& dims : {Index3{1, 1, 1}, Index3{3, 5, 2}, Index3{64, 64, 64},
                             Index3{130, 4, 17}, Index3{5, 65, 64}}) {
    expect_edited_is_rebuilt(WorldKind::kScattered, dims, true, random);
    if (HasFatalFailure()) return;
  }
}

// ---- memory ----------------------------------------------------------------------------------

constexpr std::int64_t kSize = 512;
constexpr std::size_t kMostBytes = 3000000;  // of a thousand small edits

/// Rooms of 512^3 with clutter, optionally with every free voxel of one half unknown.
VersionedGrid make_building(bool with_unknown) {
  Random random(kSeed + 2);
  host::GridGeometry geometry;
  geometry.dims = {kSize, kSize, kSize};
  OccupancyGrid grid(geometry);
  if (with_unknown) grid.set_box({0, 0, 0}, {kSize, kSize, kSize / 2}, VoxelState::kUnknown);
  for (std::int64_t wall = 20; wall < kSize; wall += 40) {
    grid.set_box({wall, 0, 0}, {wall + 2, kSize, kSize}, VoxelState::kOccupied);
    grid.set_box({0, 0, wall}, {kSize, kSize, wall + 2}, VoxelState::kOccupied);
  }
  for (int thing = 0; thing < 40000; ++thing) {
    std::array<std::int64_t, 3> lo{}, hi{};
    for (std::size_t a = 0; a < 3; ++a) {
      lo[a] = random.integer(0, kSize - 1);
      hi[a] = lo[a] + random.integer(1, 6);
    }
    grid.set_box(lo, hi, VoxelState::kOccupied);
  }
  return VersionedGrid(grid);
}

/// Bytes that a thousand edits take: boxes of at most `longest` voxels a side at random places,
/// whose low voxel changes.
std::size_t bytes_of_edits(VersionedGrid& grid, std::int64_t shortest, std::int64_t longest,
                           int num_states, Random& random) {
  std::size_t bytes = 0;
  for (int i = 0; i < 1000; ++i) {
    Edit edit;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t size = random.integer(shortest, longest);
      edit.lo[a] = random.integer(0, kSize - size);
      edit.hi[a] = edit.lo[a] + size;
    }
    const VoxelState before = grid.grid(grid.latest()).at(edit.lo[0], edit.lo[1], edit.lo[2]);
    const std::int64_t turn = random.integer(1, num_states - 1);
    edit.state = static_cast<VoxelState>((static_cast<int>(before) + turn) % num_states);
    bytes += grid.bytes(grid.edit({edit}));
  }
  return bytes;
}

TEST(Versions, TakeUnder3MegabytesForAThousandSmallEditsOf512Cubed) {
  for (const bool with_unknown : {false, true}) {
    VersionedGrid grid = make_building(with_unknown);
    Random random(kSeed + 3);
    const int num_states = with_unknown ? 3 : 2;
    const std::size_t voxels = bytes_of_edits(grid, 1, 1, num_states, random);
    const std::size_t mixed = bytes_of_edits(grid, 1, 8, num_states, random);
    const std::size_t boxes = bytes_of_edits(grid, 8, 8, num_states, random);
    std::printf("with unknown %d: voxels %zu, boxes up to 8^3 %zu, boxes of 8^3 %zu bytes\n",
                with_unknown, voxels, mixed, boxes);
    EXPECT_LT(voxels, kMostBytes);
    EXPECT_LT(mixed, kMostBytes);
    EXPECT_LT(boxes, kMostBytes);
    EXPECT_GT(voxels, std::size_t{1000} * 520);  // each edit changes a brick
  }
}

}  // namespace
}  // namespace sightline::tests
