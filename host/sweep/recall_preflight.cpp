#include "host/sweep/recall_preflight.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/config/place.h"

namespace sightline::host {
namespace {

/// The rows of the memories; throws InputError for an id that no memory has.
std::vector<std::int64_t> rows_of(const RecallPreflight& preflight, const MemoryTable& memories) {
  std::vector<std::int64_t> rows;
  for (const std::int64_t id : preflight.hidden) {
    const auto found = std::find(memories.id.begin(), memories.id.end(), id);
    if (found == memories.id.end()) {
      fail_at(preflight.place,
              fmt::format("there is no memory {} among {}, with ids from {} to {}", id,
                          memories.size(), memories.id.front(), memories.id.back()));
    }
    rows.push_back(found - memories.id.begin());
  }
  return rows;
}

std::string point_text(const kernels::Vec3& p) {
  return fmt::format("({}, {}, {})", p.x, p.y, p.z);
}

void check_hidden(const RecallPreflight& preflight, const PreflightSights& judge,
                  const GateContext& context) {
  const std::vector<std::int64_t> rows = rows_of(preflight, context.memories);
  std::vector<std::int64_t> pairs;
  for (const std::int64_t row : rows) pairs.insert(pairs.end(), {0, row});
  for (const SightGate& sight : judge.sights) {
    const std::vector<std::uint8_t> seen =
        at_place(preflight.place, [&] { return keeps(Gate{sight}, context, pairs); });
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] == 0) continue;
      const kernels::Vec3& at = context.places()[static_cast<std::size_t>(rows[i])];
      fail_at(
          preflight.place,
          fmt::format("{} calls memory {} visible, at {} from {}, which is known to be hidden; "
                      "nothing was run. Mend the world, what memories are bound to, or the list",
                      judge.name, preflight.hidden[i], point_text(at),
                      point_text(context.queries.centre_m.front())));
    }
  }
}

}  // namespace

RecallPreflight parse_recall_preflight(const ConfigValue& preflight) {
  preflight.allow_only({"hidden"});
  const ConfigValue& hidden = preflight.at("hidden");
  RecallPreflight settings;
  settings.place = hidden.where();
  for (const ConfigValue& id : hidden.items()) settings.hidden.push_back(id.as_integer());
  if (settings.hidden.empty()) hidden.fail("needs the id of at least one memory");
  return settings;
}

std::vector<SightGate> sights_of(const Gate& gate) {
  std::vector<SightGate> sights;
  if (const auto* sight = std::get_if<SightGate>(&gate.test)) sights.push_back(*sight);
  for (const Gate& part : parts_of(gate)) {
    const std::vector<SightGate> more = sights_of(part);
    sights.insert(sights.end(), more.begin(), more.end());
  }
  return sights;
}

void check_recall_preflight(const RecallPreflight& preflight,
                            const std::vector<PreflightSights>& judges, const GateContext& context,
                            const std::vector<kernels::Vec3>& subjects_m) {
  if (context.queries.size() == 0) fail_at(preflight.place, "there is no question to ask from");
  GateContext of_things = context;
  if (!subjects_m.empty()) of_things.places_m = &subjects_m;
  for (const PreflightSights& judge : judges) {
    check_hidden(preflight, judge, judge.is_truth ? of_things : context);
  }
  const bool any = std::any_of(judges.begin(), judges.end(),
                               [](const PreflightSights& judge) { return !judge.sights.empty(); });
  if (!any) {
    fail_at(preflight.place,
            "no arm looks along rays, so that nothing is checked; give an arm `verify` or `gate` "
            "with a line_of_sight, or remove `preflight`");
  }
}

}  // namespace sightline::host
