#include "host/studies/battery.h"

#include <utility>

#include "host/studies/battery_arms.h"
#include "host/studies/battery_live.h"
#include "host/studies/battery_trials.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kUsualTrials = 400, kMostTrials = 1'000'000;

/// Trials of one type, and the world that they are asked in.
struct TrialsOfWorld {
  World world;
  std::vector<BatteryTrial> trials;
};

void append(const ArmAnswers& more, ArmAnswers* all) {
  all->right.insert(all->right.end(), more.right.begin(), more.right.end());
  all->num_unanswered += more.num_unanswered;
  all->truth_reads += more.truth_reads;
  all->coordinate_reads += more.coordinate_reads;
  all->num_candidates += more.num_candidates;
}

class Battery final : public Study {
 public:
  explicit Battery(const StudySettings& settings) : seed_(settings.seed) {
    const ConfigValue& study = settings.study;
    study.allow_only({"type", "trials", "truth"});
    of_memories_ = parse_truth_of_memories(study);
    const ConfigValue& type = study.at("type");
    is_live_ = type.is_text() && type.as_text() == kLiveSet;
    if (!is_live_) type_ = parse_question_type(type);
    if (const ConfigValue* trials = study.find("trials")) {
      num_trials_ = trials->as_integer(1, kMostTrials);
    }
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_battery_arm(arm.second));
    }
  }

  std::int64_t num_trials() const override {
    return is_live_ ? kLiveWorlds * kLiveTrialsPerWorld : num_trials_;
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    std::vector<ArmAnswers> all(arms_.size());
    for (const TrialsOfWorld& part : make_trials(device)) {
      const std::vector<ArmAnswers> answers =
          ask_all(arms_, type_, part.trials, part.world, device);
      for (std::size_t arm = 0; arm < all.size(); ++arm) append(answers[arm], &all[arm]);
    }
    return all;
  }

  std::vector<Prompt> prompts(std::size_t arm, Device& device) const override {
    std::vector<Prompt> all;
    for (const TrialsOfWorld& part : make_trials(device)) {
      for (Prompt& prompt : battery_prompts(arms_.at(arm), type_, part.trials)) {
        all.push_back(std::move(prompt));
      }
    }
    return all;
  }

  // The paper says it of its own battery: geometry computes the predicate that authors the truth.
  // In the halls lines are cut with solids, and geometry looks through voxels.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      ties[i].same_predicate =
          !is_live_ && is_sound_geometry(arms_[i]) && type_ != QuestionType::kControl;
    }
    return ties;
  }

 private:
  static constexpr const char* kLiveSet = "occlusion_live";

  std::vector<TrialsOfWorld> make_trials(Device& device) const {
    std::vector<TrialsOfWorld> parts;
    if (is_live_) {
      for (LiveWorld& live : make_live_worlds(seed_)) {
        parts.push_back({std::move(live.world), std::move(live.trials)});
      }
    } else {
      parts.push_back({battery_world(), {}});
      parts[0].trials = make_battery_trials(type_, num_trials_, seed_, parts[0].world, device);
    }
    if (!of_memories_) return parts;
    for (TrialsOfWorld& part : parts) {
      author_from_memories(type_, part.world, device, &part.trials);
    }
    return parts;
  }

  bool is_live_ = false;
  bool of_memories_ = false;  ///< what is right; broken on purpose
  QuestionType type_ = QuestionType::kOcclusion;
  std::int64_t num_trials_ = kUsualTrials;
  std::uint64_t seed_;
  std::vector<BatteryArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_battery(const StudySettings& settings) {
  return std::make_unique<Battery>(settings);
}

}  // namespace sightline::host
