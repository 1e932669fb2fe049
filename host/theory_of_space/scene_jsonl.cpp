#include "host/theory_of_space/scene_jsonl.h"

#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/config/suggest.h"
#include "host/error.h"
#include "host/memory/json_lines.h"

namespace sightline::host::tos {
namespace {

using Json = nlohmann::json;

class SceneReader {
 public:
  SceneReader(const Json& line, std::string where) : line_(line), where_(std::move(where)) {}

  Scene read() {
    if (!line_.is_object()) fail("a scene must be a map {...}");
    // The keys are looked at by JsonObject, which names the nearest one that is known.
    const JsonObject keys(where_, line_, "",
                          {"id", "set", "seed", "grid", "mask", "objects", "gates", "agent"});
    Scene scene;
    scene.id = keys.text("id").value_or("");
    if (scene.id.empty()) keys.fail_missing("id", "\"id\": \"A000\"");
    scene.set = keys.text("set").value_or("");
    scene.seed = line_.contains("seed") ? number(line_["seed"], "seed") : 0;
    scene.mask = read_mask();
    for (const Json& object : list("objects")) scene.objects.push_back(read_object(object));
    for (const Json& gate : list("gates")) scene.doors.push_back(read_door(gate));
    scene.start = read_agent();
    scene.grid = line_.contains("grid") ? static_cast<int>(number(line_["grid"], "grid"))
                                        : grid_of(scene.mask);
    check_scene(scene, where_);
    return scene;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }

  const Json& list(const char* key) const {
    if (!line_.contains(key)) fail(fmt::format("\"{}\" is missing; add \"{}\": [...]", key, key));
    const Json& value = line_[key];
    if (!value.is_array()) fail(fmt::format("\"{}\" must be a list [...]", key));
    return value;
  }

  std::int64_t number(const Json& value, const char* what) const {
    constexpr std::int64_t kMost = 1'000'000'000'000;
    if (!value.is_number_integer() || value > kMost || value < -kMost) {
      fail(fmt::format("{} must be a whole number, not {}", what, json_text(value)));
    }
    return value.get<std::int64_t>();
  }

  /// The numbers at `first` and after it.
  Cell cell(const Json& row, std::size_t first, const char* what) const {
    const std::int64_t x = number(row[first], what), y = number(row[first + 1], what);
    if (x < 0 || y < 0 || x >= Scene::kMaxSide || y >= Scene::kMaxSide) {
      fail(fmt::format("{} at ({}, {}) lies outside any mask", what, x, y));
    }
    return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
  }

  int room(const Json& value, const char* what) const {
    const std::int64_t room = number(value, what);
    if (room < 1 || room > Scene::kMaxRooms) {
      fail(fmt::format("{}: room {} is not 1 to {}", what, room, Scene::kMaxRooms));
    }
    return static_cast<int>(room);
  }

  Heading heading(const Json& value, const char* what) const {
    std::optional<Heading> heading;
    if (value.is_string() && value.get_ref<const std::string&>().size() == 1) {
      heading = heading_of(value.get_ref<const std::string&>()[0]);
    }
    if (!heading) {
      fail(fmt::format("{}: {} is no heading; write N, E, S or W", what, json_text(value)));
    }
    return *heading;
  }

  std::string text(const Json& value, const char* what) const {
    if (!value.is_string()) fail(fmt::format("{} must be a text, not {}", what, json_text(value)));
    return value.get<std::string>();
  }

  static std::optional<std::int8_t> mask_code(char letter) {
    if (letter >= '1' && letter <= '9') return static_cast<std::int8_t>(letter - '0');
    switch (letter) {
      case ' ':
        return mask::kOutside;
      case '#':
        return mask::kWall;
      case 'D':
        return mask::kDoorAlongX;
      case 'd':
        return mask::kDoorAlongY;
      default:
        return std::nullopt;
    }
  }

  Mask read_mask() const {
    const Json& columns = list("mask");
    Mask mask;
    mask.width = static_cast<int>(columns.size());
    for (const Json& column : columns) {
      const std::string cells = text(column, "a column of the mask");
      if (mask.height == 0) mask.height = static_cast<int>(cells.size());
      if (cells.size() != static_cast<std::size_t>(mask.height)) {
        fail(fmt::format("the mask's columns have {} and {} cells; they must be of one length",
                         mask.height, cells.size()));
      }
      for (const char letter : cells) {
        const std::optional<std::int8_t> code = mask_code(letter);
        if (!code) {
          fail(
              fmt::format("'{}' is no cell of a mask; write ' ', '#', 1 to 9, 'D' or 'd'", letter));
        }
        mask.cells.push_back(*code);
      }
    }
    return mask;
  }

