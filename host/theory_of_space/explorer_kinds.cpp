#include "host/theory_of_space/explorer_kinds.h"

#include <algorithm>

#include "host/config/suggest.h"
#include "host/error.h"
#include "host/theory_of_space/gain_explorer.h"
#include "host/theory_of_space/pattern_explorers.h"
#include "host/theory_of_space/proxies.h"

namespace sightline::host::tos {

const std::vector<std::string>& explorer_names() {
  static const std::vector<std::string> names{
      "scout",           "strategist", "strategist_queries", "gain",
      "rotate_and_scan", "door_first", "object_orbit",       "random"};
  return names;
}

void check_explorer_name(const std::string& name, const std::string& where) {
  const std::vector<std::string>& names = explorer_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw InputError(where + ": no explorer is called \"" + name + "\"; " + suggestion(name, names));
}

std::unique_ptr<Explorer> make_explorer(const std::string& name, const Scene& scene,
                                        const EpisodeOptions& options, Profile profile,
                                        std::uint64_t seed, const std::string& where) {
  check_explorer_name(name, where);
  const auto strategist = [&](bool asks_queries) {
    return std::make_unique<Strategist>(scene, asks_queries, profile, options.field);
  };
  if (name == "scout") return std::make_unique<Scout>(scene, profile);
  if (name == "strategist") return strategist(false);
  if (name == "strategist_queries") return strategist(true);
  const Briefing briefing = briefing_of(scene);
  if (name == "gain") return std::make_unique<GainExplorer>(briefing, options.field);
  const auto pattern = [&](Pattern which) {
    return std::make_unique<PatternExplorer>(briefing, which, seed, options.field);
  };
  if (name == "rotate_and_scan") return pattern(Pattern::kRotateAndScan);
  if (name == "door_first") return pattern(Pattern::kDoorFirst);
  if (name == "object_orbit") return pattern(Pattern::kObjectOrbit);
  return pattern(Pattern::kRandom);
}

}  // namespace sightline::host::tos
