// What the service of scenes understands and says (space_service.h), as JSON Schema.
#pragma once

#include "host/config/tool_set.h"

namespace sightline::host::tos {

/// "scenes", "reset", "step", "belief", "close".
const ToolSet& space_tools();

}  // namespace sightline::host::tos
