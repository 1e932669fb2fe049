#include "host/sweep/preflight.h"

#include <fmt/format.h>

#include "host/config/place.h"
#include "host/sweep/evaluate.h"

namespace sightline::host {

PreflightSettings parse_preflight(const ConfigValue& preflight) {
  preflight.allow_only({"hidden"});
  const ConfigValue& hidden = preflight.at("hidden");
  PreflightSettings settings;
  settings.place = hidden.where();
  for (const ConfigValue& point : hidden.items()) {
    const std::vector<double> xyz = point.as_numbers(3);
    settings.hidden.push_back({xyz[0], xyz[1], xyz[2]});
  }
  if (settings.hidden.empty()) hidden.fail("needs at least one point [x, y, z]");
  return settings;
}

void check_preflight(const PreflightSettings& preflight, const NamedJudges& judges,
                     const World& world, const RaySet& rays, Device& device) {
  if (rays.batch.observers.empty()) fail_at(preflight.place, "there is no observer to ask");
  RaySet known;
  known.batch.shape = kernels::RayShape::kCross;
  known.batch.observers = {rays.batch.observers.front()};
  known.batch.targets = preflight.hidden;
  if (!rays.yaw_deg.empty()) {
    known.yaw_deg = {rays.yaw_deg.front()};
    known.pitch_deg = {rays.pitch_deg.front()};
  }
  for (const auto& named : judges) {
    const Judge& judge = named.second;
    if (!judge.sight && !judge.view) continue;
    const std::vector<kernels::Visibility> said =
        at_place(preflight.place, [&] { return judge_rays(world, known, judge, device); });
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (said[i] == kernels::Visibility::kHidden) continue;
      const kernels::Vec3 p = preflight.hidden[i];
      fail_at(preflight.place,
              fmt::format("{} calls ({}, {}, {}) {}, which is known to be hidden; nothing was run. "
                          "Mend the world, the observer or the point",
                          named.first, p.x, p.y, p.z,
                          said[i] == kernels::Visibility::kVisible ? "visible" : "unknown"));
    }
  }
}

}  // namespace sightline::host
