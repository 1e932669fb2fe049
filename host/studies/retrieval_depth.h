// Is the note on an object surfaced for the action on it, and how deep must one look?
//
//     study:
//       retrieval_depth:
//         texts: configs/corpora/flattening   # warning, resume and episodes
//         paraphrase: 0                       # set 0 to 19 (note_texts.h)
//         top_k: 3                            # of flattened arms that name none
//         embeddings: FOLDER                  # absent, null: hashed (text_embedder.h)
//
// The store holds all notes of the scenarios of `warning`, the progress notes of `resume` and the
// episodes: 216 memories. A trial is a scenario of `warning` that has a note; right is an arm
// (note_recall.h) that surfaces it.
//
// What Spatial Memory Must Store (2026), section 7 (E2).
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

std::unique_ptr<Study> make_retrieval_depth(const StudySettings& settings);

}  // namespace sightline::host
