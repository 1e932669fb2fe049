// The trials of a sweep that asks what is recalled.
#include "host/sweep/trials.h"
#include "kernels/kernels.h"

namespace sightline::host {
namespace {

using kernels::kNoRank;

void add_verified(const RankedByArm& arm, TrialTable* table) {
  const auto add = [&](const char* what, std::int32_t VerifiedRecall::*count) {
    table->columns.push_back(trial_column<std::int32_t>(
        arm.arm + what,
        [verified = arm.verified, count](std::size_t query) { return (*verified)[query].*count; }));
  };
  add(".recalled", &VerifiedRecall::recalled);
  add(".visible", &VerifiedRecall::visible);
  add(".hidden", &VerifiedRecall::hidden);
  add(".false_visible", &VerifiedRecall::false_visible);
}

}  // namespace

TrialTable recall_trials(const std::string& configuration_id,
                         const std::vector<std::int64_t>& memory_ids,
                         const std::vector<std::int64_t>& targets,
                         const std::vector<RankedByArm>& arms) {
  TrialTable table{configuration_id, static_cast<std::int64_t>(targets.size()), {}};
  table.columns.push_back(trial_column<std::int32_t>(
      "query", [](std::size_t query) { return static_cast<std::int32_t>(query); }));
  table.columns.push_back(
      trial_column<std::int64_t>("memory", [&memory_ids, &targets](std::size_t query) {
        return memory_ids[static_cast<std::size_t>(targets[query])];
      }));
  for (const RankedByArm& arm : arms) {
    table.columns.push_back(
        trial_column<std::int32_t>(arm.arm + ".rank", [ranks = arm.ranks](std::size_t query) {
          return (*ranks)[query] == kNoRank ? 0 : (*ranks)[query] + 1;
        }));
    table.columns.push_back(
        trial_column<bool>(arm.arm + ".right", [ranks = arm.ranks, k = arm.k](std::size_t query) {
          return (*ranks)[query] != kNoRank && (*ranks)[query] < k;
        }));
    if (arm.verified) add_verified(arm, &table);
  }
  return table;
}

}  // namespace sightline::host
