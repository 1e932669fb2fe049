#include "host/studies/text_embedder.h"

#include <filesystem>

#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/json_lines.h"

namespace sightline::host {

std::vector<std::string> TextEmbedder::read_list(const std::string& list) {
  std::vector<std::string> texts;
  JsonLines lines(list);
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "scenario", "role", "object", "text"});
    const auto text = line.text("text");
    if (!text) line.fail_missing("text", "\"text\": \"Mow the meadow.\"");
    texts.push_back(*text);
  }
  return texts;
}

void TextEmbedder::add(const std::string& list, const std::vector<std::string>& texts,
                       const std::string& stem) {
  files_.push_back(list);
  add_file(list, texts, stem + ".npy", &texts_);
  const std::string queries = stem + ".queries.npy";
  std::error_code unreadable;
  if (std::filesystem::exists(queries, unreadable)) add_file(list, texts, queries, &queries_);
}

void TextEmbedder::add_file(const std::string& list, const std::vector<std::string>& texts,
                            const std::string& path, Rows* rows) {
  EmbeddedLines lines;
  lines.path = list;
  lines.text = &texts;
  lines.place_of = [&](std::int64_t i) { return list + ", text " + std::to_string(i + 1); };
  lines.embeddings = path;
  const LineEmbeddings read = embeddings_of(lines);
  if (!hashes_ && read.width != width_) {
    throw InputError(path + ": has " + std::to_string(read.width) +
                     " dimensions, files before it " + std::to_string(width_) +
                     "; embed all alike");
  }
  hashes_ = false;
  width_ = read.width;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto first = read.values.begin() + static_cast<std::ptrdiff_t>(i) * width_;
    (*rows)[texts[i]] = std::vector<float>(first, first + width_);
  }
  files_.push_back(path);
}

std::vector<float> TextEmbedder::of(const std::string& text, const Rows& rows) const {
  if (hashes_) return hashed_embedding(text);
  const auto row = rows.find(text);
  if (row != rows.end()) return row->second;
  throw InputError("no file of embeddings has the text \"" + text +
                   "\"; list the texts anew (sightline texts) and embed that list");
}

std::vector<float> TextEmbedder::of_query(const std::string& text) const {
  const auto row = queries_.find(text);
  return row == queries_.end() ? of_text(text) : row->second;
}

bool hashes_texts(const ConfigValue& arm, const TextEmbedder& embedder) {
  const ConfigValue* which = arm.find("embedder");
  if (!which) return embedder.hashes();
  enum { kHashed, kModel };
  const bool hashes = which->as_choice({"hashed", "model"}) == kHashed;
  if (!hashes && embedder.hashes()) {
    which->fail("is model, and the study names no embeddings; give it embeddings: FOLDER");
  }
  return hashes;
}

}  // namespace sightline::host
