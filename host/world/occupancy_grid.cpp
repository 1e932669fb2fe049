#include "host/world/occupancy_grid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "host/config/number_text.h"
#include "host/error.h"

namespace sightline::host {

using namespace kernels;  // the layout's constants and views

GridLayout layout_of(const GridGeometry& geometry) {
  constexpr std::int64_t kMaxDim = std::int64_t{1} << 22;
  GridLayout layout;
  for (int a = 0; a < 3; ++a) {
    const std::string axis(1, static_cast<char>('x' + a));
    if (geometry.dims[a] < 1 || geometry.dims[a] > kMaxDim) {
      throw InputError("grid: " + axis + " has " + std::to_string(geometry.dims[a]) +
                       " voxels; must be from 1 to " + std::to_string(kMaxDim));
    }
    // So that squares of lengths, from a part of a voxel to points far away, are numbers.
    constexpr double kLeastVoxel_m = 1e-100, kMostVoxel_m = 1e100;
    if (!(geometry.voxel_m[a] >= kLeastVoxel_m && geometry.voxel_m[a] <= kMostVoxel_m)) {
      throw InputError("grid: voxel size along " + axis + " is " + short_text(geometry.voxel_m[a]) +
                       " m; must be from 1e-100 to 1e100");
    }
    if (!std::isfinite(geometry.origin_m[a])) {
      throw InputError("grid: origin along " + axis + " is not finite");
    }
    constexpr double kMostVoxels = 0x1p52;  // further out doubles do not tell its voxels apart
    if (std::fabs(geometry.origin_m[a]) / geometry.voxel_m[a] > kMostVoxels) {
      throw InputError("grid: origin along " + axis + " is " + short_text(geometry.origin_m[a]) +
                       " m, more than 2^52 voxels from 0; move the world nearer to it");
    }
    layout.dims[a] = static_cast<std::int32_t>(geometry.dims[a]);
    const std::int32_t regions = ((layout.dims[a] - 1) >> kNodeBits) + 1;
    while ((1 << layout.root_bits[a]) < regions) ++layout.root_bits[a];
  }
  constexpr int kMaxRootBits = 30;  // 4 GiB of root
  if (layout.root_bits[0] + layout.root_bits[1] + layout.root_bits[2] > kMaxRootBits) {
    throw InputError("grid: more than 2^48 voxels; use larger voxels or a smaller extent");
  }
  return layout;
}

std::uint64_t new_block_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

OccupancyGrid::OccupancyGrid(const GridGeometry& geometry)
    : geometry_(geometry), layout_(layout_of(geometry)), id_(new_block_id()) {
  // Reserving address space for a dense world costs nothing until it is touched, and spares a large
  // world the copy, and the doubled memory, of a growing vector.
  constexpr double kMaxReservedWords = 0x1p28;
  double bricks = 1;
  for (int a = 0; a < 3; ++a) bricks *= (layout_.dims[a] >> kBrickBits) + 1;
  const double dense = bricks * (kBrickWords + 1) + root_words(layout_) + kFirstFreeWord;
  block_.reserve(static_cast<std::size_t>(std::min(dense, kMaxReservedWords)));
  layout_.occupied.offset = layout_.not_free.offset = block_.allocate(root_words(layout_));
}

OccupancyGrid::OccupancyGrid(const GridGeometry& geometry, const GridLayout& layout,
                             std::shared_ptr<const SharedVersion> version)
    : geometry_(geometry), layout_(layout), version_(std::move(version)), id_(version_->block_id) {}

OccupancyGrid OccupancyGrid::over(const GridGeometry& geometry, const GridLayout& layout,
                                  Words words) {
  auto shared = std::make_shared<SharedVersion>();
  shared->block = std::make_shared<PackedBlock>(words);
  shared->num_words = words.size();
  shared->block_id = new_block_id();
  return OccupancyGrid(geometry, layout, std::move(shared));
}

OccupancyGrid OccupancyGrid::unknown(const GridGeometry& geometry) {
  OccupancyGrid grid(geometry);
  grid.set_box({0, 0, 0}, geometry.dims, VoxelState::kUnknown);
  return grid;
}

std::int64_t OccupancyGrid::num_voxels() const {
  return geometry_.dims[0] * geometry_.dims[1] * geometry_.dims[2];
}

kernels::VoxelFrame OccupancyGrid::voxel_frame() const {
  VoxelFrame frame;
  std::copy_n(geometry_.origin_m.begin(), 3, frame.origin_m);
  std::copy_n(geometry_.voxel_m.begin(), 3, frame.voxel_m);
  return frame;
}

double OccupancyGrid::bits_per_voxel() const {
  return 8.0 * static_cast<double>(bytes()) / static_cast<double>(num_voxels());
}

GridView OccupancyGrid::view() const {
  if (!version_) return {block_.words().data(), layout_};
  const std::vector<std::uint64_t>& roots = version_->roots;
  return {version_->block->words().data(), layout_, roots.empty() ? nullptr : roots.data()};
}

HostGrid OccupancyGrid::host_grid() const {
  if (!version_) return {view(), block_.size(), id_};
  return {view(), version_->num_words, id_, version_->number, version_->roots.size()};
}

Words OccupancyGrid::words() const { return version_ ? version_->block->words() : block_.words(); }

std::size_t OccupancyGrid::bytes() const {
  const HostGrid grid = host_grid();
  return (grid.num_words + grid.num_root_words) * sizeof(std::uint64_t);
}

VoxelState OccupancyGrid::at(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const std::int64_t index[3] = {i, j, k};
  for (int a = 0; a < 3; ++a) {
    if (index[a] < 0 || index[a] >= geometry_.dims[a]) {
      throw InputError("grid: voxel (" + std::to_string(i) + ", " + std::to_string(j) + ", " +
                       std::to_string(k) + ") lies outside the grid");
    }
  }
  const auto x = static_cast<std::int32_t>(i), y = static_cast<std::int32_t>(j),
             z = static_cast<std::int32_t>(k);
  const GridView grid = view();
  if (grid.occupied().get(x, y, z)) return VoxelState::kOccupied;
  return grid.not_free().get(x, y, z) ? VoxelState::kUnknown : VoxelState::kFree;
}

void OccupancyGrid::set(std::int64_t i, std::int64_t j, std::int64_t k, VoxelState state) {
  (void)at(i, j, k);  // checks the index
  set_box({i, j, k}, {i + 1, j + 1, k + 1}, state);
}

void OccupancyGrid::set_box(const std::array<std::int64_t, 3>& lo,
                            const std::array<std::int64_t, 3>& hi, VoxelState state) {
  BoxEdit edit{lo, hi, state == VoxelState::kOccupied};
  for (int a = 0; a < 3; ++a) {
    edit.lo[a] = std::max<std::int64_t>(0, lo[a]);
    edit.hi[a] = std::min(geometry_.dims[a], hi[a]);
    if (edit.lo[a] >= edit.hi[a]) return;
  }
  if (version_) *this = compacted();
  id_ = new_block_id();
  if (state == VoxelState::kUnknown && !has_unknown()) {
    const std::uint32_t root = block_.allocate(root_words(layout_));
    copy_plane(layout_.occupied.offset, root);
    layout_.not_free.offset = root;
  }
  edit_plane(layout_.occupied.offset, edit);
  if (!has_unknown()) return;
  edit.set = state != VoxelState::kFree;
  edit_plane(layout_.not_free.offset, edit);
}

void OccupancyGrid::copy_plane(std::uint32_t from_root, std::uint32_t to_root) {
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    const std::uint32_t copy = block_.copy_subtree(block_.entry(from_root, e), kNodeBits);
    block_.entry(to_root, e) = copy;
  }
}

