// Embeddings of notes and actions: the built-in hashed ones, or those of a model, from files.
//
// A folder of embeddings holds, for a corpus of NAME.jsonl, two files with a row for each of its
// lines: NAME.npy of the lines as notes, and NAME.queries.npy of the lines as queries, which a
// model may embed otherwise.
//
//     scripts/embed.py TEXTS/warning.jsonl FOLDER/warning.npy --model MODEL
//     scripts/embed.py TEXTS/warning.jsonl FOLDER/warning.queries.npy --model MODEL --query
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/memory/hashed_embedder.h"

namespace sightline::host {

class NoteEmbedder {
 public:
  /// Hashes.
  NoteEmbedder() = default;

  /// Takes the embeddings of the lines of `folder`/NAME.jsonl from another folder: nothing is
  /// hashed from now on. Throws InputError for a file that cannot be read, holds another number of
  /// rows than the corpus lines, or another width than files before.
  void add(const std::string& folder, const std::string& name, const std::string& embeddings);

  std::int32_t width() const { return width_; }
  /// [width], of unit length. Throw InputError for a text that no file added has.
  std::vector<float> of_note(const std::string& text) const { return of(text, notes_); }
  std::vector<float> of_action(const std::string& text) const { return of(text, actions_); }

  const std::vector<std::string>& files() const { return files_; }

 private:
  using Rows = std::map<std::string, std::vector<float>>;

  std::vector<float> of(const std::string& text, const Rows& rows) const;
  void add_file(const std::string& corpus, const std::string& path, Rows* rows);

  bool hashes_ = true;
  std::int32_t width_ = kHashedWidth;
  Rows notes_, actions_;  ///< by text
  std::vector<std::string> files_;
};

}  // namespace sightline::host
