// What the tool service understands and says (tool_service.h), as JSON Schema, draft 2020-12; and a
// check of a call's arguments by that very schema, so that the two cannot disagree.
//
// Meta-Memory (Mao et al.), section III.B: tools that a language model calls. The schema's "tools"
// are definitions for such a model's function calling.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
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

/// "ssr", "srr", "mi", "ask", "parse", "session".
const std::vector<std::string>& tool_names();
/// The schema of a tool's arguments. Throws InputError for a name that is none.
const nlohmann::ordered_json& argument_schema(const std::string& tool);

/// A schema of a request or an answer of the service; "$defs" has those of each tool's arguments
/// and result (ssr_args, ssr_result, ...), "tools" [{type: function, function: {name, description,
/// parameters}}], each whole in itself.
nlohmann::ordered_json tool_schema();

/// Throws ArgumentError, naming the fix, for what the schema does not allow. Knows of JSON Schema
/// what those of argument_schema() use: type, enum, required, properties, additionalProperties,
/// items, and least and most of numbers, items and letters.
void check_arguments(const nlohmann::ordered_json& schema, const nlohmann::ordered_json& value,
                     const std::string& at);

}  // namespace sightline::host
