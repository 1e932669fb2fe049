// First: the validator leaves it to others to include what it uses.
#include <nanovdb/util/IO.h>

#include <nanovdb/NanoVDB.h>
#include <nanovdb/util/GridValidator.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "host/error.h"
#include "host/world/byte_scan.h"
#include "host/world/extent.h"
#include "host/world/nanovdb_world.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

/// NanoVDB looks at grids in place, and asks for this alignment.
struct alignas(32) Block {
  char bytes[32];
};

struct GridBytes {
  std::vector<Block> blocks;
  std::uint64_t size = 0;

  const char* begin() const { return blocks.front().bytes; }
  const nanovdb::GridData& data() const {
    return *reinterpret_cast<const nanovdb::GridData*>(begin());
  }
};

[[noreturn]] void damaged(const InputFile& file, const std::string& how) {
  file.fail("holds a grid that " + how + "; the file is damaged, fetch or write it again");
}

/// Checks what stands before the grid, and takes the grid.
GridBytes read_grid_bytes(const InputFile& file, std::string_view content) {
  ByteScan scan(file, content);
  if (scan.remaining() < sizeof(nanovdb::io::Header)) file.fail("is too short for a NanoVDB file");
  const auto magic = scan.number<std::uint64_t>();
  if (magic == nanovdb::io::reverseEndianness(NANOVDB_MAGIC_NUMBER)) {
    file.fail("was written on a machine with another byte order; convert the source grid here");
  }
  if (magic != NANOVDB_MAGIC_NUMBER)
    file.fail("is not a NanoVDB file: it must begin with 'NanoVDB'");
  const auto version = scan.number<nanovdb::Version>();
  const auto num_grids = scan.number<std::uint16_t>();
  const auto codec = scan.number<std::uint16_t>();
  if (version.getMajor() != NANOVDB_MAJOR_VERSION_NUMBER) {
    file.fail("has format version " + std::to_string(version.getMajor()) + "; this program reads " +
              std::to_string(NANOVDB_MAJOR_VERSION_NUMBER) + ", write it again with that NanoVDB");
  }
  if (codec != 0) {
    file.fail("is compressed (ZIP or BLOSC); write it again without compression");
  }
  if (num_grids != 1) {
    file.fail("holds " + std::to_string(num_grids) + " grids; save the one that is meant alone");
  }
  nanovdb::io::MetaData meta;
  std::memcpy(&meta, scan.take(sizeof(meta)).data(), sizeof(meta));
  scan.take(meta.nameSize);
  if (meta.gridSize != scan.remaining() || meta.gridSize < sizeof(nanovdb::GridData)) {
    file.fail("announces a grid of " + std::to_string(meta.gridSize) + " bytes but holds " +
              std::to_string(scan.remaining()) +
              " (one grid is read); it was cut short, fetch or write it again");
  }
  GridBytes grid;
  grid.size = meta.gridSize;
  grid.blocks.resize(static_cast<std::size_t>((grid.size + 31) / 32));
  std::memcpy(grid.blocks.data(), scan.take(grid.size).data(), grid.size);
  if (grid.data().mMagic != NANOVDB_MAGIC_NUMBER || grid.data().mGridSize != grid.size) {
    damaged(file, "does not begin as one");
  }
  return grid;
}

/// A grid of one type of values, whose offsets are checked before they are followed.
template <typename BuildT>
class Walk {
  using Tree = nanovdb::TreeData<3>;
  using Root = typename nanovdb::NanoRoot<BuildT>;
  using RootTile = typename Root::DataType::Tile;
  template <int level>
  using Node = typename nanovdb::NodeTrait<nanovdb::NanoTree<BuildT>, level>::type;

 public:
  Walk(const InputFile& file, const GridBytes& grid)
      : file_(file),
        grid_(grid),
        is_level_set_(grid.data().mGridClass == nanovdb::GridClass::LevelSet) {
    check(sizeof(nanovdb::GridData), sizeof(Tree), 1);
    const Tree& tree = at<Tree>(sizeof(nanovdb::GridData));
    root_at_ = static_cast<std::int64_t>(sizeof(nanovdb::GridData)) + offset(tree.mNodeOffset[3]);
    check(root_at_, sizeof(typename Root::DataType), 1);
    const std::int64_t tiles_at =
        root_at_ + static_cast<std::int64_t>(sizeof(typename Root::DataType));
    check(tiles_at, sizeof(RootTile), root().mTableSize);
    check_level<0>(tree);
    check_level<1>(tree);
    check_level<2>(tree);
  }

