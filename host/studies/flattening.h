// What an agent does with a memory bound to its object, and with the same memory flattened to text.
//
//     study:
//       flattening:
//         texts: configs/corpora/flattening   # a folder: TASK.jsonl
//         task: warning                       # resume, upstream_fix, handoff
//         paraphrase: 0                       # set 0 to 19 (note_texts.h)
//         top_k: 3                            # of flattened arms that name none
//         embeddings: FOLDER                  # absent, null: hashed (text_embedder.h)
//         loop: {rounds: 2}                   # absent: each action once, by itself (action_loop.h)
//
// A trial is a scenario: the agent is about to act on an object; what an arm surfaces
// (note_recall.h) is computed, what the agent decides is the rule of note_reader.h. Right is to
// hold back (refuse, continue, look upstream, defer) where a note is bound to the object, else to
// go on. The store holds the notes of all scenarios of the task.
//
// What Spatial Memory Must Store (2026), sections 6.6, 6.7 and 7 (E1).
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

std::unique_ptr<Study> make_flattening(const StudySettings& settings);

}  // namespace sightline::host
