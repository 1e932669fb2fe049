#include "host/theory_of_space/scene_metadata.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host::tos {
namespace {

using Json = nlohmann::json;

/// A value of the file and the keys that lead to it, for messages.
class Field {
 public:
  Field(const Json& value, const std::string& path, std::string name)
      : value_(value), path_(path), name_(std::move(name)) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(path_ + ": " + (name_.empty() ? "the file" : name_) + " " + message);
  }

  bool has(const char* key) const { return value_.is_object() && value_.contains(key); }

  Field at(const char* key) const {
    if (!value_.is_object()) fail("must be a map {...}");
    const std::string name = name_.empty() ? key : name_ + "." + key;
    const auto found = value_.find(key);
    if (found == value_.end()) {
      throw InputError(path_ + ": " + name + " is missing; give a meta_data.json of the dataset");
    }
    return Field(*found, path_, name);
  }

  std::vector<Field> items() const {
    if (!value_.is_array()) fail("must be a list [...]");
    std::vector<Field> items;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      items.emplace_back(value_[i], path_, fmt::format("{}[{}]", name_, i));
    }
    return items;
  }

  std::string text() const {
    if (!value_.is_string()) fail("must be a text in quotes");
    return value_.get<std::string>();
  }

  bool flag() const {
    if (!value_.is_boolean()) fail("must be true or false");
    return value_.get<bool>();
  }

  /// Of a number that may be written with a point: 4.0.
  int whole() const {
    constexpr double kMost = 1'000'000;
    const double number = value_.is_number() ? value_.get<double>() : std::nan("");
    if (!(std::fabs(number) <= kMost) || number != std::floor(number)) {
      fail("must be a whole number" + (value_.is_primitive() ? ", not " + json_text(value_) : ""));
    }
    return static_cast<int>(number);
  }

  std::pair<int, int> pair() const {
    const std::vector<Field> both = items();
    if (both.size() != 2) fail("must be two numbers");
    return {both[0].whole(), both[1].whole()};
  }

 private:
  const Json& value_;
  const std::string& path_;
  std::string name_;
};

class MetadataReader {
 public:
  MetadataReader(const Json& file, const std::string& path) : file_(file, path, "") {}

  Scene read(const std::string& id) {
    Scene scene;
    scene.mask = read_mask();
    const std::pair<int, int> offset = file_.at("offset").pair();
    offset_ = {offset.first, offset.second};
    for (const Field& object : file_.at("objects").items()) {
      if (is_door(object)) {
        scene.doors.push_back(read_door(object, scene.mask));
      } else {
        scene.objects.push_back(read_object(object, scene.mask));
      }
    }
    const auto place = [&](const Door& door) {
      return std::make_tuple(scene.mask.at(door.cell), door.cell.x, door.cell.y);
    };
    std::stable_sort(scene.doors.begin(), scene.doors.end(),
                     [&](const Door& a, const Door& b) { return place(a) < place(b); });
    scene.start = read_agent();
    scene.grid = grid_of(scene.mask);
    scene.seed = file_.at(file_.has("run_seed") ? "run_seed" : "seed").whole();
    scene.id = id.empty() ? fmt::format("run{:02}", scene.seed) : id;
    return scene;
  }

 private:
  static bool is_door(const Field& object) {
    return object.at("name").text().find("door") != std::string::npos ||
           object.at("attributes").has("connected_rooms");
  }

  Mask read_mask() const {
    Mask mask;
    const Field rows = file_.at("mask");
    for (const Field& row : rows.items()) {
      const std::vector<Field> cells = row.items();
      if (mask.width++ == 0) mask.height = static_cast<int>(cells.size());
      if (cells.size() != static_cast<std::size_t>(mask.height)) {
        row.fail(fmt::format("has {} numbers, the first row {}; rows must be of one length",
                             cells.size(), mask.height));
      }
      for (const Field& cell : cells) {
        const int code = cell.whole();
        const bool is_door = code == mask::kDoorAlongX || code == mask::kDoorAlongY;
        if (!is_door && (code < mask::kOutside || code > Scene::kMaxRooms)) {
          cell.fail(
              fmt::format("is {}; a cell is -1 outside, 0 a wall, 1 to {} a room, 100 or 101 "
                          "a door",
                          code, Scene::kMaxRooms));
        }
        mask.cells.push_back(static_cast<std::int8_t>(code));
      }
    }
    return mask;
  }

