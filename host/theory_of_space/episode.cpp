#include "host/theory_of_space/episode.h"

#include <cassert>
#include <utility>

namespace sightline::host::tos {
namespace {

int num_bits(std::uint64_t bits) { return __builtin_popcountll(bits); }

}  // namespace

std::string_view why_failed(const Action& action) {
  return action.kind == ActionKind::kQuery
             ? "nothing that you may ask for has this name"
             : "nothing that you saw before and see now has this name";
}

Episode::Episode(const Scene& scene, EpisodeOptions options)
    : scene_(scene),
      options_(std::move(options)),
      pose_(scene.start),
      seen_from_(static_cast<std::size_t>(scene.num_items())) {
  last_.pose = pose_;
}

int Episode::item_of(const Action& action) const {
  return action.item >= 0 ? action.item : scene_.item_named(action.name);
}

int Episode::node() const {
  const int item = scene_.item_at(pose_.cell);
  return item >= 0 ? item : kStartNode;
}

bool Episode::do_move(const Action& action) {
  if (action.kind == ActionKind::kRotate) {
    pose_.heading = turned(pose_.heading, action.degrees);
    return true;
  }
  if (action.kind == ActionKind::kReturn) {
    pose_ = scene_.start;
    return true;
  }
  const int item = item_of(action);
  if (item < 0 || (seen_ >> item & 1) == 0) return false;
  if (!is_visible(scene_.cell_of(item), scene_.rooms_of(item), pose_.cell, pose_.rooms,
                  eighth_of(pose_.heading), options_.field)) {
    return false;
  }
  pose_.cell = scene_.cell_of(item);
  pose_.rooms = scene_.rooms_of(item);
  return true;
}

bool Episode::do_query(const Action& action) {
  const int item = item_of(action);
  if (item < 0 || (options_.queries_need_sight && (seen_ >> item & 1) == 0)) return false;
  constexpr int kQueryCost = 2;
  last_.cost += kQueryCost;
  QueryAnswer answer{item, scene_.cell_of(item) - scene_.start.cell, std::nullopt};
  if (!scene_.is_door(item) && scene_.object(item).has_facing) {
    answer.facing = scene_.object(item).facing;
  }
  last_.query = answer;
  return true;
}

void Episode::do_observe() {
  last_.observation = observe(scene_, pose_, options_.field);
  perturb(scene_, options_.noise, options_.field, static_cast<std::uint64_t>(num_turns_),
          &*last_.observation);
  std::uint64_t seen = 0;
  for (const SeenItem& item : last_.observation->items) seen |= std::uint64_t{1} << item.item;
  seen_ |= seen;
  const int from = node();
  (from == kStartNode ? seen_from_start_ : seen_from_[static_cast<std::size_t>(from)]) |= seen;
  ++num_observes_;
  last_.cost += 1;
}

const Turn& Episode::act(const std::vector<Action>& actions) {
  assert(!has_ended_);
  last_ = Turn{};
  last_.error = turn_error(actions, options_.allows_return);
  last_.failed = !last_.error.empty();
  if (!last_.failed) end_turn(actions);
  ++num_turns_;
  cost_ += last_.cost;
  last_.pose = pose_;
  if (!has_ended_ && options_.budget > 0 && num_turns_ >= options_.budget) {
    has_ended_ = last_.is_forced_end = true;
  }
  return last_;
}

void Episode::end_turn(const std::vector<Action>& actions) {
  for (const Action& action : actions) {
    bool ok = true;
    switch (action.kind) {
      case ActionKind::kObserve:
        do_observe();
        break;
      case ActionKind::kTerm:
        has_ended_ = true;
        break;
      case ActionKind::kQuery:
        ok = do_query(action);
        break;
      default:
        ok = do_move(action);
    }
    last_.actions.push_back({action, ok});
    if (!ok) {
      last_.failed = true;
      do_observe();
      last_.actions.push_back({Action::observe(), true});
      return;
    }
  }
}

const Turn& Episode::act(std::string_view answer) {
  const ParsedActions parsed = parse_actions(answer);
  if (parsed.error.empty()) return act(parsed.actions);
  act(std::vector<Action>{});
  last_.error = parsed.error;
  return last_;
}

void Episode::hear(const Episode& other) {
  assert(seen_from_.size() == other.seen_from_.size());
  seen_ |= other.seen_;
  seen_from_start_ |= other.seen_from_start_;
  for (std::size_t i = 0; i < seen_from_.size(); ++i) seen_from_[i] |= other.seen_from_[i];
}

double Episode::node_coverage() const {
  return static_cast<double>(num_bits(seen_)) / scene_.num_items();
}

double Episode::edge_coverage() const {
  int known = 0, all = 0;
  const RoomSet start_rooms = scene_.start.rooms;
  for (int i = 0; i < scene_.num_items(); ++i) {
    const RoomSet rooms = scene_.rooms_of(i);
    if (rooms.meets(start_rooms)) {
      ++all;
      known += static_cast<int>(seen_from_start_ >> i & 1);
    }
    for (int j = 0; j < i; ++j) {
      if (!rooms.meets(scene_.rooms_of(j))) continue;
      ++all;
      known += static_cast<int>((seen_from_[static_cast<std::size_t>(i)] >> j |
                                 seen_from_[static_cast<std::size_t>(j)] >> i) &
                                1);
    }
  }
  return all == 0 ? 1 : static_cast<double>(known) / all;
}

}  // namespace sightline::host::tos
