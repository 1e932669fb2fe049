// A run of two worlds, for claims on it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "host/sweep/claims.h"
#include "support/hand_made_run.h"

namespace sightline::tests {

/// Two configurations of arms text (baseline) and los; los misses one of 20 hidden targets.
inline host::RunData two_worlds(const std::string& claims, std::int64_t num_visible = 30) {
  HandMadeRun run({"seed"}, "baseline: text\nclaims:\n" + claims);
  for (int world = 0; world < 2; ++world) {
    host::Answers text = answers_of(num_visible, 10, 10), los = answers_of(num_visible, 10, world);
    los.only_arm_right = 10 - world;
    run.add({host::ConfigValue::integer(world)}, "text", text);
    run.data.rows.back().result.configuration = world;
    run.add({host::ConfigValue::integer(world)}, "los", los);
    run.data.rows.back().result.configuration = world;
  }
  run.data.num_configurations = run.data.num_finished = 2;
  return run.data;
}

inline host::ClaimResult only_claim(const std::string& claim, std::int64_t num_visible = 30) {
  const auto results = evaluate_claims(two_worlds("  - {text: t, " + claim + "}\n", num_visible));
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

/// A table of one value of a second axis: rows of the other are not added up.

}  // namespace sightline::tests
