#include "host/theory_of_space/agent_team.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/random.h"

namespace sightline::host::tos {
namespace {

/// The first agent perceives as one alone does; the others err on their own.
EpisodeOptions options_of(int agent, EpisodeOptions options) {
  constexpr std::uint64_t kStream = stream_of("theory of space: errors of further agents");
  if (agent > 0) {
    options.noise.seed =
        RandomItem(options.noise.seed, kStream, static_cast<std::uint64_t>(agent))();
  }
  return options;
}

bool is_empty_round(const std::vector<std::vector<Action>>& plans) {
  return std::all_of(plans.begin(), plans.end(), [](const auto& plan) { return plan.empty(); });
}

}  // namespace

AgentTeam::AgentTeam(const Scene& scene, int num_agents, const EpisodeOptions& options,
                     Profile profile)
    : belief_(scene.num_items(), scene.grid, belief_options(scene, options, profile)) {
  if (num_agents < 1 || num_agents > kMostAgents) {
    throw InputError("a team of " + std::to_string(num_agents) + " agents; 1 to " +
                     std::to_string(kMostAgents) + " are allowed");
  }
  for (int agent = 0; agent < num_agents; ++agent) {
    members_.push_back({GainExplorer(briefing_of(scene), options.field),
                        Episode(scene, options_of(agent, options))});
  }
}

/// What each does next, by what all knew before this round; empty: nothing.
std::vector<std::vector<Action>> AgentTeam::plan() const {
  std::vector<std::vector<Action>> plans;
  std::vector<GainExplorer::Look> taken;
  for (const Member& member : members_) {
    std::optional<GainExplorer::Look> look;
    if (!member.episode.has_ended()) {
      GainExplorer explorer = member.explorer;
      for (const GainExplorer::Look& other : taken) {
        explorer.memory().leave(other.node, other.heading);
      }
      look = explorer.choose();
    }
    plans.push_back(look ? look->actions : std::vector<Action>{});
    if (look) taken.push_back(*std::move(look));
  }
  return plans;
}

void AgentTeam::act(const std::vector<std::vector<Action>>& plans, const OnAgentTurn& on_turn) {
  for (std::size_t agent = 0; agent < members_.size(); ++agent) {
    if (plans[agent].empty()) continue;
    Episode& episode = members_[agent].episode;
    episode.act(plans[agent]);
    belief_.add(episode.last(), episode.node());
    if (on_turn) on_turn(static_cast<int>(agent), episode);
  }
}

/// All learn of all turns, in one order: what they believe and how they count rooms stays the same.
void AgentTeam::share(const std::vector<std::vector<Action>>& plans) {
  for (std::size_t teller = 0; teller < members_.size(); ++teller) {
    if (plans[teller].empty()) continue;
    const Episode& told = members_[teller].episode;
    const Turn turn = as_told(told.last());
    for (std::size_t agent = 0; agent < members_.size(); ++agent) {
      Member& member = members_[agent];
      if (agent == teller) {
        member.explorer.memory().learn(turn, plans[agent]);
      } else {
        member.explorer.memory().hear(turn, told.node());
        member.episode.hear(told);
      }
    }
  }
}

void AgentTeam::record(const std::vector<std::vector<Action>>& plans,
                       TeamExploration* exploration) const {
  TurnRecord& record = exploration->together.turns.emplace_back();
  exploration->num_observes.clear();
  for (const Member& member : members_) {
    exploration->num_observes.push_back(member.episode.num_observes());
    record.num_observes += member.episode.num_observes();
    record.cost += member.episode.cost();
  }
  // Every agent was told what the others saw.
  const Episode& episode = members_.front().episode;
  record.information_gain = belief_.belief().information_gain();
  record.num_dropped = belief_.num_dropped();
  record.node_coverage = episode.node_coverage();
  record.edge_coverage = episode.edge_coverage();
  exploration->together.seen = episode.seen();
  exploration->together.pose = episode.pose();
  exploration->seen_after.push_back(episode.seen());
  exploration->actions.push_back(plans);
}

TeamExploration AgentTeam::explore(const OnAgentTurn& on_turn) {
  TeamExploration exploration;
  const auto do_round = [&](const std::vector<std::vector<Action>>& plans) {
    act(plans, on_turn);
    share(plans);
    record(plans, &exploration);
  };
  for (std::vector<std::vector<Action>> plans = plan(); !is_empty_round(plans); plans = plan()) {
    do_round(plans);
  }
  std::vector<std::vector<Action>> ends;
  for (const Member& member : members_) {
    ends.push_back(member.episode.has_ended() ? std::vector<Action>{}
                                              : std::vector<Action>{Action::term()});
  }
  if (!is_empty_round(ends)) do_round(ends);
  return exploration;
}

}  // namespace sightline::host::tos
