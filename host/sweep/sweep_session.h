// One process at work on the blocks of a run: what run_sweep does between opening and closing.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "host/ranks.h"
#include "host/sweep/input_watch.h"
#include "host/sweep/run.h"
#include "host/sweep/run_folder.h"

namespace sightline::host {

std::int64_t num_configurations_of(const std::vector<Block>& blocks);

/// The blocks that a process runs, alone or as one of several ranks.
class SweepSession {
 public:
  /// `inputs` are what the blocks read; `missing` are what is left of a share of so many
  /// configurations and blocks.
  SweepSession(const SweepPlan& plan, const SweepOptions& options, const Shard& shard,
               const std::vector<InputHash>& inputs, BlockRunner& runner, RunFolder& folder,
               std::vector<Block> missing, std::int64_t num_configurations,
               std::int64_t num_blocks);

  /// Runs what is dealt, in the order of `missing`, until nothing is left. Whatever stops it, what
  /// is done reaches the files. Throws as run_sweep does.
  void run_and_flush(Ranks::Deal& deal);

  /// Of the blocks that are left, in their order.
  std::vector<double> costs() const;
  const Progress& progress() const { return progress_; }
  std::int64_t num_run() const { return num_run_; }
  std::int64_t num_failed() const { return num_failed_; }

 private:
  void run(Ranks::Deal& deal);
  void run_block(const Block& block);
  std::exception_ptr try_block(Block* block);
  void run_apart(const Block& block, const std::string& text);
  void take_failure(const Block& block, const std::exception_ptr& failure);
  std::vector<Configuration> configurations_of(const Block& block, const BlockResult& result) const;
  void tell_stopping() const;
  [[noreturn]] void throw_interrupted() const;
  [[noreturn]] void throw_failure(const std::vector<Configuration>& configurations,
                                  const std::exception_ptr& failure) const;
  void tell_running(std::int64_t num_configurations, double done);
  void tell_progress();

  const SweepPlan& plan_;
  const SweepOptions& options_;
  const Shard shard_;
  InputWatch inputs_;
  RunFolder& folder_;
  std::vector<Block> missing_;
  BlockRunner& runner_;
  Progress progress_;
  std::int64_t num_failed_ = 0, num_run_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace sightline::host
