#include "host/config/tool_lines.h"

#include "host/config/json_keys.h"
#include "host/config/json_text.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 32;  // no call is nested deeper

/// Throws RequestError for what is no JSON, or nested deeper than any call needs. `*doubled`: a key
/// under which it says two things.
Json parse_request(const std::string& line, std::string* doubled) {
  DoubledKeys keys;
  const auto note = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMostDepth) {
      throw RequestError("malformed_line", "line",
                         "the line is nested deeper than any call; write one object a line");
    }
    keys.note(event, parsed);
    return true;
  };
  try {
    Json request = Json::parse(line, note);
    *doubled = keys.doubled();
    return request;
  } catch (const nlohmann::json::exception& error) {
    throw RequestError(
        "malformed_line", "line",
        "the line is no JSON: " + json_fault(error.what()) + "; write one object a line");
  }
}

/// Null for a request without one.
Json id_of(const Json& request) {
  if (!request.is_object() || !request.contains("id")) return nullptr;
  const Json& id = request.at("id");
  return id.is_string() || id.is_number_integer() ? id : Json(nullptr);
}

/// The tool that a request names.
std::string tool_of(const Json& request, const ToolSet& tools) {
  if (!request.is_object()) {
    throw RequestError("bad_request", "line",
                       "is no object; write {\"id\": 1, \"tool\": \"" + tools.names().front() +
                           "\", \"args\": {...}}");
  }
  for (const auto& member : request.items()) {
    const std::string& key = member.key();
    if (key == "id" || key == "tool" || key == "args") continue;
    throw RequestError("bad_request", key,
                       "\"" + key +
                           "\" is unknown; a request has id, tool "
                           "and args");
  }
  if (request.contains("id") && id_of(request).is_null() && !request.at("id").is_null()) {
    throw RequestError("bad_request", "id", "id must be a whole number or a text");
  }
  if (!request.contains("tool") || !request.at("tool").is_string()) {
    throw RequestError(
        "bad_request", "tool",
        "tool is missing or no text; name one, \"tool\": \"" + tools.names().front() + "\"");
  }
  std::string tool = request.at("tool");
  try {
    tools.argument_schema(tool);
  } catch (const InputError& error) {
    throw RequestError("unknown_tool", "tool", error.what());
  }
  return tool;
}

/// What a language model reads when a call fails.
Json error_json(const char* code, const std::string& at, const std::string& message) {
  return {{"code", code}, {"at", at}, {"message", message}};
}

}  // namespace

std::string answer_tool_line(const ToolSet& tools, const std::string& line, const CallTool& call) {
  Json reply{{"id", nullptr}};
  try {
    if (line.size() > kMaxToolLineBytes) {
      throw RequestError("malformed_line", "line", "the line is longer than 16 MiB; ask for less");
    }
    std::string doubled;
    const Json request = parse_request(line, &doubled);
    reply["id"] = doubled == "id" ? Json(nullptr) : id_of(request);
    if (!doubled.empty()) {
      throw RequestError("malformed_line", "line",
                         "key \"" + doubled + "\" is there twice; give it once");
    }
    const std::string tool = tool_of(request, tools);
    const Json arguments = request.contains("args") ? request.at("args") : Json::object();
    check_arguments(tools.argument_schema(tool), arguments, "args");
    reply["result"] = call(tool, arguments);
  } catch (const RequestError& error) {
    reply["error"] = error_json(error.code(), error.at(), error.what());
    reply["error"].update(error.more());
  } catch (const ArgumentError& error) {
    reply["error"] = error_json("bad_argument", error.at(), error.what());
  } catch (const InputError& error) {
    reply["error"] = error_json("refused", "tool", error.what());
  }
  return json_text(reply);
}

}  // namespace sightline::host
