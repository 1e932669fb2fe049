#include "host/theory_of_space/scene.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "host/error.h"

namespace sightline::host::tos {
namespace {

class SceneChecks {
 public:
  SceneChecks(const Scene& scene, const std::string& where) : scene_(scene), where_(where) {}

  void run() const {
    check_size();
    check_doors();
    check_objects();
    check_names();
    check_start();
    check_connected();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }

  static std::string text_of(Cell cell) { return fmt::format("({}, {})", cell.x, cell.y); }

  void check_size() const {
    const Mask& mask = scene_.mask;
    if (mask.width < 1 || mask.height < 1 || mask.width > Scene::kMaxSide ||
        mask.height > Scene::kMaxSide) {
      fail(fmt::format("the mask is {} x {} cells; sides of 1 to {} are allowed", mask.width,
                       mask.height, Scene::kMaxSide));
    }
    if (scene_.num_items() > Scene::kMaxItems) {
      fail(fmt::format("{} objects and doors; at most {} are allowed", scene_.num_items(),
                       Scene::kMaxItems));
    }
    if (scene_.num_items() == 0) fail("no objects and no doors; a scene needs one of them");
    if (scene_.grid < 2 || scene_.grid > Scene::kMaxSide) {
      fail(fmt::format("grid is {}; 2 to {} are allowed", scene_.grid, Scene::kMaxSide));
    }
    if (scene_.grid < grid_of(mask) - 1) {
      fail(fmt::format("grid is {}, less than the mask of {} x {} cells needs; give {}",
                       scene_.grid, mask.width, mask.height, grid_of(mask)));
    }
    const int rooms = scene_.num_rooms();
    if (rooms < 1) fail("the mask has no room; cells of room 1 are marked '1'");
    if (rooms > Scene::kMaxRooms) {
      fail(fmt::format("{} rooms; at most {} are allowed", rooms, Scene::kMaxRooms));
    }
    for (int room = 1; room <= rooms; ++room) {
      const auto value = static_cast<std::int8_t>(room);
      if (std::find(mask.cells.begin(), mask.cells.end(), value) == mask.cells.end()) {
        fail(fmt::format("the mask has a room {} but none {}; number them from 1", rooms, room));
      }
      check_room(room);
    }
  }

  void check_doors() const {
    for (const Door& door : scene_.doors) {
      const std::int8_t code = scene_.mask.at(door.cell);
      if (code != mask::kDoorAlongX && code != mask::kDoorAlongY) {
        fail(fmt::format("door \"{}\" at {} is no door cell of the mask ('D' or 'd')", door.name,
                         text_of(door.cell)));
      }
      const bool is_along_x = code == mask::kDoorAlongX;
      for (std::size_t i = 0; i < 2; ++i) {
        const Cell step = vector_of(door.into[i]);
        const std::int8_t found = scene_.mask.at(door.cell + step);
        if ((step.x != 0) != is_along_x || found != door.rooms[i] || door.rooms[i] < 1 ||
            door.rooms[0] == door.rooms[1]) {
          fail(fmt::format(
              "door \"{}\" at {} does not lead {} into room {}; it needs a room on either side",
              door.name, text_of(door.cell), name_of(door.into[i]), door.rooms[i]));
        }
      }
    }
    for (int x = 0; x < scene_.mask.width; ++x) {
      for (int y = 0; y < scene_.mask.height; ++y) check_door_cell({x, y});
    }
  }

  void check_door_cell(Cell cell) const {
    const std::int8_t code = scene_.mask.at(cell);
    if (code != mask::kDoorAlongX && code != mask::kDoorAlongY) return;
    const auto is_here = [&](const Door& door) { return door.cell == cell; };
    if (std::none_of(scene_.doors.begin(), scene_.doors.end(), is_here)) {
      fail(fmt::format("the mask has a door cell at {} that no gate names", text_of(cell)));
    }
  }

  void check_objects() const {
    for (const SceneObject& object : scene_.objects) {
      const std::int8_t found = scene_.mask.at(object.cell);
      if (object.room < 1 || found != object.room) {
        fail(fmt::format("object \"{}\" at {} is not in room {}, which it names", object.name,
                         text_of(object.cell), object.room));
      }
    }
    for (int i = 0; i < scene_.num_items(); ++i) {
      for (int j = 0; j < i; ++j) {
        if (scene_.cell_of(i) == scene_.cell_of(j)) {
          fail(fmt::format("\"{}\" and \"{}\" overlap at {}; a cell holds one thing",
                           scene_.name_of(j), scene_.name_of(i), text_of(scene_.cell_of(i))));
        }
      }
    }
  }

