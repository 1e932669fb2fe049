#include "support/sweeps.h"

#include <stdexcept>

#include "support/places.h"

namespace sightline::tests {

std::vector<SweepRow> run_plan(const host::SweepPlan& plan) {
  host::Device device(host::DeviceChoice::kCpu);
  host::BlockRunner runner(plan, device);
  std::vector<SweepRow> rows;
  for (const host::Block& block : host::plan_blocks(plan)) {
    for (const host::ResultRow& row : runner.run(block).rows) {
      rows.push_back({plan.configuration(row.configuration).axis_labels, row.arm, row.answers});
    }
  }
  return rows;
}

std::vector<SweepRow> run_config(const std::string& name,
                                 const std::vector<std::string>& overrides) {
  return run_plan(host::SweepPlan::load(source_file("configs/" + name), overrides));
}

const host::Answers& answers_of(const std::vector<SweepRow>& rows, const std::string& arm,
                                const std::vector<std::string>& labels) {
  const SweepRow* found = nullptr;
  for (const SweepRow& row : rows) {
    if (row.arm != arm || row.labels != labels) continue;
    if (found) throw std::logic_error("two rows of arm " + arm);
    found = &row;
  }
  if (!found) throw std::logic_error("no row of arm " + arm);
  return found->answers;
}

}  // namespace sightline::tests
