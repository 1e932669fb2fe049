#include "host/world/versioned_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "host/error.h"
#include "host/world/text_scan.h"

namespace sightline::host {

using namespace kernels;

namespace {

std::string text_of(const std::array<std::int64_t, 3>& voxel) {
  return "(" + std::to_string(voxel[0]) + ", " + std::to_string(voxel[1]) + ", " +
         std::to_string(voxel[2]) + ")";
}

}  // namespace

/// One edit step: edits copies at the end of the block, then keeps of them what is new.
class VersionedGrid::Step {
 public:
  explicit Step(VersionedGrid& grid) : grid_(grid), base_(grid.block_->size()) {
    grid_.block_->freeze();
  }
  /// Unless it was finished, the step leaves no trace.
  ~Step() {
    if (!finished_) grid_.block_->replace_tail(base_, {});
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  void apply(const Edit& edit) {
    BoxEdit box{edit.lo, edit.hi, false};
    box.for_each_region([&](const std::int64_t* corner) {
      const auto entry = static_cast<std::uint32_t>(grid_.layout_.root_index(
          static_cast<std::int32_t>(corner[0]), static_cast<std::int32_t>(corner[1]),
          static_cast<std::int32_t>(corner[2])));
      Roots& roots = staged_.emplace(entry, grid_.latest_[entry]).first->second;
      apply(edit.state, box, corner, roots);
    });
  }

  /// Appends what changed to the block, and tells it.
  void finish(GridVersion& version) {
    for (const auto& [entry, roots] : staged_) {
      const Roots before = grid_.latest_[entry];
      RegionRoots after{entry, 0, 0};
      after.occupied = settle(roots.occupied, kNodeBits, before.occupied, before.not_free);
      after.not_free = settle(roots.not_free, kNodeBits, before.not_free, after.occupied);
      if (after.occupied != before.occupied || after.not_free != before.not_free) {
        version.regions.push_back(after);
      }
    }
    grid_.block_->replace_tail(base_, tail_);  // shorter than what it replaces: takes no memory
    finished_ = true;
    version.num_words = grid_.block_->size();
    version.num_bricks = num_bricks_;
    version.num_nodes = num_nodes_;
  }

 private:
  /// Regions without unknown space have one tree for both planes.
  void apply(VoxelState state, BoxEdit box, const std::int64_t* corner, Roots& roots) {
    PackedBlock& block = *grid_.block_;
    const bool one_tree = roots.occupied == roots.not_free;
    if (one_tree && state == VoxelState::kUnknown) {
      roots.not_free = block.copy_subtree(roots.occupied, kNodeBits);
    }
    box.set = state == VoxelState::kOccupied;
    roots.occupied = block.edit_node(roots.occupied, kNodeBits, box, corner);
    if (one_tree && state != VoxelState::kUnknown) {
      roots.not_free = roots.occupied;
      return;
    }
    box.set = state != VoxelState::kFree;
    roots.not_free = block.edit_node(roots.not_free, kNodeBits, box, corner);
  }

  /// Words of a node that stays: in the old block or in the new tail.
  const std::uint64_t* settled(std::uint32_t offset) const {
    return offset < base_ ? &grid_.block_->words()[offset] : &tail_[offset - base_];
  }

  /// The final offset of a node of the step: that of the node `before` in its place, or of the
  /// other plane's `twin`, where it is equal to one of them; else it is appended.
  std::uint32_t settle(std::uint32_t offset, int bits, std::uint32_t before, std::uint32_t twin) {
    if (offset < base_) return offset;
    std::uint64_t node[kBrickWords];
    const std::uint32_t num_words = num_words_of(bits);
    std::copy_n(&grid_.block_->words()[offset], num_words, node);
    auto* children = reinterpret_cast<std::uint32_t*>(node + 1);
    for (std::uint32_t c = 0; bits > kBrickBits && c < 64; ++c) {
      children[c] = settle(children[c], bits - 2, PlaneView::child_offset(settled(before), c),
                           PlaneView::child_offset(settled(twin), c));
    }
    for (const std::uint32_t other : {before, twin}) {
      if (std::equal(node, node + num_words, settled(other))) return other;
    }
    const std::size_t end = base_ + tail_.size();
    if (end + num_words > UINT32_MAX) {
      throw RunError("grid: the packed block would pass 32 GiB; save a version as a new world");
    }
    tail_.insert(tail_.end(), node, node + num_words);
    ++(bits == kBrickBits ? num_bricks_ : num_nodes_);
    return static_cast<std::uint32_t>(end);
  }

  VersionedGrid& grid_;
  const std::uint32_t base_;  ///< words of the block before the step
  std::map<std::uint32_t, Roots> staged_;
  std::vector<std::uint64_t> tail_;
  std::int64_t num_bricks_ = 0, num_nodes_ = 0;
  bool finished_ = false;
};

VersionedGrid::VersionedGrid(const OccupancyGrid& first)
    : geometry_(first.geometry()),
      layout_(first.layout()),
      block_(std::make_shared<PackedBlock>()),
      block_id_(new_block_id()) {
  append_first(first);
  latest_.resize(static_cast<std::size_t>(layout_.root_entries()));
  GridVersion version;
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    latest_[static_cast<std::size_t>(e)] = first_roots(e);
    num_split_regions_ += first_roots(e).occupied != first_roots(e).not_free;
  }
  version.num_words = block_->size();
  version.has_unknown = knows_unknown();
  versions_.push_back(std::move(version));
  versions_[0].counts = grid(0).count();
}

/// Depth first like OccupancyGrid::compacted, but planes share the trees in which they agree.
void VersionedGrid::append_first(const OccupancyGrid& first) {
  const OccupancyGrid::Counts counts = first.count();
  const GridView from = first.view();
  const std::uint32_t num_root_words = root_words(layout_);
  layout_.occupied.offset = layout_.not_free.offset = block_->allocate(num_root_words);
  if (counts.unknown > 0) layout_.not_free.offset = block_->allocate(num_root_words);
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    const std::uint32_t occupied = from.occupied().root[e];
    const std::uint32_t here =
        block_->append_subtree(first.words(), occupied, kNodeBits, kEmptyOffset, kEmptyOffset);
    block_->entry(layout_.occupied.offset, e) = here;
    if (counts.unknown == 0) continue;
    const std::uint32_t not_free =
        block_->append_subtree(first.words(), from.not_free().root[e], kNodeBits, occupied, here);
    block_->entry(layout_.not_free.offset, e) = not_free;
  }
}

