#include "host/theory_of_space/gain_explorer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/theory_of_space/possible_worlds.h"

namespace sightline::host::tos {
namespace {

/// At most so many cells of a domain are weighed: enough to tell looks apart.
constexpr std::size_t kMostCells = 16;
constexpr double kLeastBits = 1e-9;

std::vector<Cell> sample(const CellSet& domain) {
  std::vector<Cell> cells = domain.cells();
  if (cells.size() <= kMostCells) return cells;
  std::vector<Cell> some;
  for (std::size_t i = 0; i < kMostCells; ++i) {
    some.push_back(cells[i * cells.size() / kMostCells]);
  }
  return some;
}

/// What a look would leave of two domains, bin by bin.
struct PairOutcomes {
  struct Bin {
    int num_pairs = 0;
    std::uint32_t from = 0, to = 0;  ///< cells of either domain that stay possible: a bit each
  };
  std::array<Bin, kNumEgoBins * kNumDistanceBins> bins{};
  int num_pairs = 0;

  /// Bits that are expected to go: of the thing looked at, and of the one looked from.
  std::array<double, 2> bits(std::size_t num_from, std::size_t num_to) const {
    std::array<double, 2> gone{};
    for (const Bin& bin : bins) {
      if (bin.num_pairs == 0) continue;
      const double share = static_cast<double>(bin.num_pairs) / num_pairs;
      gone[0] += share * std::log2(static_cast<double>(num_to) / __builtin_popcount(bin.to));
      gone[1] += share * std::log2(static_cast<double>(num_from) / __builtin_popcount(bin.from));
    }
    return gone;
  }
};

PairOutcomes outcomes(const std::vector<Cell>& from, const std::vector<Cell>& to, Heading heading,
                      FieldOfView field) {
  PairOutcomes all;
  const Eighth view = eighth_of(heading);
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (std::size_t j = 0; j < to.size(); ++j) {
      const Cell offset = to[j] - from[i];
      ++all.num_pairs;
      if (offset == Cell{} || !is_within(field, offset, view)) continue;
      const std::size_t at = static_cast<std::size_t>(seen_bin(offset, view)) * kNumDistanceBins +
                             static_cast<std::size_t>(distance_bin(offset));
      PairOutcomes::Bin& bin = all.bins[at];
      ++bin.num_pairs;
      bin.from |= std::uint32_t{1} << i;
      bin.to |= std::uint32_t{1} << j;
    }
  }
  return all;
}

/// Bits that domains have: what is left to learn of them.
double bits_of(const Belief& belief) {
  double bits = 0;
  for (int item = 0; item < belief.num_items(); ++item) {
    bits += std::log2(std::max(1, belief.domain(item).size()));
  }
  return bits;
}

}  // namespace

GainExplorer::GainExplorer(const Briefing& briefing, FieldOfView field)
    : memory_(briefing, field) {}

void GainExplorer::explore(World* world) {
  while (!world->has_ended()) {
    const std::optional<Look> look = choose();
    if (!look) return;
    memory_.learn(world->act(look->actions), look->actions);
  }
}

/// Over the things that are in view for some of the cells where both may be.
double GainExplorer::bits_of_seen(int node, Heading heading) const {
  const std::vector<Cell> from = sample(memory_.domain_of(node));
  double bits = 0, bits_of_node = 0;
  for (std::uint64_t left = memory_.in_reach(node); left != 0; left &= left - 1) {
    const std::vector<Cell> to = sample(memory_.domain_of(__builtin_ctzll(left)));
    if (from.size() == 1 && to.size() == 1) continue;
    const std::array<double, 2> gone =
        outcomes(from, to, heading, memory_.field()).bits(from.size(), to.size());
    bits += gone[0];
    bits_of_node += gone[1];
  }
  return bits + std::min(bits_of_node, std::log2(static_cast<double>(from.size())));
}

/// How much of what was not seen yet may be in a room, in rooms of which nothing was: little if it
/// was looked at, or has as many objects as rooms have in the mean. A room has a door to the one
/// that it is entered from, so there are as many rooms as doors, and one.
double GainExplorer::room_weight(int room) const {
  constexpr double kLeast = 0.2;
  const int num_doors = memory_.num_items() - memory_.num_objects();
  const double mean = memory_.num_objects() / (num_doors + 1.0);
  const std::uint64_t objects = (std::uint64_t{1} << memory_.num_objects()) - 1;
  const double left = mean - __builtin_popcountll(memory_.rooms().items_of(room) & objects);
  return memory_.rooms().unseen_share(room) * std::max(kLeast, left / std::max(mean, kLeast));
}

