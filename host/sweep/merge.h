// Puts the shards of a run (shard.h) together in its folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/sweep/claims.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// How far a shard is.
struct ShardState {
  std::string folder;
  std::string status;  ///< of its last session; "running": it was left out
  std::int64_t num_finished = 0;
};

struct MergeResult {
  std::vector<ShardState> shards;
  RunData run;                      ///< all that is there; complete() says whether that is all
  std::vector<ClaimResult> claims;  ///< of the sweep file
  std::vector<std::string> warnings;
};

/// Takes what the shards in `out` have finished into `out` itself, and writes the files of a run
/// there: the same bytes in results.csv, summary.json and claims.csv as one process writes. Shards
/// that are still at work are left out; calling it again takes them. The shards stay.
///
/// Throws InputError, with nothing changed, if no shard has results, if they are not of one run and
/// one program, if two disagree on a configuration, or if a process works in `out` itself.
///
/// `asked`: the shard whose `report` the run gets; empty: that of the folder, its own or a shard's,
/// in which a process began to work last.
MergeResult merge_shards(const std::string& out, const std::vector<std::string>& command,
                         const std::string& asked = "");

}  // namespace sightline::host
