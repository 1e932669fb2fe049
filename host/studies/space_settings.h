// Scenes, episodes and explorers of the studies of Theory of Space: the keys that they share.
//
//     scenes:
//       rooms: 3                (default) 1 to 9
//       count: 100              (default) trial i is scene i of the seed (scene_generator.h)
//       placement: free         (default) or spaced, as in the published scenes
//       topology: any           (default), chain or star
//       objects: 4              (default) in each room
//     scenes: {file: F.jsonl}   every scene of a file, in place of these
//     episode:
//       budget: 0               (default) turns; 0: no limit
//       field_of_view: 90       (default), 60, 120 or 180 degrees
//       noise: 0                (default) probability that a bin, or a facing, is seen as another
//       profile: code           (default) or paper
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host/studies/study.h"
#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/scene_generator.h"

namespace sightline::host {

struct SpaceSettings {
  tos::SceneSettings generated;
  std::int64_t num_scenes = 100;
  std::vector<tos::Scene> read;  ///< not empty: these
  std::string file;
  tos::EpisodeOptions episode;
  tos::Profile profile = tos::Profile::kCode;
  std::uint64_t seed = 1;

  tos::Scene scene(std::int64_t trial) const;
  std::vector<std::string> files() const;  ///< that scenes are read from: one or none
  /// Errors of perception differ from scene to scene; all arms have the same.
  tos::EpisodeOptions episode_of(std::int64_t trial) const;
};

/// Reads `scenes` and `episode` of a study. Throws InputError, at the key.
SpaceSettings parse_space_settings(const StudySettings& settings);

/// Turns of an episode; 0: no limit. Throws InputError at the value.
int as_budget(const ConfigValue& turns);
/// The name of an explorer (explorer_kinds.h). Throws InputError at the value.
std::string as_explorer(const ConfigValue& name);
/// Reads `explorer` of an arm. Throws InputError at the key.
std::string parse_explorer(const ConfigValue& arm);

/// Calls make(trial) for all trials, on the device's threads; make writes its own trial's slots
/// alone. Throws what the first trial that failed threw.
void for_each_trial(std::int64_t num_trials, const Device& device,
                    const std::function<void(std::int64_t)>& make);

}  // namespace sightline::host
