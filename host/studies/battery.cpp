#include "host/studies/battery.h"

#include "host/studies/battery_arms.h"
#include "host/studies/battery_trials.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kUsualTrials = 400, kMostTrials = 1'000'000;

class Battery final : public Study {
 public:
  explicit Battery(const StudySettings& settings) : seed_(settings.seed) {
    const ConfigValue& study = settings.study;
    study.allow_only({"type", "trials"});
    type_ = parse_question_type(study.at("type"));
    if (const ConfigValue* trials = study.find("trials")) {
      num_trials_ = trials->as_integer(1, kMostTrials);
    }
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_battery_arm(arm.second));
    }
  }

  std::int64_t num_trials() const override { return num_trials_; }

  std::vector<ArmAnswers> run(Device& device) const override {
    const World world = battery_world();
    const std::vector<BatteryTrial> trials =
        make_battery_trials(type_, num_trials_, seed_, world, device);
    return ask_all(arms_, type_, trials, world, device);
  }

  std::vector<Prompt> prompts(std::size_t arm, Device& device) const override {
    const World world = battery_world();
    return battery_prompts(arms_.at(arm), type_,
                           make_battery_trials(type_, num_trials_, seed_, world, device));
  }

  // The paper says it of its own battery: geometry computes the predicate that authors the truth.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      ties[i].same_predicate = is_sound_geometry(arms_[i]) && type_ != QuestionType::kControl;
    }
    return ties;
  }

 private:
  QuestionType type_;
  std::int64_t num_trials_ = kUsualTrials;
  std::uint64_t seed_;
  std::vector<BatteryArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_battery(const StudySettings& settings) {
  return std::make_unique<Battery>(settings);
}

}  // namespace sightline::host
