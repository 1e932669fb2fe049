// What the probes of a model's belief score, turn by turn: Theory of Space (ToS), section 5.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/lived_exploration.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/unexplored.h"

namespace sightline::host::tos {

/// Values by measure, one for each turn that has it.
using TurnScores = std::map<std::string, std::vector<double>>;

/// The answers to the probes of one turn. None: it was not asked for; an answer that is missing or
/// cannot be read is an empty map, and scores 0 in all.
struct ProbedMaps {
  std::optional<SpatialMap> global, local;
  bool has_global = false, has_local = false;  ///< there is an answer that could be read
};

/// Scores the maps of one turn. `earlier` is the global map of the turn before; `is_last`: what is
/// compared with everything is compared now.
void score_probed_maps(const Scene& scene, const LivedTurn& turn, const ProbedMaps& maps,
                       const std::optional<SpatialMap>& earlier, bool is_last, TurnScores* scores);

/// Pairs of things that were seen, to ask where one is from the other: at most three, all
/// different; equal arguments give equal pairs.
std::vector<std::pair<std::string, std::string>> drawn_pairs(const Scene& scene, std::uint64_t seen,
                                                             std::uint64_t seed,
                                                             std::uint64_t number);

/// Scores told relations of pairs by what a map says of them: half for the direction and half for
/// the distance of each; of a pair that the map lacks nothing is right.
double score_relations(const SpatialMap& map,
                       const std::vector<std::pair<std::string, std::string>>& pairs,
                       const std::vector<std::string>& told);

}  // namespace sightline::host::tos
