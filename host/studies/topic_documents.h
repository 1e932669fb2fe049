// Documents sorted into topics that cite each other (configs/corpora/topics/README.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

/// One column per field, [size()].
struct TopicDocuments {
  std::string path;
  std::vector<std::string> texts;
  std::vector<std::int64_t> topics;  ///< numbered in the order of the file
  std::vector<std::vector<std::int64_t>> cites;
  std::int32_t width = 0;         ///< of the embeddings
  std::vector<float> embeddings;  ///< [size(), width], of unit length
  std::string embeddings_path;    ///< empty: hashed (hashed_embedder.h)

  std::int64_t size() const { return static_cast<std::int64_t>(texts.size()); }
  const float* embedding(std::int64_t row) const { return embeddings.data() + row * width; }
  /// Rows of documents that cite another one, ascending.
  std::vector<std::int64_t> citing() const;
};

/// Lines of `id` (from 0, in order), `topic`, `text` and `cites`, not yet embedded. Throws
/// InputError, with the line, for one that is out of order, cites itself, a document twice or none
/// that there is; and for a file in which none cites another.
TopicDocuments read_topic_documents(const std::string& path);

/// `embeddings`: a `.npy` of a row for each document; null: hashed. Throws InputError, at the
/// setting, for a file that cannot be read or has other rows.
void embed_documents(const ConfigValue* embeddings, TopicDocuments* documents);

}  // namespace sightline::host
