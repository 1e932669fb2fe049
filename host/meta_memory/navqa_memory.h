// NaVQA's questions about places, asked of Meta-Memory's tools: each of the captions that its
// window holds.
//
// Meta-Memory (Mao et al.), section V.B, Table II. The pool of captions is that of navqa.h: those
// of segments that answer some question. No image is looked at and nothing is known to stand in the
// way; "here" is where the robot was when it was asked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/navqa.h"
#include "host/meta_memory/phrase_embedder.h"

namespace sightline::host {

/// A model's vectors of captions and of what questions need.
struct NavqaVectors {
  std::int32_t width = 0;
  std::vector<float> captions;  ///< [navqa.captions.size(), width], of unit length
  std::shared_ptr<const PhraseEmbedder> phrases;
};

/// `captions`: a `.npy` with a row for each line of captions_at_answers.jsonl (scripts/embed.py
/// --key caption makes it); `phrases`: navqa_texts(), with their vectors beside (PhraseTable).
/// Throws InputError for files that cannot be read, another number of rows, two widths.
NavqaVectors read_navqa_vectors(const Navqa& navqa, const std::string& captions,
                                const std::string& phrases);

/// The texts that the questions about places need embedded: each question as a whole and, if it
/// parses, what texts_to_embed() says.
std::vector<std::string> navqa_texts(const Navqa& navqa);

/// The entry of a question's memory that answers it.
struct NavqaFound {
  kernels::Vec3 position_m;
  bool is_planned = false;  ///< by the planner; else the caption most similar to the question
};

/// By semantic retrieval of the whole question (k 1) or, with `plans` and where the question parses
/// and the planner finds an entry, by the planner. Without vectors captions are hashed. None: the
/// window holds no caption.
std::optional<NavqaFound> find_in_window(const Navqa& navqa, const NavqaQuestion& question,
                                         bool plans, const NavqaVectors* vectors);

}  // namespace sightline::host