  /// Calls `on_box(low, side)` for cubes of occupied voxels. Throws if an offset leaves the file.
  template <typename OnBox>
  void visit(const OnBox& on_box) {
    visited_.fill(0);
    for (std::uint32_t t = 0; t < root().mTableSize; ++t) {
      const RootTile& tile = *root().tile(t);
      const nanovdb::Coord low = Root::DataType::KeyToCoord(tile.key);
      const Index3 corner{low[0], low[1], low[2]};
      if (tile.child != 0) {
        visit_node<2>(child_at(root_at_, tile.child), corner, on_box);
      } else if (is_solid(tile.value, tile.state != 0)) {
        on_box(corner, std::int64_t{1} << 12);
      }
    }
    const Tree& tree = at<Tree>(sizeof(nanovdb::GridData));
    for (std::size_t level = 0; level < 3; ++level) {
      // NanoVDB's own check relies on these counts.
      if (visited_[level] != tree.mNodeCount[level]) damaged(file_, "miscounts its nodes");
    }
  }

 private:
  /// Where a child begins; the sum of a place and an offset out of a file may overflow.
  std::int64_t child_at(std::int64_t first, std::int64_t offset_bytes) const {
    const auto size = static_cast<std::int64_t>(grid_.size);
    if (offset_bytes > size || offset_bytes < -size) damaged(file_, "has an offset beyond its end");
    return first + offset_bytes;
  }
  std::int64_t offset(std::uint64_t bytes) const {
    if (bytes > grid_.size) damaged(file_, "has an offset beyond its end");
    return static_cast<std::int64_t>(bytes);
  }
  void check(std::int64_t first, std::size_t item_bytes, std::uint64_t count) const {
    const auto size = static_cast<std::int64_t>(grid_.size);
    if (first < 0 || first % 32 != 0 || first > size ||
        count > static_cast<std::uint64_t>(size - first) / item_bytes) {
      damaged(file_, "has an offset beyond its end");
    }
  }
  template <int level>
  void check_level(const Tree& tree) const {
    if (tree.mNodeCount[level] == 0) return;
    check(static_cast<std::int64_t>(sizeof(nanovdb::GridData)) + offset(tree.mNodeOffset[level]),
          sizeof(Node<level>), tree.mNodeCount[level]);
  }
  template <typename T>
  const T& at(std::int64_t first) const {
    return *reinterpret_cast<const T*>(grid_.begin() + first);
  }
  const typename Root::DataType& root() const { return at<typename Root::DataType>(root_at_); }

  template <typename Value>
  bool is_solid(const Value& value, bool is_active) const {
    if constexpr (std::is_floating_point_v<Value>) {
      if (is_level_set_) return value < 0;
    }
    return is_active;
  }

  template <int level, typename OnBox>
  void visit_node(std::int64_t first, const Index3& corner, const OnBox& on_box) {
    check(first, sizeof(Node<level>), 1);
    const Tree& tree = at<Tree>(sizeof(nanovdb::GridData));
    // A node that two parents share would be walked once for each, and so on below it.
    if (++visited_[level] > tree.mNodeCount[level]) damaged(file_, "miscounts its nodes");
    const Node<level>& node = at<Node<level>>(first);
    constexpr int kBits = level == 2 ? 5 : level == 1 ? 4 : 3;       // children along an axis
    constexpr int kChildBits = level == 2 ? 7 : level == 1 ? 3 : 0;  // voxels along a child
    for (std::uint32_t n = 0; n < (1u << (3 * kBits)); ++n) {
      constexpr std::int64_t kLast = (1 << kBits) - 1;
      const Index3 child{corner[0] + (static_cast<std::int64_t>(n >> (2 * kBits)) << kChildBits),
                         corner[1] + ((n >> kBits & kLast) << kChildBits),
                         corner[2] + ((n & kLast) << kChildBits)};
      if constexpr (level > 0) {
        if (node.data()->mChildMask.isOn(n)) {
          visit_node<level - 1>(child_at(first, node.data()->mTable[n].child), child, on_box);
          continue;
        }
        if (!is_solid(node.data()->mTable[n].value, node.data()->mValueMask.isOn(n))) continue;
      } else {
        if (!is_solid(node.data()->getValue(n), node.data()->mValueMask.isOn(n))) continue;
      }
      on_box(child, std::int64_t{1} << kChildBits);
    }
  }

