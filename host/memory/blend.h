// Blends: weights and forms of the parts of a recall score.
//
//   score = w_rel cos + w_spa phi(d) + w_rec recency + w_imp importance + w_sta staleness
//
// What Spatial Memory Must Store (2026), sections 3 and 4: its mixes are shipped 0.35 / 0.30 / 0.15
// / 0.15 / 0.05, hybrid-spatial 0.5 / 0.5, retuned 0.40 / 0.45 / 0.08 / 0.05 / 0.02, vector only 1.
// Generative Agents (Park et al., 2023), section 4, has relevance, recency and importance, all 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/memory/memory_table.h"
#include "host/recall_batch.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// The parts of a score, in the order of their weights.
enum class ScorePart : std::uint8_t { kRelevance, kSpatial, kRecency, kImportance, kStaleness };
constexpr int kNumScoreParts = 5;
constexpr const char* kScorePartNames[kNumScoreParts] = {"relevance", "spatial", "recency",
                                                         "importance", "staleness"};

/// What the staleness part is made of. Each is 1 for what is fresh.
enum class StalenessForm : std::uint8_t {
  kSupplied,  ///< the memories' own column
  kConstant,  ///< 1 for all: changes no rank
  kLinear     ///< max(0, 1 - age / staleness_s)
};

struct BlendSettings {
  std::array<double, kNumScoreParts> weights{1, 0, 0, 0, 0};  ///< finite, of any sign
  bool normalised = true;  ///< the score is divided by the sum of the weights, which is positive
  kernels::Decay proximity{kernels::DecayForm::kLinear, 100};               ///< scale: metres
  kernels::Decay recency{kernels::DecayForm::kHalfLife, 14 * 24 * 3600.0};  ///< scale: seconds
  bool since_last_access = false;  ///< recency counts from the last access instead of the encoding
  StalenessForm staleness = StalenessForm::kSupplied;
  double staleness_s = 45 * 24 * 3600.0;  ///< of StalenessForm::kLinear

  double weight(ScorePart part) const { return weights[static_cast<std::size_t>(part)]; }
};

/// Reads {weights: {relevance, spatial, recency, importance, staleness} or a list of the five,
/// normalise, proximity: {form, scale_m}, recency: {form, scale_days or scale_hours or scale_s,
/// since: encoding | last_access}, staleness: supplied | constant | {linear_days}}. A weight that
/// is not named is 0. Throws InputError.
BlendSettings parse_blend(const ConfigValue& recall);

/// Weights as whole numbers in proportion to the real ones: the score is `unit` times their sum of
/// products with features in [0, 1].
struct WholeWeights {
  std::vector<std::int32_t> weights;
  double unit = 1;
  /// The weights are exactly in the proportion of the real ones, read as decimal fractions.
  bool exact = true;
};

/// Reads a `penalty` beside the weights of a blend: what it charges, in units of the score. Throws
/// InputError.
double parse_penalty(const ConfigValue& penalty, const BlendSettings& blend);

/// Over the smallest denominator up to kMaxDenominator that makes all of them whole, or, where
/// there is none, 26 bits of the largest. `total`: what the score is divided by. Throws InputError
/// for a weight that is not finite, one so small beside the largest that nothing would be left of
/// it, and unless the largest, if not 0, is from 1e-12 to 1e12. What is below 1e-15 of the largest
/// is taken for rounding, and is 0.
constexpr std::int32_t kMaxDenominator = 4095;
WholeWeights whole_weights(const std::vector<double>& weights, double total = 1);

/// Adds a part of the score to a batch as a column; returns its id.
int add_score_part(ScorePart part, const BlendSettings& blend, const MemoryTable& memories,
                   RecallBatch* batch);

}  // namespace sightline::host
