// A run as the tests of its database store it: an identity, configurations, rows of two arms.
#pragma once

#include <cstdint>
#include <string>

#include "host/sweep/store.h"

namespace sightline::tests {

inline host::RunIdentity some_identity() {
  host::RunIdentity identity;
  identity.name = "corridor";
  identity.config = R"({"seed":7})";
  identity.resolved_yaml = "seed: 7\n";
  identity.axis_keys = {"visibility.step_m", "label"};
  identity.num_configurations = 3;
  identity.inputs = {{"map.bt", 123456789012345, "ef46db3751d8e999"}};
  identity.program = "0.1.0, revision abc";
  return identity;
}

inline host::Configuration configuration(std::int64_t index, double step_m) {
  host::Configuration configuration;
  configuration.index = index;
  configuration.id = "id" + std::to_string(index);
  configuration.axis_settings = {{"visibility.step_m", host::ConfigValue::number(step_m)},
                                 {"label", host::ConfigValue::text("a \"quoted\", name")}};
  configuration.axis_labels = {"step", "\xc3\xa4 label"};
  return configuration;
}

inline host::ResultRow result(std::int64_t index, const std::string& arm,
                              std::int64_t first_count) {
  host::ResultRow row;
  row.configuration = index;
  row.configuration_id = "id" + std::to_string(index);
  row.arm = arm;
  row.answers = {first_count,     first_count + 1, first_count + 2, first_count + 3,
                 first_count + 4, first_count + 5, first_count + 6, first_count + 7,
                 first_count + 8, first_count + 9};
  return row;
}

/// Arms "zulu" and "alpha": their order is the file's, not the alphabet's.
inline host::BlockResult two_arms(std::int64_t index) {
  host::BlockResult block;
  block.num_configurations = 1;
  block.rows = {result(index, "zulu", 10), result(index, "alpha", 1000000000000)};
  const std::string id = "id" + std::to_string(index);
  block.costs = {{id, "zulu", 0.1, 11, 1e9 / 3}, {id, "alpha", 5e-324, 12, 1.5}};
  return block;
}

}  // namespace sightline::tests
