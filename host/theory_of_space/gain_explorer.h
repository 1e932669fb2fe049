// An explorer that looks where it expects to learn most.
//
// It knows the names of things and what it has seen, no more (ToS, 4.1: an agent). Before each look
// it weighs all looks that it can walk to - moves are free, looks are not - by the bits that it
// expects them to take off the domains of things: of those it has seen, over all cells where they
// may be; of those it has not, by how much of a room the look covers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/inferred_rooms.h"
#include "host/theory_of_space/revising_belief.h"

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
  /// Takes in what a turn brought.
  void learn(const Turn& turn, const std::vector<Action>& actions);

  const RevisingBelief& belief() const { return belief_; }

 private:
  /// How one gets to a node: the node before, and the heading in which one jumps.
  struct Step {
    int from = kStartNode;
    Heading heading = Heading::kNorth;
    bool is_reached = false;
  };

  std::size_t index_of(int node) const {
    return static_cast<std::size_t>(node == kStartNode ? briefing_.num_items() : node);
  }
  const CellSet& domain_of(int node) const;
  std::vector<Step> walk() const;
  std::optional<Heading> sure_heading(int from, int to) const;
  std::vector<Action> way_to(int node, Heading heading, const std::vector<Step>& steps) const;
  std::vector<Look> looks(const std::vector<Step>& steps) const;
  double bits_of_seen(int node, Heading heading) const;
  double bits_of_unseen(int node, Heading heading) const;
  double bits_if_made(int node, Heading heading, int trial) const;
  double unseen_weight() const;

  Briefing briefing_;
  FieldOfView field_;
  RevisingBelief belief_;
  InferredRooms rooms_;
  int node_ = kStartNode;
  Heading heading_ = Heading::kNorth;
  std::uint64_t seen_ = 0;
  /// [node][heading] what was seen from there
  std::vector<std::array<std::uint64_t, kNumHeadings>> sights_;
};

}  // namespace sightline::host::tos
