// Recall sweeps: which configurations run together, and running them.
#pragma once

#include <memory>
#include <vector>

#include "host/sweep/experiment.h"

namespace sightline::host {

/// Groups the configurations of a recall sweep into blocks of the same world, memories and queries.
/// Parses and checks every configuration; throws InputError on the first that is bad.
std::vector<Block> plan_recall_blocks(const SweepPlan& plan);

/// Runs blocks of a recall sweep; keeps the last world, memories and queries.
class RecallRunner {
 public:
  /// `shared` and `trial_bytes` as for BlockRunner.
  RecallRunner(const SweepPlan& plan, Device& device, const SharedInputs* shared = nullptr,
               std::int64_t trial_bytes = 0);
  ~RecallRunner();
  /// Makes the inputs of the first block: what is wrong with them is told before a folder exists.
  void prepare(const std::vector<Block>& blocks);
  /// As BlockRunner does.
  BlockResult run(const Block& block, const BlockRunner::OnProgress& on_progress);
  /// From the inputs of the first block and a few of its configurations.
  Estimate estimate(const std::vector<Block>& blocks, const OnMeasure& on_measure = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host