  const InputFile& file_;
  const GridBytes& grid_;
  const bool is_level_set_;
  std::int64_t root_at_ = 0;
  std::array<std::uint64_t, 3> visited_{0, 0, 0};
};

/// Voxel size, and the low corner of index (0, 0, 0).
GridGeometry geometry_of_map(const InputFile& file, const nanovdb::Map& map,
                             const Placement& placement) {
  GridGeometry geometry = geometry_of(placement, Frame::kSceneYUp);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const double number = map.mMatD[3 * row + column];
      if (row == column ? !(number > 0 && std::isfinite(number)) : number != 0) {
        file.fail(
            "holds a grid that is turned, mirrored or sheared in the world; resample it along "
            "the axes");
      }
    }
    geometry.voxel_m[row] = map.mMatD[4 * row];
    geometry.origin_m[row] = map.mVecD[row] - geometry.voxel_m[row] / 2;
    if (!std::isfinite(geometry.origin_m[row])) {
      file.fail("holds a grid that lies at NaN or infinity; write it again");
    }
  }
  return geometry;
}

template <typename BuildT>
OccupancyGrid to_grid(const InputFile& file, const GridBytes& bytes, const Placement& placement) {
  Walk<BuildT> walk(file, bytes);
  Index3 low, high;
  low.fill(std::numeric_limits<std::int64_t>::max());
  high.fill(std::numeric_limits<std::int64_t>::min());
  walk.visit([&](const Index3& corner, std::int64_t side) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], corner[axis]);
      high[axis] = std::max(high[axis], corner[axis] + side - 1);
    }
  });
  const auto& grid = *reinterpret_cast<const nanovdb::NanoGrid<BuildT>*>(bytes.begin());
  const std::string fault = nanovdb::GridValidator<BuildT>::check(grid, true);
  if (!fault.empty()) damaged(file, "NanoVDB finds faulty: " + fault);
  if (low[0] > high[0])
    file.fail("holds a grid without occupied voxels; nothing would block a view");

  GridGeometry geometry = geometry_of_map(file, bytes.data().mMap, placement);
  geometry.dims = checked_extent(file, low, high, "resample it at a larger voxel size");
  for (int axis = 0; axis < 3; ++axis) {
    geometry.origin_m[axis] += static_cast<double>(low[axis]) * geometry.voxel_m[axis];
  }
  OccupancyGrid result(geometry);
  walk.visit([&](const Index3& corner, std::int64_t side) {
    const Index3 lo{corner[0] - low[0], corner[1] - low[1], corner[2] - low[2]};
    if (side == 1) return result.set(lo[0], lo[1], lo[2], VoxelState::kOccupied);
    result.set_box(lo, {lo[0] + side, lo[1] + side, lo[2] + side}, VoxelState::kOccupied);
  });
  return result;
}

}  // namespace

bool has_nanovdb() { return true; }

OccupancyGrid read_nanovdb(const std::string& path, const Placement& placement) {
  InputFile file(path);
  const std::string content = read_content(file);
  const GridBytes bytes = read_grid_bytes(file, content);
  switch (bytes.data().mGridType) {
    case nanovdb::GridType::Float:
      return to_grid<float>(file, bytes, placement);
    case nanovdb::GridType::Double:
      return to_grid<double>(file, bytes, placement);
    case nanovdb::GridType::Mask:
      return to_grid<nanovdb::ValueMask>(file, bytes, placement);
    case nanovdb::GridType::Index:
      return to_grid<nanovdb::ValueIndex>(file, bytes, placement);
    case nanovdb::GridType::Boolean:
      return to_grid<bool>(file, bytes, placement);
    default:
      file.fail("holds values of NanoVDB type " +
                std::to_string(static_cast<std::uint32_t>(bytes.data().mGridType)) +
                "; float, double, mask, index and bool can be read, convert it");
  }
}

}  // namespace sightline::host
