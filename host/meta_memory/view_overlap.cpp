#include "host/meta_memory/view_overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/memory/parallel_rows.h"
#include "host/world/turn.h"
#include "host/world/visibility.h"
#include "host/world/voxelise.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::size_t kViewsAtOnce = 64;  // of one batch of rays
constexpr std::int64_t kMostLoose = 256;  // views that no tree holds yet
constexpr double kRangeSlack_m = 1e-6;    // far above rounding, far below a voxel

bool is_finite(const Vec3& place) {
  return std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z);
}

void check(const World& world, const std::vector<View>& views, const ViewRules& rules) {
  if (!world.grid || world.frame != Frame::kMapZUp) {
    throw InputError("world " + world.name +
                     ": views need a voxel grid in which z points up (an OctoMap, or a world "
                     "converted with --frame z_up)");
  }
  const bool is_good = rules.front_deg > 0 && rules.front_deg <= 360 && rules.range_m > 0 &&
                       std::isfinite(rules.range_m) && std::isfinite(rules.eye_height_m);
  if (!is_good) {
    throw InputError(
        "rules of a view: front_deg must be above 0 and at most 360, range_m finite and above 0, "
        "eye_height_m finite");
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (is_finite(views[i].position_m) && !std::isinf(views[i].yaw_rad)) continue;
    throw InputError("view " + std::to_string(i) + ": its place or yaw is not finite");
  }
}

/// Rays of some views, to the centres of all voxels that may be seen.
struct ViewRays {
  RayBatch rays;
  std::vector<std::int64_t> voxel;  ///< [num_rays]
  std::vector<std::size_t> end;     ///< [views] of its rays
};

void add_rays(const GridGeometry& grid, const View& view, const ViewRules& rules, ViewRays* all) {
  Vec3 eye = view.position_m;
  eye.z += rules.eye_height_m;
  const double range = rules.range_m, half_rad = rules.front_deg / 360 * kPi;
  const VoxelBox box = voxels_meeting({{eye.x - range, eye.y - range, eye.z - range},
                                       {eye.x + range, eye.y + range, eye.z + range}},
                                      grid);
  const auto centre = [&](std::int64_t i, std::size_t axis) {
    return grid.origin_m[axis] + (static_cast<double>(i) + 0.5) * grid.voxel_m[axis];
  };
  for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) {
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
      for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i) {
        const Vec3 target{centre(i, 0), centre(j, 1), centre(k, 2)};
        const Vec3 way = kernels::minus(target, eye);
        if (kernels::dot(way, way) > range * range) continue;
        const bool is_ahead =
            std::isnan(view.yaw_rad) || (way.x == 0 && way.y == 0) ||
            std::abs(std::remainder(std::atan2(way.y, way.x) - view.yaw_rad, 2 * kPi)) <= half_rad;
        if (!is_ahead) continue;
        all->rays.observers.push_back(eye);
        all->rays.targets.push_back(target);
        all->voxel.push_back(i + grid.dims[0] * (j + grid.dims[1] * k));
      }
    }
  }
  all->end.push_back(all->voxel.size());
}

index::Point point_of(const Vec3& place) { return {place.x, place.y, place.z}; }

void check_threshold(double threshold) {
  if (threshold > 0 && threshold <= 1) return;
  throw InputError("a threshold of view overlap is " + std::to_string(threshold) +
                   "; it must be above 0 and at most 1");
}

}  // namespace

std::vector<VoxelSet> visible_voxels(const World& world, const std::vector<View>& views,
                                     const ViewRules& rules, Device& device) {
  check(world, views, rules);
  VisibilityQuery query;
  query.unknown = kernels::SpacePolicy::kBlocks;
  std::vector<VoxelSet> sets;
  for (std::size_t begin = 0; begin < views.size(); begin += kViewsAtOnce) {
    ViewRays some;
    for (std::size_t i = begin; i < std::min(views.size(), begin + kViewsAtOnce); ++i) {
      add_rays(world.grid->geometry(), views[i], rules, &some);
    }
    const auto sight = line_of_sight(world, some.rays, query, 0, device);
    std::size_t ray = 0;
    for (const std::size_t end : some.end) {
      VoxelSet& seen = sets.emplace_back();
      for (; ray < end; ++ray) {
        if (sight[ray] == kernels::Visibility::kVisible) seen.push_back(some.voxel[ray]);
      }
    }
  }
  return sets;
}

