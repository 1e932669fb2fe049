// Who explores: turn by turn, from what was seen to what is done next.
//
// Theory of Space (ToS), 4.1 and B.2. A proxy such as SCOUT knows the scene; every other explorer
// is told only what an agent is told.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/theory_of_space/episode.h"
#include "host/theory_of_space/revising_belief.h"

namespace sightline::host::tos {

/// What an agent knows before it begins: how many things there are and what they are called, and
/// how large the map is. Not where anything is.
struct Briefing {
  std::vector<std::string> names;  ///< of items, objects first
  int num_objects = 0;
  int grid = 0;
  int num_items() const { return static_cast<int>(names.size()); }
};
Briefing briefing_of(const Scene& scene);

/// A turn without what an agent cannot know: its own cell and rooms.
Turn as_told(const Turn& turn);

/// The world as an explorer meets it.
class World {
 public:
  virtual ~World() = default;
  /// Does one turn and says what it brought. Not to be called once has_ended().
  virtual const Turn& act(const std::vector<Action>& actions) = 0;
  virtual bool has_ended() const = 0;
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Knows where things are: a proxy, which is told its cells too, and no agent.
  virtual bool knows_scene() const { return false; }
  /// Acts until it has seen enough or the world has ended. Who does not say Term has it said for
  /// them.
  virtual void explore(World* world) = 0;
};

/// What came of each turn.
struct TurnRecord {
  std::vector<Action> actions;     ///< as given
  int num_observes = 0, cost = 0;  ///< so far
  double information_gain = 0, node_coverage = 0, edge_coverage = 0;
  int num_dropped = 0;  ///< relations seen so far that do not go with later ones: errors
};

struct Exploration {
  std::vector<TurnRecord> turns;
  std::uint64_t seen = 0;
  Pose pose;  ///< at the end, in the world
  const TurnRecord& last() const { return turns.back(); }
  int num_observes() const { return last().num_observes; }
};

/// Called after each turn, with what an ideal observer believes by then, who drops what does not go
/// with what was seen later.
using OnTurn = std::function<void(const Episode&, const RevisingBelief&)>;

/// Lets an explorer act until it ends or the budget is spent. After each turn the belief of an
/// ideal observer of all that was seen is brought up to date, and what it knows is recorded.
Exploration explore(const Scene& scene, Explorer* explorer, const EpisodeOptions& options = {},
                    Profile profile = Profile::kCode, const OnTurn& on_turn = {});

/// What the belief of an ideal observer of an episode is told.
BeliefOptions belief_options(const Scene& scene, const EpisodeOptions& options, Profile profile);
/// The belief before the first turn.
Belief first_belief(const Scene& scene, const EpisodeOptions& options, Profile profile);

}  // namespace sightline::host::tos
