// An exploration as a page, turn by turn: what was done and seen, and the map that somebody
// believed in then beside the true one (Theory of Space, Figures 21 to 25).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/lived_exploration.h"
#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::report {

struct Replay {
  const tos::Scene& scene;
  const tos::LivedExploration& lived;
  std::vector<std::optional<tos::SpatialMap>> maps;  ///< [turns]; none: nobody said
  std::string explorer;                              ///< who explored
  std::string believer;                              ///< who said what is believed
};

/// One HTML document that needs no other file. All text is escaped.
std::string replay_page(const Replay& replay);

}  // namespace sightline::host::report
