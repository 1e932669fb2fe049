// Who explores: turn by turn, from what was seen to what is done next.
//
// Theory of Space (ToS), 4.1 and B.2. A proxy such as SCOUT knows the scene; every other explorer
// is told only what an agent is told.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/theory_of_space/belief.h"
#include "host/theory_of_space/episode.h"

namespace sightline::host::tos {

/// What an agent knows before it begins: how many things there are and what they are called, and
/// how large the map is. Not where anything is.
struct Briefing {
  std::vector<std::string> names;  ///< of items, objects first
  int num_objects = 0;
  int grid = 0;
};
Briefing briefing_of(const Scene& scene);

/// A turn without what an agent cannot know: its own cell and rooms.
Turn as_told(const Turn& turn);

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Knows where things are: a proxy, not an agent.
  virtual bool knows_scene() const { return false; }
  /// The next turn; `last` is what the one before brought, empty at first.
  virtual std::vector<Action> next(const Turn& last) = 0;
};

/// What came of each turn.
struct TurnRecord {
  std::vector<Action> actions;     ///< as given
  int num_observes = 0, cost = 0;  ///< so far
  double information_gain = 0, node_coverage = 0, edge_coverage = 0;
};

struct Exploration {
  std::vector<TurnRecord> turns;
  std::uint64_t seen = 0;
  const TurnRecord& last() const { return turns.back(); }
};

/// Lets an explorer act until it ends or the budget is spent. After each turn the belief that an
/// ideal observer has is brought up to date: `belief`, if given, is it at the end.
Exploration explore(const Scene& scene, Explorer* explorer, const EpisodeOptions& options,
                    const BeliefOptions& belief_options, Belief* belief = nullptr);

}  // namespace sightline::host::tos
