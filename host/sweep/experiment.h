// What one configuration asks for, typed; and how configurations that share inputs run together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/sweep/plan.h"
#include "host/sweep/row.h"

namespace sightline::host {

/// Configurations that share a world and rays: one pass over the rays serves them all.
struct Block {
  std::string key;                           ///< canonical text of what they share
  std::vector<std::int64_t> configurations;  ///< indices into the plan, ascending
};

/// Groups a plan's configurations into blocks, in order of their first configuration. Parses and
/// checks every configuration: throws InputError on the first bad one, before any work.
std::vector<Block> plan_blocks(const SweepPlan& plan);

/// Files a plan reads (world, point and pair files), each once.
std::vector<std::string> input_files(const SweepPlan& plan);

struct BlockResult {
  std::vector<ResultRow> rows;  ///< per configuration ascending, arms in the order of the file
  std::vector<CostRow> costs;   ///< the same order
};

/// Runs blocks; keeps the last world loaded, since neighbouring blocks often share it.
class BlockRunner {
 public:
  BlockRunner(const SweepPlan& plan, Device& device);
  ~BlockRunner();
  /// Throws InputError for what only the world or the point files can tell (no free space, an index
  /// out of range, no ray left).
  /// Makes the world and the rays of a block and judges one ray: what is wrong with them is thrown
  /// here, before a run folder exists. run() of the same block then uses both.
  void prepare(const Block& block);
  BlockResult run(const Block& block);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What `sightline plan` and the progress bar tell before a run.
struct Estimate {
  std::int64_t num_configurations = 0, num_blocks = 0, num_rays = 0;
  std::int64_t memory_bytes = 0;
  double seconds = 0;  ///< from the ray count and a short measurement on this machine
};
/// Makes the first block's world and rays, and judges a sample of them.
Estimate estimate(const SweepPlan& plan, const std::vector<Block>& blocks, Device& device);

}  // namespace sightline::host
