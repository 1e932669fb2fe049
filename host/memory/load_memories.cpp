// Memories by the extension of their file, and the embeddings that belong to them.
#include <filesystem>

#include "host/error.h"
#include "host/memory/fvecs.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/memory_jsonl.h"
#include "host/memory/slm.h"
#include "host/memory/unit_embedding.h"
#include "host/world/binary_file.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

constexpr const char* kAgain = "; embed its text again or leave the memory out";

std::string npy_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".npy").string();
}

void embed_texts(std::int32_t width, MemoryTable* memories) {
  memories->width = width;
  memories->embedder = kHashedEmbedder;
  memories->embeddings.reserve(memories->id.size() * static_cast<std::size_t>(width));
  for (std::int64_t row = 0; row < memories->size(); ++row) {
    try {
      const std::vector<float> embedding =
          hashed_embedding(memories->text[static_cast<std::size_t>(row)], width);
      memories->embeddings.insert(memories->embeddings.end(), embedding.begin(), embedding.end());
    } catch (const InputError& error) {
      throw InputError(memories->place_of(row) + ": " + error.what());
    }
  }
}

void read_embeddings(const std::string& path, MemoryTable* memories) {
  NpyTable table(path);
  if (table.num_rows() != memories->size()) {
    table.fail("holds " + std::to_string(table.num_rows()) + " embeddings for the " +
               std::to_string(memories->size()) + " memories of " + memories->source +
               "; embed the texts again");
  }
  if (table.num_columns() > kMaxEmbeddingWidth) {
    table.fail("embeddings have " + std::to_string(table.num_columns()) + " dimensions; at most " +
               std::to_string(kMaxEmbeddingWidth) + " are read");
  }
  memories->width = static_cast<std::int32_t>(table.num_columns());
  memories->embeddings.resize(memories->id.size() * static_cast<std::size_t>(memories->width));
  for (std::int64_t row = 0; row < memories->size(); ++row) {
    float* unit = memories->embeddings.data() + row * static_cast<std::int64_t>(memories->width);
    if (const char* fault = to_unit_length(table.next_row(), memories->width, unit)) {
      table.fail("row " + std::to_string(row) + " (" + memories->place_of(row) + ") " + fault +
                 kAgain);
    }
  }
}

MemoryTable load_jsonl(const MemorySource& source) {
  MemoryTable memories = read_memories_jsonl(source.path, source.needs_anchors);
  if (source.hashed_width) {
    embed_texts(*source.hashed_width, &memories);
  } else {
    const std::string path = files_of(source).back();
    if (source.embeddings.empty() && !std::filesystem::exists(path)) {
      throw InputError(source.path + ": has no embeddings: " + path +
                       " does not exist; name their .npy, or have the texts embedded by hashing "
                       "(hashed: 384)");
    }
    read_embeddings(path, &memories);
  }
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
  if (source.hashed_width && !source.embeddings.empty()) {
    throw InputError(source.path +
                     ": embeddings are given, and the texts are to be hashed; "
                     "choose one");
  }
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
    files.push_back(source.embeddings.empty() ? npy_beside(source.path) : source.embeddings);
  }
  if (extension == ".fvecs") {
    files.push_back(source.anchors.empty() ? npy_beside(source.path) : source.anchors);
  }
  return files;
}

MemoryTable load_memories(const MemorySource& source) {
  const std::string extension = extension_of(source.path);
  check_source(source, extension);
  MemoryTable memories;
  if (extension == ".jsonl") {
    memories = load_jsonl(source);
  } else if (extension == ".fvecs") {
    memories = read_memories_fvecs(source.path, files_of(source).back());
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
