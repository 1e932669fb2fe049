#include "host/memory/embeddings_of_lines.h"

#include <filesystem>

#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/memory_table.h"
#include "host/memory/unit_embedding.h"
#include "host/world/binary_file.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

LineEmbeddings hash_texts(const EmbeddedLines& lines) {
  LineEmbeddings embeddings;
  embeddings.width = *lines.hashed_width;
  const std::vector<std::string>& texts = *lines.text;
  for (std::size_t line = 0; line < texts.size(); ++line) {
    try {
      const std::vector<float> values = hashed_embedding(texts[line], embeddings.width);
      embeddings.values.insert(embeddings.values.end(), values.begin(), values.end());
    } catch (const InputError& error) {
      throw InputError(lines.place_of(static_cast<std::int64_t>(line)) + ": " + error.what());
    }
  }
  return embeddings;
}

LineEmbeddings read_rows(const EmbeddedLines& lines, const std::string& path) {
  NpyTable table(path);
  const auto num_lines = static_cast<std::int64_t>(lines.text->size());
  if (table.num_rows() != num_lines) {
    table.fail("holds " + std::to_string(table.num_rows()) + " embeddings for the " +
               std::to_string(num_lines) + " objects of " + lines.path + "; embed the texts again");
  }
  if (table.num_columns() > kMaxEmbeddingWidth) {
    table.fail("embeddings have " + std::to_string(table.num_columns()) + " dimensions; at most " +
               std::to_string(kMaxEmbeddingWidth) + " are read");
  }
  LineEmbeddings embeddings;
  embeddings.width = static_cast<std::int32_t>(table.num_columns());
  embeddings.values.resize(static_cast<std::size_t>(num_lines * table.num_columns()));
  for (std::int64_t row = 0; row < num_lines; ++row) {
    float* unit = embeddings.values.data() + row * table.num_columns();
    if (const char* fault = to_unit_length(table.next_row(), embeddings.width, unit)) {
      table.fail("row " + std::to_string(row) + " (" + lines.place_of(row) + ") " + fault +
                 "; embed its text again or leave it out");
    }
  }
  return embeddings;
}

}  // namespace

std::string embeddings_file(const std::string& path, const std::string& embeddings,
                            const std::optional<std::int32_t>& hashed_width) {
  if (hashed_width) return "";
  if (!embeddings.empty()) return embeddings;
  return std::filesystem::path(path).replace_extension(".npy").string();
}

LineEmbeddings embeddings_of(const EmbeddedLines& lines) {
  if (lines.hashed_width && !lines.embeddings.empty()) {
    throw InputError(lines.path +
                     ": embeddings are given, and the texts are to be hashed; choose one");
  }
  if (lines.hashed_width) return hash_texts(lines);
  const std::string path = embeddings_file(lines.path, lines.embeddings, lines.hashed_width);
  if (lines.embeddings.empty() && !is_there(path)) {
    throw InputError(lines.path + ": has no embeddings: " + path +
                     " does not exist; name their .npy, or have the texts embedded by hashing "
                     "(hashed: 384 in a sweep file, --hashed 384)");
  }
  return read_rows(lines, path);
}

}  // namespace sightline::host
