// The second exploration of a scene that changed since the first, and what it does to a belief:
// Theory of Space (ToS), section 6 and A.4.
#pragma once

#include <string>
#include <vector>

#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/false_belief.h"

namespace sightline::host::tos {

/// Who believes: the solver that revises itself, or one of two that need no solver.
enum class Believer : std::uint8_t { kRevises, kStale, kExact };

struct FalseBeliefSettings {
  std::string explorer = "scout";  ///< of both explorations (explorer_kinds.h)
  Believer believer = Believer::kRevises;
  EpisodeOptions first;  ///< of the first exploration
  Profile profile = Profile::kCode;
  int budget = 15;         ///< turns of the second
  std::uint64_t seed = 1;  ///< of explorers that draw
};

struct FalseBeliefResult {
  ChangeScores f1;
  double correctness = 0;     ///< mean over changed things
  double inertia = 0;         ///< mean over moved things, in [-1, 1]
  double facing_inertia = 0;  ///< mean over rotated things
  double sigma = 0;           ///< cells: the error of unchanged things
  int num_turns = 0, redundancy = 0;
  int num_moved = 0, num_rotated = 0;
};

/// Explores the scene, changes it, and explores it again from the start.
FalseBeliefResult run_false_belief(const Scene& scene, const std::vector<SceneChange>& changes,
                                   const FalseBeliefSettings& settings);

}  // namespace sightline::host::tos
