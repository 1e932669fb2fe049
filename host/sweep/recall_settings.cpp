#include "host/sweep/recall_settings.h"

#include <cmath>

#include "host/config/place.h"
#include "host/sweep/gate_settings.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kMostQueries = std::int64_t{1} << 31;
constexpr std::initializer_list<const char*> kRecallKeys = {
    "weights", "normalise", "proximity",   "recency", "staleness", "gate",
    "penalty", "k",         "standardise", "adapt",   "verify",    "truth"};

std::string text_of(const ConfigValue& map, const char* key) {
  const ConfigValue* value = map.find(key);
  return value ? value->canonical_json() : std::string("-");
}

/// `recall` of an arm: each of its keys replaces the configuration's own as a whole, so that an
/// arm's weights are all its weights.
ConfigValue recall_of(const ConfigValue& settings, const ConfigValue& arm) {
  const ConfigValue* shared = settings.find("recall");
  const ConfigValue* own = arm.find("recall");
  ConfigValue recall = shared ? *shared : ConfigValue::map();
  if (own) {
    for (const auto& [key, value] : own->entries()) recall.set_entry(key, value);
  }
  recall.allow_only(kRecallKeys);
  return recall;
}

void parse_gating(const ConfigValue& recall, const WorldSpec* world, RecallJudge* judge) {
  const ConfigValue* gate = recall.find("gate");
  const ConfigValue* penalty = recall.find("penalty");
  const ConfigValue* standardise = recall.find("standardise");
  const ConfigValue* adapt = recall.find("adapt");
  if (gate) {
    judge->gate = parse_gate(*gate, world);
    judge->gate_key = gate->canonical_json();
    judge->gate_place = gate->where();
  }
  if (penalty) {
    if (!gate) penalty->fail("charges what lies outside a gate; give `gate`");
    judge->penalty = parse_penalty(*penalty, judge->blend);
  }
  if (standardise) {
    judge->standardise =
        static_cast<Standardise>(standardise->as_choice({"none", "min_max", "z_score"}));
    if (penalty && judge->standardise != Standardise::kNone) {
      standardise->fail("scales parts among what a hard gate keeps; remove `penalty`");
    }
  }
  if (adapt) {
    adapt->as_choice({"distance_spread"});
    if (judge->standardise == Standardise::kNone) {
      adapt->fail("weighs standardised parts; give standardise: z_score");
    }
    judge->adapt_to_spread = true;
  }
}

RecallJudge parse_judge(const ConfigValue& recall, const WorldSpec* world) {
  RecallJudge judge;
  judge.blend = parse_blend(recall);
  judge.place = judge.gate_place = recall.where();
  parse_gating(recall, world, &judge);
  for (const char* key : {"proximity", "recency", "staleness", "gate", "standardise", "adapt"}) {
    judge.columns_key += text_of(recall, key) + "\n";
  }
  judge.columns_key += judge.penalty ? "soft" : "hard";
  judge.key = judge.columns_key + "\n" + text_of(recall, "penalty") + "\n" +
              text_of(recall, "weights") + "\n" + text_of(recall, "normalise");
  return judge;
}

std::optional<Verification> parse_verification(const ConfigValue& recall, const WorldSpec* world) {
  const ConfigValue* verify = recall.find("verify");
  const ConfigValue* truth = recall.find("truth");
  if (truth && !verify) truth->fail("is what `verify` is held against; give `verify`");
  if (!verify) return std::nullopt;
  Verification verification{
      parse_verdict(*verify, world), {}, verify->canonical_json(), verify->where()};
  if (truth) {
    verification.truth = parse_verdict(*truth, world);
    verification.key += "\n" + truth->canonical_json();
  }
  return verification;
}

RecallArm parse_arm(const ConfigValue::Entry& entry, const ConfigValue& settings,
                    const WorldSpec* world) {
  entry.second.allow_only({"recall"});
  const ConfigValue recall = recall_of(settings, entry.second);
  constexpr std::int64_t kUsualTop = 5;
  RecallArm arm{entry.first, parse_judge(recall, world), kUsualTop, {}};
  if (const ConfigValue* k = recall.find("k")) arm.k = k->as_integer(1, kernels::kMaxTop);
  arm.verify = parse_verification(recall, world);
  return arm;
}

/// A field of view is refused where queries have no heading.
void check_heading(const RecallExperiment& experiment) {
  if (experiment.queries.heading != QuerySettings::Heading::kNone) return;
  const auto check = [](const Gate& gate, const std::string& place) {
    if (!needs_poses(gate)) return;
    fail_at(place,
            "a field of view needs to know where the asker looks; give queries.heading, "
            "target or random");
  };
  for (const RecallArm& arm : experiment.arms) {
    if (arm.judge.gate) check(*arm.judge.gate, arm.judge.gate_place);
    if (!arm.verify) continue;
    check(arm.verify->says, arm.verify->place);
    if (arm.verify->truth) check(*arm.verify->truth, arm.verify->place);
  }
}

