// Memories by the extension of their file, and the embeddings that belong to them.
#include <filesystem>
#include <utility>

#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/fvecs.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/memory_jsonl.h"
#include "host/memory/slm.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

/// The `.npy` of an `.fvecs`.
std::string anchors_file(const MemorySource& source) {
  if (!source.anchors.empty()) return source.anchors;
  return std::filesystem::path(source.path).replace_extension(".npy").string();
}

/// Hashing embeds the words of a memory, which embeddings in a file do without.
void require_texts(const MemoryTable& memories) {
  for (std::int64_t row = 0; row < memories.size(); ++row) {
    if (!memories.text[static_cast<std::size_t>(row)].empty()) continue;
    throw InputError(memories.place_of(row) +
                     ": text is missing or empty; write \"text\": \"...\", or give embeddings");
  }
}

bool lacks_embeddings(const MemorySource& source) {
  return !source.hashed_width && source.embeddings.empty() &&
         !is_there(embeddings_file(source.path, "", std::nullopt));
}

MemoryTable load_jsonl(const MemorySource& source) {
  MemoryTable memories = read_memories_jsonl(source.path, source.needs_anchors);
  if (!source.needs_embeddings && lacks_embeddings(source)) {
    memories.width = 1;
    memories.embeddings = std::vector<float>(memories.id.size(), 1.0f);
    sort_by_id(&memories);
    return memories;
  }
  if (source.hashed_width) require_texts(memories);
  EmbeddedLines lines;
  lines.path = source.path;
  lines.text = &memories.text;
  lines.place_of = [&](std::int64_t row) { return memories.place_of(row); };
  lines.embeddings = source.embeddings;
  lines.hashed_width = source.hashed_width;
  LineEmbeddings embeddings = embeddings_of(lines);
  memories.width = embeddings.width;
  memories.embeddings = std::move(embeddings.values);
  if (source.hashed_width) memories.embedder = kHashedEmbedder;
  sort_by_id(&memories);
  return memories;
}

/// Refuses what the format of the file has no use for.
void check_source(const MemorySource& source, const std::string& extension) {
  const auto refuse = [&](bool given, const char* what, const char* of) {
    if (given) {
      throw InputError(source.path + ": " + what + " are given, which only " + of + " takes");
    }
  };
  const bool is_jsonl = extension == ".jsonl";
  refuse(!is_jsonl && !source.embeddings.empty(), "embeddings", ".jsonl");
  refuse(!is_jsonl && source.hashed_width, "hashed embeddings", ".jsonl");
  refuse(extension != ".fvecs" && !source.anchors.empty(), "anchors", ".fvecs");
}

/// What the file says wins, and must not be contradicted.
void add_what_is_not_said(const MemorySource& source, MemoryTable* memories) {
  if (memories->frame && source.frame && *memories->frame != *source.frame) {
    throw InputError(source.path +
                     ": says itself which frame it is in, another one; leave frame out");
  }
  if (!memories->frame) memories->frame = source.frame;
  if (source.embedder.empty() || source.embedder == memories->embedder) return;
  if (!memories->embedder.empty()) {
    throw InputError(source.path + ": its embeddings were made by " + memories->embedder +
                     ", not by " + source.embedder + "; leave embedder out");
  }
  memories->embedder = source.embedder;
}

}  // namespace

std::vector<std::string> files_of(const MemorySource& source) {
  const std::string extension = extension_of(source.path);
  std::vector<std::string> files{source.path};
  if (extension == ".jsonl" && !source.hashed_width) {
    files.push_back(embeddings_file(source.path, source.embeddings, std::nullopt));
  }
  if (extension == ".fvecs") files.push_back(anchors_file(source));
  return files;
}

MemoryTable load_memories(const MemorySource& source) {
  const std::string extension = extension_of(source.path);
  check_source(source, extension);
  MemoryTable memories;
  if (extension == ".jsonl") {
    memories = load_jsonl(source);
  } else if (extension == ".fvecs") {
    memories = read_memories_fvecs(source.path, anchors_file(source));
  } else if (extension == ".slm") {
    memories = read_slm(source.path);
  } else {
    throw InputError(source.path + ": memories are read from .slm, .jsonl and .fvecs files");
  }
  add_what_is_not_said(source, &memories);
  check_memories(memories);
  return memories;
}

MemoryTable load_memories(const std::string& path) {
  MemorySource source;
  source.path = path;
  return load_memories(source);
}

}  // namespace sightline::host
