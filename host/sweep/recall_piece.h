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

class RecallPiece {
 public:
  /// Begins a batch with the context's queries.
  RecallPiece(const GateContext& context, RecallBatch* batch);

  /// Columns, gate and whole weights of rankings that share `question`'s features and gate.
  RecallMixes mixes_of(const RecallJudge& question, const std::vector<RecallMix>& mixes);

 private:
  int column_of(ScorePart part, const BlendSettings& blend);
  int gate_of(const RecallJudge& question);
  int every_memory();
  int standardised_column(ScorePart part, const RecallJudge& question, int gate);

  const GateContext& context_;
  RecallBatch* batch_;
  std::map<std::string, int> columns_, gates_;
};

/// One of the mixes alone.
RecallMixes only_mix(const RecallMixes& mixes, std::size_t mix);

}  // namespace sightline::host
