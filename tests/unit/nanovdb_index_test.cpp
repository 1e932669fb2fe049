// NanoVDB grids of indices and of booleans. The library's release in Debian defines and reads them
// but has nothing that makes one: they are made here, node by node as its structures say, of a grid
// that the library made, and its own validator is asked.
#include <gtest/gtest.h>

#include "host/world/nanovdb_world.h"
#include "support/grids.h"
#include "support/run_program.h"

#if __has_include(<nanovdb/NanoVDB.h>)
#include <nanovdb/util/IO.h>

#include <nanovdb/util/GridValidator.h>
#include <nanovdb/util/Primitives.h>

#include <cstring>
#include <type_traits>
#include <utility>

namespace sightline {
namespace {

using host::OccupancyGrid;
using tests::TemporaryFolder;

using Source = nanovdb::NanoGrid<double>;

/// A grid of indices, or of booleans, whose active voxels are those of another grid.
template <typename BuildT>
class SameShape {
 public:
  explicit SameShape(const Source& source) : source_(source) {
    const auto& root = *source.tree().root().data();
    root_ = kTree + sizeof(nanovdb::TreeData<3>);
    first_[2] = root_ + sizeof(RootData) + root.mTableSize * sizeof(typename RootData::Tile);
    first_[1] = first_[2] + source.tree().nodeCount(2) * sizeof(Node<2>);
    first_[0] = first_[1] + source.tree().nodeCount(1) * sizeof(Node<1>);
    end_ = first_[0] + source.tree().nodeCount(0) * sizeof(Node<0>);
    auto buffer = nanovdb::HostBuffer::create(end_);
    std::memset(buffer.data(), 0, end_);
    bytes_ = buffer.data();
    fill_leaves();
    fill_nodes<1>();
    fill_nodes<2>();
    fill_root(root);
    fill_tree();
    handle_ = nanovdb::GridHandle<nanovdb::HostBuffer>(std::move(buffer));
  }

  const nanovdb::GridHandle<nanovdb::HostBuffer>& handle() const { return handle_; }

 private:
  static constexpr bool kIndices = std::is_same_v<BuildT, nanovdb::ValueIndex>;
  template <int level>
  using Node = typename nanovdb::NodeTrait<nanovdb::NanoTree<BuildT>, level>::type;
  using RootData = typename nanovdb::NanoRoot<BuildT>::DataType;
  static constexpr std::size_t kTree = sizeof(nanovdb::GridData);

  template <typename T>
  T& at(std::size_t place) {
    return *reinterpret_cast<T*>(bytes_ + place);
  }
  template <int level>
  auto first_node() const {
    return source_.tree().template getFirstNode<level>();
  }
  /// From `parent` to the node that stands for `child`.
  template <int level, typename Child>
  std::int64_t way(std::size_t parent, const Child* child) const {
    const auto row = static_cast<std::size_t>(child - first_node<level>());
    return static_cast<std::int64_t>(first_[level] + row * sizeof(Node<level>)) -
           static_cast<std::int64_t>(parent);
  }

  void fill_leaves() {
    for (std::size_t i = 0; i < source_.tree().nodeCount(0); ++i) {
      const auto& from = *first_node<0>()[i].data();
      auto& to = at<typename Node<0>::DataType>(first_[0] + i * sizeof(Node<0>));
      to.mBBoxMin = from.mBBoxMin;
      std::memcpy(to.mBBoxDif, from.mBBoxDif, sizeof(to.mBBoxDif));
      to.mFlags = from.mFlags;
      to.mValueMask = from.mValueMask;
      if constexpr (kIndices) {
        to.mValueOff = num_values_;
        num_values_ += 512;
      }
    }
  }
  template <int level>
  void fill_nodes() {
    for (std::size_t i = 0; i < source_.tree().nodeCount(level); ++i) {
      const auto& from = *first_node<level>()[i].data();
      const std::size_t place = first_[level] + i * sizeof(Node<level>);
      auto& to = at<typename Node<level>::DataType>(place);
      to.mBBox = from.mBBox;
      to.mFlags = from.mFlags;
      to.mValueMask = from.mValueMask;
      to.mChildMask = from.mChildMask;
      for (std::uint32_t n = 0; n < Node<level>::SIZE; ++n) {
        if (from.mChildMask.isOn(n)) {
          to.mTable[n].child = way<level - 1>(place, from.getChild(n));
        } else if (kIndices && from.mValueMask.isOn(n)) {
          to.mTable[n].value = static_cast<typename Node<level>::ValueType>(num_values_++);
        }
      }
    }
  }
  template <typename SourceRoot>
  void fill_root(const SourceRoot& from) {
    auto& to = at<RootData>(root_);
    to.mBBox = from.mBBox;
    to.mTableSize = from.mTableSize;
    for (std::uint32_t t = 0; t < from.mTableSize; ++t) {
      to.tile(t)->key = from.tile(t)->key;
      to.tile(t)->child = way<2>(root_, from.getChild(from.tile(t)));
    }
  }
  void fill_tree() {
    auto& tree = at<nanovdb::TreeData<3>>(kTree);
    const std::size_t places[4] = {first_[0], first_[1], first_[2], root_};
    for (int level = 0; level < 4; ++level) {
      tree.mNodeOffset[level] = places[level] - kTree;
      if (level < 3) tree.mNodeCount[level] = source_.tree().nodeCount(level);
    }
    tree.mVoxelCount = source_.tree().activeVoxelCount();
    auto& grid = at<nanovdb::GridData>(0);
    std::memcpy(&grid, source_.data(), sizeof(grid));
    grid.mGridSize = end_;
    grid.mGridType = kIndices ? nanovdb::GridType::Index : nanovdb::GridType::Boolean;
    grid.mGridClass = kIndices ? nanovdb::GridClass::IndexGrid : nanovdb::GridClass::Unknown;
    grid.mChecksum = nanovdb::GridChecksum::EMPTY;
    if (kIndices) grid.mData1 = num_values_;
  }

  const Source& source_;
  std::size_t root_ = 0, first_[3] = {0, 0, 0}, end_ = 0;
  std::uint64_t num_values_ = 1;  ///< 0 is the background's
  std::uint8_t* bytes_ = nullptr;
  nanovdb::GridHandle<nanovdb::HostBuffer> handle_;
};

template <typename BuildT>
class NanovdbGridsOf : public testing::Test {};
using Builds = testing::Types<nanovdb::ValueIndex, bool>;
TYPED_TEST_SUITE(NanovdbGridsOf, Builds, );

TYPED_TEST(NanovdbGridsOf, TheirActiveVoxelsAreTaken) {
  const auto fog = nanovdb::createFogVolumeSphere<double>(9, nanovdb::Vec3d(3, -40, 70), 0.25);
  const SameShape<TypeParam> same(*fog.grid<double>());
  const auto* grid = same.handle().template grid<TypeParam>();
  ASSERT_NE(grid, nullptr);
  EXPECT_TRUE(nanovdb::isValid(*grid, true, true));
  EXPECT_GT(grid->tree().nodeCount(0), 100u);

  const TemporaryFolder folder;
  nanovdb::io::writeGrid(folder / "fog.nvdb", fog);
  nanovdb::io::writeGrid(folder / "same.nvdb", same.handle());
  const OccupancyGrid read = host::read_nanovdb(folder / "same.nvdb", {});
  EXPECT_EQ(read.count().occupied, static_cast<std::int64_t>(grid->activeVoxelCount()));
  tests::expect_same_grid(read, host::read_nanovdb(folder / "fog.nvdb", {}));
}

}  // namespace
}  // namespace sightline
#endif
