#include "host/studies/gate_arms.h"
#include "host/studies/study_worlds.h"

#include <algorithm>
#include <cmath>

#include "host/config/suggest.h"
#include "host/random.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kMostTrials = 100'000, kMostActivities = 300, kMostMemories = 100'000;
constexpr std::int64_t kMostSeed = 1'000'000'000, kScenesPerSeed = 1000;
constexpr double kHalfTurn_deg = 180;

/// The world without what is the study's own, its scene of another number.
ConfigValue numbered(const ConfigValue& world, std::int64_t world_seed) {
  ConfigValue own = world;
  own.erase_path("walk");
  own.erase_path("region_m");
  const ConfigValue* scene = own.find("scene");
  if (!scene) return own;
  if (scene->is_text()) {
    const ConfigValue name = *scene;
    own.set_path("scene", ConfigValue::map({{"name", name}}));
  }
  const ConfigValue* seed = own.find_path("scene.seed");
  const std::int64_t first = seed ? seed->as_integer(0, kMostSeed) : 1;
  const ConfigValue next = ConfigValue::integer(first + kScenesPerSeed * world_seed);
  own.set_path("scene.seed", seed ? next.with_mark(seed->mark()) : next);
  return own;
}

WalkSettings parse_walk_of(const ConfigValue& study, const ConfigValue& world) {
  for (const ConfigValue* map : {&world, &study}) {
    if (const ConfigValue* walk = map->find("walk")) return parse_walk(*walk);
  }
  constexpr double kStep_m = 0.5;
  WalkSettings walk;
  if (world.find("scene")) walk.floor_m = 0;
  walk.step_m = kStep_m;
  walk.place = world.where();
  return walk;
}

void parse_lengths(const ConfigValue& study, const ConfigValue& world, RegimeSettings* regimes) {
  const auto length = [](const ConfigValue& map, const char* key, double* value) {
    if (const ConfigValue* given = map.find(key)) *value = given->as_number(0.01, 1e6);
  };
  length(study, "near_m", &regimes->near_m);
  length(study, "far_m", &regimes->far_m);
  length(study, "range_m", &regimes->range_m);
  length(study, "region_m", &regimes->region_m);
  length(world, "region_m", &regimes->region_m);
  double half_angle_deg = 45;
  if (const ConfigValue* angle = study.find("half_angle_deg")) {
    half_angle_deg = angle->as_number(1, kHalfTurn_deg - 1);
  }
  regimes->view.kind = kernels::FieldOfViewKind::kYawCone;
  regimes->view.min_cos = cos_of_degrees(half_angle_deg);
}

void parse_memories(const ConfigValue& study, GatePoolSettings* pool) {
  const auto whole = [&](const char* key, std::int64_t low, std::int64_t high,
                         std::int64_t* value) {
    if (const ConfigValue* given = study.find(key)) *value = given->as_integer(low, high);
  };
  whole("activities", 1, kMostActivities, &pool->activities);
  whole("per_activity", 1, kMostMemories / kMostActivities, &pool->per_activity);
  whole("k", 1, kernels::kMaxTop, &pool->k);
  if (const ConfigValue* within = study.find("alike_within")) {
    pool->alike_within = within->as_number(0, 2);
  }
  pool->regimes.num_things = pool->activities * pool->per_activity;
}

GateArm parse_rule(const ConfigValue& map) {
  map.allow_only({"rule", "inverted", "anchors"});
  GateArm arm;
  arm.rule = map.at("rule").as_choice({"declared", "told"}) == 0 ? GateArm::Rule::kDeclared
                                                                 : GateArm::Rule::kTold;
  if (const ConfigValue* inverted = map.find("inverted")) arm.inverted = inverted->as_bool();
  arm.anchors = parse_anchors(map);
  return arm;
}

GateArm parse_gate_arm(const ConfigValue& map, const std::vector<RecallGate>& gates) {
  if (map.find("rule")) return parse_rule(map);
  map.allow_only({"gate", "penalty", "spatial", "rule"});
  GateArm arm;
  if (const ConfigValue* spatial = map.find("spatial")) {
    if (map.find("gate")) spatial->fail("is for arms without a gate; a gate has an `order`");
    arm.ranking.spatial = spatial->as_number(0, 1);
    arm.ranking.relevance = 1 - arm.ranking.spatial;
  }
  const ConfigValue *gate = map.find("gate"), *penalty = map.find("penalty");
  if (penalty && !gate) penalty->fail("is what a soft gate charges; give gate: NAME beside it");
  if (!gate) return arm;
  std::vector<std::string> names;
  for (const RecallGate& one : gates) names.push_back(one.name);
  const auto found = std::find(names.begin(), names.end(), gate->as_text());
  if (found == names.end()) {
    gate->fail("there is no gate \"" + gate->as_text() + "\"; " +
               suggestion(gate->as_text(), names));
  }
  arm.ranking.gate = static_cast<int>(found - names.begin());
  if (gates[static_cast<std::size_t>(arm.ranking.gate)].by_place) {
    arm.ranking.relevance = 0;
    arm.ranking.spatial = 1;
  }
  if (penalty) arm.ranking.penalty = penalty->as_positive();
  return arm;
}

