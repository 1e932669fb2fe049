// Embeddings of the texts of a study: the built-in hashed ones, or those of a model, from files.
//
// To a list of texts NAME.jsonl, {"id": 0, "text": "..."} a line, belong files with a row for each
// of its lines: STEM.npy of the lines as notes and, where a model embeds questions otherwise,
// STEM.queries.npy of the lines as queries.
//
//     scripts/embed.py TEXTS/warning.jsonl FOLDER/warning.npy --model MODEL
//     scripts/embed.py TEXTS/warning.jsonl FOLDER/warning.queries.npy --model MODEL --query
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/memory/hashed_embedder.h"

namespace sightline::host {

class TextEmbedder {
 public:
  /// Hashes.
  TextEmbedder() = default;

  /// The texts of a list. Throws InputError with file and line.
  static std::vector<std::string> read_list(const std::string& list);
  /// Takes the rows of `stem`.npy and, if it is there, `stem`.queries.npy for the texts of `list`:
  /// nothing is hashed from now on. Throws InputError for a file that cannot be read, holds another
  /// number of rows than there are texts, or another width than files before.
  void add(const std::string& list, const std::vector<std::string>& texts, const std::string& stem);

  bool hashes() const { return hashes_; }
  std::int32_t width() const { return width_; }
  /// [width], of unit length. Throw InputError for a text that no list has.
  std::vector<float> of_text(const std::string& text) const { return of(text, texts_); }
  /// Of a question; as of_text() where no file has queries.
  std::vector<float> of_query(const std::string& text) const;

  /// All that were read, lists among them.
  const std::vector<std::string>& files() const { return files_; }

 private:
  using Rows = std::map<std::string, std::vector<float>>;

  std::vector<float> of(const std::string& text, const Rows& rows) const;
  void add_file(const std::string& list, const std::vector<std::string>& texts,
                const std::string& path, Rows* rows);

  bool hashes_ = true;
  std::int32_t width_ = kHashedWidth;
  Rows texts_, queries_;
  std::vector<std::string> files_;
};

/// `embedder: hashed | model` of an arm, in a study whose texts `embedder` embeds: does the arm
/// hash them all the same? Throws InputError for `model` where the study names no embeddings.
bool hashes_texts(const ConfigValue& arm, const TextEmbedder& embedder);

}  // namespace sightline::host
