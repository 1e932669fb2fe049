// Who answers the trials of the landscape study: retrieval by content in six forms, and geometry.
// What Spatial Memory Must Store (2026), section 6.5.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/device.h"
#include "host/studies/arm_settings.h"
#include "host/studies/landscape_trials.h"
#include "host/studies/study.h"
#include "host/studies/text_embedder.h"

namespace sightline::host {

enum class LandscapeArmKind : std::uint8_t {
  kBm25,              ///< BM25 Okapi (Robertson and Zaragoza 2009), Lucene's idf
  kDense,             ///< cosine of embeddings
  kHybrid,            ///< reciprocal rank fusion of the two (Cormack et al. 2009)
  kClusters,          ///< k-means routing, then cosine within: the core of RAPTOR (2024)
  kGenerativeAgents,  ///< relevance, recency, importance, each min-max scaled (Park et al. 2023)
  kPageRank,          ///< personalised PageRank over a graph of phrases (HippoRAG 2, 2025)
  kGeometry           ///< reads anchors, and asks the world for lines of sight
};

struct LandscapeArm {
  LandscapeArmKind kind = LandscapeArmKind::kBm25;
  bool hashes = true;  ///< embeds by hashed words, whatever the study's embeddings are
  std::int64_t num_clusters = 2, num_probes = 1;  ///< clusters
  double fusion_constant = 60;                    ///< hybrid
  std::array<double, 3> weights{1, 1, 1};         ///< relevance, recency, importance
  double decay_per_hour = 0.995;                  ///< generative_agents
  double damping = 0.5, passage_weight = 0.05;    ///< pagerank
  double synonym_cosine = 0.8;                    ///< pagerank
  std::int64_t num_facts = 5, num_phrases = 5;    ///< pagerank
  Anchors anchors = Anchors::kSubject;            ///< geometry
  SightMethod sight;                              ///< geometry
};

/// Reads {answer: bm25 | dense | hybrid | clusters | generative_agents | pagerank | geometry, ...}:
/// clusters {num_clusters, num_probes}, hybrid {constant}, generative_agents {weights: {relevance,
/// recency, importance}, decay_per_hour}, pagerank {damping, num_facts, num_phrases,
/// passage_weight, synonym_cosine}, geometry {anchors, method, step_m} as arm_settings.h has
/// them, a march of 0.5 m unless told. All that embed take {embedder: hashed | model}; `embedder`
/// is the study's. Throws InputError.
LandscapeArm parse_landscape_arm(const ConfigValue& arm, const TextEmbedder& embedder);

/// What retrieval by content sees of a trial: no place is among it.
struct ContentStore {
  const std::vector<LandscapeNote>& notes;
  const std::string& question;
  const TextEmbedder& embedder;

  std::int64_t size() const { return static_cast<std::int64_t>(notes.size()); }
};

/// What retrieval by content makes of each trial: the option of the note that it ranks first. It is
/// given no place. `embedder` is the study's. Throws EnvironmentError where a library that it needs
/// was not built in, InputError as the embedder does.
ArmAnswers answer_by_content(const LandscapeArm& arm, LandscapeType type,
                             const std::vector<LandscapeTrial>& trials,
                             const TextEmbedder& embedder);

/// What geometry makes of each: of the notes whose object the question names (all notes where it
/// names none), by their anchors alone: line of sight through the voxels of `world`,
/// quadrant by atan2, nearest to the standpoint, or how many stand in each region. Of the control,
/// whose standpoint tells nothing, the nearest. `seed`: of shuffled anchors.
ArmAnswers answer_by_geometry(const LandscapeArm& arm, LandscapeType type,
                              const std::vector<LandscapeTrial>& trials, std::uint64_t seed,
                              const World& world, Device& device);

}  // namespace sightline::host
