#include "host/sweep/merge.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/run_folder.h"
#include "host/sweep/run_lock.h"
#include "host/sweep/shard.h"

namespace sightline::host {
namespace {

/// When a process began to work in a folder last: the second, and then, as well as the files say
/// it, the moment.
std::pair<std::string, std::filesystem::file_time_type> begun_last(const std::string& folder) {
  std::string second;
  for (const Session& session : RunStore(folder, Database::Access::kRead).sessions()) {
    second = std::max(second, session.started);
  }
  std::error_code error;
  const auto moment = std::filesystem::last_write_time(folder + "/" + kResolvedFile, error);
  return {second, error ? std::filesystem::file_time_type::min() : moment};
}

const std::string& latest_of(const std::vector<std::string>& folders) {
  const std::string* latest = &folders.front();
  for (const std::string& folder : folders) {
    if (begun_last(folder) > begun_last(*latest)) latest = &folder;
  }
  return *latest;
}

}  // namespace

MergeResult merge_shards(const std::string& out, const std::vector<std::string>& command,
                         const std::string& asked) {
  MergeResult result;
  std::vector<Session> sessions;
  for (const std::string& folder : shard_folders(out)) {
    if (!RunLock::holder(folder).empty()) {
      result.shards.push_back({folder, "running", 0});
      continue;
    }
    RunStore part(folder, Database::Access::kRead);
    if (!part.begun()) continue;
    const std::vector<Session> own = part.sessions();
    sessions.insert(sessions.end(), own.begin(), own.end());
    result.shards.push_back({folder, own.empty() ? "" : own.back().status,
                             static_cast<std::int64_t>(part.finished_configurations().size())});
  }
  const std::vector<std::string> shards = folders_at_rest(shard_folders(out));
  std::vector<std::string> all = shards;
  all.push_back(out);
  all = folders_at_rest(all);
  if (result.shards.empty() || all.empty()) {
    throw InputError(out + ": holds no shards with results" +
                     (result.shards.empty() ? "; give the --out folder of runs with --shard i/n"
                                            : " that have ended"));
  }
  const std::string& first = all.back() == out ? out : all.front();
  require_same_runs(all, RunStore(first, Database::Access::kRead).identity(), true);
  require_agreement(all);
  // A part, or what is merged already, may have been resumed with another `report`.
  const std::string& known = !asked.empty() ? asked : latest_of(all);
  const RunIdentity identity = RunStore(known, Database::Access::kRead).identity();
  RunFolder folder(out, identity, true);
  folder.take(shards);
  folder.start_merge(begin_merge(command, sessions));
  const bool all_done =
      static_cast<std::int64_t>(folder.finished().size()) == identity.num_configurations;
  FinishedRun finished = folder.finish(all_done ? "complete" : "incomplete");
  result.run = std::move(finished.data);
  result.claims = std::move(finished.claims);
  const std::string lost = folder.lost_text(folder.finished());
  if (!lost.empty()) result.warnings.push_back(lost);
  return result;
}

}  // namespace sightline::host
