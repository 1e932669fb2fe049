// Retrieval by content: the finders of index/ over the notes of a trial.
#include <algorithm>
#include <cmath>
#include <set>

#include "host/memory/finder_errors.h"
#include "host/studies/landscape_arms.h"
#include "host/studies/landscape_graph.h"
#include "index/dense_index.h"
#include "index/fusion.h"
#include "index/lexical_index.h"

namespace sightline::host {
namespace {

index::Hits by_words(const ContentStore& store) {
  std::vector<std::string> texts;
  for (const LandscapeNote& note : store.notes) texts.push_back(note.text);
  return index::LexicalIndex(texts, {}).search(store.question, store.size());
}

/// By cosine: of all notes, or of those in the clusters nearest to the question.
index::Hits by_embedding(const ContentStore& store, const std::string& kind,
                         std::int64_t num_probes) {
  std::vector<float> rows;
  for (const LandscapeNote& note : store.notes) {
    const std::vector<float> row = store.embedder.of_text(note.text);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  index::DenseBuild build;
  build.kind = kind;
  index::DenseSearch search;
  search.k = store.size();
  search.num_probes = num_probes;
  const index::Neighbors found =
      index::DenseIndex::build(rows.data(), store.size(), store.embedder.width(), build)
          .search(store.embedder.of_query(store.question).data(), 1, search);
  index::Hits hits;
  for (std::size_t i = 0; i < found.rows.size() && found.rows[i] >= 0; ++i) {
    hits.push_back({found.rows[i], static_cast<double>(found.scores[i])});
  }
  return hits;
}

index::Hits by_cosine(const ContentStore& store) { return by_embedding(store, "Flat", 1); }

/// Notes of one text have one embedding: there are no more clusters than texts.
index::Hits by_clusters(const LandscapeArm& arm, const ContentStore& store) {
  std::set<std::string> texts;
  for (const LandscapeNote& note : store.notes) texts.insert(note.text);
  const std::int64_t num_lists =
      std::min(arm.num_clusters, static_cast<std::int64_t>(texts.size()));
  return by_embedding(store, "IVF" + std::to_string(num_lists) + ",Flat",
                      std::min(arm.num_probes, num_lists));
}

index::Hits by_fused_ranks(const LandscapeArm& arm, const ContentStore& store) {
  return index::reciprocal_rank_fusion({rows_of(by_words(store)), rows_of(by_cosine(store))},
                                       store.size(), arm.fusion_constant);
}

/// Relevance, recency of the last access (none but the taking of the note), importance.
index::Hits by_weighted_parts(const LandscapeArm& arm, const ContentStore& store) {
  index::WeightedList relevance{by_cosine(store), arm.weights[0]};
  index::WeightedList recency{{}, arm.weights[1]}, importance{{}, arm.weights[2]};
  for (std::int64_t row = 0; row < store.size(); ++row) {
    const LandscapeNote& note = store.notes[static_cast<std::size_t>(row)];
    recency.hits.push_back({row, std::pow(arm.decay_per_hour, note.age_h)});
    importance.hits.push_back({row, note.importance});
  }
  return index::weighted_sum({relevance, recency, importance}, index::Normalisation::kMinMax,
                             store.size());
}

index::Hits ranked(const LandscapeArm& arm, const ContentStore& store) {
  switch (arm.kind) {
    case LandscapeArmKind::kBm25:
      return by_words(store);
    case LandscapeArmKind::kHybrid:
      return by_fused_ranks(arm, store);
    case LandscapeArmKind::kClusters:
      return by_clusters(arm, store);
    case LandscapeArmKind::kGenerativeAgents:
      return by_weighted_parts(arm, store);
    case LandscapeArmKind::kPageRank:
      return rank_by_graph(arm, {store.notes, store.question, store.embedder}, by_cosine(store));
    case LandscapeArmKind::kDense:
    case LandscapeArmKind::kGeometry:
      break;
  }
  return by_cosine(store);
}

}  // namespace

ArmAnswers answer_by_content(const LandscapeArm& arm, LandscapeType type,
                             const std::vector<LandscapeTrial>& trials,
                             const TextEmbedder& embedder) {
  const TextEmbedder hashed;
  ArmAnswers answers;
  for (const LandscapeTrial& trial : trials) {
    const index::Hits hits = with_our_errors([&] {
      return ranked(arm, {trial.notes, trial.question, arm.hashes ? hashed : embedder});
    });
    answers.num_candidates += static_cast<std::int64_t>(hits.size());
    // Where no word is found all notes score alike, and the first is first.
    const std::size_t first = hits.empty() ? 0 : static_cast<std::size_t>(hits[0].row);
    const std::int64_t option = option_of_note(type, trial.scene, first);
    answers.right.push_back(option == trial.scene.truth ? 1 : 0);
  }
  return answers;
}

}  // namespace sightline::host
