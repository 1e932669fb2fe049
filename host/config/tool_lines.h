// Lines of a tool service: a JSON object in, a JSON object out. For a language model, or any
// program, to drive.
//
//     {"id": 7, "tool": "ssr", "args": {"queries": [{"text": "the red mug"}], "k": 5}}
//     {"id": 7, "result": {...}}
//     {"id": 8, "error": {"code": "bad_argument", "at": "args.k", "message": "..."}}
//
// Codes: malformed_line (no JSON), bad_request (no request), unknown_tool, bad_argument, refused
// (not now, or not with this), and a service's own (tool_set.h).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "host/config/tool_set.h"
#include "host/error.h"

namespace sightline::host {

constexpr std::size_t kMaxToolLineBytes = 16u << 20;

/// A request that cannot be answered, with its code; `more` is told beside the message.
class RequestError : public InputError {
 public:
  RequestError(const char* code, std::string at, const std::string& message,
               nlohmann::ordered_json more = nlohmann::ordered_json::object())
      : InputError(message), code_(code), at_(std::move(at)), more_(std::move(more)) {}
  const char* code() const { return code_; }
  const std::string& at() const { return at_; }
  const nlohmann::ordered_json& more() const { return more_; }

 private:
  const char* code_;
  std::string at_;
  nlohmann::ordered_json more_;
};

/// Does a call whose arguments are of the tool's schema. May throw InputError: a refusal.
using CallTool = std::function<nlohmann::ordered_json(const std::string& tool,
                                                      const nlohmann::ordered_json& arguments)>;

/// One object, without a line end: a result or an error, whatever the line holds.
std::string answer_tool_line(const ToolSet& tools, const std::string& line, const CallTool& call);

template <class T>
T value_or(const nlohmann::ordered_json& map, const char* key, T otherwise) {
  return map.contains(key) ? map.at(key).get<T>() : otherwise;
}

}  // namespace sightline::host
