// Queries as text, and which memories answer them: memory_spec.h, QuerySource.
#pragma once

#include "host/memory/memory_spec.h"

namespace sightline::host {

/// Sets the queries and targets of a set whose table is there. Throws InputError naming the file
/// and line: what memory_jsonl.h and embeddings_of_lines.h say of lines, an answer or a group that
/// no memory has, embeddings of another width or by another embedder than the memories'.
void read_queries(const QuerySource& source, MemorySet* set);

}  // namespace sightline::host
