#include "host/sweep/merge.h"

#include <utility>

#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/run_folder.h"
#include "host/sweep/run_lock.h"
#include "host/sweep/shard.h"

namespace sightline::host {

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
  // What is merged already may have got another `report` since.
  const std::string& known = !asked.empty() ? asked : all.back() == out ? out : all.front();
  const RunIdentity identity = RunStore(known, Database::Access::kRead).identity();
  finished_in(all, identity, true);  // refuses those of another run
  require_agreement(all);
  RunFolder folder(out, identity, true);
  folder.take(shards);
  folder.start_merge(begin_merge(command, sessions));
  const bool all_done =
      static_cast<std::int64_t>(folder.finished().size()) == identity.num_configurations;
  FinishedRun finished = folder.finish(all_done ? "complete" : "incomplete");
  result.run = std::move(finished.data);
  result.claims = std::move(finished.claims);
  return result;
}

}  // namespace sightline::host