void OccupancyGrid::edit_plane(std::uint32_t root, const BoxEdit& edit) {
  edit.for_each_region([&](const std::int64_t* corner) {
    const std::int64_t entry = layout_.root_index(static_cast<std::int32_t>(corner[0]),
                                                  static_cast<std::int32_t>(corner[1]),
                                                  static_cast<std::int32_t>(corner[2]));
    const std::uint32_t edited =
        block_.edit_node(block_.entry(root, entry), kNodeBits, edit, corner);
    block_.entry(root, entry) = edited;
  });
}

OccupancyGrid OccupancyGrid::compacted() const {
  const GridView from = view();
  const Words words = this->words();
  bool unknown = false;
  const auto root = [&](PlaneRoot plane, std::int64_t e) { return from.plane(plane).root[e]; };
  for (std::int64_t e = 0; has_unknown() && !unknown && e < layout_.root_entries(); ++e) {
    unknown = !same_voxels(words, root(layout_.occupied, e), root(layout_.not_free, e), kNodeBits);
  }
  OccupancyGrid grid(geometry_);
  GridLayout& to = grid.layout_;
  if (unknown) to.not_free.offset = grid.block_.allocate(root_words(to));
  const auto copy_plane = [&](PlaneRoot from_plane, PlaneRoot to_plane) {
    for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
      const std::uint32_t copy = grid.block_.append_subtree(words, root(from_plane, e), kNodeBits,
                                                            kEmptyOffset, kEmptyOffset);
      grid.block_.entry(to_plane.offset, e) = copy;
    }
  };
  copy_plane(layout_.occupied, to.occupied);
  if (unknown) copy_plane(layout_.not_free, to.not_free);
  return grid;
}

std::int64_t OccupancyGrid::count_plane(PlaneRoot root) const {
  std::int64_t count = 0;
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    count += count_set(words(), view().plane(root).root[e], kNodeBits);
  }
  return count;
}

OccupancyGrid::Counts OccupancyGrid::count() const {
  Counts counts;
  counts.occupied = count_plane(layout_.occupied);
  const std::int64_t not_free = has_unknown() ? count_plane(layout_.not_free) : counts.occupied;
  counts.unknown = not_free - counts.occupied;
  counts.free = num_voxels() - not_free;
  return counts;
}

}  // namespace sightline::host
