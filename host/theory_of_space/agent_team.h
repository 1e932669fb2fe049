// Several agents in one scene who tell each other what they see: the future work of Theory of Space
// (ToS), section 1. Each is the explorer that looks where it expects to learn most.
//
// They act in rounds, all at once: in a round each plans from what all of them saw in the rounds
// before, never from what is seen in this one, as agents do that need the same time for a turn.
// So no agent gains by being counted first, and rounds are the time that the exploration takes.
// Plans are shared, sights are not yet: an agent leaves out the looks that those counted before it
// are about to make, which each can work out from what all know.
//
// A scene has one start, so all begin there; where they are, they do not hinder each other. What is
// told is an observation and the node that it was seen from; a thing that one has seen all may jump
// to. An agent without a look that is worth it waits for a round.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/theory_of_space/gain_explorer.h"

namespace sightline::host::tos {

struct TeamExploration {
  /// A turn is a round: observes, cost and coverage are those of all agents together, information
  /// gain that of an ideal observer of all that they saw. Its actions are empty; the pose at the
  /// end is the first agent's.
  Exploration together;
  std::vector<std::vector<std::vector<Action>>> actions;  ///< [num_rounds][num_agents]; {}: waits
  std::vector<std::uint64_t> seen_after;                  ///< [num_rounds] items, a bit each
  std::vector<int> num_observes;                          ///< [num_agents] at the end
};

class AgentTeam {
 public:
  static constexpr int kMostAgents = 8;

  /// Agents from 1 to kMostAgents; a budget is each agent's own, and each errs by itself. `scene`
  /// must outlive this.
  AgentTeam(const Scene& scene, int num_agents, const EpisodeOptions& options = {},
            Profile profile = Profile::kCode);

  /// Called after each agent's turn, in the order in which all hear of them.
  using OnAgentTurn = std::function<void(int agent, const Episode&)>;
  /// Lets them act until none has a look to make; to be called once. One agent acts as GainExplorer
  /// does.
  TeamExploration explore(const OnAgentTurn& on_turn = {});

  int num_agents() const { return static_cast<int>(members_.size()); }
  const AgentMemory& memory(int agent) const {
    return members_[static_cast<std::size_t>(agent)].explorer.memory();
  }

 private:
  struct Member {
    GainExplorer explorer;
    Episode episode;
  };

  std::vector<std::vector<Action>> plan() const;
  void act(const std::vector<std::vector<Action>>& plans, const OnAgentTurn& on_turn);
  void share(const std::vector<std::vector<Action>>& plans);
  void record(const std::vector<std::vector<Action>>& plans, TeamExploration* exploration) const;

  std::vector<Member> members_;
  RevisingBelief belief_;  ///< of an ideal observer of all
};

}  // namespace sightline::host::tos
