// Calls of the service of scenes, and how its answers are read.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "host/config/json_text.h"
#include "host/theory_of_space/space_service.h"
#include "host/theory_of_space/space_tools.h"
#include "support/json_schema.h"

namespace sightline::tests {

inline const JsonSchema& space_schema() {
  static const JsonSchema whole(host::tos::space_tools().schema());
  return whole;
}

/// The answer to a line: one object of the schema, whatever the line was.
inline nlohmann::ordered_json space_answer(host::tos::SpaceService* service,
                                           const std::string& line) {
  const std::string text = service->answer(line);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  nlohmann::ordered_json json = host::parse_json_or_discarded<nlohmann::ordered_json>(text);
  EXPECT_EQ(space_schema().fault(json, "/$defs/answer"), "") << line << "\n" << text;
  return json;
}

}  // namespace sightline::tests
