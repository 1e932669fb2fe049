// Features and gates of one piece of the queries, each made once.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/memory/gate.h"
#include "host/sweep/recall_settings.h"

namespace sightline::host {

/// Weights of one ranking.
struct RecallMix {
  std::array<double, kNumScoreParts> weights;
  bool normalised;
  std::optional<double> penalty;
};

/// Seconds that a ranking needs before it ranks, as if no other had made the same before it. On a
/// GPU, work that is queued counts for whoever waits for it.
struct PreparationCost {
  double features_s = 0, gate_s = 0;
};

class RecallPiece {
 public:
  /// Begins a batch with the context's queries.
  RecallPiece(const GateContext& context, RecallBatch* batch);

  /// Columns, gate and whole weights of rankings that share `question`'s features and gate.
  /// Adds what they take to `cost`.
  RecallMixes mixes_of(const RecallJudge& question, const std::vector<RecallMix>& mixes,
                       PreparationCost* cost);

 private:
  /// What is made once: the id that the batch gave it, and its time.
  struct Made {
    int id;
    double seconds;
  };
  const Made& column_of(ScorePart part, const BlendSettings& blend);
  const Made& gate_of(const RecallJudge& question);
  int every_memory();
  int standardised_column(ScorePart part, const RecallJudge& question, int gate);

  const GateContext& context_;
  RecallBatch* batch_;
  std::map<std::string, Made> columns_, gates_;
  std::optional<int> every_memory_;
};

/// One of the mixes alone.
RecallMixes only_mix(const RecallMixes& mixes, std::size_t mix);

}  // namespace sightline::host
