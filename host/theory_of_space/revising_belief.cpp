#include "host/theory_of_space/revising_belief.h"

#include <algorithm>

namespace sightline::host::tos {

RevisingBelief::RevisingBelief(int num_items, int grid, const BeliefOptions& options)
    : num_items_(num_items),
      grid_(grid),
      options_(options),
      belief_(num_items, grid, options),
      facings_(static_cast<std::size_t>(num_items)) {}

void RevisingBelief::add(const Turn& turn, int node) {
  if (turn.observation) hear(*turn.observation, node);
  if (turn.query) {
    const QueryAnswer& answer = *turn.query;
    facts_.push_back(
        {num_turns_, answer.item, kStartNode, Relation::exactly(answer.offset), false});
    if (answer.facing) see_facing(answer.item, *answer.facing);
  }
  ++num_turns_;
  belief_.add(turn, node);
  if (belief_.is_contradictory()) revise();
}

void RevisingBelief::hear(const Observation& observation, int node) {
  const Heading heading = observation.pose.heading;
  for (const SeenItem& seen : observation.items) {
    facts_.push_back({num_turns_, seen.item, node,
                      Relation::seen(options_.field, heading, seen.direction, seen.distance),
                      false});
    if (seen.facing) see_facing(seen.item, turned(heading, 90 * static_cast<int>(*seen.facing)));
  }
  for (const NearPair& pair : observation.pairs) {
    facts_.push_back({num_turns_, pair.item, pair.from,
                      Relation::near(heading, pair.direction, pair.distance), false});
  }
}

void RevisingBelief::see_facing(int item, Heading facing) {
  std::optional<Heading>& known = facings_[static_cast<std::size_t>(item)];
  if (known && *known != facing) rotated_ |= std::uint64_t{1} << item;
  known = facing;
}

/// From the last turn to the first: a turn is believed if it goes with all later ones; else those
/// of its relations are that do, one after the other. What does not is taken back at once, which
/// costs what it changed and no copy of all that is believed.
void RevisingBelief::revise() {
  belief_ = Belief(num_items_, grid_, options_);
  num_dropped_ = 0;
  for (std::size_t end = facts_.size(); end > 0;) {
    std::size_t begin = end;
    while (begin > 0 && facts_[begin - 1].turn == facts_[end - 1].turn) --begin;
    for (std::size_t i = begin; i < end; ++i) {
      Fact& fact = facts_[i];
      fact.is_dropped = !belief_.relate_if_consistent(fact.item, fact.from, fact.offsets);
      num_dropped_ += fact.is_dropped ? 1 : 0;
    }
    end = begin;
  }
}

std::uint64_t RevisingBelief::moved() const {
  std::uint64_t moved = 0;
  const auto explains = [&](int node) { return node != kStartNode && (moved >> node & 1) != 0; };
  while (true) {
    std::vector<int> dropped(static_cast<std::size_t>(num_items_));
    for (const Fact& fact : facts_) {
      if (!fact.is_dropped || explains(fact.item) || explains(fact.from)) continue;
      for (const int node : {fact.item, fact.from}) {
        if (node != kStartNode) ++dropped[static_cast<std::size_t>(node)];
      }
    }
    const auto most = std::max_element(dropped.begin(), dropped.end());
    if (most == dropped.end() || *most == 0) return moved;
    moved |= std::uint64_t{1} << (most - dropped.begin());
  }
}

}  // namespace sightline::host::tos
