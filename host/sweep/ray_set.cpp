#include "host/sweep/ray_set.h"

#include <algorithm>

namespace sightline::host {
namespace {

template <class T>
std::vector<T> slice(const std::vector<T>& all, std::int64_t first, std::int64_t count) {
  if (all.empty()) return {};
  return {all.begin() + first, all.begin() + first + count};
}

/// Observers [first, first + count) with their headings, and no targets yet.
RaySet slice_observers(const RaySet& rays, std::int64_t first, std::int64_t count) {
  RaySet piece;
  piece.batch.shape = rays.batch.shape;
  piece.batch.observers = slice(rays.batch.observers, first, count);
  piece.yaw_deg = slice(rays.yaw_deg, first, count);
  piece.pitch_deg = slice(rays.pitch_deg, first, count);
  return piece;
}

/// Pairs [first, first + count), each with its own observer and target.
RaySet gather_pairs(const RaySet& rays, std::int64_t first, std::int64_t count) {
  RaySet piece;
  piece.batch.shape = kernels::RayShape::kElementwise;
  for (std::int64_t i = first; i < first + count; ++i) {
    const auto pair = static_cast<std::size_t>(2 * i);
    const auto observer = static_cast<std::size_t>(rays.batch.pairs[pair]);
    const auto target = static_cast<std::size_t>(rays.batch.pairs[pair + 1]);
    piece.batch.observers.push_back(rays.batch.observers[observer]);
    piece.batch.targets.push_back(rays.batch.targets[target]);
    if (rays.yaw_deg.empty()) continue;
    piece.yaw_deg.push_back(rays.yaw_deg[observer]);
    piece.pitch_deg.push_back(rays.pitch_deg[observer]);
  }
  return piece;
}

/// Consecutive rays [first, first + count) of a set that is not observers x targets.
RaySet slice_rays(const RaySet& rays, std::int64_t first, std::int64_t count) {
  if (rays.batch.shape == kernels::RayShape::kPairs) return gather_pairs(rays, first, count);
  RaySet piece = slice_observers(rays, first, count);
  piece.batch.targets = slice(rays.batch.targets, first, count);
  return piece;
}

/// How many whole rows of targets fit, or else how much of one row.
struct CrossExtent {
  std::int64_t rows, columns;
};
CrossExtent cross_extent(const RaySet& rays, std::int64_t max_rays) {
  const auto num_targets = static_cast<std::int64_t>(rays.batch.targets.size());
  return {std::max<std::int64_t>(1, max_rays / num_targets), std::min(num_targets, max_rays)};
}

RaySet slice_cross(const RaySet& rays, std::int64_t row, std::int64_t column, CrossExtent extent) {
  const auto num_observers = static_cast<std::int64_t>(rays.batch.observers.size());
  const auto num_targets = static_cast<std::int64_t>(rays.batch.targets.size());
  RaySet piece = slice_observers(rays, row, std::min(extent.rows, num_observers - row));
  piece.batch.targets =
      slice(rays.batch.targets, column, std::min(extent.columns, num_targets - column));
  return piece;
}

}  // namespace

std::size_t RaySet::bytes() const {
  return (batch.observers.size() + batch.targets.size()) * sizeof(kernels::Vec3) +
         (batch.pairs.size() + target_source.size()) * sizeof(std::int64_t) +
         (yaw_deg.size() + pitch_deg.size()) * sizeof(double);
}

std::vector<kernels::Pose> poses_of(const RaySet& rays, Frame frame) {
  std::vector<kernels::Pose> poses;
  poses.reserve(rays.batch.observers.size());
  for (std::size_t i = 0; i < rays.batch.observers.size(); ++i) {
    poses.push_back(
        make_pose_deg(frame, rays.batch.observers[i], rays.yaw_deg[i], rays.pitch_deg[i]));
  }
  return poses;
}

RaySet first_rays(const RaySet& rays, std::int64_t max_rays) {
  if (rays.batch.num_rays() <= max_rays) return rays;
  if (rays.batch.shape == kernels::RayShape::kCross) {
    return slice_cross(rays, 0, 0, cross_extent(rays, max_rays));
  }
  return slice_rays(rays, 0, max_rays);
}

void for_each_piece(const RaySet& rays, std::int64_t max_rays,
                    const std::function<void(const RaySet&)>& visit) {
  const std::int64_t num_rays = rays.batch.num_rays();
  if (num_rays == 0) return;
  if (num_rays <= max_rays) return visit(rays);
  if (rays.batch.shape != kernels::RayShape::kCross) {
    for (std::int64_t first = 0; first < num_rays; first += max_rays) {
      visit(slice_rays(rays, first, std::min(max_rays, num_rays - first)));
    }
    return;
  }
  const auto num_observers = static_cast<std::int64_t>(rays.batch.observers.size());
  const auto num_targets = static_cast<std::int64_t>(rays.batch.targets.size());
  const CrossExtent extent = cross_extent(rays, max_rays);
  for (std::int64_t row = 0; row < num_observers; row += extent.rows) {
    for (std::int64_t column = 0; column < num_targets; column += extent.columns) {
      visit(slice_cross(rays, row, column, extent));
    }
  }
}

}  // namespace sightline::host
