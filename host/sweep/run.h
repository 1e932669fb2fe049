// Runs a sweep into a folder, resumes it, and tells how far it is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/ranks.h"
#include "host/sweep/claims.h"
#include "host/sweep/experiment.h"
#include "host/sweep/plan.h"
#include "host/sweep/shard.h"
#include "host/sweep/summary.h"

namespace sightline::host {

struct Progress {
  std::int64_t done_configurations = 0, num_configurations = 0;
  std::int64_t skipped_configurations = 0;  ///< of those done: by an earlier session
  std::int64_t done_blocks = 0, num_blocks = 0;
  std::int64_t running_configurations = 0;  ///< of the block at work
  double running_done = 0;                  ///< which part of that block's rays are judged
  double seconds = 0;                       ///< since this session began
};

struct SweepOptions {
  std::string output_directory;
  Shard shard;  ///< which part of the run; the whole by default
  bool resume = false;
  bool keep_going = false;  ///< record a failed block and go on
  bool trials = false;      ///< write what every trial was answered, too (trials.h)
  std::int64_t trial_memory_bytes = kTrialMemoryBytes;  ///< held of them at a time; above 0
  std::vector<std::string> command;  ///< argv, for the manifest and for how to resume
  // Each may be empty; all are called from the running thread.
  std::function<void(const std::string&)> on_warning;  ///< likely mistakes, each once
  std::function<void(const Progress&)> on_progress;
  std::function<bool()> stop_requested;  ///< asked between blocks and between pieces of a block
  /// Of ranks, on the first: told how to go on as soon as it stops. A launcher that was interrupted
  /// soon kills its ranks, often before run_sweep has ended.
  std::function<void(const std::string&)> on_stopping;
};

struct SweepSummary {
  std::string directory;  ///< where the results are: of a shard, its own folder
  ExperimentKind kind = ExperimentKind::kVisibility;
  std::int64_t num_configurations = 0, ran = 0, skipped = 0;
  std::int64_t failed = 0;  ///< not zero only with keep_going: the run is not complete
  double seconds = 0;
  std::vector<ArmSummary> arms;
  std::vector<ClaimResult> claims;  ///< of the sweep file
  std::string summary_json;         ///< what summary.json holds
  std::int64_t num_missing = 0;     ///< of the run, beside those that failed: left to other shards
};

/// Runs what is missing, one SQLite transaction per block, into the folder: `run.sqlite` (the
/// truth), `resolved.yaml`, `manifest.json`, `results.csv`, `timings.csv`, `summary.json` and
/// `run.lock`; with `trials` also a file for each configuration in `trials`, which is there as a
/// whole before the configuration counts as done. Other files there are left alone.
///
/// Without `resume` a folder that holds a run is refused, before anything else. With it, an absent
/// folder or a run without any result starts anew; a begun one goes on if its resolved sweep file
/// (but for `report`; with the order of axes and arms) and its input files are the same, and, where
/// something is left to run, also the program's version and revision; and, where something is done,
/// if that was run with trials as this is.
///
/// Throws InputError, with nothing written, on bad input, a folder in use, a resume of something
/// else, or more than kMaxRunConfigurations. A run that starts makes its first world and rays
/// before it writes anything, unless keep_going is to record what fails. Throws Interrupted after
/// flushing; and if a block fails and keep_going is off, RunError, or the InputError of the block's
/// own files, also when one has changed since the run began: what is done then is on disk, and can
/// be resumed.
///
/// A shard (shard.h) does its share in a folder of its own below, and skips what is finished in the
/// run or in any shard of it; so does a whole run, which takes their results over.
SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options, Device& device);

/// The same by several ranks, each a shard: blocks are dealt as ranks get done, the costliest
/// first; at the end rank 0 puts the shards together in the folder (merge.h). Called by all ranks,
/// and returns the same counts on all; arms, claims and summary_json on rank 0 alone.
SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options, Device& device,
                       Ranks& ranks);

}  // namespace sightline::host
