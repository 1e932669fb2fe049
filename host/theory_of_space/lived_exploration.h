// An exploration turn by turn: what its agent is told, and beside it what is true.
//
// Who answers prompts may see the first and never the second; scorers see both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {

/// A turn as its agent knows it.
struct ToldTurn {
  std::vector<Action> actions;  ///< as asked for; jumps and queries by item where the name is one
  Turn turn;                    ///< without the agent's cell (as_told)
  std::string said;             ///< "[Rotate(90), Observe()]", or the answer that could not be read
  std::string told;             ///< what came of it, in words
};

struct LivedTurn {
  ToldTurn told;
  Turn truth;
  std::uint64_t seen = 0;        ///< items so far, a bit each, this turn's too
  std::uint64_t in_view = 0;     ///< items that this turn's Observe saw
  std::uint64_t first_seen = 0;  ///< those among them that no earlier turn saw
};

struct LivedExploration {
  std::vector<LivedTurn> turns;
  Exploration exploration;  ///< its record of the same turns
  bool has_ended = false;
};

/// Explores as explore() does (explorer.h).
LivedExploration live(const Scene& scene, Explorer* explorer, const EpisodeOptions& options);

/// The turns that these answers in words make; it has ended only if they end it. Answers after the
/// end are not looked at.
LivedExploration live_by_answers(const Scene& scene, const std::vector<std::string>& answers,
                                 const EpisodeOptions& options);

/// What is told of the turns, in their order.
std::vector<ToldTurn> told_turns(const LivedExploration& lived);

}  // namespace sightline::host::tos