void parse_direction(const ConfigValue& direction, QuerySettings* queries) {
  if (!direction.is_list()) {
    queries->direction =
        static_cast<QuerySettings::Direction>(direction.as_choice({"sphere", "horizontal"}));
    return;
  }
  const std::vector<double> d = direction.as_numbers(3);
  const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (!(length > 0)) direction.fail("has no direction");
  queries->direction = QuerySettings::Direction::kFixed;
  queries->fixed_direction = {d[0] / length, d[1] / length, d[2] / length};
}

void parse_place(const ConfigValue& map, bool has_world, QuerySettings* queries) {
  const ConfigValue* offset = map.find("offset_m");
  const ConfigValue* free = map.find("random_free");
  const ConfigValue* from = map.find("from");
  if ((offset != nullptr) + (free != nullptr) + (from != nullptr) != 1) {
    map.fail("needs offset_m, random_free or from: where the question is asked from");
  }
  if (from) {
    const std::vector<double> place = from->as_numbers(3);
    queries->place = QuerySettings::Place::kFrom;
    queries->from_m = {place[0], place[1], place[2]};
  } else if (free) {
    if (!has_world) free->fail("needs a world with free space; give `world`");
    queries->place = QuerySettings::Place::kFree;
    queries->free = parse_point_spec(with_count(*free));
  } else if (offset->is_text()) {
    queries->place = offset->as_choice({"far", "random"}) == 0 ? QuerySettings::Place::kFar
                                                               : QuerySettings::Place::kRandom;
  } else {
    queries->offset_m = offset->as_number(0);
    constexpr double kMost_m = 1e9;
    if (!(queries->offset_m <= kMost_m)) offset->fail("must be at most 1e9 m");
  }
}

QuerySettings parse_queries(const ConfigValue& map, bool has_world) {
  map.allow_only({"targets", "draws", "offset_m", "direction", "random_free", "from", "heading"});
  QuerySettings queries;
  queries.where = map.where();
  if (const ConfigValue* targets = map.find("targets")) {
    if (targets->is_map()) {
      targets->allow_only({"random"});
      queries.num_targets = targets->at("random").as_integer(1, kMostQueries);
    } else {
      targets->as_choice({"all"});
    }
  }
  if (const ConfigValue* draws = map.find("draws")) {
    queries.draws = draws->as_integer(1, kMostQueries);
  }
  if (const ConfigValue* direction = map.find("direction")) parse_direction(*direction, &queries);
  parse_place(map, has_world, &queries);
  if (const ConfigValue* heading = map.find("heading")) {
    queries.heading = heading->as_choice({"random", "target"}) == 0
                          ? QuerySettings::Heading::kRandom
                          : QuerySettings::Heading::kTarget;
  }
  return queries;
}

std::string inputs_key_of(const ConfigValue& settings) {
  std::string text;
  for (const char* key : {"world", "memories", "queries", "seed", "replicate"}) {
    text += std::string(key) + " " + text_of(settings, key) + "\n";
  }
  return text;
}

}  // namespace

RecallExperiment parse_recall_experiment(const ConfigValue& settings, WorldSpecs& worlds) {
  if (has_null(settings)) return parse_recall_experiment(without_nulls(settings), worlds);
  settings.allow_only({"name", "description", "world", "memories", "queries", "recall", "arms",
                       "metrics", "baseline", "seed", "replicate", "report", "claims", "family",
                       "preflight"});
  RecallExperiment experiment;
  if (const ConfigValue* world = settings.find("world")) {
    experiment.world = worlds.parse(*world);
    experiment.world_place = world->where();
  }
  const WorldSpec* world = experiment.world ? &*experiment.world : nullptr;
  experiment.memories = parse_memories(settings.at("memories"), world != nullptr);
  experiment.memories_place = settings.at("memories").where();
  experiment.queries = parse_queries(settings.at("queries"), world != nullptr);
  experiment.seed = seed_of(settings);
  const ConfigValue& arms = settings.at("arms");
  if (arms.entries().empty()) arms.fail("needs at least one arm, such as vector: {recall: {}}");
  for (const ConfigValue::Entry& arm : arms.entries()) {
    experiment.arms.push_back(parse_arm(arm, settings, world));
  }
  check_heading(experiment);
  if (const ConfigValue* preflight = settings.find("preflight")) {
    experiment.preflight = parse_recall_preflight(*preflight);
    if (!world) preflight->fail("is about what a world hides; give `world`");
  }
  if (const ConfigValue* baseline = settings.find("baseline")) {
    experiment.baseline = index_of_arm(names_of(experiment.arms), *baseline);
  }
  if (const ConfigValue* metrics = settings.find("metrics")) {
    for (const ConfigValue& name : metrics->items()) {
      name.as_choice(
          {"hit_rate", "mrr", "ndcg", "visible_share", "false_visible_rate", "mcnemar_p"});
    }
  }
  experiment.inputs_key = inputs_key_of(settings);
  return experiment;
}

}  // namespace sightline::host
