// Cuts lines of mixes into what a GPU ranks by: kernels/line_tiles.h says how.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/mix_lines.h"

namespace sightline::host {

/// Mixes as parts of lines in runs, in memory of its own.
struct LineTiles {
  int num_features = 0;
  std::vector<std::int32_t> step, way, firsts, slots;
  std::vector<kernels::LinePart> parts;
  std::int64_t largest_sum = 0, step_sum = 0, way_sum = 0;

  kernels::LineTilesView view() const;
};

/// What ranking by them takes a GPU per memory.
double ranking_instructions(const LineTiles& mixes);
double plain_ranking_instructions(std::int64_t num_mixes, int num_features);

/// The mixes [num_mixes, num_features] divided by what divides them all, on the lines of
/// find_mix_lines(), in runs along the way that takes the fewest; nothing if ranking mix by mix is
/// as cheap.
std::optional<LineTiles> find_line_tiles(const std::vector<std::int32_t>& weights,
                                         int num_features);

}  // namespace sightline::host
