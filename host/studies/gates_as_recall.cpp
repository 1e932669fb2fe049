#include "host/studies/gates_as_recall.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "host/config/place.h"
#include "host/stats/paired.h"
#include "host/studies/gate_arms.h"

namespace sightline::host {
namespace {

constexpr double kLevel = 0.05;  ///< at which a gate is said to help or to hurt

/// One gated arm in one regime, where it makes a difference.
struct Effect {
  std::size_t arm;
  Regime regime;
  bool helps;
};

/// A world, what is remembered of it, and answers to its questions.
class Asked {
 public:
  Asked(const GateStudySettings& settings, Device& device)
      : settings_(settings), device_(device), world_(make_world(settings.world)) {
    surroundings_ = make_surroundings(world_, settings.pool.regimes, device);
    memories_ = remember_things(surroundings_, settings.pool);
    for (const GateArm& arm : settings.arms) rankings_.push_back(arm.ranking);
    rankings_.push_back({});  // by meaning, whatever the arms are
  }

  /// For each way to anchor that an arm has.
  std::map<Anchors, GatePool> pools(Regime regime) const {
    const std::vector<RegimeQuestion> questions =
        ask_in(regime, world_, surroundings_, settings_.pool.regimes, settings_.num_trials);
    std::map<Anchors, GatePool> pools;
    for (const GateArm& arm : settings_.arms) {
      if (pools.count(arm.anchors) != 0) continue;
      pools[arm.anchors] = ask_pool(regime, world_, memories_, arm.anchors, questions,
                                    settings_.gates, rankings_, settings_.pool, device_);
    }
    return pools;
  }
  std::size_t plain() const { return rankings_.size() - 1; }

 private:
  const GateStudySettings& settings_;
  Device& device_;
  World world_;
  Surroundings surroundings_;
  GateMemories memories_;
  std::vector<GateRanking> rankings_;
};

/// Counts the answer that a ranking gave to a question.
class Tally {
 public:
  Tally(const GateStudySettings& settings, const GatePool& pool)
      : settings_(settings), pool_(pool) {
    answers_.memory_size = pool.num_memories;
  }
  void add(std::size_t ranking, std::int64_t question) {
    const auto q = static_cast<std::size_t>(question);
    answers_.right.push_back(pool_.hit[ranking][q]);
    answers_.num_unanswered += pool_.dropped[ranking][q];
    answers_.num_candidates += pool_.candidates[ranking][q];
    answers_.coordinate_reads += reads(ranking, pool_.candidates[ranking][q]);
  }
  ArmAnswers take() { return std::move(answers_); }

 private:
  /// Places of memories that are read to gate, and to rank.
  std::int64_t reads(std::size_t ranking, std::int64_t candidates) const {
    if (ranking >= settings_.arms.size()) return 0;
    const GateRanking& how = settings_.arms[ranking].ranking;
    const bool gates_places =
        how.gate >= 0 && reads_places(settings_.gates[static_cast<std::size_t>(how.gate)].test);
    if (gates_places) return pool_.num_memories;
    return how.spatial > 0 ? candidates : 0;
  }

  const GateStudySettings& settings_;
  const GatePool& pool_;
  ArmAnswers answers_;
};

class GatesAsRecall final : public Study {
 public:
  explicit GatesAsRecall(const StudySettings& settings) : settings_(parse_gate_study(settings)) {}

  std::int64_t num_trials() const override {
    if (settings_.regime) return settings_.num_trials;
    const auto gated = std::count_if(settings_.arms.begin(), settings_.arms.end(),
                                     [](const GateArm& arm) { return arm.is_gated(); });
    return std::max<std::int64_t>(1, gated * kNumRegimes);
  }

  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    if (!settings_.world.file.empty()) files.push_back(settings_.world.file);
    if (!settings_.world.scene_file.empty()) files.push_back(settings_.world.scene_file);
    return files;
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    return at_place(settings_.world_place, [&] {
      const Asked asked(settings_, device);
      return settings_.regime ? answer(asked) : foretell(asked);
    });
  }

 private:
  std::vector<ArmAnswers> answer(const Asked& asked) const {
    const std::map<Anchors, GatePool> pools = asked.pools(*settings_.regime);
    std::vector<ArmAnswers> answers;
    for (std::size_t arm = 0; arm < settings_.arms.size(); ++arm) {
      const GatePool& pool = pools.at(settings_.arms[arm].anchors);
      const GateAdviser adviser(settings_, settings_.arms[arm], *settings_.regime, pool);
      Tally tally(settings_, pool);
      for (std::int64_t q = 0; q < pool.num_questions; ++q) {
        const bool has_rule = settings_.arms[arm].rule != GateArm::Rule::kNone;
        tally.add(has_rule ? adviser.choose(q).value_or(asked.plain()) : arm, q);
      }
      answers.push_back(tally.take());
    }
    return answers;
  }

  std::vector<ArmAnswers> foretell(const Asked& asked) const {
    std::vector<ArmAnswers> answers(settings_.arms.size());
    for (std::size_t i = 0; i < kNumRegimes; ++i) {
      const auto regime = static_cast<Regime>(i);
      const std::map<Anchors, GatePool> pools = asked.pools(regime);
      for (const Effect& effect : effects_of(pools, regime, asked.plain())) {
        add_foretold(effect, pools, &answers);
      }
    }
    return answers;
  }

  /// Of gated arms, whose memories are anchored at their subjects.
  std::vector<Effect> effects_of(const std::map<Anchors, GatePool>& pools, Regime regime,
                                 std::size_t plain) const {
    std::vector<Effect> effects;
    for (std::size_t arm = 0; arm < settings_.arms.size(); ++arm) {
      if (!settings_.arms[arm].is_gated()) continue;
      const GatePool& pool = pools.at(Anchors::kSubject);
      std::int64_t only_gated = 0, only_plain = 0;
      for (std::size_t q = 0; q < pool.hit[arm].size(); ++q) {
        only_gated += pool.hit[arm][q] > pool.hit[plain][q];
        only_plain += pool.hit[arm][q] < pool.hit[plain][q];
      }
      if (stats::mcnemar_exact(only_gated, only_plain) >= kLevel) continue;
      effects.push_back({arm, regime, only_gated > only_plain});
    }
    return effects;
  }

  void add_foretold(const Effect& effect, const std::map<Anchors, GatePool>& pools,
                    std::vector<ArmAnswers>* answers) const {
    for (std::size_t i = 0; i < settings_.arms.size(); ++i) {
      const GateArm& arm = settings_.arms[i];
      if (arm.is_plain()) (*answers)[i].right.push_back(!effect.helps);
      if (arm.rule == GateArm::Rule::kNone) continue;
      const GateAdviser adviser(settings_, arm, effect.regime, pools.at(arm.anchors));
      (*answers)[i].right.push_back((adviser.expected_gain(effect.arm) > 0) == effect.helps);
    }
  }

  GateStudySettings settings_;
};

}  // namespace

std::unique_ptr<Study> make_gates_as_recall(const StudySettings& settings) {
  return std::make_unique<GatesAsRecall>(settings);
}

}  // namespace sightline::host
