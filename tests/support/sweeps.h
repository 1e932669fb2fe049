// Runs sweeps through the library and finds their rows again.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/experiment.h"

namespace sightline::tests {

/// One row with the axis labels of its configuration, in axis order.
struct SweepRow {
  std::vector<std::string> labels;
  std::string arm;
  host::Answers answers;
};

/// Every row of a plan, blocks in order, on the CPU.
std::vector<SweepRow> run_plan(const host::SweepPlan& plan);

/// A sweep file of configs/ with overrides.
std::vector<SweepRow> run_config(const std::string& name,
                                 const std::vector<std::string>& overrides = {});

/// The only row of an arm with these labels; a test that finds none or several is wrong and throws.
const host::Answers& answers_of(const std::vector<SweepRow>& rows, const std::string& arm,
                                const std::vector<std::string>& labels);

}  // namespace sightline::tests
