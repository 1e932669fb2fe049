#include "host/sweep/block_times.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include "host/sweep/stopwatch.h"

namespace sightline::host {
namespace {

constexpr std::size_t kMostMeasured = 32;
constexpr double kMostSeconds = 1;

/// Times by the number of their block.
using Times = std::map<std::size_t, BlockTime>;

/// The i-th of the numbers below `size`, in an order whose every beginning is spread over them (van
/// der Corput, 1935).
std::size_t spread(std::uint32_t i, std::size_t size) {
  double at = 0, half = 0.5;
  for (; i != 0; i /= 2, half /= 2) at += (i % 2) * half;
  return static_cast<std::size_t>(at * static_cast<double>(size));
}

const Times::value_type& nearest(const Times& times, std::size_t block) {
  const auto after = times.lower_bound(block);
  if (after == times.begin()) return *after;
  const auto before = std::prev(after);
  if (after == times.end()) return *before;
  return block - before->first <= after->first - block ? *before : *after;
}

}  // namespace

BlockTime time_of_samples(const Block& block, std::size_t few, double few_s, std::size_t many,
                          double many_s) {
  const auto num = static_cast<double>(block.configurations.size());
  const double of_one =
      many > few ? std::max(many_s - few_s, 0.0) / static_cast<double>(many - few) : 0;
  BlockTime time;
  time.fixed_s = std::max(few_s - of_one * static_cast<double>(few), 0.0);
  // A cost counts what configurations do, not how many they are.
  if (block.cost > 0) {
    time.per_cost_s = of_one * num / block.cost;
  } else {
    time.fixed_s += of_one * num;
  }
  return time;
}

double seconds_of_blocks(const std::vector<Block>& blocks,
                         const std::function<BlockTime(const Block&)>& measure) {
  if (blocks.empty()) return 0;
  Times times{{0, measure(blocks.front())}};
  const Stopwatch watch;
  for (std::uint32_t i = 1; i < kMostMeasured && watch.seconds() < kMostSeconds; ++i) {
    const std::size_t block = spread(i, blocks.size());
    if (times.count(block) == 0) times.emplace(block, measure(blocks[block]));
  }
  double seconds = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& [measured, time] = nearest(times, i);
    const Block& block = blocks[i];
    const Block* const before = i > 0 ? &blocks[i - 1] : nullptr;
    if (!before || before->world_key != block.world_key) seconds += time.world_s;
    if (!before || before->key != block.key) {
      const auto num_rays = static_cast<double>(blocks[measured].num_rays);
      const double share = num_rays > 0 ? static_cast<double>(block.num_rays) / num_rays : 1;
      seconds += time.inputs_s * share;
    }
    seconds += time.fixed_s + time.per_cost_s * block.cost;
  }
  return seconds;
}

}  // namespace sightline::host
