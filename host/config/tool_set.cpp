#include "host/config/tool_set.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "host/config/json_text.h"
#include "host/config/suggest.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kId = R"({"type": ["integer", "string", "null"],
  "description": "Comes back with the answer"})";

constexpr const char* kError = R"({
  "type": "object",
  "properties": {
    "code": {"enum": ["malformed_line", "bad_request", "unknown_tool", "bad_argument", "refused"]},
    "at": {"type": "string", "description": "What it is about: line, tool, args.k"},
    "message": {"type": "string", "description": "What is wrong, and the fix"}
  },
  "required": ["code", "at", "message"],
  "additionalProperties": false
})";

Json request_schema(const ToolText& tool, const Json& arguments) {
  Json schema{{"type", "object"}};
  schema["properties"]["id"] = {{"$ref", "#/$defs/id"}};
  schema["properties"]["tool"] = {{"const", tool.name}};
  schema["properties"]["args"] = {{"$ref", "#/$defs/" + std::string(tool.name) + "_args"}};
  schema["required"] =
      arguments.contains("required") ? Json::array({"tool", "args"}) : Json::array({"tool"});
  schema["additionalProperties"] = false;
  return schema;
}

Json answer_schema(const char* key, Json content) {
  Json schema{{"type", "object"}};
  schema["properties"]["id"] = {{"$ref", "#/$defs/id"}};
  schema["properties"][key] = std::move(content);
  schema["required"] = {"id", key};
  schema["additionalProperties"] = false;
  return schema;
}

Json error_schema(const std::vector<OwnError>& own) {
  Json schema = parse_json<Json>(kError);
  for (const OwnError& error : own) {
    schema["properties"]["code"]["enum"].push_back(error.code);
    schema["properties"][error.property] = parse_json<Json>(error.schema);
  }
  return schema;
}

bool has_one_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (!value.is_number()) return false;
  constexpr double kMostExact = 9007199254740992.0;  // 2^53
  return type == "number" || value.is_number_integer() ||
         (std::trunc(value.get<double>()) == value.get<double>() &&
          std::fabs(value.get<double>()) <= kMostExact);
}

/// The types that a schema names: one, or a list of them.
std::vector<std::string> types_of(const Json& schema) {
  const Json& type = schema.at("type");
  if (type.is_array()) return type.get<std::vector<std::string>>();
  return {type.get<std::string>()};
}

bool has_type(const Json& value, const Json& schema) {
  const std::vector<std::string> types = types_of(schema);
  return std::any_of(types.begin(), types.end(),
                     [&](const std::string& type) { return has_one_type(value, type); });
}

/// What to write where something else was written.
std::string kind_text(const Json& schema) {
  static const std::map<std::string, std::string> kinds{
      {"integer", "a whole number"}, {"boolean", "true or false"}, {"string", "a text"},
      {"number", "a number"},        {"array", "a list, [...]"},   {"object", "an object, {...}"}};
  std::string text;
  for (const std::string& type : types_of(schema)) {
    text += (text.empty() ? "" : " or ") + kinds.at(type);
  }
  return text;
}

std::string shown(const Json& value) {
  constexpr std::size_t kMost = 40;
  const std::string text = json_text(value);
  return text.size() <= kMost ? text : "something long";
}

/// How many items, letters, or how much, beside what is allowed.
void check_size(const Json& schema, const char* least, const char* most, double size,
                const std::string& what, const std::string& at) {
  if (schema.contains(least) && size < schema.at(least).get<double>()) {
    throw ArgumentError(at, what + "; give at least " + json_text(schema.at(least)));
  }
  if (schema.contains(most) && size > schema.at(most).get<double>()) {
    throw ArgumentError(at, what + "; give at most " + json_text(schema.at(most)));
  }
}

