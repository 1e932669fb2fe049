#include "host/theory_of_space/scene_drawing.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "host/config/plural.h"
#include "host/world/canvas.h"
#include "host/world/view_pictures.h"

namespace sightline::host::tos {
namespace {

constexpr std::string_view kArrows = "^>v<";  // in the order of Heading

/// A, ..., Z, AA, AB, ...
std::string letters_of(int number, char first) {
  constexpr int kLetters = 26;
  std::string letters;
  for (int left = number; left >= 0; left = left / kLetters - 1) {
    letters.insert(letters.begin(), static_cast<char>(first + left % kLetters));
  }
  return letters;
}

char arrow_of(Heading heading) { return kArrows[static_cast<std::size_t>(heading)]; }

char mark_of(const Scene& scene, int item) {
  if (scene.is_door(item)) {
    return scene.mask.at(scene.cell_of(item)) == mask::kDoorAlongX ? '-' : '|';
  }
  return scene.object(item).has_facing ? arrow_of(scene.object(item).facing) : ' ';
}

std::string agent_symbol(const Scene& scene) {
  return std::string("@") + arrow_of(scene.start.heading);
}

/// Three characters.
std::string cell_text(const Scene& scene, Cell cell) {
  if (cell == scene.start.cell) return fmt::format("{:<3}", agent_symbol(scene));
  const int item = scene.item_at(cell);
  if (item >= 0) return fmt::format("{:<3}", symbol_of(scene, item) + mark_of(scene, item));
  const std::int8_t code = scene.mask.at(cell);
  if (code == mask::kOutside) return "   ";
  return code == mask::kWall ? "###" : fmt::format("{:<3}", code);
}

void append_line(std::string line, std::string* text) {
  line.erase(line.find_last_not_of(' ') + 1);
  *text += line + "\n";
}

std::string rows_text(const Scene& scene) {
  std::string text;
  for (int y = scene.mask.height - 1; y >= 0; --y) {
    std::string row = fmt::format("{:>3} ", y);
    for (int x = 0; x < scene.mask.width; ++x) row += cell_text(scene, {x, y});
    append_line(row, &text);
  }
  std::string columns = "    ";
  for (int x = 0; x < scene.mask.width; ++x) columns += fmt::format("{:<3}", x);
  append_line(columns, &text);
  return text;
}

std::string item_line(const Scene& scene, int item) {
  const Cell cell = scene.cell_of(item);
  const RoomSet rooms = scene.rooms_of(item);
  std::string line =
      fmt::format("  {:<4}{}: ({}, {}), ", symbol_of(scene, item) + mark_of(scene, item),
                  scene.name_of(item), cell.x, cell.y);
  if (scene.is_door(item)) {
    return line + fmt::format("between rooms {} and {}", rooms.first, rooms.second);
  }
  line += fmt::format("room {}", rooms.first);
  if (!scene.object(item).has_facing) return line;
  return line + fmt::format(", facing {}", name_of(scene.object(item).facing));
}

std::string room_line(const Scene& scene, int room) {
  int num_cells = 0, num_objects = 0;
  for (const std::int8_t code : scene.mask.cells) num_cells += code == room ? 1 : 0;
  for (const SceneObject& object : scene.objects) num_objects += object.room == room ? 1 : 0;
  return fmt::format("  {:<4}room of {} with {}", room, plural(num_cells, "cell"),
                     plural(num_objects, "object"));
}

Rgb lighter(Rgb color) {
  const auto half = [](std::uint8_t level) {
    return static_cast<std::uint8_t>(255 - (255 - level) / 5);
  };
  return {half(color.red), half(color.green), half(color.blue)};
}

/// Draws cells; the rows of a picture run down, those of a scene up.
class MapPainter {
 public:
  MapPainter(const Scene& scene, int cell_px)
      : scene_(scene),
        cell_px_(cell_px),
        canvas_(std::int64_t{scene.mask.width} * cell_px, std::int64_t{scene.mask.height} * cell_px,
                kPaper) {}

  void floor_and_walls() {
    for (int x = 0; x < scene_.mask.width; ++x) {
      for (int y = 0; y < scene_.mask.height; ++y) {
        const std::int8_t code = scene_.mask.at({x, y});
        if (code == mask::kOutside) continue;
        const bool is_room = code != mask::kWall && code < mask::kDoorAlongX;
        fill({x, y}, 0, is_room ? lighter(color_of_id(code)) : kWallColor);
        if (is_room) fill({x, y}, 0.96, kDotColor);
      }
    }
  }

  /// Its colour tells its name.
  void door(int item) { fill(scene_.cell_of(item), 0, color_of_item(scene_, item)); }

  void object(int item) {
    const SceneObject& object = scene_.object(item);
    fill(object.cell, 0.1, color_of_item(scene_, item));
    if (object.has_facing) arrow(object.cell, object.facing, 0.47, 0.3, kFacingColor);
    label(object.cell, symbol_of(scene_, item), kFacingColor);
  }

