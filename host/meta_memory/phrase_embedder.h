// What embeds the words of a question as the captions of a memory were embedded: hashed words, or a
// table of texts with a model's vectors.
//
// Meta-Memory (Mao et al.), section III.B.1, embeds what is looked for by the model that embedded
// the captions. No model runs here: the texts that questions need are written to a file
// (texts_file()), a program of the user's embeds them (scripts/embed.py), and PhraseTable reads
// both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/meta_memory/entries.h"
#include "host/meta_memory/query.h"

namespace sightline::host {

class PhraseEmbedder {
 public:
  virtual ~PhraseEmbedder() = default;
  virtual std::int32_t width() const = 0;
  /// [width()], of unit length. Throws InputError for a text that it cannot embed.
  virtual std::vector<float> embed(const std::string& text) const = 0;
};

/// hashed_embedder.h, of a text without the places in it (caption_places.h): what captions are
/// embedded by unless vectors of them are given.
class HashedPhrases : public PhraseEmbedder {
 public:
  explicit HashedPhrases(std::int32_t width) : width_(width) {}
  std::int32_t width() const override { return width_; }
  /// Throws InputError for a text without words.
  std::vector<float> embed(const std::string& text) const override;

 private:
  std::int32_t width_;
};

/// Texts, {"id": 0, "text": "red mug"} a line (id may be left out), and their vectors: row i of
/// the `.npy` beside the file, float16, float32 or float64 [n, width], is of line i.
class PhraseTable : public PhraseEmbedder {
 public:
  /// `path`: NAME.jsonl; vectors are read from `embeddings`, if empty from NAME.npy. Throws
  /// InputError with file and line or row: no text, one that is there twice, another number of rows
  /// than lines, a vector without a direction.
  explicit PhraseTable(const std::string& path, const std::string& embeddings = "");

  std::int32_t width() const override { return width_; }
  /// Throws InputError naming a text that the file lacks, and how to embed it.
  std::vector<float> embed(const std::string& text) const override;

 private:
  std::string path_;
  std::int32_t width_ = 0;
  std::vector<float> vectors_;  ///< [num_texts, width]
  std::unordered_map<std::string, std::size_t> row_of_;
};

/// Has embed_text() of this table ask `embedder` from now on. Throws InputError for another width,
/// and for a table of hashed captions, whose questions are hashed as well.
void embed_questions_by(std::shared_ptr<const PhraseEmbedder> embedder, EntryTable* table);

/// The texts that must be embedded to answer a query, each once: its noun phrases, and of one that
/// asks for a colour or a material, the phrase with each that there is.
std::vector<std::string> phrases_of(const Query& query);

/// All texts that must be embedded to answer queries from these entries, each once: phrases_of()
/// each, and the names of all classes that captions name, around which one looks for what was not
/// found (planner.h).
std::vector<std::string> texts_to_embed(const std::vector<Query>& queries,
                                        const EntryTable& entries);

/// Texts in the order in which they come first.
std::vector<std::string> each_once(const std::vector<std::string>& texts);

/// {"id": 0, "text": "red mug"} a line, for a program that embeds them.
std::string texts_file(const std::vector<std::string>& texts);

}  // namespace sightline::host
