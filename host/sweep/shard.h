// Parts of a run that are computed apart, and where they lie.
//
// Shard i of n works in OUT/shards/i-of-n, a run folder of its own; ranks of MPI are shards that
// are dealt blocks as they go. merge.h puts them together in OUT.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "host/sweep/experiment.h"
#include "host/sweep/store.h"

namespace sightline::host {

struct Shard {
  std::int64_t number = 1, count = 1;  ///< number in [1, count]

  bool is_whole() const { return count == 1; }
  std::string text() const { return std::to_string(number) + "/" + std::to_string(count); }
};

/// Shards of a run have at most this count.
constexpr std::int64_t kMaxShards = 100'000;

/// "2/3". Throws InputError for any other text.
Shard parse_shard(const std::string& text);

/// Where a shard of the run in `out` works; `out` itself for the whole.
std::string shard_folder(const std::string& out, const Shard& shard);

/// The shards that have begun in `out`, by count and number: their folders.
std::vector<std::string> shard_folders(const std::string& out);

/// Indices of blocks, the costliest first. Blocks that cost the same stay in the order of the plan,
/// where neighbours share a world.
std::vector<std::int64_t> costliest_first(const std::vector<Block>& blocks);

/// The blocks of a shard, in the order of the plan: each block, the costliest first, goes to the
/// shard that has least (Graham 1969, longest processing time first). Every block is in one shard.
std::vector<Block> blocks_of_shard(const std::vector<Block>& blocks, const Shard& shard);

/// Folders, of those given, that hold results or failures and that no process works in: SQLite's
/// log is not to be read from another machine than the one that writes it.
std::vector<std::string> folders_at_rest(const std::vector<std::string>& folders);

/// Configurations that are finished in any of the folders, with their trials if the run has such.
std::unordered_set<std::int64_t> finished_in(const std::vector<std::string>& folders);

/// Throws InputError if one of the folders has anything of another run than `identity`, or, with
/// compare_programs, of the same by another program.
void require_same_runs(const std::vector<std::string>& folders, const RunIdentity& identity,
                       bool compare_programs);

/// Throws InputError naming two of the folders that have different results of one configuration.
void require_agreement(const std::vector<std::string>& folders);

/// Throws InputError, "DIR: cannot ...", that lists how the run there differs from `identity`.
void require_same_run(const std::string& directory, const std::string& what, const RunIdentity& was,
                      const RunIdentity& identity, bool compare_programs);

}  // namespace sightline::host
