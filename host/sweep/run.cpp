#include "host/sweep/run.h"

#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "host/error.h"
#include "host/sweep/common_folder.h"
#include "host/sweep/manifest.h"
#include "host/sweep/merge.h"
#include "host/sweep/preregistration.h"
#include "host/sweep/run_folder.h"
#include "host/sweep/run_lock.h"
#include "host/sweep/shard.h"
#include "host/sweep/shared_inputs.h"
#include "host/sweep/sweep_session.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

RunIdentity identity_of(const SweepPlan& plan, std::vector<InputHash> inputs, bool trials) {
  RunIdentity identity;
  identity.name = plan.name();
  identity.kind = kind_of(plan.resolved());
  identity.config = plan.resolved().canonical_json();
  identity.resolved_yaml = plan.resolved().to_yaml();
  identity.axis_keys = plan.axis_keys();
  identity.num_configurations = plan.num_configurations();
  identity.inputs = std::move(inputs);
  identity.program = program_identity();
  identity.trials = trials;
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

void check_size(const SweepPlan& plan) {
  if (plan.num_configurations() <= kMaxRunConfigurations) return;
  throw InputError(plan.resolved().mark().source.str() + ": " +
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

/// The folders that may have results of the run beside the one of this process; a run that is
/// dealt has several of its own.
std::vector<std::string> other_folders(const SweepOptions& options, const Shard& shard) {
  const std::string own = shard_folder(options.output_directory, shard);
  std::vector<std::string> folders = shard_folders(options.output_directory);
  if (!shard.is_whole()) folders.push_back(options.output_directory);
  folders.erase(std::remove(folders.begin(), folders.end(), own), folders.end());
  return folders;
}

/// Is this the folder of a shard of the same split, below that of the run?
bool is_of_split(const std::string& folder, const std::string& out, const Shard& shard) {
  const std::string end = "-of-" + std::to_string(shard.count);
  return folder != out && folder.size() > end.size() &&
         folder.compare(folder.size() - end.size(), end.size(), end) == 0;
}

/// Does the folder of a run, which no process works in, hold all of it?
bool is_complete(const std::string& out, std::int64_t num_configurations) {
  if (!is_there(out + "/" + RunStore::kFileName) || !RunLock::holder(out).empty()) return false;
  RunStore store(out, Database::Access::kRead);
  return store.begun() &&
         static_cast<std::int64_t>(store.finished_configurations().size()) == num_configurations;
}

/// Throws InputError for what the files in the folder of a run, or of its shard, tell before
/// anything is prepared or written.
void check_folders(const SweepOptions& options, const Shard& shard) {
  const std::string& out = options.output_directory;
  const std::vector<std::string> others = other_folders(options, shard);
  const bool has_siblings =
      std::any_of(others.begin(), others.end(),
                  [&](const std::string& folder) { return is_of_split(folder, out, shard); });
  if (!holds_run(out)) check_run_folder(out, options.resume);  // it will be merged there
  // Beside shards of the same split, what lies there is a merge of those that have ended.
  if (!shard.is_whole() && !has_siblings && holds_run(out) && !options.resume) {
    check_run_folder(out, false);
  }
  check_run_folder(shard_folder(out, shard), options.resume);
  for (const std::string& folder : {out, shard_folder(out, shard)}) {
    if (options.trials && !holds_run(folder)) check_trials_folder(folder);
  }
  for (const std::string& folder : others) {
    if (is_of_split(folder, out, shard)) continue;
    if (!options.resume && folder != out) {
      throw InputError(out + ": already holds a shard of a run, " + folder +
                       "; continue with --resume or choose another folder");
    }
    // What another split is at work on would be computed twice.
    const std::string holder = RunLock::holder(folder);
    if (!holder.empty()) throw InputError(in_use_text(folder, holder));
  }
}

/// What of the results goes into the summary of a run.
void summarize(const RunData& data, std::vector<ClaimResult> claims, SweepSummary* summary) {
  summary->kind = data.kind();
  summary->arms = summarize_arms(data);
  summary->claims = std::move(claims);
  summary->summary_json = summary_json(data);
  summary->failed = static_cast<std::int64_t>(data.failures.size());
  summary->num_missing = data.num_configurations - data.num_finished - summary->failed;
}

std::string text_without_room(const std::vector<std::string>& files) {
  const std::string which =
      files.empty() ? "a file on another machine"
      : files.size() == 1
          ? files.front()
          : files.front() + " and " + std::to_string(files.size() - 1) + " other files";
  return which +
         ": no room in the memory that ranks of one machine share, so each reads its own copy; "
         "give /dev/shm more (docker run --shm-size), or start fewer ranks";
}

/// One call of run_sweep: what it is made of, in the order of its making.
struct SweepCall {
  const SweepPlan& plan;
  const SweepOptions& options;
  Device& device;
  Ranks& ranks;
  Shard shard{};  ///< whose folder this process works in
  std::vector<Block> blocks{};
  std::string preregistration{};           ///< its hash
  std::vector<std::string> input_paths{};  ///< that the blocks read
  std::int64_t sweep_hash = 0;
  RunIdentity identity{};
  bool compare_programs = true;  ///< with those of other folders
  SharedInputs shared{};
  std::unique_ptr<BlockRunner> runner{};
  std::unique_ptr<RunFolder> folder{};
  std::unordered_set<std::int64_t> finished{};
  std::vector<Block> missing{};
  std::unique_ptr<SweepSession> session{};
  std::unordered_set<std::string> warnings{};  ///< those told

  void warn(const std::string& text) {
    if (warnings.insert(text).second && options.on_warning) options.on_warning(text);
  }
  std::unique_ptr<BlockRunner> new_runner(const SharedInputs* inputs) {
    return std::make_unique<BlockRunner>(
        plan, device, [this](const std::string& text) { warn(text); }, inputs,
        options.trials ? options.trial_memory_bytes : 0);
  }
  bool dealt() const { return ranks.size() > 1; }
  std::string own_folder() const { return shard_folder(options.output_directory, shard); }

  // Everything that can be told before anything is written: plan_work to prepare.

  void plan_work() {
    check_size(plan);
    check_folders(options, shard);
    blocks = plan_blocks(plan);
    preregistration = require_preregistration(plan);
    input_paths = input_files(blocks);
    const std::string sweep = plan.resolved().to_yaml();  // the order of axes, too
    sweep_hash = static_cast<std::int64_t>(XXH64(sweep.data(), sweep.size(), 0));
  }

  /// Collective: mpirun starts whatever it is told, and each rank reads the file for itself. Blocks
  /// are dealt by number, so all must have the same.
  void check_same_sweep() {
    const std::vector<std::int64_t> hashes = ranks.joined({sweep_hash});
    const std::vector<std::int64_t> wishes = ranks.joined(
        {(options.resume ? 1 : 0) + (options.trials ? 2 : 0) + (options.keep_going ? 4 : 0)});
    ranks.together([&] {
      const std::string& source = plan.resolved().mark().source.str();
      for (std::size_t rank = 1; rank < hashes.size(); ++rank) {
        const std::string which = source + ": rank " + std::to_string(rank);
        if (hashes[rank] != hashes[0]) {
          throw InputError(which +
                           " has read another sweep than rank 0; give all ranks the same file and "
                           "the same settings, and leave the file alone while they start");
        }
        if (wishes[rank] != wishes[0]) {
          throw InputError(which + " has other options than rank 0; give --resume, --trials and " +
                           "--keep-going to all ranks or to none");
        }
      }
    });
  }

  /// Collective.
  void identify() {
    std::vector<InputHash> inputs = hash_once(input_paths, ranks);
    ranks.together([&] {
      identity = identity_of(plan, std::move(inputs), options.trials);
      identity.preregistration = preregistration;
    });
  }

  void check_other_folders() {
    if (ranks.rank() == 0) {
      const std::vector<std::string> others = other_folders(options, shard);
      // A run that is complete computes nothing, whatever program asks for it.
      compare_programs =
          !shard.is_whole() || !is_complete(options.output_directory, plan.num_configurations());
      require_same_runs(others, identity, compare_programs);
      if (shard.is_whole()) require_agreement(folders_at_rest(with_own(others)));
    }
    if (!dealt()) blocks = blocks_of_shard(blocks, shard);
    missing = blocks;
  }

  /// Collective: what is missing is run with inputs that the ranks of a machine share.
  void share_inputs() {
    std::vector<InputFiles> files;
    ranks.together([&] {
      runner.reset();  // and what it has read for itself
      if (ranks.node_size() > 1) files = shared_files(plan, missing);
    });
    ranks.in_step([&] { shared.share(files, ranks); });
    const auto without_room = static_cast<std::int64_t>(shared.without_room().size());
    for (const std::int64_t count : ranks.joined({without_room})) {
      if (count == 0 || ranks.rank() > 0) continue;
      warn(text_without_room(shared.without_room()));
      break;
    }
    runner = new_runner(&shared);
  }

  void prepare() {
    if (!runner) runner = new_runner(nullptr);
    // What fails at once is told before the folder is made; a run that was begun got past this.
    if (!options.keep_going && !holds_run(own_folder()) && !blocks.empty()) {
      runner->prepare(blocks);
    }
  }

  /// From here on nobody else works in the folder.
  void open_folder() {
    folder = std::make_unique<RunFolder>(own_folder(), identity, options.resume);
  }

  /// What is finished anywhere. Each rank tells of its own folder, which it has locked, and the
  /// first of those that no rank has, so that all skip the same.
  void find_finished() {
    finished = folder->finished();
    if (options.resume && ranks.rank() == 0) {
      const std::vector<std::string> others = other_folders(options, shard);
      require_same_runs(others, identity, compare_programs);
      const std::unordered_set<std::int64_t> elsewhere = finished_in(others);
      finished.insert(elsewhere.begin(), elsewhere.end());
    }
  }

  void agree_on_finished() {
    const std::vector<std::int64_t> all = ranks.joined({finished.begin(), finished.end()});
    finished = std::unordered_set<std::int64_t>(all.begin(), all.end());
    missing = missing_of(blocks, finished);
  }

  void start_session() {
    if (shard.is_whole()) {
      folder->take(folders_at_rest(other_folders(options, shard)));
      finished = folder->finished();
      missing = missing_of(blocks, finished);  // but for what others came back to
    }
    const std::string lost = folder->lost_text(finished);
    if (!lost.empty()) warn(lost);
    const std::int64_t num_configurations = num_configurations_of(blocks);
    const auto num_blocks = static_cast<std::int64_t>(blocks.size());
    if (dealt()) missing = in_order(missing, costliest_first(missing));
    session =
        std::make_unique<SweepSession>(plan, options, shard, identity.inputs, *runner, *folder,
                                       std::move(missing), num_configurations, num_blocks);
    folder->start_session(
        begin_session(options.command, device, shard.is_whole() ? "" : shard.text()));
  }

  SweepSummary run() {
    {
      Ranks::Deal deal(ranks, session->costs());
      session->run_and_flush(deal);
    }
    FinishedRun done = folder->finish(session->num_failed() > 0 ? "failed" : "complete");
    SweepSummary summary;
    summary.directory = own_folder();
    summary.num_configurations = session->progress().num_configurations;
    summary.skipped = session->progress().skipped_configurations;
    summary.ran = session->num_run();
    summary.seconds = session->progress().seconds;
    summarize(done.data, std::move(done.claims), &summary);
    return summary;
  }

  /// Lets go of the folder, so that it can be merged.
  void close_folder() {
    session.reset();
    folder.reset();
  }

  void merge(SweepSummary* summary) {
    summary->directory = options.output_directory;
    MergeResult merged = merge_shards(options.output_directory, options.command, own_folder());
    for (const std::string& text : merged.warnings) warn(text);
    summarize(merged.run, std::move(merged.claims), summary);
    summary->ran = merged.run.num_finished - summary->skipped;
    if (summary->num_missing > 0) {
      throw RunError(options.output_directory + ": " + std::to_string(summary->num_missing) +
                     " configurations are missing though all blocks were dealt; compute them with "
                     "--resume, and please report this");
    }
  }

 private:
  std::vector<std::string> with_own(std::vector<std::string> folders) const {
    folders.push_back(own_folder());
    return folders;
  }

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
  ranks.together([&] { call.plan_work(); });
  call.check_same_sweep();
  call.identify();
  ranks.together([&] { call.check_other_folders(); });
  // A run that is resumed tells first what is missing of it.
  if (call.dealt() && !options.resume) call.share_inputs();
  ranks.together([&] { call.prepare(); });
  if (call.dealt()) check_common_folder(options.output_directory, ranks);
  ranks.together([&] { call.open_folder(); });
  ranks.together([&] { call.find_finished(); });
  call.agree_on_finished();
  if (call.dealt() && options.resume) call.share_inputs();
  ranks.together([&] { call.start_session(); });
  SweepSummary summary;
  ranks.together([&] { summary = call.run(); });
  if (!call.dealt()) return summary;
  ranks.together([&] { call.close_folder(); });
  ranks.together([&] {
    if (ranks.rank() == 0) call.merge(&summary);
  });
  return summary;
}

}  // namespace sightline::host