  void check_names() const {
    std::set<std::string> names{"agent", "initial_pos"};
    for (int i = 0; i < scene_.num_items(); ++i) {
      const std::string& name = scene_.name_of(i);
      const bool is_plain = !name.empty() && name.front() != ' ' && name.back() != ' ' &&
                            name.find_first_of(",()[]\"\\;\n\r\t") == std::string::npos;
      if (!is_plain) {
        fail(fmt::format("\"{}\" is no name of a thing: actions could not name it", name));
      }
      if (!names.insert(name).second) {
        fail(
            fmt::format("the name \"{}\" is taken; names are unique, and \"agent\" and "
                        "\"initial_pos\" are reserved",
                        name));
      }
    }
  }

  void check_start() const {
    const Pose& start = scene_.start;
    if (scene_.mask.at(start.cell) != 1) {
      fail(fmt::format("the agent starts at {}, which is not in room 1", text_of(start.cell)));
    }
    if (start.heading != Heading::kNorth) {
      fail(fmt::format("the agent starts facing {}; it must face north", name_of(start.heading)));
    }
    const int item = scene_.item_at(start.cell);
    if (item >= 0) {
      fail(fmt::format("the agent starts on \"{}\"; its cell must be free", scene_.name_of(item)));
    }
  }

  /// A room is one piece: all of it is seen and walked from anywhere in it.
  void check_room(int room) const {
    const Mask& mask = scene_.mask;
    std::vector<Cell> reached;
    std::set<int> known;
    const auto visit = [&](Cell cell) {
      if (mask.at(cell) != room || !known.insert(cell.x * mask.height + cell.y).second) return;
      reached.push_back(cell);
    };
    const auto all = std::count(mask.cells.begin(), mask.cells.end(), room);
    const auto first = std::find(mask.cells.begin(), mask.cells.end(), room) - mask.cells.begin();
    visit({static_cast<int>(first) / mask.height, static_cast<int>(first) % mask.height});
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Cell cell = reached[i];
      for (int heading = 0; heading < kNumHeadings; ++heading) {
        visit(cell + vector_of(static_cast<Heading>(heading)));
      }
    }
    if (static_cast<std::ptrdiff_t>(reached.size()) != all) {
      fail(fmt::format("room {} is in pieces: of its {} cells, {} hang together; number each piece",
                       room, all, reached.size()));
    }
  }

  void check_connected() const {
    std::set<int> reached{1};
    for (std::size_t grown = 0; grown != reached.size();) {
      grown = reached.size();
      for (const Door& door : scene_.doors) {
        if (reached.count(door.rooms[0]) > 0 || reached.count(door.rooms[1]) > 0) {
          reached.insert(door.rooms.begin(), door.rooms.end());
        }
      }
    }
    for (int room = 1; room <= scene_.num_rooms(); ++room) {
      if (reached.count(room) == 0) {
        fail(fmt::format("the map is not connected: no doors lead from room 1 to room {}", room));
      }
    }
  }

  const Scene& scene_;
  const std::string& where_;
};

}  // namespace

int Scene::num_rooms() const {
  int rooms = 0;
  for (const std::int8_t cell : mask.cells) {
    if (cell < mask::kDoorAlongX) rooms = std::max<int>(rooms, cell);
  }
  return rooms;
}

int Scene::item_named(const std::string& name) const {
  for (int i = 0; i < num_items(); ++i) {
    if (name_of(i) == name) return i;
  }
  return -1;
}

int Scene::item_at(Cell cell) const {
  for (int i = 0; i < num_items(); ++i) {
    if (cell_of(i) == cell) return i;
  }
  return -1;
}

RoomSet Scene::rooms_at(Cell cell) const {
  const std::int8_t value = mask.at(cell);
  if (value >= 1 && value < mask::kDoorAlongX) return {value, 0};
  for (const Door& door : doors) {
    if (door.cell == cell) return {door.rooms[0], door.rooms[1]};
  }
  return {};
}

int grid_of(const Mask& mask) { return std::max(mask.width, mask.height); }

void check_scene(const Scene& scene, const std::string& where) { SceneChecks(scene, where).run(); }

}  // namespace sightline::host::tos
