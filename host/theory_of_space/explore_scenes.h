// Explorers on many scenes: the means of what each came to know, and what it cost (Theory of Space,
// 4.2 and Table 2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {

struct ExploreSettings {
  std::vector<std::string> explorers;  ///< names (explorer_kinds.h)
  EpisodeOptions episode;              ///< its noise is seeded anew for each scene
  Profile profile = Profile::kCode;
  std::uint64_t seed = 1;  ///< of errors of perception and of explorers that draw
  int num_threads = 0;     ///< 0: all cores
  std::string log;  ///< file of all turns (turn_json.h), by scene, then explorer; empty: none
};

/// Means over scenes, at the end of each exploration.
struct ExplorerMeans {
  std::string explorer;
  std::int64_t num_scenes = 0;
  double observes = 0, cost = 0, information_gain = 0, node_coverage = 0, edge_coverage = 0;
  double resolved = 0;       ///< share of scenes where every thing is known to be on one cell
  double contradictory = 0;  ///< share where what was seen cannot all be true, and some was dropped
};

/// [explorers]. The same on any number of threads. Throws InputError, beginning with `where`, for
/// an explorer that is none, and for a log that cannot be written, before any work.
std::vector<ExplorerMeans> explore_scenes(const std::vector<Scene>& scenes,
                                          const ExploreSettings& settings,
                                          const std::string& where);

}  // namespace sightline::host::tos
