#include "host/sweep/shared_inputs.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "host/config/json_text.h"
#include "host/memory/memory_image.h"
#include "host/sweep/experiment.h"
#include "host/sweep/manifest.h"
#include "host/sweep/measures.h"
#include "host/sweep/recall_settings.h"
#include "host/sweep/settings.h"
#include "host/world/world_image.h"

namespace sightline::host {
namespace {

std::string key_of(const WorldSpec& spec) { return spec.all_versions; }

std::string key_of(const MemorySource& source) {
  std::string key;
  for (const std::string& text :
       {source.path, source.embeddings, source.embedder, source.anchors,
        std::to_string(source.hashed_width.value_or(0)),
        std::to_string(source.frame ? static_cast<int>(*source.frame) : -1),
        std::to_string(source.needs_anchors)}) {
    key += text + '\0';  // which no path holds
  }
  return key;
}

std::string name_of(const InputFiles& input) {
  const auto* spec = std::get_if<WorldSpec>(&input);
  return spec ? spec->file : std::get<MemorySource>(input).path;
}

std::vector<InputFiles> inputs_of(const ExperimentSettings& experiment) {
  if (experiment.world.file.empty()) return {};
  return {experiment.world};
}

std::vector<InputFiles> inputs_of(const RecallExperiment& experiment) {
  std::vector<InputFiles> inputs;
  if (experiment.world && !experiment.world->file.empty()) inputs.push_back(*experiment.world);
  if (const auto* files = std::get_if<FileMemories>(&experiment.memories.spec.generator)) {
    inputs.push_back(source_of(*files));
  }
  return inputs;
}

/// Hashes of files, for the other ranks.
std::string text_of(const std::vector<InputHash>& hashes) {
  auto told = nlohmann::json::array();
  for (const InputHash& hash : hashes) {
    told.push_back({hash.num_bytes, hash.xxh64, hash.stamp.num_bytes, hash.stamp.modified_ns,
                    hash.stamp.inode});
  }
  return json_text(told);
}

/// What the ranks of a machine told, among whom the files were dealt in turn.
std::vector<InputHash> hashes_of(const std::vector<std::string>& paths,
                                 const std::vector<std::string>& texts) {
  std::vector<nlohmann::json> of_rank;
  for (const std::string& text : texts) of_rank.push_back(parse_json<nlohmann::json>(text));
  std::vector<InputHash> all;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const nlohmann::json& hash = of_rank[i % texts.size()].at(i / texts.size());
    const FileStamp stamp{hash.at(2), hash.at(3), hash.at(4)};
    all.push_back({paths[i], hash.at(0).get<std::int64_t>(), hash.at(1).get<std::string>(), stamp});
  }
  return all;
}

}  // namespace

std::vector<InputFiles> shared_files(const SweepPlan& plan, const std::vector<Block>& blocks) {
  struct Use {
    InputFiles input;
    bool is_by_several_ranks;
  };
  const ExperimentKind kind = kind_of(plan.resolved());
  if (kind == ExperimentKind::kStudy) return {};  // its files are small
  const bool recall = kind == ExperimentKind::kRecall;
  WorldSpecs worlds;
  std::vector<Use> uses;
  std::map<std::string, std::size_t> known;
  for (const Block& block : blocks) {
    if (block.files.empty()) continue;
    const bool is_looked_at_by_all = &block == &blocks.front();
    const ConfigValue settings = plan.settings(block.configurations.front());
    for (InputFiles& input : recall ? inputs_of(parse_recall_experiment(settings, worlds))
                                    : inputs_of(parse_experiment(settings, worlds))) {
      const std::string key = std::visit([](const auto& of) { return key_of(of); }, input);
      const auto [place, is_new] = known.emplace(key, uses.size());
      if (is_new) {
        uses.push_back({std::move(input), is_looked_at_by_all});
      } else {
        uses[place->second].is_by_several_ranks = true;  // or may be: blocks are dealt
      }
    }
  }
  std::vector<InputFiles> shared;
  for (Use& use : uses) {
    if (use.is_by_several_ranks) shared.push_back(std::move(use.input));
  }
  return shared;
}

