// Finds lines among mixes of weights: kernels/mix_lines.h says what they are good for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/mix_lines.h"

namespace sightline::host {

/// Mixes as lines, in memory of its own.
struct MixLines {
  int num_features = 0;
  std::vector<std::int32_t> step, firsts, ways, slots;
  std::vector<kernels::MixLine> lines;
  std::int64_t largest_sum = 0, step_sum = 0;

  kernels::MixLinesView view() const;
};

/// What ranking so many memories takes, in steps of a vector unit per memory: measured ratios of a
/// step to another are 1, whatever the arithmetic.
double ranking_steps(const MixLines& mixes);
double plain_ranking_steps(std::int64_t num_mixes, int num_features);

/// The mixes [num_mixes, num_features] divided by what divides them all, on lines in the direction
/// of one weight, or of one at the cost of another, whichever takes the fewest lines; nothing if
/// ranking mix by mix is as cheap.
std::optional<MixLines> find_mix_lines(const std::vector<std::int32_t>& weights, int num_features);

}  // namespace sightline::host
