#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "host/theory_of_space/proxies.h"

namespace sightline::host::tos {

/// What STRATEGIST knows of one room: where its things can be, counted from where it came in, and
/// which of them were seen from which.
class Strategist::RoomStudy {
 public:
  RoomStudy(const Scene& scene, int room, std::uint64_t items, int entry, FieldOfView field)
      : scene_(scene),
        room_(room),
        items_(items),
        entry_(entry),
        belief_(scene.num_items(), scene.grid, BeliefOptions{Profile::kCode, {}, 0, field}),
        seen_from_(static_cast<std::size_t>(scene.num_items())) {}

  void add(const Observation& observation, int node) {
    ++num_looks_;
    std::uint64_t seen = 0;
    for (const SeenItem& item : observation.items) seen |= std::uint64_t{1} << item.item;
    (node == kStartNode ? seen_from_start_ : seen_from_[static_cast<std::size_t>(node)]) |= seen;
    Observation kept;
    kept.pose = observation.pose;
    if (node == kStartNode || has(node)) {
      for (SeenItem item : observation.items) {
        if (has(item.item)) item.item = variable(item.item), kept.items.push_back(item);
      }
    }
    for (NearPair pair : observation.pairs) {
      if (!has(pair.item) || !has(pair.from)) continue;
      pair.item = variable(pair.item), pair.from = variable(pair.from);
      kept.pairs.push_back(pair);
    }
    belief_.add(kept, node == kStartNode ? kStartNode : variable(node));
  }

  bool is_done() const {
    constexpr int kMostLooks = 100;
    if (num_looks_ >= kMostLooks) return true;
    bool is_certain = true, knows_edges = true;
    for (int item = 0; item < scene_.num_items(); ++item) {
      if (!has(item)) continue;
      is_certain &= domain(item).size() == 1;
      knows_edges &= !has_unknown_edge(item);
    }
    return is_certain || knows_edges;
  }

  /// Is there another thing of the room, or the start in its room, that it was not seen from and
  /// that was not seen from it?
  bool has_unknown_edge(int item) const {
    return unknown_from(item) != 0 || (room_ == 1 && (seen_from_start_ >> item & 1) == 0);
  }

  /// The other things of the room which it is not yet related to.
  std::uint64_t unknown_from(int item) const {
    std::uint64_t known = seen_from_[static_cast<std::size_t>(item)] | std::uint64_t{1} << item;
    for (int other = 0; other < scene_.num_items(); ++other) {
      known |= (seen_from_[static_cast<std::size_t>(other)] >> item & 1) << other;
    }
    return items_ & ~known;
  }

  /// The thing with the largest domain, of those that are not related to all and not in `used`; on
  /// a tie the first by name. -1: none.
  int next_anchor(std::uint64_t used) const {
    int best = -1, most = 0;
    for (int item = 0; item < scene_.num_items(); ++item) {
      if (!has(item) || (used >> item & 1) != 0 || unknown_from(item) == 0) continue;
      const int size = domain(item).size();
      const bool is_first =
          best < 0 || size > most || (size == most && scene_.name_of(item) < scene_.name_of(best));
      if (is_first) best = item, most = size;
    }
    return best;
  }

  /// Where most of what `anchor` is not yet related to may be, pair of cells by pair of cells.
  std::optional<Heading> choose_heading(int anchor, std::uint64_t skip,
                                        const std::array<bool, kNumHeadings>& used) const {
    std::array<std::int64_t, kNumHeadings> votes{};
    for (int item = 0; item < scene_.num_items(); ++item) {
      if ((unknown_from(anchor) & ~skip) >> item & 1)
        count_votes(domain(anchor), domain(item), &votes);
    }
    std::optional<Heading> best;
    std::int64_t most = 0;
    for (std::size_t heading = 0; heading < kNumHeadings; ++heading) {
      if (used[heading] || votes[heading] <= most) continue;
      most = votes[heading], best = static_cast<Heading>(heading);
    }
    return best;
  }

