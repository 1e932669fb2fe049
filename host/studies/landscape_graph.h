// HippoRAG 2's ranking of the notes of a trial, but for its language model.
#pragma once

#include <string>
#include <vector>

#include "host/studies/landscape_arms.h"
#include "index/hit.h"

namespace sightline::host {

/// Personalised PageRank over phrases and notes (Gutiérrez et al. 2025). A note has the phrases
/// that it was made of and two facts, (thing, material) and (thing, activity): what a language
/// model would have extracted. Edges: phrases of a fact, a note and its phrases, each 1 a time, and
/// phrases whose cosine is synonym_cosine or more. The facts nearest to the question, num_facts of
/// them, weigh their phrases by score over the number of notes that hold the phrase, averaged;
/// num_phrases are kept. A fact without anything in common with the question (cosine 0 or less) is
/// left out, in place of the model's filter; with none left, `dense` is the ranking. Its scores,
/// min-max scaled times passage_weight, are the notes' own reset. `dense` holds every note.
index::Hits rank_by_graph(const LandscapeArm& arm, const ContentStore& store,
                          const index::Hits& dense);

/// Every text that rank_by_graph embeds of such notes: their phrases, and their facts.
std::vector<std::string> texts_of_graph(const std::vector<LandscapeNote>& notes);

}  // namespace sightline::host