/// What one rank has read; nothing of what it did not, or could not.
struct SharedInputs::Loaded {
  std::optional<World> world;
  std::optional<MemoryTable> memories;

  static Loaded of(const InputFiles& input) {
    Loaded loaded;
    try {
      if (const auto* spec = std::get_if<WorldSpec>(&input)) {
        loaded.world = read_all_versions(*spec);
      } else {
        loaded.memories = load_memories(std::get<MemorySource>(input));
      }
    } catch (const std::exception&) {
      return {};
    }
    return loaded;
  }
};

void SharedInputs::share_one(const InputFiles& input, std::int64_t reader, const Loaded& loaded,
                             Ranks& ranks) {
  std::optional<WorldImage> world;
  std::optional<MemoryImage> memories;
  std::size_t num_bytes = 0;
  try {
    if (loaded.world) num_bytes = world.emplace(*loaded.world).num_bytes();
    if (loaded.memories) num_bytes = memories.emplace(*loaded.memories).num_bytes();
  } catch (const std::bad_alloc&) {
    num_bytes = 0;  // each rank reads the file itself, or says that it cannot
  }
  const SharedBytes shared = ranks.share(reader, num_bytes, [&](std::byte* to) {
    if (world) world->write(to);
    if (memories) memories->write(to);
  });
  if (!shared.data) {
    if (ranks.told(reader, num_bytes > 0 ? "read" : "") == "read") {
      without_room_.push_back(name_of(input));
    }
    return;
  }
  try {
    if (const auto* spec = std::get_if<WorldSpec>(&input)) {
      worlds_.emplace(key_of(*spec), world_over(shared.data));
    } else {
      memories_.emplace(key_of(std::get<MemorySource>(input)), memories_over(shared.data));
    }
  } catch (const std::exception&) {
    // Without memory for the little that is not shared this rank must not leave the others waiting:
    // it fails when it needs the file.
  }
}

void SharedInputs::share(const std::vector<InputFiles>& inputs, Ranks& ranks) {
  const auto num_readers = static_cast<std::size_t>(ranks.node_size());
  if (num_readers == 1) return;
  const Loaded nothing;
  for (std::size_t first = 0; first < inputs.size(); first += num_readers) {
    const std::size_t own = first + static_cast<std::size_t>(ranks.node_rank());
    const Loaded loaded = own < inputs.size() ? Loaded::of(inputs[own]) : Loaded();
    const std::size_t end = std::min(inputs.size(), first + num_readers);
    for (std::size_t i = first; i < end; ++i) {
      share_one(inputs[i], static_cast<std::int64_t>(i - first), i == own ? loaded : nothing,
                ranks);
    }
  }
}

const World* SharedInputs::all_versions(const WorldSpec& spec) const {
  const auto found = worlds_.find(key_of(spec));
  return found == worlds_.end() ? nullptr : &found->second;
}

const MemoryTable* SharedInputs::memories(const MemorySource& source) const {
  const auto found = memories_.find(key_of(source));
  return found == memories_.end() ? nullptr : &found->second;
}

std::vector<InputHash> hash_once(const std::vector<std::string>& paths, Ranks& ranks) {
  const std::int64_t num_readers = ranks.node_size();
  std::string own_hashes;
  ranks.together([&] {
    std::vector<std::string> own;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (static_cast<std::int64_t>(i) % num_readers == ranks.node_rank()) own.push_back(paths[i]);
    }
    own_hashes = text_of(hash_inputs(own));
  });
  std::vector<std::string> texts;
  ranks.in_step([&] {
    for (std::int64_t reader = 0; reader < num_readers; ++reader) {
      texts.push_back(ranks.told(reader, own_hashes));
    }
  });
  std::vector<InputHash> all;
  ranks.together([&] { all = hashes_of(paths, texts); });
  return all;
}

}  // namespace sightline::host
