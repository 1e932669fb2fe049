// The memories of a spec, wherever they come from.
#include "host/config/place.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/generated_memories.h"
#include "host/memory/query_file.h"

namespace sightline::host {
namespace {

MemorySet make(const FileMemories& spec, const DrawStreams& streams, const MemoryContext& context) {
  MemorySource source = source_of(spec);
  if (context.anchors_m) source.needs_anchors = false;
  MemorySet set;
  set.table = context.load ? context.load(source) : load_memories(source);
  if (spec.layout) {
    place_memories(*spec.layout, streams, context, &set.table);
  } else {
    place_at_anchors(context, &set.table);
  }
  draw_traits(spec.traits, streams, &set);
  return set;
}

template <typename Generator>
MemorySet make(const Generator& spec, const DrawStreams& streams, const MemoryContext& context) {
  return generate(spec, streams, context);
}

}  // namespace

MemorySet make_memories(const MemorySpec& spec, const MemoryContext& context) {
  MemorySet set = at_place(spec.place, [&] {
    const DrawStreams streams{spec.seed.value_or(context.seed), context.stream};
    MemorySet made =
        std::visit([&](const auto& kind) { return make(kind, streams, context); }, spec.generator);
    check_memories(made.table, context.world);
    return made;
  });
  const auto* from_files = std::get_if<FileMemories>(&spec.generator);
  if (from_files && !from_files->queries.path.empty()) {
    at_place(from_files->queries.place, [&] { read_queries(from_files->queries, &set); });
  }
  return set;
}

void append_files(const MemorySpec& spec, std::vector<std::string>* files) {
  const auto* from_files = std::get_if<FileMemories>(&spec.generator);
  if (!from_files) return;
  for (const std::string& file : files_of(from_files->source)) files->push_back(file);
  const QuerySource& queries = from_files->queries;
  if (queries.path.empty()) return;
  files->push_back(queries.path);
  const std::string embeddings =
      embeddings_file(queries.path, queries.embeddings, queries.hashed_width);
  if (!embeddings.empty()) files->push_back(embeddings);
}

}  // namespace sightline::host