  Cell cell_of(const Field& place) const {
    return Cell{place.at("x").whole(), place.at("z").whole()} + offset_;
  }

  static std::string name_of(const Field& object) {
    std::string name = object.at("name").text();
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
  }

  static Heading heading_at(const Field& degrees) {
    const int turned_by = degrees.whole();
    if (turned_by % 90 != 0) {
      degrees.fail(fmt::format("is {}; a heading is 0, 90, 180 or 270", turned_by));
    }
    return turned(Heading::kNorth, turned_by);
  }

  SceneObject read_object(const Field& row, const Mask& mask) const {
    const Field attributes = row.at("attributes");
    SceneObject object;
    object.name = name_of(row);
    object.cell = cell_of(row.at("pos"));
    object.has_facing = attributes.at("has_orientation").flag();
    if (object.has_facing) {
      object.facing = heading_at(row.at("rot").at("y"));
      check_says(attributes, std::string(tos::name_of(object.facing)), "rot.y");
    }
    object.room = mask.at(object.cell);
    if (object.room < 1 || object.room >= mask::kDoorAlongX) {
      row.at("pos").fail(fmt::format("is cell ({}, {}) of the mask, which is in no room",
                                     object.cell.x, object.cell.y));
    }
    return object;
  }

  /// attributes.orientation, where it is given, must not contradict another key.
  static void check_says(const Field& attributes, const std::string& expected, const char* other) {
    if (!attributes.has("orientation")) return;
    const Field orientation = attributes.at("orientation");
    if (orientation.text() == expected) return;
    orientation.fail(fmt::format("is \"{}\", but {} says \"{}\"; they must agree",
                                 orientation.text(), other, expected));
  }

  Door read_door(const Field& row, const Mask& mask) const {
    Door door;
    door.name = name_of(row);
    door.cell = cell_of(row.at("pos"));
    const std::int8_t code = mask.at(door.cell);
    if (code != mask::kDoorAlongX && code != mask::kDoorAlongY) {
      row.at("pos").fail(fmt::format("is cell ({}, {}) of the mask, which is no door (100 or 101)",
                                     door.cell.x, door.cell.y));
    }
    const bool is_along_x = code == mask::kDoorAlongX;
    door.into = is_along_x ? std::array<Heading, 2>{Heading::kWest, Heading::kEast}
                           : std::array<Heading, 2>{Heading::kSouth, Heading::kNorth};
    for (std::size_t i = 0; i < 2; ++i) {
      door.rooms[i] = mask.at(door.cell + vector_of(door.into[i]));
    }
    const Field attributes = row.at("attributes");
    check_says(attributes, is_along_x ? "vertical" : "horizontal", "the mask");
    const Field connected = attributes.at("connected_rooms");
    const std::pair<int, int> rooms = connected.pair();
    if (std::minmax(rooms.first, rooms.second) != std::minmax(door.rooms[0], door.rooms[1])) {
      connected.fail(fmt::format("are {} and {}, but beside the door are {} and {} in the mask",
                                 rooms.first, rooms.second, door.rooms[0], door.rooms[1]));
    }
    return door;
  }

  Pose read_agent() const {
    const Field cameras = file_.at("cameras");
    for (const Field& camera : cameras.items()) {
      if (camera.at("id").text() != "agent") continue;
      Pose pose;
      pose.cell = cell_of(camera.at("position"));
      pose.heading = heading_at(camera.at("rotation").at("y"));
      pose.rooms = {1, 0};  // check_scene looks whether the cell is in it
      return pose;
    }
    cameras.fail("have none with the id \"agent\", which says where one starts");
  }

  Field file_;
  Cell offset_;
};

}  // namespace

Scene read_scene_metadata(const std::string& path, const std::string& id) {
  InputFile file(path);
  std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
  file.read(text.data(), text.size());
  const Json value = parse_json_or_discarded<Json>(text);
  if (value.is_discarded()) file.fail("is no JSON; give a meta_data.json of the dataset");
  Scene scene = MetadataReader(value, path).read(id);
  check_scene(scene, path);
  return scene;
}

}  // namespace sightline::host::tos
