#include "host/studies/landscape_graph.h"

#include <algorithm>
#include <array>
#include <set>

#include "index/fusion.h"
#include "index/pagerank.h"

namespace sightline::host {
namespace {

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

struct Fact {
  std::int64_t a = 0, b = 0;  ///< phrases
  bool operator==(const Fact& other) const { return a == other.a && b == other.b; }
};

/// Phrases are nodes 0 .. phrases.size() - 1, the notes follow.
struct PhraseGraph {
  std::vector<std::string> phrases;
  std::vector<std::set<std::int64_t>> notes_of;  ///< [num_phrases]
  std::vector<Fact> facts;                       ///< each once
  std::vector<index::WeightedEdge> edges;

  std::string text_of(const Fact& fact) const {
    return phrases[static_cast<std::size_t>(fact.a)] + " " +
           phrases[static_cast<std::size_t>(fact.b)];
  }

  std::int64_t phrase(const std::string& text) {
    const auto found = std::find(phrases.begin(), phrases.end(), text);
    const auto at = found - phrases.begin();
    if (found == phrases.end()) {
      phrases.push_back(text);
      notes_of.emplace_back();
    }
    return at;
  }
};

/// But for the edges between synonyms.
PhraseGraph graph_of(const std::vector<LandscapeNote>& notes) {
  PhraseGraph graph;
  std::vector<std::array<std::int64_t, 3>> phrases_of;
  for (const LandscapeNote& note : notes) {
    const std::int64_t thing = graph.phrase(note.thing), material = graph.phrase(note.material);
    phrases_of.push_back({thing, material, graph.phrase(note.activity)});
    for (const std::int64_t other : {phrases_of.back()[1], phrases_of.back()[2]}) {
      graph.edges.push_back({thing, other, 1});
      const Fact fact{thing, other};
      if (std::find(graph.facts.begin(), graph.facts.end(), fact) == graph.facts.end()) {
        graph.facts.push_back(fact);
      }
    }
  }
  const auto num_phrases = static_cast<std::int64_t>(graph.phrases.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto note = static_cast<std::int64_t>(i);
    for (const std::int64_t phrase : phrases_of[i]) {
      graph.edges.push_back({phrase, num_phrases + note, 1});
      graph.notes_of[static_cast<std::size_t>(phrase)].insert(note);
    }
  }
  return graph;
}

void join_synonyms(double synonym_cosine, const TextEmbedder& embedder, PhraseGraph* graph) {
  const auto num_phrases = static_cast<std::int64_t>(graph->phrases.size());
  std::vector<std::vector<float>> embeddings;
  for (const std::string& phrase : graph->phrases) embeddings.push_back(embedder.of_text(phrase));
  for (std::int64_t a = 0; a < num_phrases; ++a) {
    for (std::int64_t b = a + 1; b < num_phrases; ++b) {
      const double alike =
          cosine(embeddings[static_cast<std::size_t>(a)], embeddings[static_cast<std::size_t>(b)]);
      if (alike >= synonym_cosine) graph->edges.push_back({a, b, alike});
    }
  }
}

/// The facts nearest to the question, with min-max scaled scores.
index::Hits facts_asked_for(const LandscapeArm& arm, const PhraseGraph& graph,
                            const ContentStore& store) {
  const std::vector<float> asked = store.embedder.of_query(store.question);
  std::vector<double> cosines;
  for (const Fact& fact : graph.facts) {
    cosines.push_back(cosine(asked, store.embedder.of_text(graph.text_of(fact))));
  }
  const std::vector<double> scores = index::normalise(cosines, index::Normalisation::kMinMax);
  index::Hits facts;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    facts.push_back({static_cast<std::int64_t>(i), scores[i]});
  }
  index::keep_best(arm.num_facts, facts);
  facts.erase(std::remove_if(facts.begin(), facts.end(),
                             [&](const index::Hit& fact) {
                               return cosines[static_cast<std::size_t>(fact.row)] <= 0;
                             }),
              facts.end());
  return facts;
}

/// The phrases of the facts, weighed.
index::Hits phrases_asked_for(const LandscapeArm& arm, const PhraseGraph& graph,
                              const index::Hits& facts) {
  std::vector<double> sum(graph.phrases.size(), 0), count(graph.phrases.size(), 0);
  for (const index::Hit& hit : facts) {
    const Fact& fact = graph.facts[static_cast<std::size_t>(hit.row)];
    for (const std::int64_t phrase : {fact.a, fact.b}) {
      const auto p = static_cast<std::size_t>(phrase);
      sum[p] += hit.score / static_cast<double>(graph.notes_of[p].size());
      count[p] += 1;
    }
  }
  index::Hits phrases;
  for (std::size_t p = 0; p < sum.size(); ++p) {
    if (count[p] > 0) phrases.push_back({static_cast<std::int64_t>(p), sum[p] / count[p]});
  }
  index::keep_best(arm.num_phrases, phrases);
  return phrases;
}

}  // namespace

std::vector<std::string> texts_of_graph(const std::vector<LandscapeNote>& notes) {
  const PhraseGraph graph = graph_of(notes);
  std::vector<std::string> texts = graph.phrases;
  for (const Fact& fact : graph.facts) texts.push_back(graph.text_of(fact));
  return texts;
}

index::Hits rank_by_graph(const LandscapeArm& arm, const ContentStore& store,
                          const index::Hits& dense) {
  const std::vector<LandscapeNote>& notes = store.notes;
  PhraseGraph graph = graph_of(notes);
  join_synonyms(arm.synonym_cosine, store.embedder, &graph);
  const index::Hits facts = facts_asked_for(arm, graph, store);
  if (facts.empty()) return dense;
  std::vector<double> reset(graph.phrases.size() + notes.size(), 0);
  for (const index::Hit& phrase : phrases_asked_for(arm, graph, facts)) {
    reset[static_cast<std::size_t>(phrase.row)] = phrase.score;
  }
  std::vector<double> own;
  for (const index::Hit& hit : dense) own.push_back(hit.score);
  own = index::normalise(own, index::Normalisation::kMinMax);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    reset[graph.phrases.size() + static_cast<std::size_t>(dense[i].row)] =
        arm.passage_weight * own[i];
  }
  // All facts score alike where there is but one, or where none stands out from the others.
  if (std::all_of(reset.begin(), reset.end(), [](double r) { return r == 0; })) return dense;
  index::PageRankOptions options;
  options.damping = arm.damping;
  const index::PageRank ranks =
      index::PageRankGraph(static_cast<std::int64_t>(reset.size()), graph.edges)
          .rank(reset, options);
  index::Hits hits;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    hits.push_back({static_cast<std::int64_t>(i), ranks.p[graph.phrases.size() + i]});
  }
  index::keep_best(static_cast<std::int64_t>(notes.size()), hits);
  return hits;
}

}  // namespace sightline::host
