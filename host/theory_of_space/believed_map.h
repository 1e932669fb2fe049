// The map that a belief amounts to: each thing in the middle of where it may be, or elsewhere
// there.
#pragma once

#include <cstdint>
#include <string_view>

#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/revising_belief.h"
#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::tos {

/// Which of the cells where a thing may be a map has it at.
class PlaceChoice {
 public:
  /// The middle, which changes only with what is known.
  PlaceChoice() = default;
  /// Any, drawn for each thing: equal keys draw alike.
  static PlaceChoice drawn(std::string_view key);

  Cell operator()(int node, const CellSet& cells) const;

 private:
  bool is_drawn_ = false;
  std::uint64_t seed_ = 0;
};

/// Things that were seen, and the agent where it stands on `node` with that heading.
SpatialMap believed_map(const RevisingBelief& belief, const Briefing& briefing, int node,
                        Heading heading, const PlaceChoice& choice = {});

/// An exploration, and the map that who heard all of it believes in at the end.
struct MappedExploration {
  Exploration exploration;
  SpatialMap map;
};
/// As explore(); the belief revises itself, so errors of perception are no end of it.
MappedExploration explore_and_map(const Scene& scene, Explorer* explorer,
                                  const EpisodeOptions& options = {},
                                  Profile profile = Profile::kCode);

/// How right a map is against everything in the scene and the agent where it truly is (ToS, A.3).
double map_correctness(const Scene& scene, const Pose& agent, const SpatialMap& map,
                       Profile profile = Profile::kCode);

}  // namespace sightline::host::tos
