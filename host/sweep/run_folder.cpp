#include "host/sweep/run_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "host/config/plural.h"
#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/results_csv.h"
#include "host/sweep/shard.h"
#include "host/sweep/summary.h"
#include "host/sweep/trials.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kResults = "results.csv";
constexpr const char* kTimings = "timings.csv";
constexpr const char* kSummary = "summary.json";
constexpr const char* kClaims = "claims.csv";

bool is_written_by_a_run(const std::string& name) {
  for (const char* written : {kResolvedFile, kManifest, kResults, kTimings, kSummary, kClaims}) {
    if (name == written) return true;
  }
  return false;
}

/// Removes what a killed program left of files that it was writing: nobody else writes them while
/// the folder is locked.
template <class IsOurs>
void remove_unfinished_files(const std::string& folder, IsOurs is_ours) {
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_ours(finished_name(entry->path().filename().string()))) {
      fs::remove(entry->path(), ignored);
    }
  }
}

void refuse_foreign_files(const std::string& directory) {
  for (const char* name : {kResolvedFile, kResults, kTimings, kSummary, kClaims}) {
    if (is_there(directory + "/" + name)) {
      throw InputError(directory + "/" + name + ": would be overwritten, and belongs to no run " +
                       "here; move it or choose another folder");
    }
  }
}

/// Of some configurations, those that are not among others.
std::vector<FinishedConfiguration> those_not_in(const std::vector<FinishedConfiguration>& others,
                                                std::vector<FinishedConfiguration> some) {
  std::unordered_set<std::int64_t> known;
  for (const FinishedConfiguration& one : others) known.insert(one.configuration);
  const auto is_known = [&](const auto& one) { return known.count(one.configuration) > 0; };
  some.erase(std::remove_if(some.begin(), some.end(), is_known), some.end());
  return some;
}

}  // namespace

bool holds_run(const std::string& directory) {
  return is_there(directory + "/" + kManifest) || is_there(directory + "/" + RunStore::kFileName);
}

void check_run_folder(const std::string& directory, bool resume) {
  if (!holds_run(directory)) return refuse_foreign_files(directory);
  if (!resume) {
    throw InputError(directory + ": already holds a run; continue it with --resume or choose " +
                     "another folder");
  }
  if (!is_there(directory + "/" + RunStore::kFileName)) {
    throw InputError(directory + ": " + kManifest + " is here but " + RunStore::kFileName +
                     " is gone, so there is nothing to resume; choose another folder");
  }
}

RunFolder::RunFolder(const std::string& directory, const RunIdentity& identity, bool resume)
    : directory_(directory), identity_(identity) {
  check_run_folder(directory, resume);
  make_folder(directory);
  lock_ = std::make_unique<RunLock>(directory);
  check_run_folder(directory, resume);  // another process may have begun it meanwhile
  store_ = std::make_unique<RunStore>(directory, Database::Access::kReadWrite);
  if (!begin_again()) {
    store_->begin(identity_);  // nothing to keep: another build of the program may start anew
  }
  remove_unfinished_files(directory_, is_written_by_a_run);
  write(kResolvedFile, identity_.resolved_yaml);
  if (!identity_.trials) return;
  make_folder(trials_folder(directory_));
  remove_unfinished_files(trials_folder(directory_), is_trial_file);
}

/// Takes up a run that has results; false if there is none.
bool RunFolder::begin_again() {
  if (!store_->begun()) return false;
  store_->verified_checksums();
  finished_ = store_->finished_configurations();
  const bool has_results = !finished_.empty();
  const std::vector<FinishedConfiguration> lost = store_->without_trials();
  for (const FinishedConfiguration& one : lost) finished_.erase(one.configuration);
  refuse_other_run(has_results);
  if (!has_results) return false;
  store_->set_sweep_file(identity_);
  identity_ = store_->identity();
  store_->compute_again(lost);  // what they counted stays until then
  add_lost(directory_, lost);
  return true;
}

void RunFolder::add_lost(const std::string& folder,
                         const std::vector<FinishedConfiguration>& lost) {
  for (const FinishedConfiguration& one : lost) {
    lost_files_.emplace(one.configuration, trials_path(folder, one.id));
  }
}

std::string RunFolder::lost_text(const std::unordered_set<std::int64_t>& finished) const {
  std::string first;
  std::int64_t num_others = -1;
  for (const auto& [configuration, file] : lost_files_) {
    if (finished.count(configuration) > 0) continue;
    if (first.empty()) first = file;
    ++num_others;
  }
  if (first.empty()) return "";
  return first + (num_others == 0 ? "" : " and " + plural(num_others, "other file")) +
         ": gone or not what was written; what was answered there counts as missing, and a sweep " +
         "with --resume computes it again";
}

void RunFolder::refuse_other_run(bool has_results) {
  RunIdentity was = store_->identity();
  if (!has_results) was.trials = identity_.trials;  // nothing is there that has any or none
  const bool all_done = static_cast<std::int64_t>(finished_.size()) == was.num_configurations;
  require_same_run(directory_, "resume", was, identity_, has_results && !all_done);
}

void RunFolder::take(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    // Its process may have come back meanwhile: no more is taken than what is seen here at once.
    RunStore part(folder, Database::Access::kRead);
    const std::vector<FinishedConfiguration> lost = part.without_trials();
    const std::vector<FinishedConfiguration> seen =
        those_not_in(lost, part.finished_but(finished_));
    add_lost(folder, lost);
    for (const FinishedConfiguration& one : seen) {
      if (identity_.trials) gather_trials(folder, directory_, one.id);
      finished_.insert(one.configuration);
    }
    store_->take(folder, seen);
  }
}

void RunFolder::start_merge(const Session& session) {
  store_->start_session(session);
  write_manifest();
}

void RunFolder::start_session(const Session& session) {
  store_->clear_failures();  // they are missing, so they are tried again
  start_merge(session);
}

FinishedRun RunFolder::finish(const std::string& status) {
  FinishedRun run;
  RunData& data = run.data;
  data = store_->read();
  data.directory = directory_;
  write(kResults, results_csv(data));
  write(kTimings, timings_csv(data));
  write(kSummary, summary_json(data));
  run.claims = evaluate_claims(data);
  if (!run.claims.empty()) write(kClaims, claims_csv(run.claims));
  store_->end_session(status, utc_now());
  write_manifest();
  store_->seal();
  return run;
}

void RunFolder::write(const char* name, const std::string& content) const {
  write_file((fs::path(directory_) / name).string(), content);
}

void RunFolder::write_manifest() { write(kManifest, manifest_json(identity_, store_->sessions())); }

}  // namespace sightline::host