  void agent(const Pose& pose) { arrow(pose.cell, pose.heading, 0.45, -0.4, kAgentColor); }

  void candidate(Cell cell, const std::string& letters) {
    canvas_.disc(point(cell, 0, 0), 0.42 * cell_px_, kCandidateColor);
    label(cell, letters, {255, 255, 255});
  }

  Image image() const { return canvas_.image(); }

 private:
  static constexpr Rgb kPaper{255, 255, 255}, kWallColor{84, 86, 94}, kDotColor{176, 176, 180},
      kAgentColor{205, 28, 40}, kCandidateColor{32, 60, 160};

  /// A point in cells from a cell's middle, east and north.
  Canvas::Point point(Cell cell, double east, double north) const {
    return {(cell.x + 0.5 + east) * cell_px_,
            (scene_.mask.height - 1 - cell.y + 0.5 - north) * cell_px_};
  }

  /// A square, of whose side `border` is left free in all.
  void fill(Cell cell, double border, Rgb color) {
    const Canvas::Point middle = point(cell, 0, 0);
    const double half = std::max(1.0, (1 - border) / 2 * cell_px_);
    const auto at = [](double value) { return static_cast<std::int64_t>(value); };
    canvas_.rectangle(at(middle[0] - half), at(middle[1] - half), at(middle[0] + half),
                      at(middle[1] + half), color);
  }

  /// A triangle that points along a heading: from `back` to `tip` ahead of the cell's middle.
  void arrow(Cell cell, Heading heading, double tip, double back, Rgb color) {
    const Cell ahead = vector_of(heading), aside = vector_of(turned(heading, 90));
    const auto at = [&](double forward, double right) {
      return point(cell, forward * ahead.x + right * aside.x, forward * ahead.y + right * aside.y);
    };
    canvas_.triangle(at(tip, 0), at(back, -0.3), at(back, 0.3), color);
  }

  void label(Cell cell, const std::string& letters, Rgb color) {
    const std::int64_t scale = std::max<std::int64_t>(1, cell_px_ / (letters.size() > 1 ? 20 : 14));
    const Canvas::Point middle = point(cell, 0, 0);
    canvas_.text(static_cast<std::int64_t>(middle[0]) - Canvas::text_width(letters, scale) / 2,
                 static_cast<std::int64_t>(middle[1]) - Canvas::text_height(scale) / 2, scale,
                 letters, color);
  }

  const Scene& scene_;
  const int cell_px_;
  Canvas canvas_;
};

}  // namespace

std::string symbol_of(const Scene& scene, int item) {
  return scene.is_door(item) ? letters_of(item - scene.num_objects(), 'a') : letters_of(item, 'A');
}

std::string scene_text(const Scene& scene) {
  std::string text =
      fmt::format("{}: {}, {}, {}; north is up\n", scene.id, plural(scene.num_rooms(), "room"),
                  plural(scene.num_objects(), "object"), plural(scene.doors.size(), "door"));
  text += rows_text(scene);
  text += fmt::format("  {:<4}agent: ({}, {}), room {}, facing {}\n", agent_symbol(scene),
                      scene.start.cell.x, scene.start.cell.y, scene.start.rooms.first,
                      name_of(scene.start.heading));
  for (int item = 0; item < scene.num_items(); ++item) text += item_line(scene, item) + "\n";
  for (int room = 1; room <= scene.num_rooms(); ++room) text += room_line(scene, room) + "\n";
  return text;
}

Rgb color_of_item(const Scene& scene, int item) {
  static const std::map<std::string, Rgb> kDoors{
      {"red", {214, 48, 49}},     {"blue", {45, 98, 214}},    {"green", {46, 160, 67}},
      {"yellow", {240, 205, 40}}, {"black", {58, 58, 62}},    {"purple", {140, 70, 190}},
      {"brown", {133, 88, 52}},   {"orange", {240, 140, 30}}, {"white", {240, 240, 240}},
      {"pink", {240, 140, 180}},  {"grey", {140, 140, 144}},  {"gray", {140, 140, 144}},
      {"teal", {30, 150, 150}}};
  if (!scene.is_door(item)) return color_of_id(item);
  const std::string& name = scene.name_of(item);
  const auto found = kDoors.find(name.substr(0, name.find(' ')));
  return found == kDoors.end() ? kDoors.at("brown") : found->second;
}

Image scene_picture(const Scene& scene, const SceneMap& map) {
  MapPainter painter(scene, map.cell_px);
  painter.floor_and_walls();
  for (int item = scene.num_objects(); item < scene.num_items(); ++item) painter.door(item);
  for (int item = 0; map.shows_objects && item < scene.num_objects(); ++item) painter.object(item);
  int number = 0;
  for (const Cell cell : map.candidates) painter.candidate(cell, letters_of(number++, 'A'));
  if (map.agent) painter.agent(*map.agent);
  return painter.image();
}

}  // namespace sightline::host::tos
