// Anchors for gates, in places that make ties and boundaries, and a grid over them.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "support/random.h"
#include "support/recall_oracle.h"

namespace sightline::tests {

/// On a lattice of half metres, where distances tie and meet radii; or anywhere.
std::vector<kernels::Vec3> make_anchors(std::int64_t num, double box_m, bool on_lattice,
                                        Random& random);

std::vector<oracle::Place> to_places(const std::vector<kernels::Vec3>& points);

/// Sorts anchors into cells and owns what the view points to. Good while it is not moved.
struct SortedAnchors {
  std::vector<std::int64_t> first, anchors;
  std::vector<kernels::Vec3> points_m;
  kernels::AnchorGrid grid;

  SortedAnchors(const std::vector<kernels::Vec3>& all, double cell_m);
};

/// The bits of row q as indices.
std::vector<std::int64_t> indices_in(const std::vector<std::uint64_t>& bits, std::int64_t q,
                                     std::int64_t num_anchors);

}  // namespace sightline::tests
