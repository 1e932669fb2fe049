// Settings that the studies over notes share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/studies/note_recall.h"
#include "host/studies/study.h"

namespace sightline::host {

struct NoteSettings {
  std::string folder;
  std::int64_t paraphrase = 0, top_k = 3;
  std::vector<NoteArm> arms;
  TextEmbedder embedder;
  std::uint64_t seed = 0;

  /// Of the corpora `names`, and of their embeddings.
  std::vector<std::string> files;
  std::string file(const std::string& name) const { return folder + "/" + name + ".jsonl"; }
};

/// `texts`, `paraphrase`, `top_k` and `embeddings` of a study over the corpora `names`, and its
/// arms. Throws InputError at the first that is bad.
NoteSettings parse_note_settings(const StudySettings& settings,
                                 const std::vector<std::string>& names);

}  // namespace sightline::host
