// What became of beliefs about things that changed: Theory of Space (ToS), section 6 and A.4.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/theory_of_space/false_belief.h"

namespace sightline::host::tos {

/// What is believed of one thing.
struct ThingBelief {
  Cell cell;  ///< in the world
  std::optional<Heading> facing;
};

/// Of each item, [num_items]; none: nothing is believed of it.
struct RevisedBeliefs {
  std::vector<std::optional<ThingBelief>> before;  ///< at the end of the first exploration
  std::vector<std::optional<ThingBelief>> now;     ///< since it was first seen in the second
  std::uint64_t seen = 0;                          ///< in the second: a bit each
};

struct RevisionScores {
  double correctness = 0;     ///< mean over changed things; of those not seen again or believed: 0
  double inertia = 0;         ///< mean over moved things that are believed to be somewhere
  double facing_inertia = 0;  ///< mean over rotated things
  double sigma = 0;           ///< cells: the error of unchanged objects that were seen again
  int num_moved = 0, num_rotated = 0;  ///< that the means are of
};

/// Scores beliefs about a scene that was changed.
RevisionScores score_revision(const Scene& scene, const std::vector<SceneChange>& changes,
                              const RevisedBeliefs& beliefs);

}  // namespace sightline::host::tos