 private:
  bool has(int item) const { return items_ >> item & 1; }
  /// The door that one came through is where cells are counted from.
  std::int8_t variable(int item) const {
    return static_cast<std::int8_t>(item == entry_ ? kStartNode : item);
  }
  const CellSet& domain(int item) const {
    static const CellSet kHere = CellSet::only({});
    return item == entry_ ? kHere : belief_.domain(item);
  }
  static void count_votes(const CellSet& from, const CellSet& to,
                          std::array<std::int64_t, kNumHeadings>* votes) {
    from.count_offsets(to, [&](Cell offset, int num_pairs) {
      (*votes)[static_cast<std::size_t>(closest_heading(offset))] += num_pairs;
    });
  }

  const Scene& scene_;
  int room_;
  std::uint64_t items_;
  int entry_;
  Belief belief_;
  std::uint64_t seen_from_start_ = 0;
  std::vector<std::uint64_t> seen_from_;  ///< [num_items]
  int num_looks_ = 0;
};

Strategist::Strategist(const Scene& scene, bool asks_queries, Profile profile, FieldOfView field)
    : DoorTour(scene, profile),
      asks_queries_(asks_queries),
      field_(field),
      belief_(scene.num_items(), scene.grid, BeliefOptions{Profile::kCode, {}, 0, field}) {}

void Strategist::learn(const Turn& turn) {
  DoorTour::learn(turn);
  if (asks_queries_) belief_.add(turn, node());
  if (turn.observation) looks_.push_back(*turn.observation);
}

void Strategist::study_room(int room, int entry) {
  RoomStudy study(scene(), room, items_of(room), entry, field_);
  for (const Observation& look : std::exchange(looks_, {})) study.add(look, entry);
  std::uint64_t used = 0;
  while (!has_ended() && !study.is_done()) {
    const int anchor = study.next_anchor(used);
    if (anchor < 0) break;
    visit(anchor, used, &study);
    used |= std::uint64_t{1} << anchor;
  }
  looks_.clear();
}

/// Looks from `anchor` to where it is not yet related to, as long as that tells anything.
void Strategist::visit(int anchor, std::uint64_t used_anchors, RoomStudy* study) {
  std::array<bool, kNumHeadings> used{};
  std::uint64_t seen = 0;
  std::optional<Heading> heading = study->choose_heading(anchor, used_anchors, used);
  while (heading) {
    go_to(anchor);
    turn_to(*heading);
    const bool goes_on = look();
    if (!last().observation || cell() != scene().cell_of(anchor)) return;
    study->add(*last().observation, anchor);
    for (const SeenItem& item : last().observation->items) seen |= std::uint64_t{1} << item.item;
    used[static_cast<std::size_t>(*heading)] = true;
    if (!goes_on || study->is_done() || !study->has_unknown_edge(anchor)) return;
    heading = study->choose_heading(anchor, used_anchors | seen, used);
  }
}

/// Things in the order in which they are tried: those first that can still stand in the most ways
/// to some other thing; else in the scene's order.
std::vector<int> Strategist::query_order() const {
  std::vector<std::pair<int, int>> ways;  // fewer are greater
  for (int item = 0; item < scene().num_items(); ++item) {
    int most = belief_.num_possible_relations(item, kStartNode);
    for (int other = 0; other < scene().num_items(); ++other) {
      if (other != item) most = std::max(most, belief_.num_possible_relations(item, other));
    }
    ways.emplace_back(-most, item);
  }
  std::sort(ways.begin(), ways.end());
  std::vector<int> order;
  for (const auto& way : ways) order.push_back(way.second);
  return order;
}

void Strategist::finish() {
  constexpr int kMostQueries = 16;
  if (!asks_queries_) return;
  for (int asked = 0; asked < kMostQueries && !has_ended() && !belief_.is_certain(); ++asked) {
    int best = -1;
    std::int64_t least = belief_.total_domain_size();
    for (const int item : query_order()) {
      Belief tried = belief_;
      tried.add(QueryAnswer{item, scene().cell_of(item) - scene().start.cell, std::nullopt});
      if (tried.total_domain_size() < least) least = tried.total_domain_size(), best = item;
    }
    if (best < 0) return;
    act({Action::query(best)});
  }
}

}  // namespace sightline::host::tos
