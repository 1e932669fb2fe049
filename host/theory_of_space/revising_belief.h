// A belief that goes on when what it hears cannot all be true: perception errs, or things were
// moved since they were seen.
//
// Theory of Space (ToS), section 6 (false belief): old relations give way to new ones. What was
// said of two things and contradicts what was said later is dropped, and the things that this
// concerns are in doubt.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/theory_of_space/belief.h"

namespace sightline::host::tos {

class RevisingBelief {
 public:
  /// As Belief.
  RevisingBelief(int num_items, int grid, const BeliefOptions& options = {});

  /// Adds what a turn brought; `node` is what the agent stood on as it observed. Never contradicts
  /// itself afterwards.
  void add(const Turn& turn, int node);

  /// What follows from the relations that were kept.
  const Belief& belief() const { return belief_; }
  /// Relations that were dropped, since those of later turns contradict them.
  int num_dropped() const { return num_dropped_; }
  /// The fewest things, found greedily, that explain every dropped relation by having moved: a bit
  /// each.
  std::uint64_t moved() const;
  /// Things whose facing was last seen to be another than before: a bit each.
  std::uint64_t rotated() const { return rotated_; }
  /// As last seen.
  std::optional<Heading> facing(int item) const { return facings_[static_cast<std::size_t>(item)]; }

 private:
  struct Fact {
    int turn = 0, item = 0, from = 0;  ///< nodes
    Relation offsets;
    bool is_dropped = false;
  };

  void hear(const Observation& observation, int node);
  void see_facing(int item, Heading facing);
  void revise();

  int num_items_, grid_;
  BeliefOptions options_;
  Belief belief_;
  std::vector<Fact> facts_;  ///< by turn
  int num_turns_ = 0, num_dropped_ = 0;
  std::vector<std::optional<Heading>> facings_;  ///< [num_items]
  std::uint64_t rotated_ = 0;
};

}  // namespace sightline::host::tos
