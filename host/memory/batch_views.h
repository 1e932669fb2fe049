// Tables of memories and queries as a batch of recalls reads them.
#pragma once

#include "host/memory/gate.h"
#include "host/memory/memory_table.h"
#include "host/recall_batch.h"

namespace sightline::host {

/// Nothing is copied: the tables must outlive the batch.
inline RecallMemories batch_view(const MemoryTable& memories) {
  return {memories.size(), memories.width, memories.embeddings.data(), memories.anchor_m.data(),
          memories.time_s.data()};
}
inline RecallQueries batch_view(const QueryTable& queries) {
  return {queries.size(), queries.embeddings.data(), queries.centre_m.data(), queries.now_s.data()};
}

}  // namespace sightline::host
