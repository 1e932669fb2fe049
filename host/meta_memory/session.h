// The log of one question: which tools were called, with what, and what it cost.
//
// Meta-Memory (Mao et al.), section III.B: semantic retrieval is mandatory, spatial range and
// integration are optional. The number of steps is not given; 8 at most here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sightline::host {

enum class Tool : std::uint8_t { kSsr, kSrr, kMi };
std::string name_of(Tool tool);  ///< "ssr", "srr", "mi"

struct ToolCall {
  Tool tool = Tool::kSsr;
  std::int64_t num_checks = 0;                      ///< images looked at
  std::string arguments = "null", result = "null";  ///< JSON
};

class ToolSession {
 public:
  static constexpr std::size_t kMaxSteps = 8;

  explicit ToolSession(std::string question) : question_(std::move(question)) {}

  /// Throws InputError unless this tool may be called next: SSR first, at most kMaxSteps calls.
  void check_next(Tool tool) const;
  /// Logs a call that was made. Throws as check_next() does.
  void add(ToolCall call);

  const std::vector<ToolCall>& calls() const { return calls_; }
  std::int64_t num_checks() const;  ///< of all calls
  /// {"question", "steps": [{"step", "tool", "args", "result", "checks"}], "checks"}, one line
  std::string json() const;

 private:
  std::string question_;
  std::vector<ToolCall> calls_;
};

}  // namespace sightline::host
