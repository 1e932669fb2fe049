// Settings of gates_as_recall (gates_as_recall.h says what they are), and arms with a rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/studies/gate_pool.h"
#include "host/studies/study.h"
#include "host/world/load.h"

namespace sightline::host {

struct GateArm {
  enum class Rule : std::uint8_t { kNone, kDeclared, kTold };

  GateRanking ranking;      ///< without a rule
  Rule rule = Rule::kNone;  ///< chooses among the gated arms
  bool inverted = false;
  Anchors anchors = Anchors::kSubject;

  bool is_gated() const { return ranking.gate >= 0; }
  bool is_plain() const { return rule == Rule::kNone && !is_gated() && ranking.spatial == 0; }
};

struct GateStudySettings {
  GatePoolSettings pool;
  std::optional<Regime> regime;  ///< none: foretell
  std::int64_t num_trials = 80;
  WorldSpec world;
  std::string world_place;  ///< for messages
  std::vector<RecallGate> gates;
  std::vector<GateArm> arms;
};

/// Throws InputError.
GateStudySettings parse_gate_study(const StudySettings& settings);

/// What an arm with a rule makes of the questions of a regime.
class GateAdviser {
 public:
  /// All must outlive it. The pool holds the arms' rankings.
  GateAdviser(const GateStudySettings& settings, const GateArm& arm, Regime regime,
              const GatePool& pool);

  /// Index of the arm to do as; none: rank by meaning.
  std::optional<std::size_t> choose(std::int64_t question) const;
  /// Hit@k expected of a gated arm, less that of no gate, in the mean over all questions. An
  /// inverted rule expects the opposite.
  double expected_gain(std::size_t gated_arm) const;

 private:
  double gain(std::size_t gated_arm, std::int64_t question) const;

  const GateStudySettings& settings_;
  const GatePool& pool_;
  double sign_;
  std::vector<double> keeps_answer_;  ///< [gates]
};

}  // namespace sightline::host
