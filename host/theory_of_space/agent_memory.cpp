#include "host/theory_of_space/agent_memory.h"

#include <algorithm>
#include <utility>

namespace sightline::host::tos {

AgentMemory::AgentMemory(const Briefing& briefing, FieldOfView field)
    : briefing_(briefing),
      field_(field),
      belief_(briefing.num_items(), briefing.grid, BeliefOptions{Profile::kCode, {}, 0, field}),
      rooms_(briefing.num_items(), briefing.num_objects),
      failed_jumps_(static_cast<std::size_t>(briefing.num_items()) + 1),
      sights_(static_cast<std::size_t>(briefing.num_items()) + 1) {}

void AgentMemory::learn(const Turn& turn, const std::vector<Action>& actions) {
  // A jump that failed, and all after it, was not done.
  std::size_t num_done = 0;
  while (num_done < turn.actions.size() && turn.actions[num_done].ok) ++num_done;
  for (std::size_t i = 0; i < std::min(num_done, actions.size()); ++i) {
    if (actions[i].kind == ActionKind::kJump) node_ = actions[i].item;
  }
  if (num_done < actions.size() && num_done < turn.actions.size() &&
      actions[num_done].kind == ActionKind::kJump) {
    failed_jumps_[index_of(node_)] |= std::uint64_t{1} << actions[num_done].item;
  }
  heading_ = turn.pose.heading;
  hear(turn, node_);
}

void AgentMemory::hear(const Turn& turn, int node) {
  belief_.add(turn, node);
  if (!turn.observation) return;
  rooms_.add(*turn.observation, node);
  std::uint64_t sight = 0;
  for (const SeenItem& item : turn.observation->items) sight |= std::uint64_t{1} << item.item;
  sights_[index_of(node)][static_cast<std::size_t>(turn.observation->pose.heading)] |= sight;
  seen_ |= sight;
}

const CellSet& AgentMemory::domain_of(int node) const {
  static const CellSet kStart = CellSet::only({});
  return node == kStartNode ? kStart : belief_.belief().domain(node);
}

/// A heading in which `to` is sure to be seen from `from`.
std::optional<Heading> AgentMemory::sure_heading(int from, int to) const {
  constexpr std::size_t kMostPairs = 400;  // of domains that are larger nothing is sure
  for (int i = 0; i < kNumHeadings; ++i) {
    if (sights_[index_of(from)][static_cast<std::size_t>(i)] >> to & 1) {
      return static_cast<Heading>(i);
    }
  }
  const CellSet &here = domain_of(from), &there = domain_of(to);
  if (static_cast<std::size_t>(here.size()) * static_cast<std::size_t>(there.size()) > kMostPairs) {
    return std::nullopt;
  }
  const std::vector<Cell> a = here.cells(), b = there.cells();
  for (int i = 0; i < kNumHeadings; ++i) {
    const auto heading = static_cast<Heading>(i);
    const bool is_sure = std::all_of(a.begin(), a.end(), [&](Cell p) {
      return std::all_of(b.begin(), b.end(), [&](Cell q) {
        return p != q && is_within(field_, q - p, eighth_of(heading));
      });
    });
    if (is_sure) return heading;
  }
  return std::nullopt;
}

/// The fewest jumps to every node, by node index.
std::vector<AgentMemory::Step> AgentMemory::walk() const {
  std::vector<Step> steps(static_cast<std::size_t>(briefing_.num_items()) + 1);
  steps[index_of(node_)].is_reached = true;
  std::vector<int> reached{node_};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (std::uint64_t open = in_reach(reached[i]); open != 0; open &= open - 1) {
      const int next = __builtin_ctzll(open);
      if (steps[index_of(next)].is_reached) continue;
      const std::optional<Heading> heading = sure_heading(reached[i], next);
      if (!heading) continue;
      steps[index_of(next)] = {reached[i], *heading, true,
                               steps[index_of(reached[i])].num_jumps + 1};
      reached.push_back(next);
    }
  }
  return steps;
}

std::vector<Action> AgentMemory::look_from(int node, Heading heading,
                                           const std::vector<Step>& steps) const {
  std::vector<std::pair<Heading, int>> jumps;
  for (int at = node; at != node_; at = steps[index_of(at)].from) {
    jumps.emplace_back(steps[index_of(at)].heading, at);
  }
  std::vector<Action> actions;
  Heading facing = heading_;
  const auto turn_to = [&](Heading aim) {
    const int degrees = turn_between(facing, aim);
    if (degrees != 0) actions.push_back(Action::rotate(degrees));
    facing = aim;
  };
  for (auto jump = jumps.rbegin(); jump != jumps.rend(); ++jump) {
    turn_to(jump->first);
    actions.push_back(Action::jump(jump->second));
  }
  turn_to(heading);
  actions.push_back(Action::observe());
  return actions;
}

}  // namespace sightline::host::tos
