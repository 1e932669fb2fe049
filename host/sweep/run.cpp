#include "host/sweep/run.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/run_folder.h"

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

/// One call of run_sweep.
class SweepSession {
 public:
  SweepSession(const SweepPlan& plan, const SweepOptions& options, BlockRunner& runner,
               RunFolder& folder, const std::vector<Block>& blocks)
      : plan_(plan),
        options_(options),
        folder_(folder),
        missing_(missing_of(blocks, folder.finished())),
        runner_(runner) {
    progress_.num_configurations = plan.num_configurations();
    progress_.skipped_configurations = static_cast<std::int64_t>(folder.finished().size());
    progress_.done_configurations = progress_.skipped_configurations;
    progress_.num_blocks = static_cast<std::int64_t>(blocks.size());
    progress_.done_blocks = progress_.num_blocks - static_cast<std::int64_t>(missing_.size());
  }

  void run_missing_blocks() {
    tell_progress();
    for (const Block& block : missing_) {
      if (options_.stop_requested && options_.stop_requested()) throw_interrupted();
      run_block(block);
      tell_progress();
    }
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
    progress_.done_configurations += size;
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
  std::int64_t num_failed_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Runs the blocks; whatever stops them, what is done reaches the files.
void run_and_flush(SweepSession& session, RunFolder& folder) {
  std::string status = "failed";
  try {
    session.run_missing_blocks();
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

}  // namespace

SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options, Device& device) {
  check_size(plan);
  check_run_folder(options.output_directory, options.resume);
  const std::vector<Block> blocks = plan_blocks(plan);
  const StopQuestion stop_question(device, options.stop_requested);
  BlockRunner runner(plan, device);
  // What fails at once is told before the folder is made; a run that was begun got past this.
  if (!options.keep_going && !holds_run(options.output_directory)) runner.prepare(blocks);
  RunFolder folder(options.output_directory, identity_of(plan, blocks), options.resume);
  SweepSession session(plan, options, runner, folder, blocks);
  folder.start_session(begin_session(options.command, device));
  run_and_flush(session, folder);
  const RunData data = folder.finish(session.num_failed() > 0 ? "failed" : "complete");

  SweepSummary summary;
  summary.kind = data.kind();
  summary.directory = options.output_directory;
  summary.num_configurations = plan.num_configurations();
  summary.skipped = session.progress().skipped_configurations;
  summary.ran = session.progress().done_configurations - summary.skipped;
  summary.failed = session.num_failed();
  summary.seconds = session.progress().seconds;
  summary.arms = summarize_arms(data);
  summary.claims = evaluate_claims(data);
  summary.summary_json = summary_json(data);
  return summary;
}

}  // namespace sightline::host
