// The embeddings that belong to the lines of a text file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sightline::host {

/// Lines that want an embedding each.
struct EmbeddedLines {
  std::string path;                                   ///< the file of the lines
  const std::vector<std::string>* text = nullptr;     ///< one for each line
  std::function<std::string(std::int64_t)> place_of;  ///< of a line, for messages
  std::string embeddings;                             ///< `.npy`; empty: the one beside `path`
  std::optional<std::int32_t> hashed_width;           ///< hash the texts instead
};

struct LineEmbeddings {
  std::int32_t width = 0;
  std::vector<float> values;  ///< [num_lines, width], of unit length
};

/// Throws InputError naming file and row: another number of rows than lines, too wide, NaN, a
/// vector of zeros, a text without words, or no embeddings at all.
LineEmbeddings embeddings_of(const EmbeddedLines& lines);

/// The `.npy` that embeddings_of reads; empty if it hashes.
std::string embeddings_file(const std::string& path, const std::string& embeddings,
                            const std::optional<std::int32_t>& hashed_width);

}  // namespace sightline::host
