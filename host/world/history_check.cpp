// A grid with versions from a block and a history that someone else wrote.
#include <string>
#include <utility>

#include "host/error.h"
#include "host/world/block_check.h"
#include "host/world/versioned_grid.h"

namespace sightline::host {

using namespace kernels;

namespace {

[[noreturn]] void fail(std::size_t version, const std::string& why) {
  throw InputError("history: version " + std::to_string(version) + " " + why +
                   "; the file is damaged, write it again");
}

}  // namespace

VersionedGrid::VersionedGrid(const GridGeometry& geometry, PackedBlock block,
                             std::uint32_t occupied_root, std::uint32_t not_free_root,
                             std::vector<GridVersion> versions)
    : geometry_(geometry),
      layout_(layout_of(geometry)),
      block_(std::make_shared<PackedBlock>(std::move(block))),
      block_id_(new_block_id()) {
  layout_.occupied.offset = occupied_root;
  layout_.not_free.offset = not_free_root;
  if (versions.empty()) throw InputError("history: holds no version; write the file again");
  BlockCheck check(block_->words(), layout_);
  check.set_part(kFirstFreeWord, versions[0].num_words);
  check.check_root(occupied_root);
  if (not_free_root != occupied_root) check.check_root(not_free_root);
  latest_.resize(static_cast<std::size_t>(layout_.root_entries()));
  for (GridVersion& version : versions) take_over(check, std::move(version));
  if (versions_.back().num_words != block_->size()) {
    fail(versions_.size() - 1, "does not end where the block does");
  }
}

void VersionedGrid::take_over(BlockCheck& check, GridVersion version) {
  const std::size_t number = versions_.size();
  if (number == 0) {
    version.counts.free = geometry_.dims[0] * geometry_.dims[1] * geometry_.dims[2];
    if (!version.regions.empty()) fail(0, "has regions; its roots lie in the block");
  } else {
    version.counts = versions_.back().counts;
    check.set_part(versions_.back().num_words, version.num_words);
  }
  const std::vector<Edit> inside = clipped(version.edits);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i].lo != version.edits[i].lo || inside[i].hi != version.edits[i].hi) {
      fail(number, "has an edit that reaches out of the grid");
    }
  }
  check_time(version.note);
  const std::vector<RegionRoots> regions = number == 0 ? first_regions() : version.regions;
  check_regions(check, regions);
  count_regions(regions, version.counts);
  advance(regions);
  version.num_bricks = number == 0 ? 0 : check.num_bricks();
  version.num_nodes = number == 0 ? 0 : check.num_nodes();
  version.has_unknown = knows_unknown();
  versions_.push_back(std::move(version));
}

std::vector<RegionRoots> VersionedGrid::first_regions() const {
  std::vector<RegionRoots> regions;
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    const Roots roots = first_roots(e);
    regions.push_back({static_cast<std::uint32_t>(e), roots.occupied, roots.not_free});
  }
  return regions;
}

void VersionedGrid::check_regions(BlockCheck& check,
                                  const std::vector<RegionRoots>& regions) const {
  std::int64_t last = -1;
  for (const RegionRoots& region : regions) {
    if (region.entry <= last || region.entry >= layout_.root_entries()) {
      fail(versions_.size(), "has a region out of order or outside the grid");
    }
    last = region.entry;
    const Roots before = latest_[region.entry];
    check.check_tree(region.entry, region.occupied, {before.occupied, before.not_free});
    check.check_tree(region.entry, region.not_free, {before.not_free, region.occupied});
    check.check_subset(region.occupied, region.not_free, kNodeBits);
  }
}

}  // namespace sightline::host
