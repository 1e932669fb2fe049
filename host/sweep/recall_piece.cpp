#include "host/sweep/recall_piece.h"

#include <algorithm>
#include <numeric>

#include "host/memory/batch_views.h"
#include "host/sweep/standardise.h"
#include "host/sweep/stopwatch.h"

namespace sightline::host {
namespace {

std::string key_of(const char* name, const kernels::Decay& decay) {
  return std::string(name) + " " + std::to_string(static_cast<int>(decay.form)) + " " +
         ConfigValue::number(decay.scale).canonical_json();
}

/// Parts that some mix weighs.
std::vector<ScorePart> parts_used(const std::vector<RecallMix>& mixes) {
  std::vector<ScorePart> used;
  for (int part = 0; part < kNumScoreParts; ++part) {
    const auto weighs = [&](const RecallMix& mix) {
      return mix.weights[static_cast<std::size_t>(part)] != 0;
    };
    if (std::any_of(mixes.begin(), mixes.end(), weighs)) {
      used.push_back(static_cast<ScorePart>(part));
    }
  }
  if (used.empty()) used.push_back(ScorePart::kRelevance);  // all weights 0: everything ties
  return used;
}

std::vector<double> weights_of(const RecallMix& mix, const std::vector<ScorePart>& parts) {
  std::vector<double> weights;
  for (const ScorePart part : parts) weights.push_back(mix.weights[static_cast<std::size_t>(part)]);
  if (mix.penalty) {
    // The penalty is charged to the score, which is divided by the sum of the weights.
    const double sum = std::accumulate(mix.weights.begin(), mix.weights.end(), 0.0);
    weights.push_back(-*mix.penalty * (mix.normalised ? sum : 1));
  }
  return weights;
}

}  // namespace

RecallPiece::RecallPiece(const GateContext& context, RecallBatch* batch)
    : context_(context), batch_(batch) {
  batch->set_queries(batch_view(context.queries));
}

const RecallPiece::Made& RecallPiece::column_of(ScorePart part, const BlendSettings& blend) {
  std::string key = kScorePartNames[static_cast<std::size_t>(part)];
  if (part == ScorePart::kSpatial) key = key_of(key.c_str(), blend.proximity);
  if (part == ScorePart::kRecency) {
    key = key_of(key.c_str(), blend.recency) + (blend.since_last_access ? " access" : "");
  }
  if (part == ScorePart::kStaleness) {
    key += std::to_string(static_cast<int>(blend.staleness)) +
           key_of("", {kernels::DecayForm::kLinear, blend.staleness_s});
  }
  const auto known = columns_.find(key);
  if (known != columns_.end()) return known->second;
  const Stopwatch watch;
  const int id = add_score_part(part, blend, context_.memories, batch_);
  return columns_[key] = {id, watch.seconds()};
}

const RecallPiece::Made& RecallPiece::gate_of(const RecallJudge& question) {
  static constexpr Made kNoGate{-1, 0};
  if (!question.gate) return kNoGate;
  const auto known = gates_.find(question.gate_key);
  if (known != gates_.end()) return known->second;
  const Stopwatch watch;
  const int id = add_gate(*question.gate, context_, batch_);
  return gates_[question.gate_key] = {id, watch.seconds()};
}

int RecallPiece::every_memory() {
  if (every_memory_) return *every_memory_;
  const std::int64_t words = kernels::words_of_bits(batch_->num_memories());
  const int none = batch_->add_bits(
      std::vector<std::uint64_t>(static_cast<std::size_t>(batch_->num_queries() * words)));
  every_memory_ = batch_->invert(none);
  return *every_memory_;
}

int RecallPiece::standardised_column(ScorePart part, const RecallJudge& question, int gate) {
  const std::vector<std::int32_t> values = batch_->values_of(column_of(part, question.blend).id);
  const std::vector<std::uint64_t> kept = batch_->bits_of(gate < 0 ? every_memory() : gate);
  const std::int64_t n = batch_->num_memories(), words = kernels::words_of_bits(n);
  const bool shared = static_cast<std::int64_t>(values.size()) == n && batch_->num_queries() != 1;
  std::vector<std::int32_t> scaled(static_cast<std::size_t>(batch_->num_queries() * n));
  for (std::int64_t q = 0; q < batch_->num_queries(); ++q) {
    const std::uint64_t* const row = kept.data() + q * words;
    double times = 1;
    if (question.adapt_to_spread) {
      const double spread = distance_spread(
          context_.memories.anchor_m, context_.queries.centre_m[static_cast<std::size_t>(q)], row);
      times = part == ScorePart::kSpatial ? spread : 1 - spread;
    }
    standardise(question.standardise, values.data() + (shared ? 0 : q * n), row, n, times,
                batch_->feature_bits(), scaled.data() + q * n);
  }
  return batch_->add_quantised(scaled);
}

RecallMixes RecallPiece::mixes_of(const RecallJudge& question, const std::vector<RecallMix>& mixes,
                                  PreparationCost* cost) {
  const std::vector<ScorePart> parts = parts_used(mixes);
  const Made& gate = gate_of(question);
  cost->gate_s += gate.seconds;
  RecallMixes result;
  result.gate = gate.id;
  for (const ScorePart part : parts) {
    const Made& column = column_of(part, question.blend);
    cost->features_s += column.seconds;
    result.columns.push_back(column.id);
    if (question.standardise == Standardise::kNone) continue;
    const Stopwatch watch;
    result.columns.back() = standardised_column(part, question, gate.id);
    cost->features_s += watch.seconds();
  }
  if (question.penalty) {
    result.columns.push_back(batch_->add_outside(result.gate));
    result.gate = -1;
  }
  for (const RecallMix& mix : mixes) {
    const WholeWeights whole = whole_weights(weights_of(mix, parts));
    result.weights.insert(result.weights.end(), whole.weights.begin(), whole.weights.end());
  }
  return result;
}

RecallMixes only_mix(const RecallMixes& mixes, std::size_t mix) {
  RecallMixes one = mixes;
  const auto width = static_cast<std::ptrdiff_t>(mixes.columns.size());
  const auto begin = mixes.weights.begin() + static_cast<std::ptrdiff_t>(mix) * width;
  one.weights.assign(begin, begin + width);
  return one;
}

}  // namespace sightline::host
