// The words of a packed grid: they read the same wherever they lie, and damaged ones are refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/error.h"
#include "host/world/visibility.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::GridGeometry;
using host::InputError;
using host::OccupancyGrid;
using host::VoxelState;

class Block : public testing::Test {
 protected:
  static OccupancyGrid scattered_grid() {
    Random random(103);
    return to_grid(make_world(WorldKind::kScattered, {90, 40, 70}, true, random));
  }

  OccupancyGrid rebuild(const std::vector<std::uint64_t>& words) const {
    return OccupancyGrid(grid_.geometry(), host::Words(words), grid_.layout().occupied.offset,
                         grid_.layout().not_free.offset);
  }
  /// A child slot of the packed 32-bit offsets that follow a node's mask word.
  static std::uint32_t& child(std::vector<std::uint64_t>& words, std::uint32_t node, int slot) {
    return reinterpret_cast<std::uint32_t*>(&words[node + 1])[slot];
  }
  std::uint32_t first_node(const std::vector<std::uint64_t>& words) const {
    return reinterpret_cast<const std::uint32_t*>(&words[grid_.layout().occupied.offset])[0];
  }

  OccupancyGrid grid_ = scattered_grid();
};

TEST_F(Block, ReadsTheSameWhereverItLies) {
  const std::vector<std::uint64_t> elsewhere = grid_.words();
  const kernels::GridView view{elsewhere.data(), grid_.layout()};
  const OccupancyGrid taken_over = rebuild(elsewhere);
  for (int x = 0; x < 90; ++x) {
    for (int y = 0; y < 40; ++y) {
      for (int z = 0; z < 70; ++z) {
        const VoxelState state = grid_.at(x, y, z);
        ASSERT_EQ(view.occupied().get(x, y, z), state == VoxelState::kOccupied);
        ASSERT_EQ(view.not_free().get(x, y, z), state != VoxelState::kFree);
        ASSERT_EQ(taken_over.at(x, y, z), state);
      }
    }
  }
}

TEST_F(Block, IsRefusedWithDamagedSharedNodes) {
  for (const std::uint32_t word :
       {0u, kernels::kFullBrickOffset - 1, kernels::kFullBrickOffset, kernels::kFullNodeOffset - 1,
        kernels::kFullNodeOffset, kernels::kFirstFreeWord - 1}) {
    std::vector<std::uint64_t> words = grid_.words();
    words[word] ^= 1;
    EXPECT_THROW(rebuild(words), InputError) << "word " << word;
  }
}

TEST_F(Block, IsRefusedWhenCutShort) {
  constexpr std::size_t kShared = kernels::kFirstFreeWord;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kShared - 1, kShared, grid_.words().size() - 1}) {
    std::vector<std::uint64_t> words = grid_.words();
    words.resize(size);
    EXPECT_THROW(rebuild(words), InputError) << size << " words";
  }
}

TEST_F(Block, IsRefusedWithARootOutsideIt) {
  const auto size = static_cast<std::uint32_t>(grid_.words().size());
  const kernels::GridLayout& layout = grid_.layout();
  for (const std::uint32_t root : {size, size + 7, UINT32_MAX}) {
    EXPECT_THROW(OccupancyGrid(grid_.geometry(), grid_.words(), root, layout.not_free.offset),
                 InputError);
    EXPECT_THROW(OccupancyGrid(grid_.geometry(), grid_.words(), layout.occupied.offset, root),
                 InputError);
  }
}

TEST_F(Block, IsRefusedWithAnOffsetOutsideItOrBackToItself) {
  const std::uint32_t node = first_node(grid_.words());
  const auto size = static_cast<std::uint32_t>(grid_.words().size());
  for (const std::uint32_t offset : {size, size - 1, UINT32_MAX, node, std::uint32_t{1}}) {
    std::vector<std::uint64_t> words = grid_.words();
    child(words, node, 0) = offset;
    EXPECT_THROW(rebuild(words), InputError) << "offset " << offset << " of " << size;
  }
}

TEST_F(Block, IsRefusedWithABrickThatTwoNodesShare) {
  const std::uint32_t node = first_node(grid_.words());
  std::vector<std::uint64_t> words = grid_.words();
  child(words, node, 1) = child(words, node, 0);
  ASSERT_EQ(words[node] & 3, 3u);  // the mask stays right
  EXPECT_THROW(rebuild(words), InputError);
}

TEST_F(Block, IsRefusedWhenAMaskContradictsItsChildren) {
  const std::uint32_t node = first_node(grid_.words());
  std::vector<std::uint64_t> words = grid_.words();
  const std::uint32_t brick = child(words, node, 0);
  ASSERT_GE(brick, kernels::kFirstFreeWord);
  for (const std::uint32_t parent : {node, brick}) {
    words = grid_.words();
    words[parent] ^= 1;
    EXPECT_THROW(rebuild(words), InputError) << "mask at word " << parent;
  }
}

TEST_F(Block, IsRefusedWithAVoxelSetOutsideTheDimensions) {
  GridGeometry smaller = grid_.geometry();
  smaller.dims = {89, 40, 70};
  grid_.set(89, 0, 0, VoxelState::kOccupied);
  EXPECT_THROW(OccupancyGrid(smaller, grid_.words(), grid_.layout().occupied.offset,
                             grid_.layout().not_free.offset),
               InputError);
}

TEST_F(Block, IsRefusedWhenAnOccupiedVoxelIsCalledFree) {
  const kernels::GridLayout& layout = grid_.layout();
  EXPECT_THROW(OccupancyGrid(grid_.geometry(), grid_.words(), layout.not_free.offset,
                             layout.occupied.offset),
               InputError);
}

TEST_F(Block, WithAFlippedBitIsRefusedOrStillReadable) {
  constexpr std::uint64_t kSeed = 104;
  Random random(kSeed);
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::RayBatch ray;
  ray.observers = {{0.5, 0.5, 0.5}};
  ray.targets = {{89.5, 39.5, 69.5}};
  int refused = 0;
  constexpr int kFlips = 400;
  for (int flip = 0; flip < kFlips; ++flip) {
    std::vector<std::uint64_t> words = grid_.words();
    const auto word =
        static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(words.size()) - 1));
    words[word] ^= std::uint64_t{1} << random.integer(0, 63);
    try {
      host::World world;
      world.grid = rebuild(words);
      EXPECT_EQ(line_of_sight(world, ray, {}, 0, device).size(), 1u);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0) << "seed " << kSeed;
}

}  // namespace
}  // namespace sightline::tests
