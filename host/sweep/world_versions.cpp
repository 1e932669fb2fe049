#include "host/sweep/world_versions.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "host/error.h"
#include "host/sweep/keys.h"

namespace sightline::host {
namespace {

/// Throws at the axis value by which configuration `again` differs from `first`, its equal.
[[noreturn]] void fail_as_equal(const Configuration& first, const Configuration& again,
                                const WorldSpec& world) {
  for (std::size_t s = 0; s < again.axis_settings.size(); ++s) {
    const auto& [key, value] = again.axis_settings[s];
    const ConfigValue& before = first.axis_settings[s].second;
    if (!is_within(key, "world") || value.canonical_json() == before.canonical_json()) continue;
    const std::string number = world.version ? std::to_string(*world.version) : "latest";
    value.fail(before.display() + " and " + value.display() + " of the axis \"" + key +
               "\" give the same configuration: version " + number + " of " +
               (world.file.empty() ? "the world" : world.file) + "; remove one of the two");
  }
  throw InputError("configurations " + first.id + " and " + again.id + " ask the same");
}

}  // namespace

void check_worlds_differ(
    const SweepPlan& plan,
    const std::function<std::optional<WorldSpec>(const ConfigValue& settings)>& world_of) {
  std::unordered_map<std::string, std::int64_t> known;
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    ConfigValue settings = plan.settings(i);
    const std::optional<WorldSpec> world = world_of(settings);
    if (!world) continue;
    settings.set_path("world", ConfigValue::text(world->canonical));
    const auto [first, is_new] = known.emplace(configuration_id(std::move(settings)), i);
    if (!is_new) {
      fail_as_equal(plan.configuration(first->second), plan.configuration(i), *world);
    }
  }
}

}  // namespace sightline::host
