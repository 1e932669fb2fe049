// What the tool service understands and says (tool_service.h).
//
// Meta-Memory (Mao et al.), section III.B: tools that a language model calls. The schema's "tools"
// are definitions for such a model's function calling.
#pragma once

#include "host/config/tool_set.h"

namespace sightline::host {

/// "ssr", "srr", "mi", "ask", "parse", "session".
const ToolSet& place_tools();

}  // namespace sightline::host
