#include "host/world/labels_csv.h"

#include <cmath>
#include <limits>
#include <map>

#include "host/error.h"
#include "host/world/number_csv.h"

namespace sightline::host {
namespace {

enum Column : std::size_t { kId, kX, kY, kZ, kMinX, kMinY, kMinZ, kMaxX, kMaxY, kMaxZ };

kernels::Vec3 point(const NumberCsv& table, std::size_t first) {
  return {table.number(first), table.number(first + 1), table.number(first + 2)};
}

std::int32_t id_of(const NumberCsv& table) {
  const double id = table.number(kId);
  if (id < 0 || id > std::numeric_limits<std::int32_t>::max() || id != std::floor(id)) {
    table.fail("id must be a whole number from 0 to 2147483647");
  }
  return static_cast<std::int32_t>(id);
}

/// The row that labels a voxel.
struct Labelled {
  std::int32_t id;
  std::int64_t line;
};
using LabelledVoxels = std::map<std::array<std::int64_t, 3>, Labelled>;

/// Of two things in one voxel, the second would be lost.
void refuse_other_id(const NumberCsv& table, const Labelled& first, std::int32_t id) {
  if (id == first.id) return;
  table.fail("id " + std::to_string(id) + " has the voxel of id " + std::to_string(first.id) +
             " in line " + std::to_string(first.line) +
             ", and a voxel is one thing's; leave one of the two rows out, or move its point");
}

void add_point(const NumberCsv& table, const OccupancyGrid& grid, LabelledVoxels* labelled,
               VoxelLabels* labels) {
  const GridGeometry& g = grid.geometry();
  const kernels::Vec3 p = point(table, kX);
  const double at[3] = {p.x, p.y, p.z};
  std::array<std::int64_t, 3> voxel{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double index = std::floor((at[a] - g.origin_m[a]) / g.voxel_m[a]);
    if (!(index >= 0 && index < static_cast<double>(g.dims[a]))) {
      table.fail("the point lies outside the grid");
    }
    voxel[a] = static_cast<std::int64_t>(index);
  }
  const std::int32_t id = id_of(table);
  refuse_other_id(table, labelled->insert({voxel, {id, table.line()}}).first->second, id);
  labels->add_voxel(grid, voxel, id);
}

void add_box(const NumberCsv& table, const OccupancyGrid& grid, VoxelLabels* labels) {
  const kernels::Vec3 low = point(table, kMinX), high = point(table, kMaxX);
  if (!(low.x < high.x && low.y < high.y && low.z < high.z)) {
    table.fail("the box is empty: each min must be below its max");
  }
  labels->add_box(grid, low, high, id_of(table));
}

}  // namespace

VoxelLabels read_labels_csv(const std::string& path, const OccupancyGrid& grid) {
  NumberCsv table(path, {"id", "x", "y", "z", "min_x", "min_y", "min_z", "max_x", "max_y", "max_z"},
                  "id,x,y,z or id,min_x,min_y,min_z,max_x,max_y,max_z");
  table.require(kId);
  const bool has_points = table.has(kX) || table.has(kY) || table.has(kZ);
  for (std::size_t c = has_points ? kX : kMinX; c <= (has_points ? kZ : kMaxZ); ++c) {
    table.require(c);
  }
  for (std::size_t c = kMinX; has_points && c <= kMaxZ; ++c) {
    if (table.has(c)) table.fail("has points and boxes; give one of the two per file");
  }
  VoxelLabels labels;
  LabelledVoxels labelled;
  bool any = false;
  while (table.next_row()) {
    any = true;
    has_points ? add_point(table, grid, &labelled, &labels) : add_box(table, grid, &labels);
  }
  if (!any) table.fail("holds no label below its header");
  return labels;
}

}  // namespace sightline::host
