// The log of one question: which tools were called, with what, and what it cost.
//
// Meta-Memory (Mao et al.), section III.B: semantic retrieval is mandatory, spatial range and
// integration are optional. The number of steps is not given; 8 at most here.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"

namespace sightline::host {

enum class Tool : std::uint8_t { kSsr, kSrr, kMi };
std::string name_of(Tool tool);  ///< "ssr", "srr", "mi"

struct ToolCall {
  Tool tool = Tool::kSsr;
  std::int64_t num_checks = 0;  ///< images looked at
  nlohmann::ordered_json arguments, result;
};

class Session {
 public:
  static constexpr std::size_t kMaxSteps = 8;

  explicit Session(std::string question) : question_(std::move(question)) {}

  /// Throws InputError unless this tool may be called next: SSR first, at most kMaxSteps calls.
  void check_next(Tool tool) const;
  /// Logs a call that was made. Throws as check_next() does.
  void add(ToolCall call);

  const std::vector<ToolCall>& calls() const { return calls_; }
  std::int64_t num_checks() const;  ///< of all calls
  /// {question, steps: [{step, tool, args, result, checks}], checks}
  nlohmann::ordered_json json() const;

 private:
  std::string question_;
  std::vector<ToolCall> calls_;
};

/// A call as the log shows it. Of entries: id, similarity, verified, probability, position, time,
/// caption and matched attributes; no embeddings.
ToolCall logged_ssr(const EntryTable& entries, const SsrQuery& query, const SsrOptions& options,
                    const Retrieved& found);
ToolCall logged_srr(const EntryTable& entries, const SrrQuery& query, const SrrOptions& options,
                    const Retrieved& found);

}  // namespace sightline::host
