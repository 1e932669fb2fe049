// One row of a run: one arm of one configuration. Answers and costs are kept apart, because answers
// are the same on every machine and costs are not.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sightline::host {

/// Counts of an arm against the oracle. Targets the oracle calls unknown are counted in
/// num_unknown and in no other number; an arm's answer "unknown" is wrong wherever the oracle
/// knows.
struct Answers {
  std::int64_t num_rays = 0;      ///< rays kept by the experiment's filters
  std::int64_t num_visible = 0;   ///< oracle: visible
  std::int64_t num_occluded = 0;  ///< oracle: hidden
  std::int64_t num_unknown = 0;   ///< oracle: unknown
  std::int64_t correct = 0;
  std::int64_t false_visible = 0;        ///< occluded, called visible
  std::int64_t false_occluded = 0;       ///< visible, called hidden
  std::int64_t said_unknown = 0;         ///< known to the oracle, called unknown
  std::int64_t only_arm_right = 0;       ///< McNemar b: this arm right, baseline wrong
  std::int64_t only_baseline_right = 0;  ///< McNemar c
};

struct ResultRow {
  std::int64_t configuration = 0;  ///< index in the plan
  std::string configuration_id;
  std::string arm;
  Answers answers;
};

/// What it cost: machine-dependent, never part of results.csv.
struct CostRow {
  std::string configuration_id;
  std::string arm;
  double seconds = 0;         ///< share of the pass that this row needed
  std::int64_t num_rays = 0;  ///< rays marched for it
  double rays_per_s = 0;
};

}  // namespace sightline::host
