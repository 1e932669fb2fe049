#include "host/studies/confirmatory.h"

#include <cmath>

#include "host/config/place.h"
#include "host/random.h"
#include "host/studies/battery_arms.h"
#include "host/studies/study_worlds.h"
#include "host/truth/questions.h"
#include "host/world/load.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::int64_t kUsualTrials = 15, kMostTrials = 100'000;
constexpr std::int64_t kMostStops = 10'000, kMostTrajectories = 1'000'000;
static_assert(kMostThings <= kernels::kMaxTop, "all memories are recalled");
constexpr double kUsualVoxel_m = 0.5;
constexpr double kWalkVoxel_m =
    0.25;  ///< where one can walk does not depend on what arms look through
constexpr double kWalkStep_m = 0.5;

struct ConfirmatorySettings {
  QuestionType type = QuestionType::kPresence;
  ConfigValue world;  ///< as `world:` of a sweep file
  EpisodeSettings episode;
  double voxel_m = kUsualVoxel_m;
  std::int64_t num_trials = kUsualTrials;
  std::string place;               ///< of the world, for messages
  bool truth_of_memories = false;  ///< broken on purpose
};

WalkSettings parse_walk_of(const ConfigValue& study, const ConfigValue& world) {
  for (const ConfigValue* map : {&world, &study}) {
    if (const ConfigValue* walk = map->find("walk")) return parse_walk(*walk);
  }
  WalkSettings walk;
  walk.floor_m = 0;
  walk.step_m = kWalkStep_m;
  return walk;
}

ConfirmatorySettings parse_settings(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"type", "world", "worlds", "trajectory", "trials", "voxel_m", "stops",
                    "range_m", "walk", "truth"});
  ConfirmatorySettings parsed;
  parsed.type = parse_question_type(study.at("type"));
  parsed.truth_of_memories = parse_truth_of_memories(study);
  parsed.world = chosen_world(study);
  parsed.world.allow_only({"scene", "walk"});
  parsed.place = parsed.world.where();
  parsed.episode.walk = parse_walk_of(study, parsed.world);
  // Worlds of one seed have other things in other places, whatever they are called.
  parsed.episode.seed =
      RandomItem(settings.seed, stream_of(parsed.world.at("scene").canonical_json()), 0)();
  parsed.episode.trajectory =
      static_cast<std::uint64_t>(study.at("trajectory").as_integer(1, kMostTrajectories));
  const auto whole = [&](const char* key, std::int64_t most, std::int64_t* value) {
    if (const ConfigValue* given = study.find(key)) *value = given->as_integer(1, most);
  };
  whole("trials", kMostTrials, &parsed.num_trials);
  whole("stops", kMostStops, &parsed.episode.num_stops);
  const auto length = [&](const char* key, double* value) {
    if (const ConfigValue* given = study.find(key)) *value = given->as_positive();
  };
  length("voxel_m", &parsed.voxel_m);
  length("range_m", &parsed.episode.range_m);
  return parsed;
}

/// The solids, and voxels of them.
WorldSpec spec_of(const ConfirmatorySettings& settings, double voxel_m) {
  ConfigValue world = settings.world;
  world.erase_path("walk");
  WorldSpec spec = parse_world_spec(world);
  spec.analytic = true;
  spec.voxel_m = voxel_m;
  return spec;
}

/// The middle of the voxel that a place lies in: what a gaze at it binds a memory to.
Vec3 cell_of(const OccupancyGrid& grid, const Vec3& place_m) {
  const GridGeometry& geometry = grid.geometry();
  Vec3 middle;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const double cell =
        std::floor((component(place_m, axis) - geometry.origin_m[i]) / geometry.voxel_m[i]);
    component(middle, axis) = geometry.origin_m[i] + (cell + 0.5) * geometry.voxel_m[i];
  }
  return middle;
}

/// A memory for each sighting, in the order of the walk.
std::vector<RememberedThing> remember(const World& world, const Episode& episode,
                                      const EpisodeSettings& settings) {
  constexpr std::uint64_t kIdStream = 0x6372656d;  // "crem"
  constexpr std::uint64_t kMostIdStep = 1000;      // ids ascend by random steps: parity is a coin
  RandomItem random(settings.seed, kIdStream, settings.trajectory);
  std::vector<RememberedThing> memories;
  std::int64_t id = 0;
  for (const Sighting& sighting : episode.seen) {
    const Thing& thing = episode.things[sighting.thing];
    const ThingKind& kind = kThingKinds[thing.kind];
    id += 1 + static_cast<std::int64_t>(random.below(kMostIdStep));
    memories.push_back(
        {id, kind.name, kind.sentence, {cell_of(*world.grid, thing.place_m), sighting.from_m}});
  }
  return memories;
}

BatteryTrial trial_of(const Question& question, const std::vector<RememberedThing>& memories) {
  BatteryTrial trial;
  trial.things = memories;
  trial.question = question.text;
  trial.object = question.object;
  trial.from_m = question.from_m;
  trial.yaw_deg = question.yaw_deg;
  trial.centre_m = question.centre_m;
  trial.radius_m = question.radius_m;
  trial.rooms = question.rooms;
  trial.truth = question.truth;
  return trial;
}

class Confirmatory final : public Study {
 public:
  explicit Confirmatory(const StudySettings& settings)
      : settings_(parse_settings(settings)),
        world_(spec_of(settings_, settings_.voxel_m)),
        walked_world_(spec_of(settings_, kWalkVoxel_m)) {
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_battery_arm(arm.second));
    }
  }

  std::int64_t num_trials() const override { return settings_.num_trials; }

  std::vector<std::string> files() const override {
    if (world_.scene_file.empty()) return {};
    return {world_.scene_file};
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    const World world = make_world(world_);
    return ask_all(arms_, settings_.type, make_trials(world, device), world, device);
  }

  std::vector<Prompt> prompts(std::size_t arm, Device& device) const override {
    return battery_prompts(arms_.at(arm), settings_.type, make_trials(make_world(world_), device));
  }

  // Of what geometry computes, only the line of sight is another rule than the truth's: voxels
  // between cells, and not solids between places. The rest is the same rule on places that were
  // rounded to cells.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      ties[i].same_predicate = is_sound_geometry(arms_[i]) &&
                               settings_.type != QuestionType::kControl &&
                               settings_.type != QuestionType::kOcclusion;
    }
    return ties;
  }

 private:
  std::vector<BatteryTrial> make_trials(const World& world, Device& device) const {
    return at_place(settings_.place, [&] {
      const World walked = make_world(walked_world_);
      const Episode episode = make_episode(walked, settings_.episode, device);
      // What is right is written down before there is a memory.
      const std::vector<Question> questions = author_questions(
          settings_.type, walked, episode, settings_.num_trials, seed_of_questions());
      const std::vector<RememberedThing> memories = remember(world, episode, settings_.episode);
      std::vector<BatteryTrial> trials;
      for (const Question& question : questions) trials.push_back(trial_of(question, memories));
      if (settings_.truth_of_memories) {
        author_from_memories(settings_.type, world, device, &trials);
      }
      return trials;
    });
  }

  /// Other questions on each walk.
  std::uint64_t seed_of_questions() const {
    constexpr std::uint64_t kStream = 0x6371756573;  // "cques"
    return RandomItem(settings_.episode.seed, kStream, settings_.episode.trajectory)();
  }

  ConfirmatorySettings settings_;
  WorldSpec world_, walked_world_;
  std::vector<BatteryArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_confirmatory(const StudySettings& settings) {
  return std::make_unique<Confirmatory>(settings);
}

}  // namespace sightline::host
