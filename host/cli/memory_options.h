// Options that say which memories, and what their file leaves open.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "host/memory/memory_table.h"

namespace sightline::cli {

struct MemoryArguments {
  std::string path, embeddings, anchors, embedder, frame;
  std::int32_t hashed_width = 0;  ///< 0: not given
};

/// What `path` is called in a help: the formats that are read.
constexpr const char* kMemoryFiles = "Memories: .slm, .jsonl or .fvecs";

/// --embeddings, --hashed, --anchors, --embedder and --memory-frame.
void add_memory_options(CLI::App& command, MemoryArguments& arguments);

host::MemorySource source_of(const MemoryArguments& arguments);

}  // namespace sightline::cli
