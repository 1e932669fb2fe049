#include "host/cli/memory_options.h"
#include "host/cli/options.h"

#include "host/memory/hashed_embedder.h"

namespace sightline::cli {

using namespace host;

void add_memory_options(CLI::App& command, MemoryArguments& arguments) {
  command
      .add_option("--embeddings", arguments.embeddings,
                  "Embeddings of a .jsonl (default: the .npy of the same name)")
      ->option_text("FILE.npy");
  command
      .add_option("--hashed", arguments.hashed_width,
                  "Embed the texts of a .jsonl by hashing, in so many dimensions")
      ->option_text("WIDTH")
      ->check(integer_from(1, kMaxEmbeddingWidth));
  command
      .add_option("--anchors", arguments.anchors,
                  "Anchors [n, 3] of an .fvecs (default: the .npy of the same name)")
      ->option_text("FILE.npy");
  command
      .add_option("--embedder", arguments.embedder,
                  std::string("What made the embeddings, of a file that does not say; the built-in "
                              "one is ") +
                      kHashedEmbedder)
      ->option_text("NAME");
  command
      .add_option("--memory-frame", arguments.frame,
                  "Frame of the memories, of a file that does not say (default: the world's)")
      ->option_text("y_up|z_up")
      ->check(one_of({"y_up", "z_up"}));
}

MemorySource source_of(const MemoryArguments& arguments) {
  MemorySource source;
  source.path = arguments.path;
  source.embeddings = arguments.embeddings;
  if (arguments.hashed_width > 0) source.hashed_width = arguments.hashed_width;
  source.embedder = arguments.embedder;
  source.anchors = arguments.anchors;
  if (!arguments.frame.empty()) {
    source.frame = arguments.frame == "z_up" ? Frame::kMapZUp : Frame::kSceneYUp;
  }
  return source;
}

}  // namespace sightline::cli
