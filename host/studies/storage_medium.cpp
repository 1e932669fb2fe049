#include "host/studies/storage_medium.h"

#include "host/studies/arm_settings.h"
#include "host/studies/counted_places.h"
#include "host/studies/storage_medium_texts.h"
#include "host/studies/storage_medium_trials.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::int64_t kUsualTrials = 200, kMostTrials = 100'000;

struct MediumArm {
  bool is_text = false;
  MediumContent content = MediumContent::kSentence;  ///< of text
  Anchors anchors = Anchors::kSubject;
  bool has_another_wall = false;
  SightMethod sight;
};

MediumArm parse_medium_arm(const ConfigValue& map) {
  map.allow_only({"answer", "anchors", "wall", "method", "step_m"});
  MediumArm arm;
  constexpr std::size_t kLineOfSight = 4;
  const std::size_t answer =
      map.at("answer").as_choice({"blind_text", "stored_label", "coordinates_only",
                                  "coordinates_and_occluder", "line_of_sight"});
  arm.is_text = answer != kLineOfSight;
  if (arm.is_text) arm.content = static_cast<MediumContent>(answer);
  const auto only_for = [&](const char* key, bool has_use, const char* whose) {
    const ConfigValue* value = map.find(key);
    if (value && !has_use) value->fail(std::string("is for ") + whose + "; leave it out");
    return value;
  };
  only_for("method", !arm.is_text, "answer: line_of_sight");
  only_for("step_m", !arm.is_text, "answer: line_of_sight");
  if (!arm.is_text) arm.sight = parse_sight_method(map);
  const bool has_places = !arm.is_text || arm.content >= MediumContent::kPlaces;
  only_for("anchors", has_places, "arms with coordinates");
  arm.anchors = parse_anchors(map);
  const bool has_wall = !arm.is_text || arm.content == MediumContent::kPlacesAndOccluder;
  if (const ConfigValue* wall = only_for("wall", has_wall, "arms that know the wall")) {
    arm.has_another_wall = wall->as_choice({"own", "another"}) == 1;
  }
  return arm;
}

std::vector<Vec3> anchors_of(Anchors anchors, const std::vector<MediumTrial>& trials) {
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const MediumTrial& trial = trials[anchors == Anchors::kShuffled ? (i + 1) % trials.size() : i];
    places.push_back(anchors == Anchors::kObserver ? trial.seen_from_m : trial.place_m);
  }
  return places;
}

const MediumTrial& walled(const MediumArm& arm, const std::vector<MediumTrial>& trials,
                          std::size_t i) {
  return trials[arm.has_another_wall ? (i + 1) % trials.size() : i];
}

std::vector<Prompt> prompts_of(const MediumArm& arm, const std::vector<MediumTrial>& trials,
                               CountedPlaces* places) {
  const bool has_places = arm.content >= MediumContent::kPlaces;
  std::vector<Prompt> prompts;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    ToldPlaces told;
    if (has_places) told = {(*places)[i], trials[i].from_m, walled(arm, trials, i).walls};
    prompts.push_back(medium_prompt(trials[i], arm.content, told));
  }
  return prompts;
}

std::vector<std::uint8_t> read_right(const std::vector<Prompt>& prompts) {
  std::vector<std::uint8_t> right;
  for (const Prompt& prompt : prompts) {
    const auto said = read_answer(prompt.answers, read_medium_prompt(prompt.question));
    right.push_back(said == prompt.right);
  }
  return right;
}

std::vector<std::uint8_t> march_right(const MediumArm& arm, const std::vector<MediumTrial>& trials,
                                      CountedPlaces* places, Device& device) {
  std::vector<std::uint8_t> right;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const World world = medium_world(walled(arm, trials, i));
    RayBatch ray;
    ray.observers = {trials[i].from_m};
    ray.targets = {(*places)[i]};
    const auto seen = line_of_sight(world, ray, arm.sight.query, arm.sight.step_m, device).front();
    right.push_back((seen == kernels::Visibility::kVisible) == trials[i].visible);
  }
  return right;
}

class StorageMedium final : public Study {
 public:
  explicit StorageMedium(const StudySettings& settings) : seed_(settings.seed) {
    settings.study.allow_only({"trials"});
    if (const ConfigValue* trials = settings.study.find("trials")) {
      num_trials_ = trials->as_integer(2, kMostTrials);  // two: there is another's wall
    }
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_medium_arm(arm.second));
    }
  }

  std::int64_t num_trials() const override { return num_trials_; }

  std::vector<ArmAnswers> run(Device& device) const override {
    const std::vector<MediumTrial> trials = make_medium_trials(num_trials_, seed_, device);
    std::vector<ArmAnswers> all;
    for (const MediumArm& arm : arms_) {
      const std::vector<Vec3> anchors = anchors_of(arm.anchors, trials);
      CountedPlaces places(anchors);
      ArmAnswers& answers = all.emplace_back();
      answers.right = arm.is_text ? read_right(prompts_of(arm, trials, &places))
                                  : march_right(arm, trials, &places, device);
      answers.coordinate_reads = places.num_reads();
      answers.num_candidates = num_trials_;  // the one memory that is asked about
    }
    return all;
  }

  std::vector<Prompt> prompts(std::size_t arm, Device& device) const override {
    if (!arms_.at(arm).is_text) return {};
    const std::vector<MediumTrial> trials = make_medium_trials(num_trials_, seed_, device);
    const std::vector<Vec3> anchors = anchors_of(arms_[arm].anchors, trials);
    CountedPlaces places(anchors);
    return prompts_of(arms_[arm], trials, &places);
  }

  /// A stored label is the truth, handed over.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      ties[i].same_predicate = arms_[i].is_text && arms_[i].content == MediumContent::kLabel;
    }
    return ties;
  }

 private:
  std::int64_t num_trials_ = kUsualTrials;
  std::uint64_t seed_;
  std::vector<MediumArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_storage_medium(const StudySettings& settings) {
  return std::make_unique<StorageMedium>(settings);
}

}  // namespace sightline::host
