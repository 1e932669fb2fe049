#include "host/sweep/sweep_session.h"

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

std::string block_name(const std::vector<Configuration>& configurations) {
  const std::string first = "configuration " + std::to_string(configurations.front().index) + " (" +
                            configurations.front().id + ")";
  const std::size_t others = configurations.size() - 1;
  return others == 0 ? first : first + " and " + std::to_string(others) + " others";
}

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Of the configurations of a block, those from `begin` to before `end`.
Block part_of(const Block& block, std::size_t begin, std::size_t end) {
  Block part = block;
  const auto first = block.configurations.begin();
  part.configurations.assign(first + static_cast<std::ptrdiff_t>(begin),
                             first + static_cast<std::ptrdiff_t>(end));
  return part;
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

}  // namespace

std::int64_t num_configurations_of(const std::vector<Block>& blocks) {
  std::int64_t count = 0;
  for (const Block& block : blocks) count += static_cast<std::int64_t>(block.configurations.size());
  return count;
}

SweepSession::SweepSession(const SweepPlan& plan, const SweepOptions& options, const Shard& shard,
                           const std::vector<InputHash>& inputs, BlockRunner& runner,
                           RunFolder& folder, std::vector<Block> missing,
                           std::int64_t num_configurations, std::int64_t num_blocks)
    : plan_(plan),
      options_(options),
      shard_(shard),
      inputs_(inputs),
      folder_(folder),
      missing_(std::move(missing)),
      runner_(runner) {
  progress_.num_configurations = num_configurations;
  progress_.skipped_configurations = num_configurations - num_configurations_of(missing_);
  progress_.done_configurations = progress_.skipped_configurations;
  progress_.num_blocks = num_blocks;
  progress_.done_blocks = num_blocks - static_cast<std::int64_t>(missing_.size());
}

