// How right a predicted map is: Theory of Space (ToS), section 5 and A.3.
//
// A global map counts cells from the start, north up, and has the agent in it. A local map counts
// them from the agent, y ahead of it and x to its right; facings in it are of the world.
#pragma once

#include <cstdint>
#include <optional>

#include "host/theory_of_space/belief.h"
#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::tos {

struct MapScore {
  double direction = 0;  ///< share of pairs whose eight-way direction is right
  double facing = 0;     ///< share of things with a facing for which it is right
  double position = 0;   ///< share of things that are there, times exp(-RMSE / scale)
  double overall() const { return (direction + facing + position) / 3; }
};

/// L: the root of the mean squared distance of the objects from the start, in cells.
double map_scale(const Scene& scene);

/// Scores a prediction against what is true; things that are not true are not looked at, and
/// missing ones are wrong. Doors have no facing. Profile::kCode adds the frame's origin to both
/// maps as one more thing of the pairs; Profile::kPaper does not (without pairs all are right).
MapScore score_map(const SpatialMap& truth, const SpatialMap& predicted, double scale,
                   Profile profile = Profile::kCode);

/// Only these items of a map: a bit each. The agent stays.
SpatialMap items_of(const SpatialMap& map, const Scene& scene, std::uint64_t items);

/// The items at these cells as an agent sees them from there: a local map of the world.
SpatialMap local_map(const Scene& scene, std::uint64_t items, const Pose& pose);

/// A map from the view of its own agent; none without one. The agent itself is left out.
std::optional<SpatialMap> seen_by_agent(const SpatialMap& global);

/// Does a local map say what the global one says? On the names that both have: none in the local
/// map: all right; none in common: all wrong. None: the global map has no agent.
std::optional<MapScore> local_against_global(const SpatialMap& local, const SpatialMap& global,
                                             double scale, Profile profile = Profile::kCode);

/// All that one turn's maps are scored by (ToS, section 5).
struct MapScores {
  MapScore update;                     ///< global map, against what was seen so far and the agent
  MapScore correctness;                ///< global map, against everything
  MapScore tracking;                   ///< the agent's entry alone
  std::optional<MapScore> local;       ///< local map, against what is in view; none: nothing is
  std::optional<MapScore> perception;  ///< the same, of what is seen for the first time
  std::optional<MapScore> local_and_global;  ///< do both maps agree?
};

/// What a turn's maps are compared with.
struct MapContext {
  const Scene& scene;
  Pose pose;                                  ///< where the agent is
  std::uint64_t seen = 0;                     ///< so far, this turn too
  std::uint64_t in_view = 0, first_seen = 0;  ///< this turn
};
/// Objects that were not seen yet are no part of a global map, nor of a local one what is out of
/// view.
MapScores score_maps(const MapContext& context, const SpatialMap& predicted,
                     const SpatialMap& predicted_local, Profile profile = Profile::kCode);

}  // namespace sightline::host::tos
