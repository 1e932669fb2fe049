// Tools that a program or a language model calls by lines of JSON: their names, and what they take
// and give, as JSON Schema, draft 2020-12; and a check of a call's arguments by that very schema,
// so that the two cannot disagree. tool_lines.h answers the lines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "host/error.h"

namespace sightline::host {

/// Arguments that a tool does not take; `at` says where: "args.queries[0].text".
class ArgumentError : public InputError {
 public:
  ArgumentError(std::string at, const std::string& message)
      : InputError(at + " " + message), at_(std::move(at)) {}
  const std::string& at() const { return at_; }

 private:
  std::string at_;
};

/// A tool as a language model reads of it; arguments and result are JSON Schema.
struct ToolText {
  const char *name, *description, *arguments, *result;
};

/// What results refer to: "#/$defs/point", and so on.
struct SharedSchema {
  const char *name, *schema;
};

/// A code of errors beside those that every service has (tool_lines.h), and what such an error
/// tells of itself: a property, and its schema.
struct OwnError {
  const char *code, *property, *schema;
};

/// Tools written out.
struct ToolTexts {
  const char* title = "";
  std::vector<ToolText> tools;
  std::vector<SharedSchema> shared;  ///< "id" and "error" are there anyhow
  std::vector<OwnError> errors;
};

class ToolSet {
 public:
  using Json = nlohmann::ordered_json;
  explicit ToolSet(const ToolTexts& texts);

  const std::vector<std::string>& names() const { return names_; }
  /// The schema of a tool's arguments. Throws InputError for a name that is none.
  const Json& argument_schema(const std::string& tool) const;
  /// A schema of a request or an answer; "$defs" has those of each tool's arguments and result
  /// (ssr_args, ssr_result, ...), "tools" [{type: function, function: {name, description,
  /// parameters}}], each whole in itself.
  const Json& schema() const { return schema_; }

 private:
  std::vector<std::string> names_;
  std::vector<Json> arguments_;  ///< [tools]
  Json schema_;
};

/// Throws ArgumentError, naming the fix, for what the schema does not allow. Knows of JSON Schema
/// what those of arguments use: type (one, or a list of them), enum, required, properties,
/// additionalProperties, items, and least and most of numbers, items and letters.
void check_arguments(const nlohmann::ordered_json& schema, const nlohmann::ordered_json& value,
                     const std::string& at);

}  // namespace sightline::host