void SweepSession::run(Ranks::Deal& deal) {
  tell_progress();
  try {
    std::int64_t done = 0;
    while (const std::optional<std::int64_t> next = deal.next(done)) {
      if (options_.stop_requested && options_.stop_requested()) throw_interrupted();
      const std::int64_t before = num_run_;
      run_block(missing_.at(static_cast<std::size_t>(*next)));
      ++progress_.done_blocks;
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

void SweepSession::run_and_flush(Ranks::Deal& deal) {
  try {
    run(deal);
    return;
  } catch (const Interrupted&) {
    tell_stopping();
    folder_.finish("interrupted");
    throw;
  } catch (const std::exception&) {
    try {
      folder_.finish("failed");
    } catch (const std::exception&) {
      // The disk that stopped the blocks stops the files too; the first error is the one to tell.
    }
    throw;
  }
}

std::vector<double> SweepSession::costs() const {
  std::vector<double> costs;
  for (const Block& block : missing_) costs.push_back(block.cost);
  return costs;
}

void SweepSession::run_block(const Block& whole) {
  Block block = whole;
  const std::exception_ptr failure = try_block(&block);
  if (!failure) return;
  if (options_.keep_going && block.configurations.size() > 1) {
    run_apart(block, text_of(failure));
  } else {
    take_failure(block, failure);
  }
}

/// Runs a block and stores its results, in several parts where the runner does; returns why it
/// could not, null if it could. Leaves in `block` what is not stored.
std::exception_ptr SweepSession::try_block(Block* block) {
  while (!block->configurations.empty()) {
    const std::size_t size = block->configurations.size();
    BlockResult result;
    try {
      result = runner_.run(
          *block, [&](double done) { tell_running(static_cast<std::int64_t>(size), done); });
      inputs_.check(block->files);  // now that it has read them
      for (const TrialTable& trials : result.trials) check_trials(folder_.directory(), trials);
    } catch (const Interrupted&) {
      throw_interrupted();
    } catch (const std::exception&) {
      tell_running(0, 0);
      return std::current_exception();
    }
    const std::size_t done = result.num_configurations;
    // First what the counts are counts of: a configuration that is stored has its file, power cuts
    // included.
    TrialsChecksums checksums;
    for (const TrialTable& trials : result.trials) {
      checksums[trials.configuration_id] = write_trials(folder_.directory(), trials);
    }
    if (!result.trials.empty()) sync_files(trials_folder(folder_.directory()));
    folder_.store().add_block(configurations_of(part_of(*block, 0, done), result), result,
                              checksums);
    progress_.running_configurations = 0;
    num_run_ += static_cast<std::int64_t>(done);
    progress_.done_configurations =
        std::max(progress_.done_configurations, progress_.skipped_configurations + num_run_);
    *block = part_of(*block, done, size);
  }
  return nullptr;
}

/// Runs what it can of a block that failed with `text` as a whole. Where that is said of its first
/// and of its last configuration alone, it is no configuration's own fault, and all have failed.
void SweepSession::run_apart(const Block& block, const std::string& text) {
  const std::size_t last = block.configurations.size() - 1;
  bool all_fail = true;
  for (const std::size_t end : {std::size_t{0}, last}) {
    const Block one = part_of(block, end, end + 1);
    Block rest = one;
    const std::exception_ptr failure = try_block(&rest);
    all_fail = all_fail && failure && text_of(failure) == text;
    if (failure) take_failure(one, failure);
  }
  if (last < 2) return;
  if (all_fail) {
    take_failure(part_of(block, 1, last), std::make_exception_ptr(RunError(text)));
    return;
  }
  const std::size_t middle = 1 + (last - 1) / 2;
  if (middle > 1) run_block(part_of(block, 1, middle));
  run_block(part_of(block, middle, last));
}

void SweepSession::take_failure(const Block& block, const std::exception_ptr& failure) {
  std::vector<Configuration> configurations;
  for (const std::int64_t index : block.configurations) {
    configurations.push_back(plan_.configuration(index));
  }
  folder_.store().add_failure(configurations, text_of(failure));
  if (!options_.keep_going) throw_failure(configurations, failure);
  num_failed_ += static_cast<std::int64_t>(configurations.size());
}

/// Of a block that has run, whose rows tell the ids: what is stored of them, and no settings.
std::vector<Configuration> SweepSession::configurations_of(const Block& block,
                                                           const BlockResult& result) const {
  std::vector<Configuration> configurations;
  configurations.reserve(block.configurations.size());
  for (const std::int64_t index : block.configurations) {
    configurations.push_back(plan_.axis_values(index));
  }
  std::size_t next = 0;
  for (const ResultRow& row : result.rows) {  // of ascending configurations, as the block's are
    while (configurations.at(next).index != row.configuration) ++next;
    configurations[next].id = row.configuration_id;
  }
  return configurations;
}

void SweepSession::tell_stopping() const {
  const bool dealt = !shard_.is_whole() && options_.shard.is_whole();
  if (!dealt || shard_.number != 1 || !options_.on_stopping) return;
  options_.on_stopping(options_.output_directory +
                       ": stopping; what is done is kept; as so many ranks, others or alone, " +
                       how_to_resume(options_.command));
}

void SweepSession::throw_interrupted() const {
  const std::string& out = options_.output_directory;
  if (!shard_.is_whole()) {
    throw Interrupted(out + ": interrupted, shard " + shard_.text() + " with " +
                      std::to_string(num_run_) + " configurations done since its start; " +
                      (options_.shard.is_whole()
                           ? "continue with --resume, as so many ranks, others or alone"
                           : how_to_resume(options_.command)));
  }
  throw Interrupted(out + ": interrupted with " + std::to_string(progress_.done_configurations) +
                    " of " + std::to_string(progress_.num_configurations) +
                    " configurations done; " + how_to_resume(options_.command));
}

/// Keeps the classes that carry an exit code of their own.
void SweepSession::throw_failure(const std::vector<Configuration>& configurations,
                                 const std::exception_ptr& failure) const {
  const std::string name = block_name(configurations);
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + " (in " + name + ")");
  } catch (const EnvironmentError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw RunError(name + ": out of memory; use fewer rays per configuration");
  } catch (const std::exception& error) {
    throw RunError(name + ": " + error.what());
  }
}

void SweepSession::tell_running(std::int64_t num_configurations, double done) {
  progress_.running_configurations = num_configurations;
  progress_.running_done = done;
  tell_progress();
}

void SweepSession::tell_progress() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  progress_.seconds = elapsed.count();
  if (options_.on_progress) options_.on_progress(progress_);
}

}  // namespace sightline::host
