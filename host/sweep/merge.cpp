#include "host/sweep/merge.h"

#include <optional>

#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/run_folder.h"
#include "host/sweep/shard.h"

namespace sightline::host {

MergeResult merge_shards(const std::string& out, const std::vector<std::string>& command) {
  MergeResult result;
  std::optional<RunIdentity> identity;
  std::vector<std::string> begun;
  std::vector<Session> sessions;
  for (const std::string& folder : shard_folders(out)) {
    RunStore part(folder, Database::Access::kRead);
    if (!part.begun()) continue;
    if (!identity) identity = part.identity();
    require_same_run(folder, "merge", part.identity(), *identity, true);
    const std::vector<Session> own = part.sessions();
    sessions.insert(sessions.end(), own.begin(), own.end());
    result.shards.push_back({folder, own.empty() ? "" : own.back().status,
                             static_cast<std::int64_t>(part.finished_configurations().size())});
    begun.push_back(folder);
  }
  if (!identity) {
    throw InputError(out + ": holds no shards; give the --out folder of runs with --shard i/n");
  }
  RunFolder folder(out, *identity, true);
  folder.take(begun);
  folder.start_merge(begin_merge(command, sessions));
  const bool all_done =
      static_cast<std::int64_t>(folder.finished().size()) == identity->num_configurations;
  result.run = folder.finish(all_done ? "complete" : "incomplete");
  return result;
}

}  // namespace sightline::host