VersionedGrid::Roots VersionedGrid::first_roots(std::int64_t entry) const {
  const GridView view{block_->words().data(), layout_};
  return {view.occupied().root[entry], view.not_free().root[entry]};
}

bool VersionedGrid::knows_unknown() const { return num_split_regions_ > 0; }

std::string fault_of(const Edit& edit, const GridGeometry& geometry) {
  const std::string box = "the box from " + text_of(edit.lo) + " to " + text_of(edit.hi);
  bool outside = false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (edit.lo[a] >= edit.hi[a]) {
      return box + " is empty; its end must lie above its start on each axis";
    }
    outside = outside || edit.lo[a] >= geometry.dims[a] || edit.hi[a] <= 0;
  }
  return outside ? box + " lies outside the grid of " + text_of(geometry.dims) + " voxels" : "";
}

std::string escaped_note(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  const auto append_hex = [&](unsigned char byte) {
    line += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == '\n' || byte == '\r' || byte == '\t') {
      line += byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      append_hex(byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009f in UTF-8
      append_hex(byte);
      append_hex(next);
      ++i;
    } else {
      line += text[i];
    }
  }
  return line;
}

std::string fault_of_note(const std::string& text) {
  const std::string line = escaped_note(text);
  if (line == text) return "";
  return "holds a line break or another control character: " + line + "; write one line";
}

std::vector<Edit> VersionedGrid::clipped(const std::vector<Edit>& edits) const {
  std::vector<Edit> inside = edits;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const std::string fault = fault_of(edits[i], geometry_);
    if (!fault.empty()) throw InputError("edit " + std::to_string(i) + ": " + fault);
    for (std::size_t a = 0; a < 3; ++a) {
      inside[i].lo[a] = std::max<std::int64_t>(0, edits[i].lo[a]);
      inside[i].hi[a] = std::min(geometry_.dims[a], edits[i].hi[a]);
    }
  }
  return inside;
}

void VersionedGrid::check_time(const EditNote& note) const {
  if (!note.time_s) return;
  if (!std::isfinite(*note.time_s)) throw InputError("the time must be finite");
  for (std::size_t v = versions_.size(); v-- > 0;) {
    const std::optional<double>& earlier = versions_[v].note.time_s;
    if (!earlier) continue;
    if (*earlier <= *note.time_s) return;
    throw InputError("the time " + exact_text(*note.time_s) + " s is before that of version " +
                     std::to_string(v) + ", " + exact_text(*earlier) +
                     " s; give a later one, or none");
  }
}

