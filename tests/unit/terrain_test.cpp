// Sculpted terrain: hills with caves and tunnels.
#include "host/world/terrain.h"

#include <gtest/gtest.h>

#include "host/world/floor.h"
#include "host/world/load.h"

namespace sightline::tests {
namespace {

using host::TerrainOptions;
using host::VoxelState;

host::World terrain(const std::string& arguments, const std::string& fill = "overlap") {
  return host::make_world(host::parse_world_spec(
      host::ConfigValue::parse_yaml("{scene: {name: terrain, " + arguments +
                                        "}, solid: {grid: {voxel_m: 0.5, fill: " + fill + "}}}",
                                    "terrain_test")));
}

std::int64_t count(const host::World& world, std::int64_t layer) {
  const auto& dims = world.grid->geometry().dims;
  std::int64_t occupied = 0;
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t k = 0; k < dims[2]; ++k) {
      occupied += world.grid->at(i, layer, k) == VoxelState::kOccupied;
    }
  }
  return occupied;
}

/// Columns in which a free voxel has an occupied one somewhere above it.
std::int64_t num_overhung(const host::World& world) {
  const auto& dims = world.grid->geometry().dims;
  std::int64_t overhung = 0;
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t k = 0; k < dims[2]; ++k) {
      bool free_below = false, is_overhung = false;
      for (std::int64_t j = 0; j < dims[1]; ++j) {
        const bool occupied = world.grid->at(i, j, k) == VoxelState::kOccupied;
        is_overhung = is_overhung || (occupied && free_below);
        free_below = free_below || !occupied;
      }
      overhung += is_overhung;
    }
  }
  return overhung;
}

TEST(Terrain, IsMadeOfCubesThatVoxelsOfTheirSizeFillExactly) {
  const host::World touched = terrain("seed: 3"), centred = terrain("seed: 3", "center");
  const auto& dims = touched.grid->geometry().dims;
  for (std::int64_t j = 0; j < dims[1]; ++j) EXPECT_EQ(count(touched, j), count(centred, j)) << j;
}

TEST(Terrain, KeepsItsLowestLayerAndRisesNoHigherThanItsRelief) {
  const host::World world = terrain("seed: 3, relief_m: 4, digs: 30, tunnels: 6");
  const auto& dims = world.grid->geometry().dims;
  EXPECT_EQ(count(world, 0), dims[0] * dims[2]);
  EXPECT_GT(count(world, 3), 0) << "hills";
  for (std::int64_t j = 9; j < dims[1]; ++j) EXPECT_EQ(count(world, j), 0) << j;
}

TEST(Terrain, HasRoofsOnlyWhereSomethingWasDug) {
  EXPECT_EQ(num_overhung(terrain("seed: 3, relief_m: 9, digs: 0, tunnels: 0")), 0);
  EXPECT_GT(num_overhung(terrain("seed: 3, relief_m: 9, digs: 0, tunnels: 2")), 10);
  EXPECT_GT(num_overhung(terrain("seed: 3, relief_m: 9, digs: 12, tunnels: 0")), 5);
}

TEST(Terrain, DependsOnItsSeed) {
  const auto solids = [](std::uint64_t seed) {
    TerrainOptions options;
    options.seed = seed;
    return host::make_terrain(options).solid.solids;
  };
  const auto one = solids(1), same = solids(1), other = solids(2);
  ASSERT_EQ(one.size(), same.size());
  bool differs = one.size() != other.size();
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].max.y, same[i].max.y);
    differs = differs || one[i].max.y != other[i].max.y;
  }
  EXPECT_TRUE(differs);
}

TEST(Ground, IsTheTopOfTheHighestVoxel) {
  const host::World world = terrain("seed: 3, digs: 0, tunnels: 0");
  for (const double x : {0.1, 7.3, 31.9}) {
    const auto ground = host::ground_m(*world.grid, 1, {x, 100, 5});
    ASSERT_TRUE(ground);
    const auto top = static_cast<std::int64_t>(*ground / 0.5);
    const auto i = static_cast<std::int64_t>(x / 0.5);
    EXPECT_EQ(world.grid->at(i, top - 1, 10), VoxelState::kOccupied);
    EXPECT_EQ(world.grid->at(i, top, 10), VoxelState::kFree);
  }
  EXPECT_FALSE(host::ground_m(*world.grid, 1, {-0.1, 0, 5})) << "outside";
}

}  // namespace
}  // namespace sightline::tests
