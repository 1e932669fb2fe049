// A world in memory that others made: every voxel and version is there, and edits leave it alone.
#include <gtest/gtest.h>

#include <cstring>

#include "host/world/world_image.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::VersionedGrid;
using host::VoxelState;
using host::World;

/// What another process would have written there.
std::vector<std::uint64_t> image_of(const World& world) {
  const host::WorldImage image(world);
  std::vector<std::uint64_t> bytes((image.num_bytes() + 7) / 8);
  image.write(reinterpret_cast<std::byte*>(bytes.data()));
  return bytes;
}

World over(const std::vector<std::uint64_t>& image) {
  return host::world_over(reinterpret_cast<const std::byte*>(image.data()));
}

World some_world(bool with_unknown) {
  Random random(20261123);
  World world;
  world.name = "somewhere \xe2\x9c\x93";
  const oracle::Frame frame{{-1.25, 3, 1e6}, {0.08, 0.1, 0.3}};
  world.grid =
      to_grid(make_world(WorldKind::kScattered, {90, 70, 133}, with_unknown, random), frame);
  world.frame = world.grid->geometry().frame;
  world.bounds_m = {{-1.25, 3, 1e6}, {5.95, 10, 1e6 + 39.9}};
  return world;
}

bool lies_in(const host::Words& words, const std::vector<std::uint64_t>& image) {
  return words.data() >= image.data() && words.end() <= image.data() + image.size();
}

TEST(WorldImage, HoldsTheVoxelsWhereTheyLie) {
  for (const bool with_unknown : {false, true}) {
    const World world = some_world(with_unknown);
    const std::vector<std::uint64_t> image = image_of(world);
    const World read = over(image);
    EXPECT_EQ(read.name, world.name);
    EXPECT_EQ(read.bounds_m.max.z, world.bounds_m.max.z);
    EXPECT_EQ(read.grid->geometry().voxel_m, world.grid->geometry().voxel_m);
    EXPECT_TRUE(lies_in(read.grid->words(), image));
    EXPECT_EQ(read.grid->compacted().words(), world.grid->compacted().words());
    EXPECT_EQ(read.grid->has_unknown(), with_unknown);
    for (std::int64_t k = 0; k < 133; ++k) {
      ASSERT_EQ(read.grid->at(k % 90, k % 70, k), world.grid->at(k % 90, k % 70, k)) << k;
    }
    const World copy = read;
    EXPECT_TRUE(lies_in(copy.grid->words(), image)) << "a copy copies no voxel";
  }
}

TEST(WorldImage, IsLeftAloneByEdits) {
  const std::vector<std::uint64_t> image = image_of(some_world(true)), before = image;
  World read = over(image);
  read.grid->set_box({0, 0, 0}, {50, 50, 50}, VoxelState::kOccupied);
  EXPECT_FALSE(lies_in(read.grid->words(), image));
  EXPECT_EQ(read.grid->at(49, 49, 49), VoxelState::kOccupied);
  EXPECT_EQ(image, before);
  EXPECT_NE(over(image).grid->count().occupied, read.grid->count().occupied);
}

TEST(WorldImage, HoldsAllVersionsAndTheChosenOne) {
  World world = some_world(true);
  VersionedGrid& versions = start_versions(world);
  for (std::int64_t step = 0; step < 5; ++step) {
    versions.edit({{{step, 0, 0}, {step + 20, 60, 100}, static_cast<VoxelState>(step % 3)}},
                  {"step " + std::to_string(step), 0.5 * static_cast<double>(step)});
  }
  world = at_version(world, 3);
  const std::vector<std::uint64_t> image = image_of(world), before = image;
  const World read = over(image);
  ASSERT_EQ(read.versions->num_versions(), 6);
  EXPECT_EQ(read.grid->compacted().words(), versions.checkout(3).words());
  EXPECT_TRUE(lies_in(read.versions->words(), image));
  for (std::int64_t v = 0; v < 6; ++v) {
    EXPECT_EQ(read.versions->checkout(v).words(), versions.checkout(v).words()) << v;
    EXPECT_EQ(read.versions->version(v).note.text, versions.version(v).note.text);
  }
  // One more version is this process's own.
  read.versions->edit({host::edit_voxel(1, 1, 1, VoxelState::kUnknown)});
  EXPECT_EQ(read.versions->grid(6).at(1, 1, 1), VoxelState::kUnknown);
  EXPECT_EQ(read.versions->checkout(5).words(), versions.checkout(5).words());
  EXPECT_EQ(image, before);
}

}  // namespace
}  // namespace sightline::tests
