#include "support/anchors.h"

#include <algorithm>
#include <cmath>

namespace sightline::tests {

using kernels::Vec3;

std::vector<Vec3> make_anchors(std::int64_t num, double box_m, bool on_lattice, Random& random) {
  const auto coordinate = [&] {
    const double x = random.uniform(-box_m, box_m);
    return on_lattice ? std::nearbyint(2 * x) / 2 : x;
  };
  std::vector<Vec3> anchors;
  for (std::int64_t i = 0; i < num; ++i) {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    anchors.push_back({x, y, z});
  }
  return anchors;
}

std::vector<oracle::Place> to_places(const std::vector<Vec3>& points) {
  std::vector<oracle::Place> places;
  for (const Vec3& p : points) places.push_back({p.x, p.y, p.z});
  return places;
}

SortedAnchors::SortedAnchors(const std::vector<Vec3>& all, double cell_m) {
  Vec3 low = all.front(), high = all.front();
  for (const Vec3& p : all) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  grid.origin_m = low;
  grid.cell_m = cell_m;
  grid.dims[0] = static_cast<std::int64_t>((high.x - low.x) / cell_m) + 1;
  grid.dims[1] = static_cast<std::int64_t>((high.y - low.y) / cell_m) + 1;
  grid.dims[2] = static_cast<std::int64_t>((high.z - low.z) / cell_m) + 1;
  grid.num_anchors = static_cast<std::int64_t>(all.size());
  const std::int64_t num_cells = grid.dims[0] * grid.dims[1] * grid.dims[2];
  std::vector<std::vector<std::int64_t>> cells(static_cast<std::size_t>(num_cells));
  for (std::size_t i = 0; i < all.size(); ++i) {
    cells[std::size_t(anchor_cell(grid, all[i]))].push_back(static_cast<std::int64_t>(i));
  }
  for (const std::vector<std::int64_t>& cell : cells) {
    first.push_back(static_cast<std::int64_t>(anchors.size()));
    for (const std::int64_t i : cell) {
      anchors.push_back(i);
      points_m.push_back(all[std::size_t(i)]);
    }
  }
  first.push_back(grid.num_anchors);
  grid.first = first.data();
  grid.anchors = anchors.data();
  grid.points_m = points_m.data();
}

std::vector<std::int64_t> indices_in(const std::vector<std::uint64_t>& bits, std::int64_t q,
                                     std::int64_t num_anchors) {
  const std::int64_t words = kernels::words_of_bits(num_anchors);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < words * 64; ++i) {  // beyond the last: there must be none
    if ((bits[std::size_t(q * words + i / 64)] >> i % 64 & 1) != 0) indices.push_back(i);
  }
  return indices;
}

}  // namespace sightline::tests