void VersionedGrid::count_regions(const std::vector<RegionRoots>& regions,
                                  OccupancyGrid::Counts& counts) const {
  const auto count = [&](std::uint32_t root) { return count_set(words(), root, kNodeBits); };
  for (const RegionRoots& region : regions) {
    const Roots before = latest_[region.entry];
    const std::int64_t occupied = count(region.occupied) - count(before.occupied);
    const std::int64_t not_free = count(region.not_free) - count(before.not_free);
    counts.occupied += occupied;
    counts.unknown += not_free - occupied;
    counts.free -= not_free;
  }
}

void VersionedGrid::advance(const std::vector<RegionRoots>& regions) {
  for (const RegionRoots& region : regions) {
    Roots& roots = latest_[region.entry];
    num_split_regions_ -= roots.occupied != roots.not_free;
    roots = {region.occupied, region.not_free};
    num_split_regions_ += roots.occupied != roots.not_free;
  }
}

std::int64_t VersionedGrid::edit(const std::vector<Edit>& edits, const EditNote& note) {
  GridVersion version;
  version.edits = clipped(edits);
  check_time(note);
  version.note = note;
  version.counts = versions_.back().counts;
  if (versions_.size() == versions_.capacity()) versions_.reserve(2 * versions_.size());
  block_->own_words();
  Step step(*this);
  for (const Edit& edit : version.edits) step.apply(edit);
  step.finish(version);
  count_regions(version.regions, version.counts);
  advance(version.regions);
  version.has_unknown = knows_unknown();
  versions_.push_back(std::move(version));
  return latest();
}

const GridVersion& VersionedGrid::version(std::int64_t number) const {
  if (number < 0 || number >= num_versions()) {
    throw InputError(
        "version " + std::to_string(number) + " does not exist; the world has " +
        (latest() == 0 ? "version 0 only" : "versions 0 to " + std::to_string(latest())));
  }
  return versions_[static_cast<std::size_t>(number)];
}

OccupancyGrid VersionedGrid::grid(std::int64_t number) const {
  const GridVersion& chosen = version(number);
  auto shared = std::make_shared<SharedVersion>();
  shared->block = block_;
  shared->num_words = chosen.num_words;
  shared->block_id = block_id_;
  shared->number = static_cast<std::uint64_t>(number);
  const std::size_t num_root_words = root_words(layout_);
  shared->roots.resize(num_root_words * (chosen.has_unknown ? 2 : 1));
  auto* occupied = reinterpret_cast<std::uint32_t*>(shared->roots.data());
  auto* not_free = reinterpret_cast<std::uint32_t*>(shared->roots.data() + num_root_words);
  const auto set = [&](std::int64_t entry, const Roots& roots) {
    occupied[entry] = roots.occupied;
    if (chosen.has_unknown) not_free[entry] = roots.not_free;
  };
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    set(e, number == latest() ? latest_[static_cast<std::size_t>(e)] : first_roots(e));
  }
  for (std::int64_t v = 1; number != latest() && v <= number; ++v) {
    for (const RegionRoots& region : versions_[static_cast<std::size_t>(v)].regions) {
      set(region.entry, {region.occupied, region.not_free});
    }
  }
  GridLayout layout = layout_;
  layout.occupied.offset = 0;
  layout.not_free.offset = chosen.has_unknown ? static_cast<std::uint32_t>(num_root_words) : 0;
  return OccupancyGrid(geometry_, layout, std::move(shared));
}

std::size_t VersionedGrid::bytes(std::int64_t number) const {
  const GridVersion& chosen = version(number);
  const std::size_t before =
      number == 0 ? 0 : versions_[static_cast<std::size_t>(number) - 1].num_words;
  return (chosen.num_words - before) * sizeof(std::uint64_t) + sizeof(GridVersion) +
         chosen.regions.size() * sizeof(RegionRoots) + chosen.edits.size() * sizeof(Edit) +
         chosen.note.text.size();
}

std::int64_t VersionedGrid::num_changed(std::int64_t from, std::int64_t to) const {
  const OccupancyGrid a = grid(from), b = grid(to);
  const auto pair = [](const GridView& view, std::int64_t entry) -> PlanePair {
    return {view.occupied().root[entry], view.not_free().root[entry]};
  };
  std::int64_t count = 0;
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    count += count_changed(words(), pair(a.view(), e), pair(b.view(), e), kNodeBits);
  }
  return count;
}

std::int64_t VersionedGrid::version_at(double time_s) const {
  std::int64_t found = latest();
  for (std::int64_t v = latest(); v > 0; --v) {
    const std::optional<double>& time = versions_[static_cast<std::size_t>(v)].note.time_s;
    if (!time) continue;
    if (*time <= time_s) return found;
    found = v - 1;
  }
  return found;
}

}  // namespace sightline::host
