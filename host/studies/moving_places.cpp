#include "host/studies/moving_places.h"

#include <functional>
#include <utility>

#include "host/memory/finder_errors.h"
#include "host/meta_memory/planner.h"
#include "host/studies/moving_memories.h"

namespace sightline::host {
namespace {

struct MovingArm {
  UpdateSettings update;
  bool latest = false;
};

MovingArm parse_arm(const ConfigValue& map) {
  MovingArm arm;
  arm.update.rule = static_cast<UpdateRule>(
      map.at("update").as_choice({"none", "overlap", "nearest", "random", "oldest", "keeps_old"}));
  switch (arm.update.rule) {
    case UpdateRule::kNone:
      map.allow_only({"update", "latest"});
      break;
    case UpdateRule::kNearest:
      map.allow_only({"update", "latest", "reach_m"});
      if (const ConfigValue* reach = map.find("reach_m")) arm.update.reach_m = reach->as_positive();
      break;
    case UpdateRule::kOverlap:
    case UpdateRule::kRandom:
    case UpdateRule::kOldest:
    case UpdateRule::kKeepsOld: {
      map.allow_only({"update", "latest", "threshold", "spares_own_walk"});
      constexpr double kLeast = 0.01;  // below, all views that touch would count as one
      if (const ConfigValue* threshold = map.find("threshold")) {
        arm.update.overlap.threshold = threshold->as_number(kLeast, 1);
      }
      if (const ConfigValue* spares = map.find("spares_own_walk")) {
        arm.update.overlap.spares_own_sequence = spares->as_bool();
      }
    }
  }
  if (const ConfigValue* latest = map.find("latest")) arm.latest = latest->as_bool();
  return arm;
}

struct MovingStudySettings {
  MovingWorldSettings world;
  OracleNoise verifier;
  double within_m = 15;
};

void read_share(const ConfigValue& map, const char* key, double* share) {
  constexpr double kMost = 0.5;
  if (const ConfigValue* value = map.find(key)) *share = value->as_number(0, kMost);
}

void read_noise(const ConfigValue& study, MovingStudySettings* parsed) {
  const std::size_t noise = study.at("noise").as_choice({"default", "mild", "perfect"});
  constexpr const char* kPresets[] = {"default", "mild", "perfect"};
  constexpr double kRecall[] = {0.85, 0.8, 1}, kFalsePositives[] = {0.005, 0.01, 0};
  parsed->world.captions = caption_noise_preset(kPresets[noise]);
  parsed->verifier.recall = kRecall[noise];
  parsed->verifier.false_positive_rate = kFalsePositives[noise];
  constexpr std::int64_t kMostSeeds = 1'000'000;
  if (const ConfigValue* seed = study.find("noise_seed")) {
    parsed->world.captions.seed = parsed->verifier.seed =
        static_cast<std::uint64_t>(seed->as_integer(0, kMostSeeds));
  }
}

MovingStudySettings parse_settings(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"sequence", "asked", "noise", "noise_seed", "rounds", "share_moved",
                    "share_vanished", "share_appeared", "way", "voxel_m", "within_m"});
  MovingStudySettings parsed;
  parsed.world.seed = settings.seed;
  constexpr std::int64_t kMostSequences = 1'000'000;
  parsed.world.sequence = study.at("sequence").as_integer(0, kMostSequences);
  if (const ConfigValue* asked = study.find("asked")) {
    parsed.world.asked =
        static_cast<AskedFate>(asked->as_choice({"any", "stayed", "moved", "vanished"}));
  }
  read_noise(study, &parsed);
  MovingSettings& moving = parsed.world.moving;
  if (const ConfigValue* rounds = study.find("rounds")) {
    constexpr std::int64_t kMostRounds = 20;
    moving.num_rounds = static_cast<int>(rounds->as_integer(2, kMostRounds));
  }
  read_share(study, "share_moved", &moving.share_moved);
  read_share(study, "share_vanished", &moving.share_vanished);
  read_share(study, "share_appeared", &moving.share_appeared);
  if (moving.share_appeared * (moving.num_rounds - 1) > 1) {
    study.fail(
        "share_appeared times rounds - 1 is above 1: more things would appear than there "
        "are; lower one of them");
  }
  if (const ConfigValue* way = study.find("way")) {
    parsed.world.way = static_cast<PatrolWay>(way->as_choice({"same", "alternate", "other"}));
  }
  if (const ConfigValue* voxel = study.find("voxel_m")) {
    constexpr double kLeast_m = 0.1, kMost_m = 5;
    parsed.world.voxel_m = voxel->as_number(kLeast_m, kMost_m);
  }
  if (const ConfigValue* within = study.find("within_m")) parsed.within_m = within->as_positive();
  return parsed;
}

class MovingPlaces final : public Study {
 public:
  MovingPlaces(const MovingStudySettings& settings, std::vector<MovingArm> arms)
      : settings_(settings), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override { return kMovingQuestions; }

  std::vector<ArmAnswers> run(Device& device) const override {
    return with_our_errors([&] {
      const MovingWorld world = make_moving_world(settings_.world, device);
      std::vector<ArmAnswers> answers;
      for (const MovingArm& arm : arms_) answers.push_back(ask(arm, world));
      return answers;
    });
  }

 private:
  bool is_right(const PlaceAnswer& answer, const LatestPlace& truth) const {
    if (truth.fate == ThingFate::kVanished) return answer.status != AnswerStatus::kFound;
    if (answer.entry < 0) return false;
    const kernels::Vec3 apart = kernels::minus(answer.viewpoint_m, truth.viewpoint_m);
    return kernels::dot(apart, apart) < settings_.within_m * settings_.within_m;
  }

  ArmAnswers ask(const MovingArm& arm, const MovingWorld& world) const {
    const EntryTable entries = kept_entries(world, arm.update, settings_.world.seed);
    const CaptionIndex captions(entries);
    const SemanticRetrieval semantic(captions);
    const SpatialRange spatial(captions);
    PlaceMemory memory;
    memory.captions = &captions;
    memory.semantic = &semantic;
    memory.spatial = &spatial;
    if (settings_.world.captions.similarity_sigma > 0) {
      memory.similarity_error = [this](const std::string& text, std::int64_t row) {
        return similarity_noise(text, static_cast<std::uint64_t>(row), settings_.world.captions);
      };
    }
    OracleVerifier oracle(settings_.verifier);
    const Planner planner(memory, &oracle, {});
    ArmAnswers answers;
    for (const MovingQuestion& asked : world.questions) {
      Query query = asked.query;
      std::get<BasicQuery>(query.asked).latest = arm.latest;
      const PlaceAnswer answer = planner.answer(query, asked.text, std::nullopt);
      answers.num_unanswered += answer.entry >= 0 ? 0 : 1;
      answers.right.push_back(is_right(answer, asked.truth));
    }
    answers.num_candidates = oracle.num_checks();  // images looked at
    answers.memory_size = num_live(entries);
    answers.coordinate_reads = answers.memory_size;
    return answers;
  }

  MovingStudySettings settings_;
  std::vector<MovingArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_moving_places(const StudySettings& settings) {
  std::vector<MovingArm> arms;
  for (const auto& arm : settings.arms) arms.push_back(parse_arm(arm.second));
  return std::make_unique<MovingPlaces>(parse_settings(settings), std::move(arms));
}

}  // namespace sightline::host