  SceneObject read_object(const Json& row) const {
    constexpr const char* kWhat = "an object";
    if (!row.is_array() || row.size() != 5) {
      fail(fmt::format("an object must be [name, x, y, facing, room], not {}", json_text(row)));
    }
    SceneObject object;
    object.name = text(row[0], "the name of an object");
    object.cell = cell(row, 1, kWhat);
    object.has_facing = row[3] != "-";
    if (object.has_facing) object.facing = heading(row[3], kWhat);
    object.room = room(row[4], kWhat);
    return object;
  }

  Door read_door(const Json& row) const {
    constexpr const char* kWhat = "a gate";
    if (!row.is_array() || row.size() != 5 || !row[3].is_array() || !row[4].is_object()) {
      fail(fmt::format("a gate must be [name, x, y, [room, room], {{room: heading}}], not {}",
                       json_text(row)));
    }
    Door door;
    door.name = text(row[0], "the name of a gate");
    door.cell = cell(row, 1, kWhat);
    if (row[3].size() != 2 || row[4].size() != 2) {
      fail(fmt::format("gate \"{}\" needs two rooms and a heading into each", door.name));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      door.rooms[i] = room(row[3][i], kWhat);
      const auto found = row[4].find(std::to_string(door.rooms[i]));
      if (found == row[4].end()) {
        fail(fmt::format("gate \"{}\" has no heading into room {}", door.name, door.rooms[i]));
      }
      door.into[i] = heading(*found, kWhat);
    }
    return door;
  }

  Pose read_agent() const {
    constexpr const char* kWhat = "the agent";
    const Json& row = list("agent");
    if (row.size() != 4) fail("the agent must be [x, y, heading, room]");
    Pose pose;
    pose.cell = cell(row, 0, kWhat);
    pose.heading = heading(row[2], kWhat);
    pose.rooms = {room(row[3], kWhat), 0};
    if (pose.rooms.first != 1) fail("the agent must start in room 1");
    return pose;
  }

  const Json& line_;
  std::string where_;
};

char letter_of_code(std::int8_t code) {
  switch (code) {
    case mask::kOutside:
      return ' ';
    case mask::kWall:
      return '#';
    case mask::kDoorAlongX:
      return 'D';
    case mask::kDoorAlongY:
      return 'd';
    default:
      return static_cast<char>('0' + code);
  }
}

}  // namespace

std::vector<Scene> read_scenes(const std::string& path) {
  JsonLines lines(path);
  std::vector<Scene> scenes;
  std::set<std::string> ids;
  while (lines.next()) {
    scenes.push_back(SceneReader(lines.value(), lines.place()).read());
    if (!ids.insert(scenes.back().id).second) {
      lines.fail("two scenes have the id \"" + scenes.back().id + "\"; ids are unique");
    }
  }
  if (scenes.empty()) throw InputError(path + " holds no scene; write one a line");
  return scenes;
}

Scene read_scene(const std::string& path, const std::string& id) {
  std::vector<std::string> ids;
  for (Scene& scene : read_scenes(path)) {
    if (scene.id == id) return std::move(scene);
    ids.push_back(scene.id);
  }
  throw InputError(fmt::format("{} holds no scene \"{}\" among its {}; the nearest id is \"{}\"",
                               path, id, ids.size(), nearest_name(id, ids)));
}

Scene parse_scene(const std::string& line, const std::string& where) {
  const Json parsed = parse_json_or_discarded<Json>(line);
  if (parsed.is_discarded()) throw InputError(where + ": is no JSON");
  return SceneReader(parsed, where).read();
}

std::string scene_line(const Scene& scene) {
  nlohmann::ordered_json line;
  line["id"] = scene.id;
  line["set"] = scene.set;
  line["seed"] = scene.seed;
  line["mask"] = nlohmann::ordered_json::array();
  for (int x = 0; x < scene.mask.width; ++x) {
    std::string column;
    for (int y = 0; y < scene.mask.height; ++y) column += letter_of_code(scene.mask.at({x, y}));
    line["mask"].push_back(column);
  }
  line["objects"] = nlohmann::ordered_json::array();
  for (const SceneObject& object : scene.objects) {
    const char facing = object.has_facing ? letter_of(object.facing) : '-';
    line["objects"].push_back(
        {object.name, object.cell.x, object.cell.y, std::string(1, facing), object.room});
  }
  line["gates"] = nlohmann::ordered_json::array();
  for (const Door& door : scene.doors) {
    nlohmann::ordered_json into;
    for (std::size_t i = 0; i < 2; ++i) {
      into[std::to_string(door.rooms[i])] = std::string(1, letter_of(door.into[i]));
    }
    line["gates"].push_back(
        {door.name, door.cell.x, door.cell.y, nlohmann::ordered_json(door.rooms), into});
  }
  line["agent"] = {scene.start.cell.x, scene.start.cell.y,
                   std::string(1, letter_of(scene.start.heading)), scene.start.rooms.first};
  line["grid"] = scene.grid;
  return json_text(line);
}

}  // namespace sightline::host::tos
