#include "host/meta_memory/tool_schema.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/config/json_text.h"
#include "host/config/suggest.h"
#include "host/meta_memory/tool_texts.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;

Json request_schema(const ToolText& tool) {
  Json schema{{"type", "object"}};
  schema["properties"]["id"] = {{"$ref", "#/$defs/id"}};
  schema["properties"]["tool"] = {{"const", tool.name}};
  schema["properties"]["args"] = {{"$ref", "#/$defs/" + std::string(tool.name) + "_args"}};
  schema["required"] = argument_schema(tool.name).contains("required")
                           ? Json::array({"tool", "args"})
                           : Json::array({"tool"});
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

bool has_type(const Json& value, const std::string& type) {
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

/// What to write where something else was written.
std::string kind_text(const Json& schema) {
  const std::string type = schema.at("type");
  if (type == "integer") return "a whole number";
  if (type == "boolean") return "true or false";
  if (type == "string") return "a text";
  if (type == "number") return "a number";
  return type == "array" ? "a list, [...]" : "an object, {...}";
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
    throw ArgumentError(at, what + "; give at least " + schema.at(least).dump());
  }
  if (schema.contains(most) && size > schema.at(most).get<double>()) {
    throw ArgumentError(at, what + "; give at most " + schema.at(most).dump());
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

}  // namespace

const std::vector<std::string>& tool_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const ToolText& tool : tool_texts()) all.emplace_back(tool.name);
    return all;
  }();
  return names;
}

const Json& argument_schema(const std::string& tool) {
  static const std::vector<Json> schemas = [] {
    std::vector<Json> all;
    for (const ToolText& one : tool_texts()) all.push_back(Json::parse(one.arguments));
    return all;
  }();
  const auto found = std::find(tool_names().begin(), tool_names().end(), tool);
  if (found == tool_names().end()) {
    throw InputError("tool \"" + tool + "\" is unknown; " + suggestion(tool, tool_names()));
  }
  return schemas[static_cast<std::size_t>(found - tool_names().begin())];
}

Json tool_schema() {
  Json defs, requests = Json::array(), results = Json::array(), tools = Json::array();
  for (const SharedSchema& shared : shared_schemas()) {
    defs[shared.name] = Json::parse(shared.schema);
  }
  for (const ToolText& tool : tool_texts()) {
    const std::string name = tool.name;
    defs[name + "_args"] = argument_schema(name);
    defs[name + "_result"] = Json::parse(tool.result);
    requests.push_back(request_schema(tool));
    results.push_back({{"$ref", "#/$defs/" + name + "_result"}});
    tools.push_back({{"type", "function"},
                     {"function",
                      {{"name", name},
                       {"description", tool.description},
                       {"parameters", argument_schema(name)}}}});
  }
  defs["request"] = {{"oneOf", std::move(requests)}};
  Json answers = Json::array();
  answers.push_back(answer_schema("result", {{"oneOf", std::move(results)}}));
  answers.push_back(answer_schema("error", {{"$ref", "#/$defs/error"}}));
  defs["answer"] = {{"oneOf", std::move(answers)}};
  Json either = Json::array();
  for (const char* one : {"#/$defs/request", "#/$defs/answer"}) either.push_back({{"$ref", one}});
  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Tools over remembered places: a line of `sightline ask --serve-stdio`";
  schema["oneOf"] = std::move(either);
  schema["$defs"] = std::move(defs);
  schema["tools"] = std::move(tools);
  return schema;
}

void check_arguments(const Json& schema, const Json& value, const std::string& at) {
  if (!has_type(value, schema.at("type"))) {
    throw ArgumentError(at, "is " + shown(value) + "; give " + kind_text(schema));
  }
  if (schema.contains("enum")) {
    const auto names = schema.at("enum").get<std::vector<std::string>>();
    const auto text = value.get<std::string>();
    if (std::find(names.begin(), names.end(), text) == names.end()) {
      throw ArgumentError(at, "is \"" + text + "\"; " + suggestion(text, names));
    }
  }
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