/// All that was not seen yet, in such rooms.
double GainExplorer::unseen_weight() const {
  double weight = 0;
  for (int room = 0; room < memory_.rooms().num_rooms(); ++room) weight += room_weight(room);
  for (int door = memory_.num_objects(); door < memory_.num_items(); ++door) {
    weight += memory_.rooms().leads_to_unknown(door) ? 1 : 0;
  }
  return weight;
}

double GainExplorer::bits_of_unseen(int node, Heading heading) const {
  constexpr double kBitsOfSight =
      5.5;  // a thing that is seen for the first time brings about so much
  const int num_unseen = memory_.num_items() - __builtin_popcountll(memory_.seen());
  const double weight = unseen_weight();
  if (num_unseen == 0 || weight <= 0) return 0;
  double share = 0;
  for (const int room : memory_.rooms().rooms_of(node)) {
    if (room >= 0) share += room_weight(room) * memory_.rooms().look_share(node, heading, room);
  }
  if (memory_.rooms().leads_to_unknown(node))
    share += memory_.rooms().look_share(node, heading, -1);
  return kBitsOfSight * num_unseen * share / weight;
}

/// Bits that the look would bring in one world that may be: what would be seen of it is followed to
/// its end.
double GainExplorer::bits_if_made(int node, Heading heading, const std::vector<Cell>& world) const {
  const Observation seen = imagined_look(memory_, world, node, heading);
  if (seen.items.empty()) return 0;
  Belief after = memory_.belief();
  after.add(seen, node);
  return after.is_contradictory() ? 0 : bits_of(memory_.belief()) - bits_of(after);
}

/// Every look that one can walk to and that was not made, the most promising first. The start, to
/// which there is no way back, comes before all else as long as there is something to see from it:
/// that is certain.
std::vector<GainExplorer::Look> GainExplorer::looks(
    const std::vector<AgentMemory::Step>& steps) const {
  constexpr double kWorthStaying = 0.5;  // bits
  std::vector<Look> open;
  bool stays = false;
  for (int node = kStartNode; node < memory_.num_items(); ++node) {
    if (!memory_.is_reached(steps, node)) continue;
    if (stays && node != kStartNode) break;
    for (int i = 0; i < kNumHeadings; ++i) {
      const auto heading = static_cast<Heading>(i);
      if (memory_.rooms().has_looked(node, heading)) continue;
      const double bits = bits_of_seen(node, heading) + bits_of_unseen(node, heading);
      if (bits > kLeastBits) open.push_back(Look{{}, node, heading, bits});
      stays |= node == kStartNode && bits > kWorthStaying;
    }
  }
  std::stable_sort(open.begin(), open.end(),
                   [](const Look& a, const Look& b) { return a.bits > b.bits; });
  return open;
}

std::optional<GainExplorer::Look> GainExplorer::choose() const {
  // More worlds save nothing; fewer looks cost a fiftieth of them in four rooms.
  constexpr std::size_t kMostLooks = 24;
  constexpr int kWorlds = 6;
  if (memory_.belief().is_certain()) return std::nullopt;
  const std::vector<AgentMemory::Step> steps = memory_.walk();
  std::vector<Look> open = looks(steps);
  if (open.empty()) return std::nullopt;
  if (open.size() > kMostLooks) open.resize(kMostLooks);
  std::vector<double> bits(open.size());
  for (std::uint64_t number = 0; number < kWorlds; ++number) {
    const std::vector<Cell> world = possible_world(memory_, number);
    for (std::size_t i = 0; i < open.size(); ++i) {
      bits[i] += bits_if_made(open[i].node, open[i].heading, world) / kWorlds;
    }
  }
  std::optional<Look> best;
  for (std::size_t i = 0; i < open.size(); ++i) {
    Look& look = open[i];
    // A look that brought nothing in these worlds may yet in others: the first estimate decides.
    constexpr double kTie = 1e-6;
    look.bits = kTie * look.bits + bits[i] + bits_of_unseen(look.node, look.heading);
    if (!best || look.bits > best->bits) best = look;
  }
  best->actions = memory_.look_from(best->node, best->heading, steps);
  return best;
}

}  // namespace sightline::host::tos
