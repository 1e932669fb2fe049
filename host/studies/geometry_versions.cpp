#include "host/studies/geometry_versions.h"

#include <utility>

#include "host/random.h"
#include "host/studies/geometry_arms.h"
#include "host/studies/study_worlds.h"
#include "host/world/load.h"

namespace sightline::host {
namespace {

constexpr double kUsualVoxel_m = 0.125;
constexpr std::int64_t kMostEdits = 100'000, kMostMemories = 1'000'000, kMostObjects = 100'000;
constexpr std::int64_t kMostTrials = 10'000'000;

struct GeometryVersionsSettings {
  GeometryQuestion question = GeometryQuestion::kThen;
  WorldSpec world;
  ChangeSettings changes;
  GeometryMemorySettings memories;
  std::uint64_t seed = 1;
};

WalkSettings parse_walk_of(const ConfigValue& study, const ConfigValue& world) {
  for (const ConfigValue* map : {&world, &study}) {
    if (const ConfigValue* walk = map->find("walk")) return parse_walk(*walk);
  }
  WalkSettings walk;
  walk.place = world.where();
  return walk;
}

WorldSpec parse_world_of(const ConfigValue& study, const ConfigValue& world) {
  ConfigValue map = world;
  map.erase_path("walk");
  map.allow_only({"scene", "file", "voxel_m", "origin_m", "frame"});
  double voxel_m = kUsualVoxel_m;
  if (const ConfigValue* given = study.find("voxel_m")) voxel_m = given->as_positive();
  WorldSpec spec = parse_world_spec(map);
  if (spec.file.empty()) spec.voxel_m = voxel_m;
  return spec;
}

std::vector<ChangeKind> parse_kinds(const ConfigValue& study) {
  const ConfigValue* list = study.find("kinds");
  if (list == nullptr) return ChangeSettings{}.kinds;
  std::vector<ChangeKind> kinds;
  for (const ConfigValue& name : list->items()) {
    kinds.push_back(static_cast<ChangeKind>(name.as_choice({"door", "wall", "object"})));
  }
  if (kinds.empty()) list->fail("needs a kind of edit, such as [door]");
  return kinds;
}

GeometryVersionsSettings parse_settings(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"question", "world", "worlds", "voxel_m", "walk", "edits", "kinds", "objects",
                    "memories", "pairs_per_memory", "range_m"});
  GeometryVersionsSettings parsed;
  parsed.question = static_cast<GeometryQuestion>(
      study.at("question").as_choice({"then", "now", "object_now", "elsewhere_then"}));
  const ConfigValue& world = chosen_world(study);
  parsed.world = parse_world_of(study, world);
  const auto whole = [&](const char* key, std::int64_t least, std::int64_t most,
                         std::int64_t* value) {
    if (const ConfigValue* given = study.find(key)) *value = given->as_integer(least, most);
  };
  whole("edits", 1, kMostEdits, &parsed.changes.num_changes);
  whole("objects", 2, kMostObjects, &parsed.changes.num_objects);
  whole("memories", 1, kMostMemories, &parsed.memories.num_memories);
  whole("pairs_per_memory", 1, kMostEdits, &parsed.memories.pairs_per_memory);
  if (const ConfigValue* range = study.find("range_m")) {
    parsed.memories.range_m = range->as_number(0.5, 1e6);
  }
  if (num_geometry_pairs(parsed.memories, parsed.changes.num_changes) > kMostTrials) {
    study.fail("asks of more than " + std::to_string(kMostTrials) +
               " pairs; lower memories or pairs_per_memory");
  }
  parsed.changes.kinds = parse_kinds(study);
  parsed.changes.carried_m = parsed.memories.range_m;
  parsed.changes.walk = parse_walk_of(study, world);
  parsed.changes.place = world.where();
  // Worlds of one seed change in other ways. However many edits there are, the first are the same,
  // but other things are remembered of them: no pair is asked twice.
  const std::uint64_t stream = stream_of(world.canonical_json());
  const auto num_changes = static_cast<std::uint64_t>(parsed.changes.num_changes);
  parsed.changes.seed = RandomItem(settings.seed, stream, 0)();
  parsed.memories.seed = RandomItem(settings.seed, stream, num_changes)();
  parsed.seed = settings.seed;
  return parsed;
}

class GeometryVersions final : public Study {
 public:
  explicit GeometryVersions(const StudySettings& settings) : settings_(parse_settings(settings)) {
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_geometry_arm(arm.second));
    }
  }

  std::int64_t num_trials() const override {
    return num_geometry_pairs(settings_.memories, settings_.changes.num_changes);
  }

  std::vector<std::string> files() const override {
    const std::string& file =
        settings_.world.file.empty() ? settings_.world.scene_file : settings_.world.file;
    return file.empty() ? std::vector<std::string>{} : std::vector<std::string>{file};
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    const ChangingWorld world =
        make_changing_world(make_world(settings_.world), settings_.changes, device);
    const GeometryTrials trials = make_geometry_trials(world, settings_.memories);
    const GeometryHistory history = history_of(world);
    std::vector<ArmAnswers> answers;
    for (const GeometryArm& arm : arms_) {
      answers.push_back(ask_geometry_arm(arm, settings_.question, world, history, trials,
                                         settings_.seed, device));
    }
    return answers;
  }

  // All look along the exact line that says what is true, through the geometry they keep: only by
  // which version that is can they be wrong.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) ties[i].same_predicate = !arms_[i].is_control();
    return ties;
  }

 private:
  GeometryVersionsSettings settings_;
  std::vector<GeometryArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_geometry_versions(const StudySettings& settings) {
  return std::make_unique<GeometryVersions>(settings);
}

}  // namespace sightline::host
