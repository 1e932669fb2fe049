// The schema of the tools over a memory of places.
#pragma once

#include "host/meta_memory/tool_schema.h"
#include "support/json_schema.h"

namespace sightline::tests {

inline const JsonSchema& place_schema() {
  static const JsonSchema whole(host::place_tools().schema());
  return whole;
}

}  // namespace sightline::tests
