#include "host/studies/note_embedder.h"

#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/json_lines.h"

namespace sightline::host {
namespace {

std::vector<std::string> texts_of(const std::string& corpus) {
  std::vector<std::string> texts;
  JsonLines lines(corpus);
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "scenario", "role", "object", "text"});
    const auto text = line.text("text");
    if (!text) line.fail_missing("text", "\"text\": \"Mow the meadow.\"");
    texts.push_back(*text);
  }
  return texts;
}

}  // namespace

void NoteEmbedder::add(const std::string& folder, const std::string& name,
                       const std::string& embeddings) {
  const std::string corpus = folder + "/" + name + ".jsonl", rows = embeddings + "/" + name;
  add_file(corpus, rows + ".npy", &notes_);
  add_file(corpus, rows + ".queries.npy", &actions_);
}

void NoteEmbedder::add_file(const std::string& corpus, const std::string& path, Rows* rows) {
  const std::vector<std::string> texts = texts_of(corpus);
  EmbeddedLines lines;
  lines.path = corpus;
  lines.text = &texts;
  lines.place_of = [&](std::int64_t i) { return corpus + ", text " + std::to_string(i + 1); };
  lines.embeddings = path;
  const LineEmbeddings read = embeddings_of(lines);
  if (!hashes_ && read.width != width_) {
    throw InputError(path + ": has " + std::to_string(read.width) + " dimensions, " +
                     files_.front() + " " + std::to_string(width_) + "; embed both alike");
  }
  hashes_ = false;
  width_ = read.width;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto first = read.values.begin() + static_cast<std::ptrdiff_t>(i) * width_;
    (*rows)[texts[i]] = std::vector<float>(first, first + width_);
  }
  files_.push_back(path);
}

std::vector<float> NoteEmbedder::of(const std::string& text, const Rows& rows) const {
  if (hashes_) return hashed_embedding(text);
  const auto row = rows.find(text);
  if (row != rows.end()) return row->second;
  throw InputError("no file of embeddings has the text \"" + text + "\"");
}

}  // namespace sightline::host
