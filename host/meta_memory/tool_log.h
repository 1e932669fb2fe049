// What the log of a question tells of a call (session.h): arguments that the tool service takes as
// they stand (tool_schema.h), and what it would answer to them. Internal: its users need nlohmann's
// library.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "host/meta_memory/memory_integration.h"
#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"

namespace sightline::host {

struct LoggedCall {
  nlohmann::ordered_json arguments, result;
};

/// Of entries: id, similarity, verified, probability, position, time, caption and matched
/// attributes; no embeddings. [num_queries]
nlohmann::ordered_json ssr_results(const EntryTable& entries, const std::vector<Retrieved>& found);
/// Radius, entries within it, and those of them that were kept.
nlohmann::ordered_json srr_result(const EntryTable& entries, const SrrQuery& query,
                                  const Retrieved& found);
/// The cognitive map, and what of it is the answer.
nlohmann::ordered_json mi_result(const CognitiveMap& map);

/// One call of several queries; `verifies`: images were looked at.
LoggedCall logged_ssr(const EntryTable& entries, const std::vector<SsrQuery>& queries,
                      const SsrOptions& options, bool verifies,
                      const std::vector<Retrieved>& found);
LoggedCall logged_srr(const EntryTable& entries, const std::vector<SrrQuery>& queries,
                      const SrrOptions& options, bool verifies,
                      const std::vector<Retrieved>& found);
LoggedCall logged_mi(const IntegrationRules& rules, const CognitiveMap& map);

}  // namespace sightline::host