double intersection_over_union(const VoxelSet& a, const VoxelSet& b) {
  std::size_t shared = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const std::int64_t left = *i, right = *j;
    shared += left == right ? 1 : 0;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  const std::size_t together = a.size() + b.size() - shared;
  return together == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(together);
}

ViewIndex::ViewIndex(double range_m) : range_m_(range_m) {
  if (range_m > 0 && std::isfinite(range_m)) return;
  throw InputError("an index of views: range_m must be finite and above 0");
}

void ViewIndex::add(const Vec3& position_m, VoxelSet voxels) {
  if (!is_finite(position_m)) {
    throw InputError("view " + std::to_string(size()) + ": its place is not finite");
  }
  views_.push_back({position_m, std::move(voxels), true});
  if (size() - num_indexed_ >= kMostLoose) index_all();
}

void ViewIndex::remove(std::int64_t row) {
  if (!holds(row)) {
    throw InputError("view " + std::to_string(row) + " is not among the " + std::to_string(size()) +
                     " stored, or was taken out before");
  }
  Stored& view = views_[static_cast<std::size_t>(row)];
  view.is_there = false;
  VoxelSet().swap(view.voxels);
}

bool ViewIndex::holds(std::int64_t row) const {
  return row >= 0 && row < size() && views_[static_cast<std::size_t>(row)].is_there;
}

void ViewIndex::index_all() {
  indexed_.clear();
  std::vector<index::Point> points;
  for (std::int64_t row = 0; row < size(); ++row) {
    if (!holds(row)) continue;
    indexed_.push_back(row);
    points.push_back(point_of(views_[static_cast<std::size_t>(row)].position_m));
  }
  num_indexed_ = size();
  near_.reset();
  if (!points.empty()) with_our_errors([&] { near_.emplace(std::move(points)); });
}

std::optional<Overlap> ViewIndex::find(const Vec3& position_m, const VoxelSet& voxels,
                                       double threshold, const MayBe& may_be) const {
  std::optional<Overlap> best;
  const double reach_m = 2 * range_m_ + kRangeSlack_m;
  const auto compare = [&](std::int64_t row) {
    const Stored& view = views_[static_cast<std::size_t>(row)];
    if (!view.is_there || (may_be && !may_be(row))) return;
    const std::size_t least = std::min(voxels.size(), view.voxels.size());
    const std::size_t most = std::max(voxels.size(), view.voxels.size());
    const double bound = most == 0 ? 0 : static_cast<double>(least) / static_cast<double>(most);
    if (bound < threshold || (best && bound < best->share)) return;  // whatever they share
    const double share = intersection_over_union(voxels, view.voxels);
    if (share < threshold) return;
    const bool is_better =
        !best || share > best->share || (share == best->share && row < best->row);
    if (is_better) best = Overlap{row, share};
  };
  if (near_) {
    for (const index::Hit& hit : near_->within(point_of(position_m), reach_m)) {
      compare(indexed_[static_cast<std::size_t>(hit.row)]);
    }
  }
  for (std::int64_t row = num_indexed_; row < size(); ++row) {
    const Vec3 apart = kernels::minus(views_[static_cast<std::size_t>(row)].position_m, position_m);
    if (kernels::dot(apart, apart) <= reach_m * reach_m) compare(row);
  }
  return best;
}

std::optional<Overlap> ViewIndex::best(const Vec3& position_m, const VoxelSet& voxels,
                                       double threshold, const MayBe& may_be) const {
  check_threshold(threshold);
  if (!is_finite(position_m)) throw InputError("a view: its place is not finite");
  return find(position_m, voxels, threshold, may_be);
}

std::vector<std::optional<Overlap>> ViewIndex::best(const std::vector<Vec3>& positions_m,
                                                    const std::vector<VoxelSet>& voxels,
                                                    double threshold, int num_threads) const {
  check_threshold(threshold);
  if (positions_m.size() != voxels.size()) {
    throw InputError("views: " + std::to_string(positions_m.size()) + " places for " +
                     std::to_string(voxels.size()) + " sets of voxels; give one for each");
  }
  for (std::size_t i = 0; i < positions_m.size(); ++i) {
    if (is_finite(positions_m[i])) continue;
    throw InputError("view " + std::to_string(i) + ": its place is not finite");
  }
  std::vector<std::optional<Overlap>> found(positions_m.size());
  for_each_row(static_cast<std::int64_t>(found.size()), num_threads, [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    found[i] = find(positions_m[i], voxels[i], threshold, {});
  });
  return found;
}

}  // namespace sightline::host
