// Files of a run that the ranks of one machine read once and have once among them: worlds, and
// memories with their embeddings. Without ranks, or without room, everybody reads for himself.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "host/memory/memory_table.h"
#include "host/ranks.h"
#include "host/world/load.h"

namespace sightline::host {

class SweepPlan;
struct Block;
struct InputHash;

/// A world from a file, or memories from files, and how they are read.
using InputFiles = std::variant<WorldSpec, MemorySource>;

/// What several of these blocks of a plan need, or the first of them, at which all ranks look: each
/// once, in the order in which they are needed first. Throws InputError as plan_blocks does.
std::vector<InputFiles> shared_files(const SweepPlan& plan, const std::vector<Block>& blocks);

class SharedInputs {
 public:
  /// Collective among the ranks of each machine, with the same inputs: they take turns to read, as
  /// many inputs at a time as there are ranks, each once. What cannot be read is left to who needs
  /// it, and tells what is wrong with it. What is shared lives as long as `ranks`.
  void share(const std::vector<InputFiles>& inputs, Ranks& ranks);

  /// Of a spec with a file: its world in all versions; of a source: its memories. Null if they are
  /// not shared.
  const World* all_versions(const WorldSpec& spec) const;
  const MemoryTable* memories(const MemorySource& source) const;

  /// Files that found no room, so that each rank has its own copy.
  const std::vector<std::string>& without_room() const { return without_room_; }

 private:
  struct Loaded;
  void share_one(const InputFiles& input, std::int64_t reader, const Loaded& loaded, Ranks& ranks);

  std::map<std::string, World> worlds_;  ///< by what the spec or the source says
  std::map<std::string, MemoryTable> memories_;
  std::vector<std::string> without_room_;
};

/// Sizes, hashes and stamps of files, as hash_inputs has them, but each file is read by one rank of
/// a machine. Called by all ranks with the same paths; throws as Ranks::together does.
std::vector<InputHash> hash_once(const std::vector<std::string>& paths, Ranks& ranks);

}  // namespace sightline::host
