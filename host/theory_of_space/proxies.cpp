#include "host/theory_of_space/proxies.h"

#include <algorithm>
#include <utility>

namespace sightline::host::tos {

DoorTour::DoorTour(const Scene& scene, Profile profile)
    : scene_(scene), profile_(profile), cell_(scene.start.cell), heading_(scene.start.heading) {
  items_.resize(static_cast<std::size_t>(scene.num_rooms()) + 1);
  known_.resize(items_.size());
  for (int item = 0; item < scene.num_items(); ++item) {
    const RoomSet rooms = scene.rooms_of(item);
    const std::uint64_t bit = std::uint64_t{1} << item;
    items_[static_cast<std::size_t>(rooms.first)] |= bit;
    if (rooms.second > 0) items_[static_cast<std::size_t>(rooms.second)] |= bit;
  }
}

void DoorTour::explore(World* world) {
  world_ = world;
  tour(1, kStartNode);
  if (!has_ended()) finish();
  if (!has_ended()) act({Action::term()});
}

bool DoorTour::knows_all() const {
  std::uint64_t known = 0, all = 0;
  for (std::size_t room = 1; room < items_.size(); ++room) {
    known |= known_[room], all |= items_[room];
  }
  return known == all;
}

int DoorTour::node() const {
  const int item = scene_.item_at(cell_);
  return item >= 0 ? item : kStartNode;
}

void DoorTour::turn_by(int degrees) {
  if (degrees == 0) return;
  moves_.push_back(Action::rotate(degrees));
  heading_ = turned(heading_, degrees);
}

void DoorTour::turn_to(Heading heading) { turn_by(turn_between(heading_, heading)); }

void DoorTour::go_to(int item) {
  if (cell_ == scene_.cell_of(item)) return;
  turn_to(closest_heading(scene_.cell_of(item) - cell_));
  moves_.push_back(Action::jump(item));
  cell_ = scene_.cell_of(item);
}

bool DoorTour::look() {
  std::vector<Action> actions = std::exchange(moves_, {});
  actions.push_back(Action::observe());
  act(std::move(actions));
  return !has_ended();
}

void DoorTour::act(std::vector<Action> actions) {
  last_ = &world_->act(actions);
  // Where a narrow view or an error of perception let a move fail, one is elsewhere.
  cell_ = last_->pose.cell, heading_ = last_->pose.heading;
  learn(*last_);
}

void DoorTour::learn(const Turn& turn) {
  if (!turn.observation) return;
  const auto focus = static_cast<std::size_t>(focus_);
  for (const SeenItem& seen : turn.observation->items) {
    known_[focus] |= std::uint64_t{1} << seen.item & items_[focus];
  }
}

bool DoorTour::sweep(int entry) {
  const bool all_around = entry == kStartNode || profile_ == Profile::kPaper;
  const std::vector<int> turns =
      all_around ? std::vector<int>{0, 90, 90, 90} : std::vector<int>{0, 90, 180};
  for (const int degrees : turns) {
    if (knows_all()) return false;
    turn_by(degrees);
    if (!look()) return false;
  }
  return true;
}

void DoorTour::study_room(int room, int entry) { (void)room, (void)entry; }

void DoorTour::tour(int room, int entry) {
  visited_ |= std::uint64_t{1} << room;
  focus_ = room;
  if (entry != kStartNode) {
    known_[static_cast<std::size_t>(room)] |= std::uint64_t{1} << entry;
  }
  sweep(entry);
  if (has_ended()) return;
  study_room(room, entry);
  for (int next = 1; next < static_cast<int>(items_.size()); ++next) {
    if (visited_ >> next & 1) continue;
    for (int door = scene_.num_objects(); door < scene_.num_items(); ++door) {
      const RoomSet rooms = scene_.rooms_of(door);
      if (!rooms.has(room) || !rooms.has(next) || visited_ >> next & 1) continue;
      if (has_ended() || knows_all()) return;
      go_to(door);
      turn_to(scene_.door(door).into_room(next));
      tour(next, door);
      if (has_ended() || knows_all()) return;
      focus_ = room;
      go_to(door);
      turn_to(scene_.door(door).into_room(room));
    }
  }
}

}  // namespace sightline::host::tos
