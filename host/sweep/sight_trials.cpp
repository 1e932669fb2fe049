// The trials of a sweep that asks what is seen.
#include <limits>

#include "host/error.h"
#include "host/sweep/trials.h"

namespace sightline::host {
namespace {

using kernels::RayShape;

constexpr auto kUnknown = static_cast<std::uint8_t>(kernels::Visibility::kUnknown);

/// The number of a point in the list that the settings make: filters may have dropped some before.
std::int32_t number_of(const std::vector<std::int64_t>& source, std::size_t index) {
  return static_cast<std::int32_t>(source.empty() ? static_cast<std::int64_t>(index)
                                                  : source[index]);
}

std::int32_t observer_of(const RaySet& rays, std::size_t ray) {
  const RayBatch& batch = rays.batch;
  if (batch.shape == RayShape::kPairs) return static_cast<std::int32_t>(batch.pairs[2 * ray]);
  if (batch.shape == RayShape::kCross) {
    return static_cast<std::int32_t>(ray / batch.targets.size());
  }
  return number_of(rays.target_source, ray);  // observer i looks at target i
}

std::int32_t target_of(const RaySet& rays, std::size_t ray) {
  const RayBatch& batch = rays.batch;
  if (batch.shape == RayShape::kPairs) {
    return number_of(rays.target_source, static_cast<std::size_t>(batch.pairs[2 * ray + 1]));
  }
  const bool is_cross = batch.shape == RayShape::kCross;
  return number_of(rays.target_source, is_cross ? ray % batch.targets.size() : ray);
}

void check_numbers(const RaySet& rays) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (rays.batch.observers.size() <= kMost && rays.batch.targets.size() <= kMost) return;
  throw InputError("--trials: numbers observers and targets up to " + std::to_string(kMost) +
                   "; use fewer");
}

}  // namespace

TrialTable sight_trials(const std::string& configuration_id, const RaySet& rays,
                        const SaidOfRays& truth, const std::vector<SaidByArm>& arms) {
  check_numbers(rays);
  TrialTable table{configuration_id, rays.batch.num_rays(), {}};
  table.columns.push_back(trial_column<std::int32_t>(
      "observer", [&rays](std::size_t ray) { return observer_of(rays, ray); }));
  table.columns.push_back(trial_column<std::int32_t>(
      "target", [&rays](std::size_t ray) { return target_of(rays, ray); }));
  table.columns.push_back(
      trial_column<std::uint8_t>("truth", [truth](std::size_t ray) { return (*truth)[ray]; }));
  for (const SaidByArm& arm : arms) {
    table.columns.push_back(trial_column<std::uint8_t>(
        arm.arm + ".answer", [said = arm.said](std::size_t ray) { return (*said)[ray]; }));
    table.columns.push_back(
        trial_column<bool>(arm.arm + ".right", [truth, said = arm.said](std::size_t ray) {
          return (*truth)[ray] != kUnknown && (*said)[ray] == (*truth)[ray];
        }));
  }
  return table;
}

}  // namespace sightline::host