void check_object(const Json& schema, const Json& value, const std::string& at) {
  const Json& properties = schema.at("properties");
  std::vector<std::string> names;
  for (const auto& property : properties.items()) names.push_back(property.key());
  for (const auto& member : value.items()) {
    if (!properties.contains(member.key())) {
      throw ArgumentError(at + "." + member.key(),
                          "is unknown; " + suggestion(member.key(), names));
    }
    check_arguments(properties.at(member.key()), member.value(), at + "." + member.key());
  }
  if (!schema.contains("required")) return;
  for (const auto& name : schema.at("required")) {
    const auto key = name.get<std::string>();
    if (value.contains(key)) continue;
    throw ArgumentError(at + "." + key, "is missing; give " + kind_text(properties.at(key)));
  }
}

void check_enum(const Json& allowed, const Json& value, const std::string& at) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    throw ArgumentError(
        at, "is \"" + text + "\"; " + suggestion(text, allowed.get<std::vector<std::string>>()));
  }
  throw ArgumentError(at, "is " + shown(value) + "; give one of " + json_text(allowed));
}

}  // namespace

ToolSet::ToolSet(const ToolTexts& texts) {
  Json defs{{"id", parse_json<Json>(kId)}, {"error", error_schema(texts.errors)}};
  Json requests = Json::array(), results = Json::array(), tools = Json::array();
  for (const SharedSchema& shared : texts.shared)
    defs[shared.name] = parse_json<Json>(shared.schema);
  for (const ToolText& tool : texts.tools) {
    const std::string name = tool.name;
    const Json arguments = parse_json<Json>(tool.arguments);
    names_.push_back(name);
    arguments_.push_back(arguments);
    defs[name + "_args"] = arguments;
    defs[name + "_result"] = parse_json<Json>(tool.result);
    requests.push_back(request_schema(tool, arguments));
    results.push_back({{"$ref", "#/$defs/" + name + "_result"}});
    tools.push_back(
        {{"type", "function"},
         {"function",
          {{"name", name}, {"description", tool.description}, {"parameters", arguments}}}});
  }
  defs["request"] = {{"oneOf", std::move(requests)}};
  Json answers = Json::array();
  answers.push_back(answer_schema("result", {{"oneOf", std::move(results)}}));
  answers.push_back(answer_schema("error", {{"$ref", "#/$defs/error"}}));
  defs["answer"] = {{"oneOf", std::move(answers)}};
  Json either = Json::array();
  for (const char* one : {"#/$defs/request", "#/$defs/answer"}) either.push_back({{"$ref", one}});
  schema_["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema_["title"] = texts.title;
  schema_["oneOf"] = std::move(either);
  schema_["$defs"] = std::move(defs);
  schema_["tools"] = std::move(tools);
}

const Json& ToolSet::argument_schema(const std::string& tool) const {
  const auto found = std::find(names_.begin(), names_.end(), tool);
  if (found == names_.end()) {
    throw InputError("tool \"" + tool + "\" is unknown; " + suggestion(tool, names_));
  }
  return arguments_[static_cast<std::size_t>(found - names_.begin())];
}

void check_arguments(const Json& schema, const Json& value, const std::string& at) {
  if (!has_type(value, schema)) {
    throw ArgumentError(at, "is " + shown(value) + "; give " + kind_text(schema));
  }
  if (schema.contains("enum")) check_enum(schema.at("enum"), value, at);
  if (value.is_object()) return check_object(schema, value, at);
  if (value.is_number()) {
    return check_size(schema, "minimum", "maximum", value.get<double>(), "is " + shown(value), at);
  }
  if (value.is_string()) {
    const std::size_t size = value.get_ref<const std::string&>().size();
    return check_size(schema, "minLength", "maxLength", static_cast<double>(size),
                      "has " + std::to_string(size) + " letters", at);
  }
  if (!value.is_array()) return;
  check_size(schema, "minItems", "maxItems", static_cast<double>(value.size()),
             "has " + std::to_string(value.size()) + " items", at);
  for (std::size_t i = 0; i < value.size(); ++i) {
    check_arguments(schema.at("items"), value[i], at + "[" + std::to_string(i) + "]");
  }
}

}  // namespace sightline::host
