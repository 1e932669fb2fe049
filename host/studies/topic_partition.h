// Retrieval that routes by topic, scored by citations: what is no evidence about space.
//
//     study:
//       topic_partition:
//         documents: configs/corpora/topics/documents.jsonl   # topic_documents.h
//         embeddings: FILE.npy                                # absent: hashed
//         top_k: 10
//     arms: {route: {answer: route}, ...}                     # topic_search.h
//
// A trial is a document that cites others: its text is the question, itself left out of the corpus.
// The score is recall@k: the share of the cited among the first k. Right is a trial in which at
// least one of them was found.
//
// What Spatial Memory Must Store (2026), section 4.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

std::unique_ptr<Study> make_topic_partition(const StudySettings& settings);

}  // namespace sightline::host
