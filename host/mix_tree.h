// Puts mixes of weights in a tree of boxes: kernels/mix_tree.h says what it is good for.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// A tree in memory of its own.
struct MixTree {
  std::vector<kernels::MixBox> boxes;
  std::vector<std::int32_t> roots, weights, places;
  int num_features = 0, subtracted = -1;

  kernels::MixTreeView view() const;
};

/// Mixes [num_mixes, num_features], fewer than 2^31, for memories whose features vary by
/// spread [num_features]: standard deviations, say. Whatever these are, the tree holds all mixes.
MixTree make_mix_tree(const std::int32_t* weights, std::int64_t num_mixes,
                      const std::vector<double>& spread);

}  // namespace sightline::host
