// What an agent remembers of where it was and what it saw there, and how it gets around by that.
//
// It knows no cells but those that follow from what it saw (ToS, 4.1: an agent).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/inferred_rooms.h"
#include "host/theory_of_space/revising_belief.h"

namespace sightline::host::tos {

class AgentMemory {
 public:
  explicit AgentMemory(const Briefing& briefing, FieldOfView field = FieldOfView::k90);

  /// Takes in what a turn brought; `actions` are those that were asked for.
  void learn(const Turn& turn, const std::vector<Action>& actions);
  /// Takes in what another agent saw from a node.
  void hear(const Turn& turn, int node);
  /// Another agent is about to look there: it need not be looked at once more.
  void leave(int node, Heading heading) { rooms_.mark_look(node, heading); }

  int num_items() const { return briefing_.num_items(); }
  int num_objects() const { return briefing_.num_objects; }
  FieldOfView field() const { return field_; }
  int node() const { return node_; }
  Heading heading() const { return heading_; }
  std::uint64_t seen() const { return seen_; }  ///< items, a bit each
  const Belief& belief() const { return belief_.belief(); }
  const InferredRooms& rooms() const { return rooms_; }
  /// Where a node may be; the start is known.
  const CellSet& domain_of(int node) const;
  /// Items that were seen and share a room with the node, but for those to which a jump failed.
  std::uint64_t in_reach(int node) const {
    return rooms_.neighbours(node) & seen_ & ~failed_jumps_[index_of(node)];
  }
  /// Items that were seen from a node, looking that way.
  std::uint64_t sight(int node, Heading heading) const {
    return sights_[index_of(node)][static_cast<std::size_t>(heading)];
  }

  /// How one gets to a node: the node before, and the heading in which one jumps.
  struct Step {
    int from = kStartNode;
    Heading heading = Heading::kNorth;
    bool is_reached = false;
    int num_jumps = 0;
  };
  /// The fewest jumps to every node that are sure to succeed: [num_items + 1], the start last.
  std::vector<Step> walk() const;
  bool is_reached(const std::vector<Step>& steps, int node) const {
    return steps[index_of(node)].is_reached;
  }
  int num_jumps(const std::vector<Step>& steps, int node) const {
    return steps[index_of(node)].num_jumps;
  }
  /// The turn that goes there, turns and looks.
  std::vector<Action> look_from(int node, Heading heading, const std::vector<Step>& steps) const;

 private:
  std::size_t index_of(int node) const {
    return static_cast<std::size_t>(node == kStartNode ? briefing_.num_items() : node);
  }
  std::optional<Heading> sure_heading(int from, int to) const;

  Briefing briefing_;
  FieldOfView field_;
  RevisingBelief belief_;
  InferredRooms rooms_;
  int node_ = kStartNode;
  Heading heading_ = Heading::kNorth;
  std::uint64_t seen_ = 0;
  /// [node] what one jumped to from there in vain: rooms were inferred wrongly, and it is not tried
  /// again
  std::vector<std::uint64_t> failed_jumps_;
  /// [node][heading] what was seen from there
  std::vector<std::array<std::uint64_t, kNumHeadings>> sights_;
};

}  // namespace sightline::host::tos
