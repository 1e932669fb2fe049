// A run folder while a process works in it: locked, checked, and brought up to date.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "host/sweep/claims.h"
#include "host/sweep/run_lock.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// The sweep file that a run is of, written whenever a process begins to work in its folder.
constexpr const char* kResolvedFile = "resolved.yaml";

/// Does the folder hold a run, begun or complete?
bool holds_run(const std::string& directory);

/// Throws InputError for what the folder's files tell before anything is prepared or written: it
/// holds a run already and `resume` is off, its database is gone, or files there are no run's. The
/// RunFolder asks again once it holds the lock.
void check_run_folder(const std::string& directory, bool resume);

/// What a run has come to.
struct FinishedRun {
  RunData data;
  std::vector<ClaimResult> claims;  ///< of the sweep file
};

class RunFolder {
 public:
  /// Creates the folder if it is absent, locks it, and starts or continues the run. The rules are
  /// those of run_sweep; throws InputError, leaving what was there as it was.
  RunFolder(const std::string& directory, const RunIdentity& identity, bool resume);

  const std::string& directory() const { return directory_; }
  /// Configurations that need not be computed: not those whose trials are lost.
  const std::unordered_set<std::int64_t>& finished() const { return finished_; }
  /// What to warn of: files of trials that are lost here or in the shards that were taken, of
  /// configurations that are not among those finished anywhere. Empty if there are none.
  std::string lost_text(const std::unordered_set<std::int64_t>& finished) const;
  RunStore& store() { return *store_; }

  /// Takes over what shards of the same run have done, which agree with it and nobody works in.
  void take(const std::vector<std::string>& folders);
  /// Records that a session works here, in the database and in the manifest.
  void start_session(const Session& session);
  /// The same for one that computes nothing: what failed in the shards stays known.
  void start_merge(const Session& session);
  /// Writes results.csv, timings.csv, summary.json and claims.csv from the database, then ends the
  /// session there and in the manifest: a manifest that says "complete" has complete files beside
  /// it.
  FinishedRun finish(const std::string& status);

 private:
  bool begin_again();
  void refuse_other_run(bool has_results);
  void add_lost(const std::string& folder, const std::vector<FinishedConfiguration>& lost);
  void write(const char* name, const std::string& content) const;
  void write_manifest();

  std::string directory_;
  RunIdentity identity_;
  std::unique_ptr<RunLock> lock_;
  std::unique_ptr<RunStore> store_;
  std::unordered_set<std::int64_t> finished_;
  std::map<std::int64_t, std::string> lost_files_;  ///< by configuration
};

}  // namespace sightline::host
