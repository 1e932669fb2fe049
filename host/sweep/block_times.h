// Seconds of a run, from the times of some of its blocks.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "host/sweep/experiment.h"

namespace sightline::host {

/// What a block takes.
struct BlockTime {
  double world_s = 0;     ///< its world, where the block before has another
  double inputs_s = 0;    ///< its rays, or memories and queries, where the block before has others
  double fixed_s = 0;     ///< planning and checking it
  double per_cost_s = 0;  ///< the rest, by Block::cost
};

/// Of a block that took `few_s` with its first `few` configurations alone and `many_s` with its
/// first `many`, as if each more took as long; `inputs_s` is not counted in.
BlockTime time_of_samples(const Block& block, std::size_t few, double few_s, std::size_t many,
                          double many_s);

/// Seconds of all blocks. `measure` is asked of the first, then of others ever closer together, up
/// to 32 or until it has taken a second beside the first: neighbours are alike, so that of a block
/// not measured the nearest one that was, by its number, tells.
double seconds_of_blocks(const std::vector<Block>& blocks,
                         const std::function<BlockTime(const Block&)>& measure);

}  // namespace sightline::host
