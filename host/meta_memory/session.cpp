#include "host/meta_memory/session.h"

#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/error.h"

namespace sightline::host {

using Json = nlohmann::ordered_json;
std::string name_of(Tool tool) {
  return tool == Tool::kSsr ? "ssr" : tool == Tool::kSrr ? "srr" : "mi";
}

void ToolSession::check_next(Tool tool) const {
  if (calls_.empty() && tool != Tool::kSsr) {
    throw InputError("tool " + name_of(tool) + " cannot be the first call; call ssr before it");
  }
  if (calls_.size() >= kMaxSteps) {
    throw InputError("a question has at most " + std::to_string(kMaxSteps) +
                     " steps; answer from what was found");
  }
}

void ToolSession::add(ToolCall call) {
  check_next(call.tool);
  calls_.push_back(std::move(call));
}

std::int64_t ToolSession::num_checks() const {
  std::int64_t sum = 0;
  for (const ToolCall& call : calls_) sum += call.num_checks;
  return sum;
}

std::string ToolSession::json() const {
  Json steps = Json::array();
  for (const ToolCall& call : calls_) {
    Json step;
    step["step"] = steps.size() + 1;
    step["tool"] = name_of(call.tool);
    step["args"] = parse_json<Json>(call.arguments);
    step["result"] = parse_json<Json>(call.result);
    step["checks"] = call.num_checks;
    steps.push_back(std::move(step));
  }
  Json log;
  log["question"] = question_;
  log["steps"] = std::move(steps);
  log["checks"] = num_checks();
  return json_text(log);
}

}  // namespace sightline::host
