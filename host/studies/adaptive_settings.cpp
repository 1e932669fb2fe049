#include "host/studies/adaptive_settings.h"

#include <algorithm>
#include <numeric>

#include "host/config/suggest.h"
#include "host/error.h"

namespace sightline::host {
namespace {

/// Names that measures have besides those of regimes.
constexpr const char* kOtherMeasures[] = {"worst", "named", "apart"};
constexpr std::int64_t kMostCorpora = 1000;

std::vector<std::string> names_of(const std::vector<CueRegime>& regimes) {
  std::vector<std::string> names;
  for (const CueRegime& regime : regimes) names.push_back(regime.name);
  return names;
}

std::size_t index_of(const ConfigValue& value, const std::vector<std::string>& names,
                     const char* what) {
  const auto found = std::find(names.begin(), names.end(), value.as_text());
  if (found == names.end()) {
    value.fail("no " + std::string(what) + " is called \"" + value.as_text() + "\"; " +
               suggestion(value.as_text(), names));
  }
  return static_cast<std::size_t>(found - names.begin());
}

CueRegime parse_regime(const ConfigValue::Entry& entry) {
  const ConfigValue& map = entry.second;
  map.allow_only({"meaning", "place_m", "time_days"});
  CueRegime regime;
  regime.name = entry.first;
  if (const ConfigValue* meaning = map.find("meaning")) regime.meaning = meaning->as_number(0, 1);
  if (const ConfigValue* place = map.find("place_m")) regime.place_m = place->as_positive();
  if (const ConfigValue* time = map.find("time_days")) regime.time_days = time->as_number(0, 1e5);
  const auto is_name = [&](const char* name) { return regime.name == name; };
  if (std::any_of(std::begin(kOtherMeasures), std::end(kOtherMeasures), is_name)) {
    map.fail_at_key("is the name of a measure; give the regime another");
  }
  return regime;
}

void parse_regimes(const ConfigValue& map, CueSettings* cues) {
  for (const ConfigValue::Entry& entry : map.entries()) {
    cues->regimes.push_back(parse_regime(entry));
  }
  if (cues->num_regimes() < 2) map.fail("needs at least two regimes: there is nothing to adapt to");
  if (cues->num_regimes() > static_cast<std::size_t>(kMostRegimes)) {
    map.fail("has more than " + std::to_string(kMostRegimes) + " regimes; leave some out");
  }
}

void parse_memories(const ConfigValue& memories, CueSettings* cues) {
  const MemorySpec spec = parse_memory_spec(memories);
  const auto* calibrated = std::get_if<CalibratedMemories>(&spec.generator);
  if (!calibrated) memories.fail("must be calibrated: {calibrated: {activities: 8}}");
  if (spec.seed) memories.fail("may have no seed of its own: every corpus would be the same");
  cues->memories = *calibrated;
  constexpr std::int64_t kMostMemories = 4096;  // ranks of all queries and mixes stand in memory
  if (cues->num_queries() > kMostMemories) {
    memories.fail("makes " + std::to_string(cues->num_queries()) + " memories; at most " +
                  std::to_string(kMostMemories) + ", since each is asked for in every regime");
  }
}

void parse_recall(const ConfigValue& recall, CueSettings* cues) {
  recall.allow_only({"k", "proximity", "recency", "staleness"});
  cues->blend = parse_blend(recall);
  if (cues->blend.since_last_access) {
    recall.fail("recency counts from the moment that a question speaks of; leave out `since`");
  }
  if (const ConfigValue* k = recall.find("k")) cues->k = k->as_integer(1, cues->num_queries());
}

void parse_statistics(const ConfigValue& map, AdaptiveSettings* parsed) {
  map.allow_only({"alike", "ranges"});
  if (const ConfigValue* alike = map.find("alike")) {
    parsed->cues.alike = alike->as_integer(1, parsed->cues.num_queries());
  }
  constexpr std::int64_t kMostRanges = 20;
  if (const ConfigValue* ranges = map.find("ranges")) {
    parsed->ranges = static_cast<std::size_t>(ranges->as_integer(2, kMostRanges));
  }
}

void parse_development(const ConfigValue& map, AdaptiveSettings* parsed) {
  map.allow_only({"seed", "corpora"});
  parsed->development_seed = static_cast<std::uint64_t>(map.at("seed").as_integer(0));
  if (parsed->development_seed == parsed->seed) {
    map.at("seed").fail(
        "is the sweep's seed: policies would be judged by what they were learned "
        "from; give another");
  }
  parsed->num_development = map.at("corpora").as_integer(1, kMostCorpora);
}

void parse_measure(const ConfigValue& study, AdaptiveSettings* parsed) {
  std::vector<std::string> names = names_of(parsed->cues.regimes);
  if (const ConfigValue* apart = study.find("apart")) {
    if (apart->items().size() != 2) apart->fail("must name two regimes");
    parsed->apart = {index_of(apart->items()[0], names, "regime"),
                     index_of(apart->items()[1], names, "regime")};
    if (parsed->apart->first == parsed->apart->second) apart->fail("names one regime twice");
  }
  const std::size_t num_regimes = names.size();
  names.insert(names.end(), std::begin(kOtherMeasures), std::end(kOtherMeasures));
  const ConfigValue& measure = study.at("measure");
  const std::size_t index = index_of(measure, names, "regime or measure");
  if (index < num_regimes) {
    parsed->measure = AdaptiveMeasure::kRegime;
    parsed->regime = index;
    return;
  }
  parsed->measure = static_cast<AdaptiveMeasure>(index - num_regimes + 1);
  if (parsed->measure == AdaptiveMeasure::kApart && !parsed->apart) {
    measure.fail("needs `apart`: the two regimes to tell apart");
  }
}

std::vector<std::int32_t> parse_weights(const ConfigValue& list) {
  const std::vector<double> weights = list.as_numbers(kNumScoreParts);
  const bool any_negative =
      std::any_of(weights.begin(), weights.end(), [](double weight) { return weight < 0; });
  if (any_negative || !(std::accumulate(weights.begin(), weights.end(), 0.0) > 0)) {
    list.fail("needs weights of 0 or more that do not all vanish");
  }
  try {
    return whole_weights(weights).weights;
  } catch (const InputError& error) {
    list.fail(error.what());
  }
}

void parse_mix(const ConfigValue& map, const std::vector<std::string>& arm_names,
               AdaptiveSettings* parsed, AdaptiveArm* arm) {
  const ConfigValue& mix = map.at("mix");
  if (mix.is_list()) {
    map.allow_only({"mix"});
    arm->choice = MixChoice::kGiven;
    arm->given = parsed->given.size() / kNumScoreParts;
    const std::vector<std::int32_t> weights = parse_weights(mix);
    parsed->given.insert(parsed->given.end(), weights.begin(), weights.end());
    return;
  }
  arm->choice = static_cast<MixChoice>(mix.as_choice({"best", "minimax", "hardest", "oracle"}) + 1);
  if (arm->choice != MixChoice::kHardest) return map.allow_only({"mix"});
  map.allow_only({"mix", "against"});
  arm->against = index_of(map.at("against"), arm_names, "arm");
}

void parse_uses(const ConfigValue& uses, PolicySettings* policy) {
  if (!policy->reads_statistics) uses.fail_at_key("is of statistics, and this arm reads none");
  policy->uses.fill(false);
  for (const ConfigValue& one : uses.items()) {
    policy->uses[one.as_choice({"meaning", "place", "time"})] = true;
  }
  if (uses.items().empty()) uses.fail("names no statistic; leave it out to use all");
}

void parse_policy(const ConfigValue& map, AdaptiveArm* arm) {
  map.allow_only({"reads", "uses", "prior", "assumed_error", "shuffled"});
  const std::size_t reads = map.at("reads").as_choice({"statistics", "declaration", "both"});
  arm->policy.reads_statistics = reads != 1;
  arm->policy.reads_declaration = reads != 0;
  if (const ConfigValue* uses = map.find("uses")) parse_uses(*uses, &arm->policy);
  if (const ConfigValue* prior = map.find("prior")) {
    arm->policy.least_favourable = prior->as_choice({"even", "least_favourable"}) == 1;
  }
  if (const ConfigValue* error = map.find("assumed_error")) {
    if (!arm->policy.reads_declaration) {
      error->fail_at_key("is of declarations, and this arm reads none");
    }
    arm->policy.assumed_error = error->as_number(0, 1);
  }
  if (const ConfigValue* shuffled = map.find("shuffled")) {
    arm->shuffled = static_cast<Shuffled>(shuffled->as_choice({"statistics", "declaration"}) + 1);
    const bool reads_it = arm->shuffled == Shuffled::kStatistics ? arm->policy.reads_statistics
                                                                 : arm->policy.reads_declaration;
    if (!reads_it) shuffled->fail("is nothing that this arm reads");
  }
}

void parse_arms(const StudySettings& settings, AdaptiveSettings* parsed) {
  std::vector<std::string> names;
  for (const ConfigValue::Entry& arm : settings.arms) names.push_back(arm.first);
  for (const ConfigValue::Entry& entry : settings.arms) {
    AdaptiveArm& arm = parsed->arms.emplace_back();
    if (entry.second.find("mix")) {
      parse_mix(entry.second, names, parsed, &arm);
    } else {
      if (!entry.second.find("reads")) {
        entry.second.fail("needs `mix`, a fixed one, or `reads`, what its mix is chosen by");
      }
      parse_policy(entry.second, &arm);
    }
  }
  for (std::size_t i = 0; i < parsed->arms.size(); ++i) {
    const AdaptiveArm& arm = parsed->arms[i];
    if (arm.choice != MixChoice::kHardest) continue;
    if (parsed->arms[arm.against].choice == MixChoice::kHardest) {
      settings.arms[i].second.at("against").fail("is itself the hardest mix of an arm");
    }
  }
}

std::string pass_key_of(const ConfigValue& study, const AdaptiveSettings& parsed) {
  ConfigValue key = study;
  for (const char* name : {"measure", "declared_error", "apart"}) key.erase_entry(name);
  std::string text = std::to_string(parsed.seed) + " " + key.canonical_json();
  for (const std::int32_t weight : parsed.given) text += " " + std::to_string(weight);
  return text;
}

}  // namespace

AdaptiveSettings parse_adaptive_settings(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"measure", "corpora", "development", "declared_error", "regimes", "apart",
                    "memories", "recall", "statistics"});
  AdaptiveSettings parsed;
  parsed.seed = settings.seed;
  parse_regimes(study.at("regimes"), &parsed.cues);
  if (const ConfigValue* memories = study.find("memories")) parse_memories(*memories, &parsed.cues);
  if (const ConfigValue* recall = study.find("recall")) parse_recall(*recall, &parsed.cues);
  parsed.num_corpora = study.at("corpora").as_integer(2, kMostCorpora);
  parse_development(study.at("development"), &parsed);
  if (const ConfigValue* error = study.find("declared_error")) {
    parsed.declared_error = error->as_number(0, 1);
  }
  if (const ConfigValue* statistics = study.find("statistics")) {
    parse_statistics(*statistics, &parsed);
  }
  parse_measure(study, &parsed);
  parse_arms(settings, &parsed);
  parsed.pass_key = pass_key_of(study, parsed);
  return parsed;
}

}  // namespace sightline::host
