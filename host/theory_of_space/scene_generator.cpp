#include "host/theory_of_space/scene_generator.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "host/error.h"
#include "host/random.h"
#include "host/theory_of_space/scene_names.h"

namespace sightline::host::tos {
namespace {

/// The cells of a room, all inside.
struct Rectangle {
  Cell low, high;
};

/// A wall that two rooms share: a run of cells that a door may be in.
struct SharedWall {
  Cell first;
  int length = 0;
  bool is_along_x = false;  ///< one would walk through it along x
  Heading into_second = Heading::kNorth;
};

class Generator {
 public:
  Generator(const SceneSettings& settings, std::uint64_t seed, std::uint64_t number)
      : settings_(settings),
        random_(seed, stream_of("theory of space: scenes"), number),
        side_(settings.map_side) {}

  Scene make() {
    constexpr std::int64_t kMostPlaces = 5'000'000;
    while (!lay_out()) {
      if (num_places_ < kMostPlaces) continue;
      throw RunError(
          fmt::format("no layout of {} rooms of {} x {} cells on a map of {} x {} was found in {} "
                      "tries of a room; take a larger map",
                      settings_.num_rooms, settings_.room_width, settings_.room_height, side_,
                      side_, num_places_));
    }
    draw_mask();
    add_doors();
    if (settings_.placement == Placement::kSpaced) crop();
    scene_.grid = grid_of(scene_.mask);
    place_agent();
    if (settings_.placement == Placement::kSpaced) place_spaced_objects();
    if (settings_.placement == Placement::kFree) place_objects();
    name_things();
    return std::move(scene_);
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(n))); }

  bool lay_out() {
    constexpr int kMostPlacesOfRoom = 1000;
    rooms_.clear();
    const int columns = side_ - settings_.room_width - 1, rows = side_ - settings_.room_height - 1;
    while (static_cast<int>(rooms_.size()) < settings_.num_rooms) {
      int places = 0;
      Rectangle room;
      do {
        if (++num_places_, ++places > kMostPlacesOfRoom) return false;
        room.low = {1 + below(columns), 1 + below(rows)};
        room.high = room.low + Cell{settings_.room_width - 1, settings_.room_height - 1};
      } while (std::any_of(rooms_.begin(), rooms_.end(),
                           [&](const Rectangle& other) { return touches(room, other); }));
      rooms_.push_back(room);
    }
    return join();
  }

  /// Less than one cell of wall between them?
  static bool touches(const Rectangle& a, const Rectangle& b) {
    return a.low.x <= b.high.x + 1 && b.low.x <= a.high.x + 1 && a.low.y <= b.high.y + 1 &&
           b.low.y <= a.high.y + 1;
  }

  static SharedWall shared_wall(const Rectangle& a, const Rectangle& b) {
    SharedWall wall;
    const int west = std::max(a.low.x, b.low.x), east = std::min(a.high.x, b.high.x);
    const int south = std::max(a.low.y, b.low.y), north = std::min(a.high.y, b.high.y);
    if (north >= south && (a.high.x + 2 == b.low.x || b.high.x + 2 == a.low.x)) {
      const bool is_east = b.low.x > a.high.x;
      return {{is_east ? a.high.x + 1 : b.high.x + 1, south},
              north - south + 1,
              true,
              is_east ? Heading::kEast : Heading::kWest};
    }
    if (east >= west && (a.high.y + 2 == b.low.y || b.high.y + 2 == a.low.y)) {
      const bool is_north = b.low.y > a.high.y;
      return {{west, is_north ? a.high.y + 1 : b.high.y + 1},
              east - west + 1,
              false,
              is_north ? Heading::kNorth : Heading::kSouth};
    }
    return wall;
  }

