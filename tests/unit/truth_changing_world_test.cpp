// Worlds that change, and line of sight in plain arrays: by hand, and against the oracle of tests.
#include "host/truth/changing_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "host/truth/panel_sites.h"
#include "host/world/load.h"
#include "host/world/visibility.h"
#include "support/errors.h"
#include "support/oracle.h"
#include "support/random.h"
#include "support/reference_data.h"

namespace sightline::tests {
namespace {

using host::LatticePlace;
using host::PlainVoxels;
using host::VoxelIndex;

constexpr std::int64_t kUnit = host::kLatticePerVoxel;

LatticePlace in_voxels(double x, double y, double z) {
  const auto unit = static_cast<double>(kUnit);
  return {static_cast<std::int64_t>(x * unit), static_cast<std::int64_t>(y * unit),
          static_cast<std::int64_t>(z * unit)};
}

TEST(PlainVoxels, EndsDoNotCountAndEdgesThatAreTouchedAreNotCrossed) {
  PlainVoxels voxels({4, 4, 4});
  voxels.apply({{2, 1, 0}, {3, 2, 4}, true});
  EXPECT_FALSE(voxels.is_clear(in_voxels(0.5, 1.5, 0.5), in_voxels(3.5, 1.5, 0.5)));
  EXPECT_TRUE(voxels.is_clear(in_voxels(0.5, 1.5, 0.5), in_voxels(2.5, 1.5, 0.5))) << "its voxel";
  EXPECT_TRUE(voxels.is_clear(in_voxels(2.5, 1.5, 0.5), in_voxels(3.5, 1.5, 0.5))) << "from it";
  EXPECT_TRUE(voxels.is_clear(in_voxels(1.5, 1.5, 0.5), in_voxels(2.5, 0.5, 0.5)))
      << "through the edge between (1, 0) and (2, 1): a point of it only";
  EXPECT_FALSE(voxels.is_clear(in_voxels(0.5, 1, 0.5), in_voxels(3.5, 1, 0.5)))
      << "along its lower face, which is its own";
  EXPECT_TRUE(voxels.is_clear(in_voxels(0.5, 2, 0.5), in_voxels(3.5, 2, 0.5)))
      << "along its upper face, which is not";
  voxels.apply({{0, 0, 0}, {9, 9, 9}, false});
  EXPECT_TRUE(voxels.is_clear(in_voxels(0.5, 1.5, 0.5), in_voxels(3.5, 1.5, 0.5))) << "cleared";
}

/// Middles, corners and anything between, inside and outside: what meets ties and what does not.
TEST(PlainVoxels, CrossWhatTheOracleOfTestsVisits) {
  constexpr std::uint64_t kSeed = 5;
  Random random(kSeed);
  const PlainVoxels voxels({12, 9, 10});
  std::int64_t ties = 0;
  for (int i = 0; i < 2000; ++i) {
    LatticePlace ends[2];
    const std::int64_t kind = random.integer(0, 2);
    for (LatticePlace& end : ends) {
      for (std::int64_t& at : end) {
        at = kUnit * random.integer(-2, 13);
        if (kind > 0) at += kind == 1 ? kUnit / 2 : random.integer(0, kUnit - 1);
      }
    }
    const oracle::Segment segment{ends[0], ends[1]};
    const VoxelIndex first = host::voxel_of(ends[0]), last = host::voxel_of(ends[1]);
    std::set<std::int64_t> expected;
    const auto visited = oracle::visited_voxels(segment, 8, oracle::Ties::kDiagonal);
    for (const oracle::Index3& voxel : visited) {
      if (voxel == first || voxel == last || !voxels.holds(voxel)) continue;
      expected.insert(voxel[0] + 12 * (voxel[1] + 9 * voxel[2]));
    }
    const std::vector<std::int64_t> crossed = voxels.crossed(ends[0], ends[1]);
    ASSERT_EQ(std::set<std::int64_t>(crossed.begin(), crossed.end()), expected)
        << "line " << i << " of seed " << kSeed;
    EXPECT_EQ(crossed.size(), expected.size()) << "each once";
    ties += oracle::visited_voxels(segment, 8, oracle::Ties::kSupercover).size() > visited.size();
  }
  EXPECT_GT(ties, 500) << "lines that touch more than they cross";
}

TEST(PlainVoxels, RefuseAWorldThatIsTooLarge) {
  EXPECT_NE(input_error_of([] {
              PlainVoxels({4096, 4096, 4096});
            }).find("take larger voxels"),
            std::string::npos);
}

/// Two rooms, and in the wall between them a passage of 4 voxels: 1 m of voxels of 0.25 m.
PlainVoxels two_rooms() {
  PlainVoxels voxels({21, 12, 20});
  voxels.apply({{10, 0, 0}, {11, 12, 20}, true});
  voxels.apply({{10, 0, 8}, {11, 9, 12}, false});
  return voxels;
}

TEST(PanelSites, ADoorFillsThePassageBetweenTwoRooms) {
  const PlainVoxels voxels = two_rooms();
  host::PanelSites sites(voxels, {0.25, 0.25, 0.25}, 1);
  host::RandomItem random(1, 1, 0);
  const auto doors = sites.doors({{5, 6, 10}, {10, 6, 10}}, 1.5, 10, &random);
  ASSERT_EQ(doors.size(), 1u);
  EXPECT_EQ(doors[0].lo, (VoxelIndex{10, 0, 8}));
  EXPECT_EQ(doors[0].hi, (VoxelIndex{11, 9, 12}));
  EXPECT_FALSE(sites.is_free({10, 5, 9})) << "taken";
}

TEST(PanelSites, WallsStandInFreeSpaceAndApart) {
  const PlainVoxels voxels = two_rooms();
  host::PanelSites sites(voxels, {0.25, 0.25, 0.25}, 1);
  host::RandomItem random(1, 1, 0);
  const auto walls = sites.walls({{4, 6, 8}, {16, 6, 8}, {5, 6, 15}}, 3, &random);
  ASSERT_GE(walls.size(), 2u);
  PlainVoxels raised({21, 12, 20});
  std::int64_t size = 0;
  for (const auto& wall : walls) {
    for (std::int64_t i = wall.lo[0]; i < wall.hi[0]; ++i) {
      for (std::int64_t k = wall.lo[2]; k < wall.hi[2]; ++k) {
        EXPECT_FALSE(voxels.is_solid({i, 6, k}));
        EXPECT_FALSE(raised.is_solid({i, 6, k})) << "of two walls";
        ++size;
      }
    }
    raised.apply(wall);
  }
  EXPECT_GE(size, 6 * static_cast<std::int64_t>(walls.size())) << "1.5 m each";
}

host::World world_of(const std::string& yaml) {
  host::WorldSpec spec = host::parse_world_spec(host::ConfigValue::parse_yaml(yaml, "w.yaml"));
  if (spec.file.empty()) spec.voxel_m = 0.25;
  return host::make_world(spec);
}

host::ChangingWorld changing(const host::World& world, std::int64_t num_changes,
                             std::uint64_t seed = 3) {
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::ChangeSettings settings;
  settings.num_changes = num_changes;
  settings.num_objects = 20;
  settings.seed = seed;
  return host::make_changing_world(world, settings, device);
}

constexpr const char* kRooms = "scene: {name: rooms, size_m: [24, 3, 18], room_m: 5}";

TEST(ChangingWorld, ChangesNeverTouchEachOtherNorAStandpoint) {
  const host::ChangingWorld made = changing(world_of(kRooms), 400);
  EXPECT_GT(made.num_doors, 3u);
  EXPECT_GT(made.num_walls, 3u);
  PlainVoxels voxels = made.first;
  std::vector<LatticePlace> places = made.first_places;
  std::set<host::ChangeKind> kinds;
  for (const host::WorldChange& change : made.changes) {
    kinds.insert(change.kind);
    for (const host::VoxelChange& part : change.voxels) {
      for (std::int64_t k = part.lo[2]; k < part.hi[2]; ++k) {
        for (std::int64_t i = part.lo[0]; i < part.hi[0]; ++i) {
          ASSERT_NE(voxels.is_solid({i, part.lo[1], k}), part.solid) << "every change changes";
        }
      }
      voxels.apply(part);
    }
    if (change.kind == host::ChangeKind::kObject) places[change.item] = change.object_place;
    for (const LatticePlace& place : places) ASSERT_TRUE(voxels.is_solid(host::voxel_of(place)));
    for (const LatticePlace& stand : made.standpoints) {
      ASSERT_FALSE(voxels.is_solid(host::voxel_of(stand)));
    }
  }
  EXPECT_EQ(kinds.size(), 3u);
}

TEST(ChangingWorld, ObjectsAreNeverCarriedToWhereAnotherIs) {
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::ChangeSettings settings;
  settings.kinds = {host::ChangeKind::kObject};
  settings.num_changes = 1000;
  settings.num_objects = 600;
  const host::ChangingWorld made = host::make_changing_world(world_of(kRooms), settings, device);
  std::set<VoxelIndex> taken;
  std::vector<LatticePlace> places = made.first_places;
  for (const LatticePlace& place : places) taken.insert(host::voxel_of(place));
  ASSERT_EQ(taken.size(), 600u);
  for (const host::WorldChange& change : made.changes) {
    taken.erase(host::voxel_of(places[change.item]));
    places[change.item] = change.object_place;
    ASSERT_TRUE(taken.insert(host::voxel_of(change.object_place)).second);
  }
}

TEST(ChangingWorld, FewerChangesAreTheFirstOfMoreAndOtherSeedsAreOthers) {
  const host::World world = world_of(kRooms);
  const host::ChangingWorld few = changing(world, 10), more = changing(world, 30);
  for (std::size_t i = 0; i < few.changes.size(); ++i) {
    EXPECT_EQ(few.changes[i].kind, more.changes[i].kind);
    EXPECT_EQ(few.changes[i].item, more.changes[i].item);
    EXPECT_EQ(few.changes[i].object_place, more.changes[i].object_place);
  }
  EXPECT_NE(few.first_places, changing(world, 10, 4).first_places);
}

TEST(ChangingWorld, PlacesInMetresRoundBackToTheirLattice) {
  for (const double voxel_m : {0.125, 0.08, 0.1}) {
    host::GridGeometry geometry;
    geometry.dims = {400, 400, 400};
    geometry.origin_m = {-7.52, 0.3, -0.32};
    geometry.voxel_m = {voxel_m, voxel_m, voxel_m};
    Random random(9);
    std::vector<LatticePlace> places;
    std::vector<kernels::Vec3> points;
    for (int i = 0; i < 5000; ++i) {
      places.push_back(
          {random.integer(0, 102399), random.integer(0, 102399), random.integer(0, 102399)});
      points.push_back(host::metres_of(geometry, places.back()));
    }
    const auto lattice = host::to_lattice(host::OccupancyGrid(geometry), 8, points, "points");
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_EQ(lattice[i].x, places[i][0]) << voxel_m;
      ASSERT_EQ(lattice[i].y, places[i][1]) << voxel_m;
      ASSERT_EQ(lattice[i].z, places[i][2]) << voxel_m;
    }
  }
}

TEST(ChangingWorld, TellsWhatAWorldLacks) {
  const host::World hall =
      world_of("scene: {bounds_m: {min: [0, 0, 0], max: [9, 3, 9]}, solids: []}");
  EXPECT_NE(input_error_of([&] { changing(hall, 5); }).find("leave door out of kinds"),
            std::string::npos);
}

TEST(ChangingWorld, FindsDoorsInAScannedBuilding) {
  const char* kFile = "octomap_geb079/geb079.bt";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  EXPECT_GT(changing(world_of("file: " + reference_data(kFile)), 5).num_doors, 2u);
}

}  // namespace
}  // namespace sightline::tests
