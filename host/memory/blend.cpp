#include "host/memory/blend.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "host/error.h"

namespace sightline::host {
namespace {

using kernels::Decay;
using kernels::DecayForm;

constexpr double kSecondsPerHour = 3600, kSecondsPerDay = 86400;
/// A product this close to a whole number is one: decimal fractions have no exact double.
constexpr double kWholeTolerance = 1e-9;
constexpr double kMaxWeight = 1e12;  ///< and its inverse: none smaller, where all are small
constexpr int kWeightBits = 26;      ///< of weights without a common denominator
/// Of the largest weight: what an axis that steps through 0 leaves there.
constexpr double kRounding = 1e-15;

DecayForm parse_form(const ConfigValue& form) {
  return static_cast<DecayForm>(
      form.as_choice({"linear", "exponential", "hyperbolic", "gaussian", "step", "half_life"}));
}

void parse_weights(const ConfigValue& weights, BlendSettings* blend) {
  blend->weights.fill(0);
  if (weights.is_list()) {
    const std::vector<double> values = weights.as_numbers(kNumScoreParts);
    std::copy(values.begin(), values.end(), blend->weights.begin());
    return;
  }
  weights.allow_only({"relevance", "spatial", "recency", "importance", "staleness"});
  for (int part = 0; part < kNumScoreParts; ++part) {
    const ConfigValue* weight = weights.find(kScorePartNames[part]);
    if (!weight) continue;
    const double value = weight->as_number();
    if (!std::isfinite(value)) weight->fail("must be finite");
    blend->weights[static_cast<std::size_t>(part)] = value;
  }
}

void check_whole(const ConfigValue& recall, const BlendSettings& blend) {
  try {
    whole_weights({blend.weights.begin(), blend.weights.end()});
  } catch (const InputError& error) {
    const ConfigValue* weights = recall.find("weights");
    (weights ? *weights : recall).fail(error.what());
  }
}

void check_sum(const ConfigValue& recall, const BlendSettings& blend) {
  double sum = 0, size = 0;
  for (const double weight : blend.weights) {
    sum += weight;
    size += std::fabs(weight);
  }
  // What rounding leaves of weights that cancel is no sum: 0.1 + 0.2 - 0.3.
  if (!blend.normalised || sum > kWholeTolerance * size) return;
  const ConfigValue* weights = recall.find("weights");
  (weights ? *weights : recall)
      .fail("the weights add up to " + ConfigValue::number(sum).display() +
            " and cannot be normalised; give " +
            (weights && weights->is_of_option() ? "--normalise false" : "normalise: false"));
}

/// Scale of a recency in seconds: one of three keys.
double parse_scale_s(const ConfigValue& decay) {
  constexpr struct {
    const char* key;
    double unit_s;
  } kUnits[] = {{"scale_s", 1}, {"scale_hours", kSecondsPerHour}, {"scale_days", kSecondsPerDay}};
  double scale_s = 0;
  for (const auto& unit : kUnits) {
    const ConfigValue* scale = decay.find(unit.key);
    if (!scale) continue;
    if (scale_s > 0) scale->fail("is a second scale; give one");
    scale_s = scale->as_positive() * unit.unit_s;
  }
  if (scale_s == 0) decay.fail("needs scale_days, scale_hours or scale_s");
  return scale_s;
}

void parse_staleness(const ConfigValue& staleness, BlendSettings* blend) {
  if (!staleness.is_map()) {
    blend->staleness = static_cast<StalenessForm>(staleness.as_choice({"supplied", "constant"}));
    return;
  }
  staleness.allow_only({"linear_days"});
  blend->staleness = StalenessForm::kLinear;
  blend->staleness_s = staleness.at("linear_days").as_positive() * kSecondsPerDay;
}

}  // namespace

BlendSettings parse_blend(const ConfigValue& recall) {
  BlendSettings blend;
  if (const ConfigValue* weights = recall.find("weights")) parse_weights(*weights, &blend);
  if (const ConfigValue* normalise = recall.find("normalise")) {
    blend.normalised = normalise->as_bool();
  }
  check_sum(recall, blend);
  check_whole(recall, blend);
  if (const ConfigValue* proximity = recall.find("proximity")) {
    proximity->allow_only({"form", "scale_m"});
    blend.proximity = {parse_form(proximity->at("form")), proximity->at("scale_m").as_positive()};
  }
  if (const ConfigValue* recency = recall.find("recency")) {
    recency->allow_only({"form", "scale_s", "scale_hours", "scale_days", "since"});
    blend.recency = {parse_form(recency->at("form")), parse_scale_s(*recency)};
    const ConfigValue* since = recency->find("since");
    if (since) blend.since_last_access = since->as_choice({"encoding", "last_access"}) == 1;
  }
  if (const ConfigValue* staleness = recall.find("staleness")) parse_staleness(*staleness, &blend);
  return blend;
}

double parse_penalty(const ConfigValue& penalty, const BlendSettings& blend) {
  const double charged = penalty.as_positive();
  const double sum = std::accumulate(blend.weights.begin(), blend.weights.end(), 0.0);
  std::vector<double> weights(blend.weights.begin(), blend.weights.end());
  weights.push_back(charged * (blend.normalised ? sum : 1));
  try {
    whole_weights(weights);
  } catch (const InputError& error) {
    penalty.fail(std::string("beside the weights: ") + error.what());
  }
  return charged;
}

WholeWeights whole_weights(const std::vector<double>& weights, double total) {
  double largest = 0;
  for (const double weight : weights) {
    if (!std::isfinite(weight)) throw InputError("a weight is not finite; give a number");
    largest = std::max(largest, std::fabs(weight));
  }
  if (largest > kMaxWeight || (largest > 0 && largest < 1 / kMaxWeight)) {
    throw InputError("the largest weight is " + ConfigValue::number(largest).display() +
                     "; give weights around 1");
  }
  WholeWeights whole;
  bool any_vanishes = false;
  const auto scale_by = [&](double factor) {
    whole.weights.clear();
    any_vanishes = false;
    bool all_whole = true;
    for (const double weight : weights) {
      const double product = weight * factor, nearest = std::nearbyint(product);
      const bool vanishes = nearest == 0 && std::fabs(weight) > kRounding * largest;
      any_vanishes = any_vanishes || vanishes;
      all_whole = all_whole && !vanishes &&
                  std::fabs(product - nearest) <= kWholeTolerance * factor * largest;
      whole.weights.push_back(static_cast<std::int32_t>(nearest));
    }
    whole.unit = 1 / (factor * total);
    return all_whole;
  };
  for (std::int32_t denominator = 1; denominator <= kMaxDenominator; ++denominator) {
    if (denominator * largest > kMaxDenominator) break;
    if (scale_by(denominator)) return whole;
  }
  scale_by(std::ldexp(1, kWeightBits) / largest);
  if (any_vanishes) {
    throw InputError(
        "a weight is less than 2^-27 of the largest and would count for nothing; give 0 "
        "or more");
  }
  whole.exact = false;
  return whole;
}

int add_score_part(ScorePart part, const BlendSettings& blend, const MemoryTable& memories,
                   RecallBatch* batch) {
  switch (part) {
    case ScorePart::kRelevance:
      return batch->add_cosines();
    case ScorePart::kSpatial:
      return batch->add_proximities(blend.proximity);
    case ScorePart::kRecency:
      if (!blend.since_last_access) return batch->add_recencies(blend.recency);
      return batch->add_recencies(memories.last_access_s, blend.recency);
    case ScorePart::kImportance:
      return batch->add_values(memories.importance);
    case ScorePart::kStaleness:
      break;
  }
  switch (blend.staleness) {
    case StalenessForm::kConstant:
      return batch->add_values(std::vector<double>(memories.importance.size(), 1.0));
    case StalenessForm::kLinear:
      return batch->add_recencies({kernels::DecayForm::kLinear, blend.staleness_s});
    case StalenessForm::kSupplied:
      break;
  }
  return batch->add_values(memories.staleness);
}

}  // namespace sightline::host