  /// The tree of a breadth-first walk from the first room; false if it does not reach all.
  bool join() {
    joints_.clear();
    std::vector<std::size_t> reached{0};
    std::array<bool, Scene::kMaxRooms> is_reached{true};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t next = 0; next < rooms_.size(); ++next) {
        if (is_reached[next]) continue;
        if (shared_wall(rooms_[reached[i]], rooms_[next]).length == 0) continue;
        is_reached[next] = true;
        reached.push_back(next);
        joints_.emplace_back(reached[i], next);
      }
    }
    return reached.size() == rooms_.size() && has_topology();
  }

  bool has_topology() const {
    std::array<int, Scene::kMaxRooms> doors{};
    for (const auto& joint : joints_) ++doors[joint.first], ++doors[joint.second];
    switch (settings_.topology) {
      case Topology::kAny:
        break;
      case Topology::kChain:
        return *std::max_element(doors.begin(), doors.end()) <= 2;
      case Topology::kStar:
        return doors[0] == static_cast<int>(joints_.size());
    }
    return true;
  }

  void draw_mask() {
    Mask& mask = scene_.mask;
    mask.width = mask.height = side_;
    mask.cells.assign(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_),
                      mask::kOutside);
    for (const Rectangle& room : rooms_) {
      fill({room.low - Cell{1, 1}, room.high + Cell{1, 1}}, mask::kWall);
    }
    for (std::size_t i = 0; i < rooms_.size(); ++i) {
      fill(rooms_[i], static_cast<std::int8_t>(i + 1));
    }
  }

  void fill(const Rectangle& area, std::int8_t value) {
    for (int x = area.low.x; x <= area.high.x; ++x) {
      for (int y = area.low.y; y <= area.high.y; ++y) scene_.mask.set({x, y}, value);
    }
  }

  void add_doors() {
    for (const auto& [first, second] : joints_) {
      const SharedWall wall = shared_wall(rooms_[first], rooms_[second]);
      Door door;
      const int along = below(wall.length);
      door.cell = wall.first + (wall.is_along_x ? Cell{0, along} : Cell{along, 0});
      door.rooms = {static_cast<int>(first) + 1, static_cast<int>(second) + 1};
      door.into = {turned(wall.into_second, 180), wall.into_second};
      scene_.mask.set(door.cell, wall.is_along_x ? mask::kDoorAlongX : mask::kDoorAlongY);
      scene_.doors.push_back(door);
    }
  }

  /// Cuts the map to its walls.
  void crop() {
    Cell low{side_, side_}, high{};
    for (const Rectangle& room : rooms_) {
      low = {std::min(low.x, room.low.x - 1), std::min(low.y, room.low.y - 1)};
      high = {std::max(high.x, room.high.x + 1), std::max(high.y, room.high.y + 1)};
    }
    Mask cut;
    cut.width = high.x - low.x + 1, cut.height = high.y - low.y + 1;
    for (int x = low.x; x <= high.x; ++x) {
      for (int y = low.y; y <= high.y; ++y) cut.cells.push_back(scene_.mask.at({x, y}));
    }
    scene_.mask = std::move(cut);
    for (Rectangle& room : rooms_) room.low = room.low - low, room.high = room.high - low;
    for (Door& door : scene_.doors) door.cell = door.cell - low;
  }

  std::vector<Cell> cells_of(const Rectangle& room) {
    std::vector<Cell> cells;
    for (int x = room.low.x; x <= room.high.x; ++x) {
      for (int y = room.low.y; y <= room.high.y; ++y) cells.push_back({x, y});
    }
    shuffle(&cells, &random_);
    return cells;
  }

  void place_agent() {
    std::vector<Cell> cells = cells_of(rooms_[0]);
    scene_.start = {cells.front(), Heading::kNorth, {1, 0}};
  }

  void add_object(Cell cell, std::size_t room) {
    SceneObject object;
    object.cell = cell;
    object.facing = static_cast<Heading>(below(kNumHeadings));
    object.room = static_cast<int>(room) + 1;
    scene_.objects.push_back(object);
  }

  void place_objects() {
    for (std::size_t room = 0; room < rooms_.size(); ++room) {
      int left = settings_.objects_per_room;
      for (const Cell cell : cells_of(rooms_[room])) {
        if (left == 0) break;
        if (cell == scene_.start.cell) continue;
        add_object(cell, room);
        --left;
      }
    }
  }

  bool is_apart(Cell cell) const {
    const auto is_near = [&](Cell other) {
      const Cell offset = cell - other;
      return std::abs(offset.x) <= 1 && std::abs(offset.y) <= 1;
    };
    return !is_near(scene_.start.cell) &&
           std::none_of(scene_.doors.begin(), scene_.doors.end(),
                        [&](const Door& door) { return is_near(door.cell); }) &&
           std::none_of(scene_.objects.begin(), scene_.objects.end(),
                        [&](const SceneObject& object) { return is_near(object.cell); });
  }

  /// First on columns and rows of one parity, then wherever there is room.
  void place_spaced_objects() {
    for (std::size_t room = 0; room < rooms_.size(); ++room) {
      int left = settings_.objects_per_room;
      const std::vector<Cell> cells = cells_of(rooms_[room]);
      const int column = below(2), row = below(2);
      for (const bool any_parity : {false, true}) {
        for (const Cell cell : cells) {
          const bool is_on = any_parity || (cell.x % 2 == column && cell.y % 2 == row);
          if (left == 0 || !is_on || !is_apart(cell)) continue;
          add_object(cell, room);
          --left;
        }
      }
    }
  }

  void name_things() {
    std::array<std::uint8_t, kThingNames.size()> order{};
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint8_t>(i);
    shuffle(&order, &random_);
    for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
      const ThingName& thing = kThingNames[order[i]];
      scene_.objects[i].name = thing.name;
      scene_.objects[i].has_facing = thing.has_facing;
    }
    for (std::size_t i = 0; i < scene_.doors.size(); ++i) {
      scene_.doors[i].name = std::string(kDoorColours[i]) + " door";
    }
  }

  const SceneSettings& settings_;
  RandomItem random_;
  int side_;
  std::int64_t num_places_ = 0;  ///< tried for rooms
  std::vector<Rectangle> rooms_;
  std::vector<std::pair<std::size_t, std::size_t>> joints_;  ///< rooms, from 0
  Scene scene_;
};

}  // namespace

