// The landscape of memory methods: what can be answered without geometry?
//
//     study:
//       landscape:
//         texts: configs/corpora/landscape   folder of DOMAIN.jsonl (landscape_texts.h)
//         domain: village
//         type: occlusion                    relation, near_duplicate, multi_region, control
//         trials: 160                        (default)
//         paraphrase: 0.7                    (default) of the control's questions
//         truth_step_m: 0.05                 (default) of occlusion
//         embeddings: FOLDER                 of texts.jsonl (`sightline texts`) and texts.npy, as
//                                            text_embedder.h has them; absent, null: hashed
//     arms: {bm25: {answer: bm25}, ...}      landscape_arms.h
//
// What Spatial Memory Must Store (2026), section 6.5. Each trial has a world of its own and a store
// of two to ten notes.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_landscape(const StudySettings& settings);

}  // namespace sightline::host
