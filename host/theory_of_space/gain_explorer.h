// An explorer that looks where it expects to learn most.
//
// It knows the names of things and what it has seen, no more (ToS, 4.1: an agent). Before each look
// it weighs all looks that it can walk to - moves are free, looks are not - by the bits that it
// expects them to take off the domains of things: of those it has seen, over some worlds that may
// be (possible_worlds.h); of those it has not, by how much of a room the look covers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/theory_of_space/agent_memory.h"
#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {

class GainExplorer final : public Explorer {
 public:
  explicit GainExplorer(const Briefing& briefing, FieldOfView field = FieldOfView::k90);

  void explore(World* world) override;

  /// A look to make, and the way there.
  struct Look {
    std::vector<Action> actions;
    int node = kStartNode;
    Heading heading = Heading::kNorth;
    double bits = 0;  ///< that it is expected to bring
  };
  /// The best look from here; none: nothing more is to be learnt.
  std::optional<Look> choose() const;
  const AgentMemory& memory() const { return memory_; }
  AgentMemory& memory() { return memory_; }

 private:
  std::vector<Look> looks(const std::vector<AgentMemory::Step>& steps) const;
  double bits_of_seen(int node, Heading heading) const;
  double bits_of_unseen(int node, Heading heading) const;
  double bits_if_made(int node, Heading heading, const std::vector<Cell>& world) const;
  double unseen_weight() const;
  double room_weight(int room) const;

  AgentMemory memory_;
};

}  // namespace sightline::host::tos
