// Sweep files with overrides. What a list means of which the file tells nothing, the key says.
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/sweep/experiment.h"
#include "host/sweep/overrides.h"
#include "host/sweep/plan.h"

namespace sightline::host {

SweepPlan SweepPlan::load(const std::string& path, const std::vector<std::string>& overrides) {
  return make(ConfigValue::load_yaml(path), overrides);
}

SweepPlan SweepPlan::parse(const std::string& yaml, const std::string& source_name,
                           const std::vector<std::string>& overrides) {
  return make(ConfigValue::parse_yaml(yaml, source_name), overrides);
}

/// Lists are axes, as guessed, unless their items are refused and they as a whole are not: of a
/// size, say, that has three numbers.
SweepPlan SweepPlan::make(const ConfigValue& file, const std::vector<std::string>& overrides) {
  std::set<std::string> values;   // lists that are values
  std::set<std::string> guesses;  // those that may be
  const auto make = [&] {
    ConfigValue sweep = file;
    std::vector<std::string> warnings;
    for (const std::string& text : overrides) {
      if (apply_override(text, &sweep, values.count(text) > 0, &warnings)) guesses.insert(text);
    }
    SweepPlan plan(std::move(sweep));
    plan.add_warnings(warnings);
    return plan;
  };
  const auto refuses = [&](const std::string& text) {
    try {
      check_configuration(make(), 0);
    } catch (const InputError& error) {
      return std::string(error.what()).rfind("-s " + text + ":", 0) == 0;
    }
    return false;
  };
  std::optional<SweepPlan> plan;
  try {
    plan = make();
  } catch (const InputError&) {
    if (guesses.empty()) throw;
  }
  if (guesses.empty()) return *plan;
  for (const std::string& text : std::set<std::string>(guesses)) {
    if (!refuses(text)) continue;
    values.insert(text);
    if (refuses(text)) values.erase(text);
  }
  return make();
}

}  // namespace sightline::host
