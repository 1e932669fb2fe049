#include "host/report/observer_counts.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/sweep/keys.h"
#include "host/sweep/points.h"

namespace sightline::host::report {
namespace {

constexpr const char* kObservers = "observers";

/// The observers of a configuration, by its values of the axes that are about them.
ConfigValue observers_of(const RunData& run, const RunData::Row& row,
                         const std::vector<std::size_t>& axes) {
  ConfigValue settings = run.resolved;
  for (const std::size_t axis : axes) settings.set_path(run.axis_keys[axis], row.axis_values[axis]);
  return settings.at(kObservers);
}

}  // namespace

void count_observers(const RunData& run, Digest* digest) {
  if (!run.resolved.is_map() || run.resolved.find(kObservers) == nullptr) return;
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    if (is_within(run.axis_keys[axis], kObservers)) axes.push_back(axis);
  }
  std::int64_t fewest = 0, most = 0, most_rays = 0;
  std::set<std::vector<std::string>> known;
  try {
    for (const RunData::Row& row : run.rows) {
      most_rays = std::max(most_rays, row.result.answers.num_rays);
      std::vector<std::string> values;
      for (const std::size_t axis : axes) values.push_back(row.axis_labels[axis]);
      if (!known.insert(values).second) continue;
      const std::int64_t count = num_points(parse_point_spec(observers_of(run, row, axes)));
      fewest = known.size() == 1 ? count : std::min(fewest, count);
      most = std::max(most, count);
    }
  } catch (const InputError&) {
    return;
  }
  if (most_rays <= fewest) return;  // each has a ray
  digest->fewest_observers = fewest;
  digest->most_observers = most;
}

}  // namespace sightline::host::report
