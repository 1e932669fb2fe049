#include "host/studies/landscape_arms.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kMostWanted = 1000;

void read_number(const ConfigValue& map, const char* key, double low, double high, double* number) {
  if (const ConfigValue* value = map.find(key)) *number = value->as_number(low, high);
}

void read_count(const ConfigValue& map, const char* key, std::int64_t* count) {
  if (const ConfigValue* value = map.find(key)) *count = value->as_integer(1, kMostWanted);
}

void read_weights(const ConfigValue& arm, LandscapeArm* parsed) {
  const ConfigValue* weights = arm.find("weights");
  if (weights == nullptr) return;
  weights->allow_only({"relevance", "recency", "importance"});
  constexpr double kHeaviest = 1000;
  read_number(*weights, "relevance", 0, kHeaviest, &parsed->weights[0]);
  read_number(*weights, "recency", 0, kHeaviest, &parsed->weights[1]);
  read_number(*weights, "importance", 0, kHeaviest, &parsed->weights[2]);
}

void read_pagerank(const ConfigValue& arm, LandscapeArm* parsed) {
  arm.allow_only({"answer", "embedder", "damping", "num_facts", "num_phrases", "passage_weight",
                  "synonym_cosine"});
  constexpr double kMostDamping = 0.999;
  read_number(arm, "damping", 0, kMostDamping, &parsed->damping);
  read_number(arm, "passage_weight", 0, 1, &parsed->passage_weight);
  read_number(arm, "synonym_cosine", 0, 1, &parsed->synonym_cosine);
  read_count(arm, "num_facts", &parsed->num_facts);
  read_count(arm, "num_phrases", &parsed->num_phrases);
}

void read_geometry(const ConfigValue& arm, LandscapeArm* parsed) {
  arm.allow_only({"answer", "anchors", "method", "step_m"});
  parsed->anchors = parse_anchors(arm);
  constexpr double kUsualStep_m = 0.5;
  SightMethod usual;
  usual.query.method = Method::kMarch;
  usual.step_m = kUsualStep_m;
  parsed->sight = parse_sight_method(arm, usual);
}

}  // namespace

LandscapeArm parse_landscape_arm(const ConfigValue& arm, const TextEmbedder& embedder) {
  LandscapeArm parsed;
  parsed.kind = static_cast<LandscapeArmKind>(arm.at("answer").as_choice(
      {"bm25", "dense", "hybrid", "clusters", "generative_agents", "pagerank", "geometry"}));
  parsed.hashes = hashes_texts(arm, embedder);
  switch (parsed.kind) {
    case LandscapeArmKind::kBm25:
      arm.allow_only({"answer"});
      break;
    case LandscapeArmKind::kDense:
      arm.allow_only({"answer", "embedder"});
      break;
    case LandscapeArmKind::kHybrid:
      arm.allow_only({"answer", "embedder", "constant"});
      if (const ConfigValue* value = arm.find("constant")) {
        parsed.fusion_constant = value->as_positive();
      }
      break;
    case LandscapeArmKind::kClusters:
      arm.allow_only({"answer", "embedder", "num_clusters", "num_probes"});
      read_count(arm, "num_clusters", &parsed.num_clusters);
      read_count(arm, "num_probes", &parsed.num_probes);
      break;
    case LandscapeArmKind::kGenerativeAgents:
      arm.allow_only({"answer", "embedder", "weights", "decay_per_hour"});
      read_weights(arm, &parsed);
      read_number(arm, "decay_per_hour", 0, 1, &parsed.decay_per_hour);
      break;
    case LandscapeArmKind::kPageRank:
      read_pagerank(arm, &parsed);
      break;
    case LandscapeArmKind::kGeometry:
      read_geometry(arm, &parsed);
      break;
  }
  return parsed;
}

}  // namespace sightline::host