std::optional<Regime> parse_regime(const ConfigValue& regime) {
  const std::size_t index =
      regime.as_choice({kRegimes[0], kRegimes[1], kRegimes[2], kRegimes[3], kRegimes[4],
                        kRegimes[5], kRegimes[6], kRegimes[7], "foretell"});
  if (index == kNumRegimes) return std::nullopt;
  return static_cast<Regime>(index);
}

void parse_world(const StudySettings& settings, GateStudySettings* parsed) {
  const ConfigValue &study = settings.study, &world = chosen_world(study);
  const ConfigValue* number = study.find("world_seed");
  const std::int64_t world_seed = number ? number->as_integer(0, kMostSeed) : 0;
  const ConfigValue own = numbered(world, world_seed);
  parsed->world = parse_world_spec(own);
  parsed->world_place = world.where();
  if (own.find("scene")) {
    parsed->world.analytic = true;
    parsed->world.voxel_m = kDefaultVoxel_m;
    if (const ConfigValue* voxel = study.find("voxel_m")) {
      parsed->world.voxel_m = voxel->as_positive();
    }
  }
  RegimeSettings& regimes = parsed->pool.regimes;
  regimes.walk = parse_walk_of(study, world);
  regimes.seed = RandomItem(settings.seed, stream_of(own.canonical_json()),
                            static_cast<std::uint64_t>(world_seed))();
  parse_lengths(study, world, &regimes);
}

}  // namespace

GateStudySettings parse_gate_study(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"regime", "trials", "world", "worlds", "world_seed", "voxel_m", "walk",
                    "near_m", "far_m", "range_m", "region_m", "half_angle_deg", "activities",
                    "per_activity", "k", "method", "step_m", "alike_within", "gates"});
  GateStudySettings parsed;
  parsed.regime = parse_regime(study.at("regime"));
  if (const ConfigValue* trials = study.find("trials")) {
    parsed.num_trials = trials->as_integer(1, kMostTrials);
  }
  parse_world(settings, &parsed);
  parse_memories(study, &parsed.pool);
  parsed.pool.sight = parse_sight_method(study);
  parsed.gates = parse_recall_gates(study.at("gates"));
  for (const ConfigValue::Entry& arm : settings.arms) {
    parsed.arms.push_back(parse_gate_arm(arm.second, parsed.gates));
  }
  return parsed;
}

GateAdviser::GateAdviser(const GateStudySettings& settings, const GateArm& arm, Regime regime,
                         const GatePool& pool)
    : settings_(settings), pool_(pool), sign_(arm.inverted ? -1 : 1) {
  for (const RecallGate& gate : settings.gates) {
    double sum = 0, count = 0;
    for (std::size_t other = 0; other < kNumRegimes; ++other) {
      const auto as = static_cast<Regime>(other);
      if (arm.rule == GateArm::Rule::kTold ? as != regime
                                           : !(declared_of(as) == declared_of(regime))) {
        continue;
      }
      sum += gate.kept[other];
      ++count;
    }
    keeps_answer_.push_back(sum / count);
  }
}

double GateAdviser::gain(std::size_t gated_arm, std::int64_t question) const {
  const GateRanking& ranking = settings_.arms[gated_arm].ranking;
  const auto gate = static_cast<std::size_t>(ranking.gate);
  const auto q = static_cast<std::size_t>(question);
  const GateFacts facts{settings_.pool.k, pool_.alike[q], pool_.alike_kept[gate][q],
                        keeps_answer_[gate]};
  const double without = expected_without_gate(facts);
  // What is ranked by place was counted as it came out.
  if (settings_.gates[gate].by_place) return facts.keeps_answer - without;
  return (ranking.penalty ? expected_behind_soft_gate(facts) : expected_behind_hard_gate(facts)) -
         without;
}

std::optional<std::size_t> GateAdviser::choose(std::int64_t question) const {
  constexpr double kRounding = 1e-9;
  std::optional<std::size_t> best;
  double most = kRounding;
  for (std::size_t arm = 0; arm < settings_.arms.size(); ++arm) {
    if (!settings_.arms[arm].is_gated()) continue;
    const double expected = sign_ * gain(arm, question);
    if (expected <= most) continue;
    best = arm;
    most = expected + kRounding;
  }
  return best;
}

double GateAdviser::expected_gain(std::size_t gated_arm) const {
  double sum = 0;
  for (std::int64_t q = 0; q < pool_.num_questions; ++q) sum += gain(gated_arm, q);
  return sign_ * sum / static_cast<double>(pool_.num_questions);
}

}  // namespace sightline::host
