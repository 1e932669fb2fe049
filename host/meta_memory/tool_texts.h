// The schemas of the tools, written out. Internal to tool_schema.cpp.
#pragma once

#include <vector>

namespace sightline::host {

/// A tool as a language model reads of it; arguments and result are JSON Schema.
struct ToolText {
  const char *name, *description, *arguments, *result;
};
const std::vector<ToolText>& tool_texts();

/// What results refer to: "#/$defs/point", and so on.
struct SharedSchema {
  const char *name, *schema;
};
const std::vector<SharedSchema>& shared_schemas();

}  // namespace sightline::host