int map_side_for(int num_rooms) {
  constexpr int kFew = 3, kSide = 20, kMoreSide = 24;
  return num_rooms <= kFew ? kSide : num_rooms == kFew + 1 ? kMoreSide : Scene::kMaxSide;
}

void check_scene_settings(const SceneSettings& settings, const std::string& where) {
  const auto check = [&](const char* what, int value, int low, int high) {
    if (value < low || value > high) {
      throw InputError(
          fmt::format("{}: {} is {}; {} to {} are allowed", where, what, value, low, high));
    }
  };
  check("the number of rooms", settings.num_rooms, 1, Scene::kMaxRooms);
  check("the side of the map", settings.map_side, 4, Scene::kMaxSide);
  check("the width of rooms", settings.room_width, 2, settings.map_side - 2);
  check("the height of rooms", settings.room_height, 2, settings.map_side - 2);
  const int most_named = static_cast<int>(kThingNames.size()) / settings.num_rooms;
  const int most_items = (Scene::kMaxItems - settings.num_rooms + 1) / settings.num_rooms;
  const int most_cells = settings.room_width * settings.room_height - 1;
  check("the number of objects in a room", settings.objects_per_room, 0,
        std::min({most_named, most_items, most_cells}));
  if (settings.num_rooms == 1)
    check("the number of objects", settings.objects_per_room, 1, most_cells);
}

Scene generate_scene(const SceneSettings& settings, std::uint64_t seed, std::uint64_t number) {
  check_scene_settings(settings, "scenes");
  Scene scene = Generator(settings, seed, number).make();
  scene.id = fmt::format("{}_{}", seed, number);
  scene.seed = static_cast<std::int64_t>(number);
  return scene;
}

}  // namespace sightline::host::tos
