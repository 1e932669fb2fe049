// What one configuration asks for, typed; and how configurations that share inputs run together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/sweep/judge.h"
#include "host/sweep/plan.h"
#include "host/sweep/row.h"
#include "host/sweep/trials.h"

namespace sightline::host {

class SharedInputs;

/// Configurations that run together, and whose results are stored together: they share a world,
/// rays, and passes over the rays. Configurations of the same rays that have no pass in common are
/// blocks of their own, so that stopping a run loses no more than it must.
struct Block {
  std::string key;                           ///< canonical text of the world and the rays
  std::string world_key;                     ///< of visibility: of the world alone
  std::vector<std::int64_t> configurations;  ///< indices into the plan, ascending
  std::vector<std::int64_t> samples;  ///< of recall: those that use each gate and verdict first
  std::int64_t num_rays = 0;          ///< before filters
  double cost = 0;                    ///< a rough one, to compare blocks of a plan by
  std::vector<std::string> files;     ///< world, point and pair files that it reads
  std::vector<SightSettings> passes;  ///< its lines of sight, of marches the one at the finest step
  std::vector<ViewSettings> views;
};

/// Groups a plan's configurations into blocks: those of the same rays are neighbours, in order of
/// their first configuration. Parses and checks every configuration, and reads point files: throws
/// InputError on the first that is bad, or that asks the same as another one under another name of
/// its world's version, before any work.
std::vector<Block> plan_blocks(const SweepPlan& plan);

/// Parses and checks the settings of one configuration, of whatever kind. Throws InputError.
void check_configuration(const SweepPlan& plan, std::int64_t index);

/// Files that blocks read, each once.
std::vector<std::string> input_files(const std::vector<Block>& blocks);

struct BlockResult {
  std::size_t num_configurations = 0;  ///< that were run: the first of the block, at least one
  std::vector<ResultRow> rows;  ///< per configuration ascending, arms in the order of the file
  std::vector<CostRow> costs;   ///< the same order
  /// Of a run with trials: one for each configuration, in their order; until the next block runs.
  std::vector<TrialTable> trials{};
};

/// Runs blocks; keeps the last world and the last rays, since neighbouring blocks often share them.
class BlockRunner {
 public:
  /// Told, now and then, which part of a block is done: from 0 to 1, or, of a call that runs some
  /// of its configurations, to their share.
  using OnProgress = std::function<void(double done)>;

  /// Told of what is likely a mistake, such as positions outside their world; the same may come
  /// again.
  using OnWarning = std::function<void(const std::string& text)>;

  /// `shared`: what need not be read again; null: nothing. It must outlive the runner.
  /// `trial_bytes`: results have trials, and of a block whose answers take more memory than this
  /// some configurations run at a time; 0: they have none.
  BlockRunner(const SweepPlan& plan, Device& device, OnWarning on_warning = {},
              const SharedInputs* shared = nullptr, std::int64_t trial_bytes = 0);
  ~BlockRunner();
  /// Makes the world and the rays of the first block, for run() to use, and asks of all blocks what
  /// these can tell: whether each pass can be made over these rays, and whether random points find
  /// free space in this world. Other worlds are not made. Throws InputError at the place of the
  /// setting, before a run folder exists. `blocks` is not empty.
  void prepare(const std::vector<Block>& blocks);
  /// Throws InputError, at the place of the setting, for what only the world or the points can tell
  /// (no free space, no ray left, a step too small). With trials it may run the first of the
  /// configurations alone, as many as memory holds the answers of.
  BlockResult run(const Block& block, const OnProgress& on_progress = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What `sightline plan` and the progress bar tell before a run.
struct Estimate {
  std::int64_t num_configurations = 0, num_blocks = 0;
  std::int64_t num_rays = 0;  ///< different ones, before filters
  std::int64_t memory_bytes = 0;
  double seconds = 0;  ///< of the whole run, from short measurements on this machine
};
/// Plans the run, makes the worlds and rays, or memories and queries, of some of its blocks, and
/// judges or ranks samples of them (host/sweep/block_times.h). bench/README.md holds it against
/// runs. Throws InputError as plan_blocks and BlockRunner do.
/// `on_measure` is told what comes next, such as "running 1 of 8 blocks", as it may take
/// minutes.
using OnMeasure = std::function<void(const std::string& what)>;
Estimate estimate(const SweepPlan& plan, Device& device, const OnMeasure& on_measure = {});

}  // namespace sightline::host
