#include "host/theory_of_space/possible_worlds.h"

#include <algorithm>
#include <array>

#include "host/random.h"

namespace sightline::host::tos {
namespace {

constexpr std::uint64_t kStream = stream_of("theory of space: worlds that may be");

std::size_t place_of(const AgentMemory& memory, int node) {
  return static_cast<std::size_t>(node == kStartNode ? memory.num_items() : node);
}

/// Would a thing at `there` have been seen from a node at `here`, which it was not?
bool is_missed(const AgentMemory& memory, int node, Cell here, int item, Cell there) {
  if (item == kStartNode || (memory.in_reach(node) >> item & 1) == 0) return false;
  for (int i = 0; i < kNumHeadings; ++i) {
    const auto heading = static_cast<Heading>(i);
    if (!memory.rooms().has_looked(node, heading)) continue;
    if ((memory.sight(node, heading) >> item & 1) != 0) continue;
    if (is_within(memory.field(), there - here, eighth_of(heading))) return true;
  }
  return false;
}

/// A world that is being drawn.
struct Draft {
  const AgentMemory& memory;
  Belief belief;
  std::vector<Cell> cells;
  std::uint64_t placed = 0;     ///< a bit an item
  bool is_in_a_corner = false;  ///< something had no cell left, and stands anywhere

  /// Does a cell go with what stands already?
  bool fits(int item, Cell cell) const {
    if (is_missed(memory, kStartNode, {}, item, cell)) return false;
    for (std::uint64_t left = placed; left != 0; left &= left - 1) {
      const int other = __builtin_ctzll(left);
      const Cell there = cells[static_cast<std::size_t>(other)];
      if (there == cell || is_missed(memory, other, there, item, cell) ||
          is_missed(memory, item, cell, other, there))
        return false;
    }
    return true;
  }

  void put(int item, Cell cell) {
    cells[static_cast<std::size_t>(item)] = cell;
    placed |= std::uint64_t{1} << item;
  }

  /// Of what does not stand yet, that which has the fewest cells; -1: nothing is left.
  int next() const {
    int best = -1;
    for (std::uint64_t left = memory.seen() & ~placed; left != 0; left &= left - 1) {
      const int item = __builtin_ctzll(left);
      if (best < 0 || belief.domain(item).size() < belief.domain(best).size()) best = item;
    }
    return best;
  }

  /// Some cell of those that go with the rest. Few are tried to their ends: under errors of
  /// perception there may be none.
  void place(int item, RandomItem* random) {
    constexpr int kMostTries = 6;
    std::vector<Cell> open = belief.domain(item).cells();
    const Cell any = open[static_cast<std::size_t>(random->below(open.size()))];
    for (int tries = 0; tries < kMostTries && !open.empty();) {
      const auto at = static_cast<std::size_t>(random->below(open.size()));
      const Cell cell = open[at];
      open[at] = open.back();
      open.pop_back();
      if (!fits(item, cell)) continue;
      if (belief.domain(item).size() == 1) return put(item, cell);
      ++tries;
      if (!belief.relate_if_consistent(item, kStartNode, Relation::exactly(cell))) continue;
      return put(item, cell);
    }
    is_in_a_corner = true;
    put(item, any);
  }
};

}  // namespace

std::vector<Cell> possible_world(const AgentMemory& memory, std::uint64_t number) {
  constexpr std::uint64_t kDrafts = 4;
  std::vector<Cell> cells(static_cast<std::size_t>(memory.num_items()) + 1);
  for (std::uint64_t i = 0; i < kDrafts; ++i) {
    RandomItem random(0, kStream, number * kDrafts + i);
    Draft draft{memory, memory.belief(), cells};
    const bool is_last = i + 1 == kDrafts;
    for (int item = draft.next(); item >= 0; item = draft.next()) {
      draft.place(item, &random);
      if (draft.is_in_a_corner && !is_last) break;
    }
    if (!draft.is_in_a_corner || is_last) return draft.cells;
  }
  return cells;
}

Observation imagined_look(const AgentMemory& memory, const std::vector<Cell>& world, int node,
                          Heading heading) {
  constexpr std::int64_t kNearSquared = 4;
  Observation seen;
  seen.pose.heading = heading;
  const Eighth view = eighth_of(heading);
  const Cell from = world[place_of(memory, node)];
  for (std::uint64_t left = memory.in_reach(node); left != 0; left &= left - 1) {
    const int item = __builtin_ctzll(left);
    const Cell offset = world[static_cast<std::size_t>(item)] - from;
    if (offset == Cell{} || !is_within(memory.field(), offset, view)) continue;
    seen.items.push_back(
        {static_cast<std::int8_t>(item), seen_bin(offset, view), distance_bin(offset), {}, {}});
  }
  for (std::size_t i = 0; i < seen.items.size(); ++i) {
    for (std::size_t j = i + 1; j < seen.items.size(); ++j) {
      const std::int8_t a = seen.items[i].item, b = seen.items[j].item;
      const Cell offset = world[static_cast<std::size_t>(a)] - world[static_cast<std::size_t>(b)];
      if (offset == Cell{} || squared_length(offset) > kNearSquared) continue;
      seen.pairs.push_back({a, b, cardinal_bin(offset, heading), distance_bin(offset)});
    }
  }
  return seen;
}

}  // namespace sightline::host::tos
