// What the log of a question tells of a call (session.h). Internal: its users need nlohmann's
// library.
#pragma once

#include <nlohmann/json.hpp>

#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"

namespace sightline::host {

struct LoggedCall {
  nlohmann::ordered_json arguments, result;
};

/// A call as the log shows it. Of entries: id, similarity, verified, probability, position, time,
/// caption and matched attributes; no embeddings.
LoggedCall logged_ssr(const EntryTable& entries, const SsrQuery& query, const SsrOptions& options,
                      const Retrieved& found);
LoggedCall logged_srr(const EntryTable& entries, const SrrQuery& query, const SrrOptions& options,
                      const Retrieved& found);

}  // namespace sightline::host
