#include "host/truth/panel_sites.h"

#include <algorithm>
#include <cmath>

namespace sightline::host {
namespace {

VoxelIndex moved(VoxelIndex voxel, std::size_t axis, std::int64_t by) {
  voxel[axis] += by;
  return voxel;
}

}  // namespace

PanelSites::PanelSites(const PlainVoxels& voxels, const std::array<double, 3>& voxel_m, int up)
    : voxels_(voxels),
      voxel_m_(voxel_m),
      up_(static_cast<std::size_t>(up)),
      level_{up == 0 ? std::size_t{1} : std::size_t{0}, up == 2 ? std::size_t{1} : std::size_t{2}},
      taken_(voxels.dims()) {}

std::int64_t PanelSites::voxels_in(double length_m, std::size_t axis) const {
  return std::max<std::int64_t>(1, std::llround(length_m / voxel_m_[axis]));
}

bool PanelSites::is_free(const VoxelIndex& voxel) const {
  return voxels_.holds(voxel) && !voxels_.is_solid(voxel) && !is_taken(voxel);
}

bool PanelSites::is_row_free(const Row& row) const {
  VoxelIndex voxel = row.voxel;
  for (voxel[row.axis] = row.lo; voxel[row.axis] < row.hi; ++voxel[row.axis]) {
    if (!is_free(voxel)) return false;
  }
  return true;
}

PanelSites::Row PanelSites::free_row(const VoxelIndex& voxel, std::size_t axis,
                                     std::int64_t most) const {
  Row row{voxel, axis, voxel[axis], voxel[axis] + 1};
  while (row.hi - row.lo <= most && is_free(moved(voxel, axis, row.lo - 1 - voxel[axis]))) {
    --row.lo;
  }
  while (row.hi - row.lo <= most && is_free(moved(voxel, axis, row.hi - voxel[axis]))) ++row.hi;
  return row;
}

bool PanelSites::is_passage(const Row& row) const {
  const std::int64_t width = row.hi - row.lo;
  if (width < voxels_in(sizes_.least_door_m, row.axis) ||
      width > voxels_in(sizes_.most_door_m, row.axis)) {
    return false;
  }
  for (const std::int64_t side : {row.lo - 1, row.hi}) {
    if (!voxels_.is_solid(moved(row.voxel, row.axis, side - row.voxel[row.axis]))) return false;
  }
  const std::size_t across = row.axis == level_[0] ? level_[1] : level_[0];
  const std::int64_t steps = voxels_in(sizes_.opens_within_m, across);
  const auto opens = [&](std::int64_t way) {
    VoxelIndex voxel = row.voxel;
    for (std::int64_t step = 0; step < steps; ++step) {
      voxel[across] += way;
      if (!is_free(voxel)) return false;
      const Row beyond = free_row(voxel, row.axis, 2 * width);
      if (beyond.hi - beyond.lo > width + width / 4 + 1) return true;
    }
    return false;
  };
  return opens(-1) && opens(1);
}

VoxelChange PanelSites::panel(const Row& row) const {
  const std::int64_t reach = voxels_in(sizes_.reach_m, up_), middle = row.voxel[up_];
  std::int64_t bottom = middle, top = middle + 1;
  const auto is_free_at = [&](std::int64_t height) {
    Row other = row;
    other.voxel[up_] = height;
    return is_row_free(other);
  };
  while (middle - bottom < reach && is_free_at(bottom - 1)) --bottom;
  while (top - middle < reach && is_free_at(top)) ++top;
  VoxelChange box{row.voxel, moved(row.voxel, row.axis == level_[0] ? level_[1] : level_[0], 1),
                  true};
  box.lo[row.axis] = row.lo;
  box.hi[row.axis] = row.hi;
  box.lo[up_] = bottom;
  box.hi[up_] = top;
  return box;
}

void PanelSites::take(const VoxelChange& panel) {
  VoxelChange wide = panel;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t apart = voxels_in(sizes_.apart_m, axis);
    wide.lo[axis] -= apart;
    wide.hi[axis] += apart;
  }
  taken_.apply(wide);
}

std::vector<VoxelChange> PanelSites::doors(const std::vector<VoxelIndex>& near, double within_m,
                                           std::size_t most, RandomItem* random) {
  std::vector<VoxelIndex> order = near;
  shuffle(&order, random);
  std::vector<VoxelChange> found;
  const std::int64_t reach[2] = {voxels_in(within_m, level_[0]), voxels_in(within_m, level_[1])};
  for (const VoxelIndex& centre : order) {
    for (std::int64_t a = -reach[0]; a <= reach[0]; ++a) {
      for (std::int64_t b = -reach[1]; b <= reach[1]; ++b) {
        const VoxelIndex voxel = moved(moved(centre, level_[0], a), level_[1], b);
        for (const std::size_t axis : level_) {
          if (!is_free(voxel)) continue;
          const Row row = free_row(voxel, axis, voxels_in(sizes_.most_door_m, axis));
          if (!is_passage(row)) continue;
          found.push_back(panel(row));
          take(found.back());
          if (found.size() == most) return found;
        }
      }
    }
  }
  return found;
}

std::vector<VoxelChange> PanelSites::walls(const std::vector<VoxelIndex>& near, std::size_t most,
                                           RandomItem* random) {
  constexpr int kTriesEach = 64;
  std::vector<VoxelChange> found;
  for (std::size_t i = 0; i < most * kTriesEach && found.size() < most && !near.empty(); ++i) {
    const VoxelIndex& voxel = near[static_cast<std::size_t>(random->below(near.size()))];
    const std::size_t axis = level_[static_cast<std::size_t>(random->below(2))];
    const double width_m =
        sizes_.least_wall_m + (sizes_.most_wall_m - sizes_.least_wall_m) * random->uniform();
    const std::int64_t width = voxels_in(width_m, axis);
    const Row row{voxel, axis, voxel[axis] - width / 2, voxel[axis] - width / 2 + width};
    if (!is_row_free(row)) continue;
    found.push_back(panel(row));
    take(found.back());
  }
  return found;
}

}  // namespace sightline::host
