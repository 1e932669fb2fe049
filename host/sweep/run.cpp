#include "host/sweep/run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <optional>

#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/merge.h"
#include "host/sweep/run_folder.h"
#include "host/sweep/shard.h"

namespace sightline::host {
namespace {

RunIdentity identity_of(const SweepPlan& plan, const std::vector<Block>& blocks) {
  RunIdentity identity;
  identity.name = plan.name();
  identity.kind = kind_of(plan.resolved());
  identity.config = plan.resolved().canonical_json();
  identity.resolved_yaml = plan.resolved().to_yaml();
  identity.axis_keys = plan.axis_keys();
  identity.num_configurations = plan.num_configurations();
  identity.inputs = hash_inputs(input_files(blocks));
  identity.program = program_identity();
  return identity;
}

/// Blocks without the configurations that are done; without blocks that are done entirely.
std::vector<Block> missing_of(const std::vector<Block>& blocks,
                              const std::unordered_set<std::int64_t>& finished) {
  std::vector<Block> missing;
  for (const Block& block : blocks) {
    Block rest = block;
    rest.configurations.clear();
    for (const std::int64_t index : block.configurations) {
      if (finished.count(index) == 0) rest.configurations.push_back(index);
    }
    if (!rest.configurations.empty()) missing.push_back(std::move(rest));
  }
  return missing;
}

std::string block_name(const std::vector<Configuration>& configurations) {
  const std::string first = "configuration " + std::to_string(configurations.front().index) + " (" +
                            configurations.front().id + ")";
  const std::size_t others = configurations.size() - 1;
  return others == 0 ? first : first + " and " + std::to_string(others) + " others";
}

/// An argument as a POSIX shell reads it back.
std::string shell_quoted(const std::string& argument) {
  constexpr const char* kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// "continue with: sightline sweep ... --resume"
std::string how_to_resume(const std::vector<std::string>& command) {
  if (command.empty()) return "continue with --resume";
  std::string text = "continue with:\n ";
  for (const std::string& argument : command) text += " " + shell_quoted(argument);
  const bool resumes = std::find(command.begin(), command.end(), "--resume") != command.end();
  return resumes ? text : text + " --resume";
}

void check_size(const SweepPlan& plan) {
  if (plan.num_configurations() <= kMaxRunConfigurations) return;
  throw InputError(plan.resolved().mark().source + ": " +
                   std::to_string(plan.num_configurations()) + " configurations; a run has at " +
                   "most " + std::to_string(kMaxRunConfigurations) +
                   ": use fewer values, or split an axis over several runs");
}

/// Lets the device ask whether to stop while a run goes on.
class StopQuestion {
 public:
  StopQuestion(Device& device, const std::function<bool()>& stop_requested) : device_(device) {
    device_.set_stop_requested(stop_requested);
  }
  ~StopQuestion() { device_.set_stop_requested({}); }
  StopQuestion(const StopQuestion&) = delete;
  StopQuestion& operator=(const StopQuestion&) = delete;

 private:
  Device& device_;
};

std::int64_t num_configurations_of(const std::vector<Block>& blocks) {
  std::int64_t count = 0;
  for (const Block& block : blocks) count += static_cast<std::int64_t>(block.configurations.size());
  return count;
}

/// The blocks that a process, or several ranks, run in one call of run_sweep.
class SweepSession {
 public:
  /// `missing` are what is left of a share of so many configurations and blocks.
  SweepSession(const SweepPlan& plan, const SweepOptions& options, BlockRunner& runner,
               RunFolder& folder, std::vector<Block> missing, std::int64_t num_configurations,
               std::int64_t num_blocks)
      : plan_(plan),
        options_(options),
        folder_(folder),
        missing_(std::move(missing)),
        runner_(runner) {
    progress_.num_configurations = num_configurations;
    progress_.skipped_configurations = num_configurations - num_configurations_of(missing_);
    progress_.done_configurations = progress_.skipped_configurations;
    progress_.num_blocks = num_blocks;
    progress_.done_blocks = num_blocks - static_cast<std::int64_t>(missing_.size());
  }

  /// Runs what is dealt, in the order of `missing`, until nothing is left.
  void run(Ranks::Deal& deal) {
    tell_progress();
    try {
      std::int64_t done = 0;
      while (const std::optional<std::int64_t> next = deal.next(done)) {
        if (options_.stop_requested && options_.stop_requested()) throw_interrupted();
        const std::int64_t before = num_run_;
        run_block(missing_[static_cast<std::size_t>(*next)]);
        done = num_run_ - before;
        // What other ranks have told is known to the first of them.
        progress_.done_configurations =
            progress_.skipped_configurations + std::max(deal.num_done() + done, num_run_);
        tell_progress();
      }
    } catch (const std::exception&) {
      deal.stop();
      throw;
    }
  }

  std::int64_t num_run() const { return num_run_; }
  /// Of the blocks that are left, in their order.
  std::vector<double> costs() const {
    std::vector<double> costs;
    for (const Block& block : missing_) costs.push_back(block.cost);
    return costs;
  }
  const Progress& progress() const { return progress_; }
  std::int64_t num_failed() const { return num_failed_; }

 private:
  void run_block(const Block& block) {
    std::vector<Configuration> configurations;
    for (const std::int64_t index : block.configurations) {
      configurations.push_back(plan_.configuration(index));
    }
    const auto size = static_cast<std::int64_t>(configurations.size());
    BlockResult result;
    try {
      result = runner_.run(block, [&](double done) { tell_running(size, done); });
    } catch (const Interrupted&) {
      throw_interrupted();
    } catch (const std::exception& error) {
      tell_running(0, 0);
      folder_.store().add_failure(configurations, error.what());
      if (!options_.keep_going) throw_failure(configurations);
      num_failed_ += size;
      return;
    }
    folder_.store().add_block(configurations, result);
    progress_.running_configurations = 0;
    num_run_ += size;
    ++progress_.done_blocks;
  }

  [[noreturn]] void throw_interrupted() const {
    throw Interrupted(folder_.directory() + ": interrupted with " +
                      std::to_string(progress_.done_configurations) + " of " +
                      std::to_string(progress_.num_configurations) + " configurations done; " +
                      how_to_resume(options_.command));
  }

  /// Called while an exception is handled: keeps the classes that carry an exit code of their own.
  [[noreturn]] void throw_failure(const std::vector<Configuration>& configurations) const {
    const std::string name = block_name(configurations);
    try {
      throw;
    } catch (const InputError&) {
      throw;
    } catch (const EnvironmentError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw RunError(name + ": out of memory; use fewer rays per configuration");
    } catch (const std::exception& error) {
      throw RunError(name + ": " + error.what());
    }
  }

  void tell_running(std::int64_t num_configurations, double done) {
    progress_.running_configurations = num_configurations;
    progress_.running_done = done;
    tell_progress();
  }

  void tell_progress() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
    progress_.seconds = elapsed.count();
    if (options_.on_progress) options_.on_progress(progress_);
  }

  const SweepPlan& plan_;
  const SweepOptions& options_;
  RunFolder& folder_;
  std::vector<Block> missing_;
  BlockRunner& runner_;
  Progress progress_;
  std::int64_t num_failed_ = 0, num_run_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Runs the blocks; whatever stops them, what is done reaches the files.
void run_and_flush(SweepSession& session, Ranks::Deal& deal, RunFolder& folder) {
  std::string status = "failed";
  try {
    session.run(deal);
    return;
  } catch (const Interrupted&) {
    status = "interrupted";
    folder.finish(status);
    throw;
  } catch (const std::exception&) {
    try {
      folder.finish(status);
    } catch (const RunError&) {
      // The disk that stopped the blocks stops the files too; the first error is the one to tell.
    }
    throw;
  }
}

/// Throws InputError for what the files in the folder of a run, or of its shard, tell before
/// anything is prepared or written.
void check_folders(const SweepOptions& options, const Shard& shard) {
  const std::string& out = options.output_directory;
  if (shard.is_whole()) {
    check_run_folder(out, options.resume);
  } else {
    if (holds_run(out) && !options.resume) check_run_folder(out, false);
    check_run_folder(shard_folder(out, shard), options.resume);
  }
  if (options.resume) return;
  for (const std::string& folder : shard_folders(out)) {
    const std::string end = "-of-" + std::to_string(shard.count);
    const bool of_this_split = folder.size() > end.size() &&
                               folder.compare(folder.size() - end.size(), end.size(), end) == 0;
    if (of_this_split) continue;
    throw InputError(out + ": already holds a shard of a run, " + folder +
                     "; continue with --resume or choose another folder");
  }
}

/// What is finished in the other folders of the run: a whole run asks its own folder itself.
std::unordered_set<std::int64_t> finished_before(const SweepOptions& options, const Shard& shard,
                                                 const RunIdentity& identity) {
  if (!options.resume) return {};
  std::vector<std::string> folders = shard_folders(options.output_directory);
  if (!shard.is_whole()) folders.push_back(options.output_directory);
  return finished_in(folders, identity);
}

/// What of the results goes into the summary of a run.
void summarize(const RunData& data, SweepSummary* summary) {
  summary->kind = data.kind();
  summary->arms = summarize_arms(data);
  summary->claims = evaluate_claims(data);
  summary->summary_json = summary_json(data);
  summary->failed = static_cast<std::int64_t>(data.failures.size());
  summary->num_missing = data.num_configurations - data.num_finished - summary->failed;
}

/// One call of run_sweep: what it is made of, in the order of its making.
struct SweepCall {
  const SweepPlan& plan;
  const SweepOptions& options;
  Device& device;
  Ranks& ranks;
  Shard shard{};  ///< whose folder this process works in
  std::vector<Block> blocks{};
  RunIdentity identity{};
  std::unordered_set<std::int64_t> finished{};
  std::unique_ptr<BlockRunner> runner{};
  std::unique_ptr<RunFolder> folder{};
  std::unique_ptr<SweepSession> session{};

  bool dealt() const { return ranks.size() > 1; }

  /// Everything that can be told before anything is written.
  void check() {
    check_size(plan);
    check_folders(options, shard);
    blocks = plan_blocks(plan);
    identity = identity_of(plan, blocks);
    runner = std::make_unique<BlockRunner>(plan, device);
    if (ranks.rank() == 0) finished = finished_before(options, shard, identity);
    if (!dealt()) blocks = blocks_of_shard(blocks, shard);
    // What fails at once is told before the folder is made; a run that was begun got past this.
    const bool begun = holds_run(shard_folder(options.output_directory, shard));
    if (!options.keep_going && !begun && !blocks.empty()) runner->prepare(blocks);
  }

  /// All ranks skip what the first one found finished, before any of them writes.
  void agree_on_finished() {
    const std::vector<std::int64_t> all =
        ranks.from_first(std::vector<std::int64_t>(finished.begin(), finished.end()));
    finished = std::unordered_set<std::int64_t>(all.begin(), all.end());
  }

  void open_folder() {
    folder = std::make_unique<RunFolder>(shard_folder(options.output_directory, shard), identity,
                                         options.resume);
    if (shard.is_whole() && options.resume) folder->take(shard_folders(options.output_directory));
    finished.insert(folder->finished().begin(), folder->finished().end());
    const std::int64_t num_configurations = num_configurations_of(blocks);
    const auto num_blocks = static_cast<std::int64_t>(blocks.size());
    std::vector<Block> missing = missing_of(blocks, finished);
    if (dealt()) missing = in_order(missing, costliest_first(missing));
    session = std::make_unique<SweepSession>(plan, options, *runner, *folder, std::move(missing),
                                             num_configurations, num_blocks);
    folder->start_session(
        begin_session(options.command, device, shard.is_whole() ? "" : shard.text()));
  }

  SweepSummary summary_of(const RunData& data) const {
    SweepSummary summary;
    summary.directory = shard_folder(options.output_directory, shard);
    summary.num_configurations = session->progress().num_configurations;
    summary.skipped = session->progress().skipped_configurations;
    summary.ran = session->num_run();
    summary.seconds = session->progress().seconds;
    summarize(data, &summary);
    return summary;
  }

 private:
  static std::vector<Block> in_order(const std::vector<Block>& blocks,
                                     const std::vector<std::int64_t>& order) {
    std::vector<Block> ordered;
    for (const std::int64_t i : order) ordered.push_back(blocks[static_cast<std::size_t>(i)]);
    return ordered;
  }
};

}  // namespace

SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options, Device& device) {
  Ranks alone;
  return run_sweep(plan, options, device, alone);
}

SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options, Device& device,
                       Ranks& ranks) {
  const StopQuestion stop_question(device, options.stop_requested);
  SweepCall call{plan, options, device, ranks};
  call.shard = ranks.size() > 1 ? Shard{ranks.rank() + 1, ranks.size()} : options.shard;
  ranks.together([&] { call.check(); });
  call.agree_on_finished();
  ranks.together([&] { call.open_folder(); });
  SweepSummary summary;
  ranks.together([&] {
    {
      Ranks::Deal deal(ranks, call.session->costs());
      run_and_flush(*call.session, deal, *call.folder);
    }
    const bool failed = call.session->num_failed() > 0;
    summary = call.summary_of(call.folder->finish(failed ? "failed" : "complete"));
  });
  if (!call.dealt()) return summary;
  ranks.together([&] {
    if (ranks.rank() != 0) return;
    summary.directory = options.output_directory;
    const MergeResult merged = merge_shards(options.output_directory, options.command);
    summarize(merged.run, &summary);
    summary.ran = merged.run.num_finished - summary.skipped;
  });
  return summary;
}

}  // namespace sightline::host
