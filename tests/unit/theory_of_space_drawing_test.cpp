// Scenes drawn as maps: in characters, and from above.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "host/theory_of_space/scene_drawing.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/world/canvas.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::Canvas;
using host::Image;
using host::Rgb;

using Color = std::array<int, 3>;

Color color_at(const Image& image, std::int64_t column, std::int64_t row) {
  const auto at = static_cast<std::size_t>(3 * (row * image.width + column));
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

Color color_of(Rgb color) { return {color.red, color.green, color.blue}; }

Scene two_rooms() { return parse_scene(kTwoRooms, "two rooms"); }

TEST(TheoryOfSpaceDrawing, ShowsAllInCharacters) {
  EXPECT_EQ(scene_text(two_rooms()),
            "two_rooms: 2 rooms, 3 objects, 1 door; north is up\n"
            "  4 ###########################\n"
            "  3 ###A> 1  1  ###2  2  C< ###\n"
            "  2 ###1  @^ 1  a- 2  2  2  ###\n"
            "  1 ###1  1  B  ###2  2  2  ###\n"
            "  0 ###########################\n"
            "    0  1  2  3  4  5  6  7  8\n"
            "  @^  agent: (2, 2), room 1, facing north\n"
            "  A>  sofa: (1, 3), room 1, facing east\n"
            "  B   lamp: (3, 1), room 1\n"
            "  C<  desk: (7, 3), room 2, facing west\n"
            "  a-  red door: (4, 2), between rooms 1 and 2\n"
            "  1   room of 9 cells with 2 objects\n"
            "  2   room of 9 cells with 1 object\n");
}

TEST(TheoryOfSpaceDrawing, GivesEachOfManyItemsASymbol) {
  Scene scene;
  scene.objects.resize(58);
  scene.doors.resize(5);
  std::set<std::string> symbols;
  for (int item = 0; item < scene.num_items(); ++item) symbols.insert(symbol_of(scene, item));
  EXPECT_EQ(symbols.size(), 63u);
  EXPECT_EQ(symbol_of(scene, 25), "Z");
  EXPECT_EQ(symbol_of(scene, 26), "AA");
  EXPECT_EQ(symbol_of(scene, 53), "BB");
  EXPECT_EQ(symbol_of(scene, 58), "a");
}

TEST(TheoryOfSpaceDrawing, ShowsAllFromAbove) {
  const Scene scene = two_rooms();
  SceneMap map;
  map.agent = scene.start;
  const Image image = scene_picture(scene, map);
  ASSERT_EQ(image.width, 9 * 32);
  ASSERT_EQ(image.height, 5 * 32);
  // The sofa is in column 1, second row from above, and its arrow on its right.
  EXPECT_EQ(color_at(image, 32 + 3, 32 + 16), color_of(color_of_item(scene, 0)));
  EXPECT_EQ(color_at(image, 32 + 29, 32 + 16), color_of(kFacingColor));
  EXPECT_EQ(color_at(image, 4 * 32 + 16, 2 * 32 + 16), color_of(color_of_item(scene, 3)));
  EXPECT_EQ(color_of(color_of_item(scene, 3)), (Color{214, 48, 49})) << "the red door";
  const Color wall = color_at(image, 5, 5), floor = color_at(image, 2 * 32 + 3, 3 * 32 + 3),
              other_room = color_at(image, 5 * 32 + 3, 3 * 32 + 3),
              agent = color_at(image, 2 * 32 + 16, 2 * 32 + 16);
  EXPECT_EQ((std::set<Color>{wall, floor, other_room, agent}).size(), 4u);
  const Image again = scene_picture(scene, map);
  EXPECT_EQ(image.rgb, again.rgb);
}

TEST(TheoryOfSpaceDrawing, LeavesObjectsOutOfAMapOfCandidates) {
  const Scene scene = two_rooms();
  SceneMap map;
  map.shows_objects = false;
  map.candidates = {{3, 3}, {6, 1}};
  const Image image = scene_picture(scene, map);
  Scene empty = scene;
  empty.objects.clear();
  EXPECT_EQ(image.rgb, scene_picture(empty, map).rgb);
  map.candidates = {{3, 3}};
  EXPECT_NE(image.rgb, scene_picture(scene, map).rgb);
  map.candidates = {{6, 1}, {3, 3}};
  EXPECT_NE(image.rgb, scene_picture(scene, map).rgb) << "their letters tell their order";
}

TEST(Canvas, DrawsWhatLiesInsideAlone) {
  Canvas canvas(8, 6, {9, 9, 9});
  canvas.rectangle(-3, 4, 2, 99, {1, 2, 3});
  canvas.triangle({4, 0}, {8, 0}, {4, 4}, {4, 5, 6});
  canvas.disc({0, 0}, 1, {7, 8, 9});
  const Image& image = canvas.image();
  EXPECT_EQ(color_at(image, 1, 5), (Color{1, 2, 3}));
  EXPECT_EQ(color_at(image, 2, 5), (Color{9, 9, 9})) << "the right edge is outside";
  EXPECT_EQ(color_at(image, 7, 0), (Color{4, 5, 6})) << "its middle is on the edge";
  EXPECT_EQ(color_at(image, 4, 3), (Color{4, 5, 6}));
  EXPECT_EQ(color_at(image, 6, 2), (Color{9, 9, 9}));
  EXPECT_EQ(color_at(image, 0, 0), (Color{7, 8, 9}));
  EXPECT_EQ(color_at(image, 1, 1), (Color{9, 9, 9}));
}

TEST(Canvas, WritesLettersApart) {
  const auto written = [](const std::string& text) {
    Canvas canvas(Canvas::text_width(text, 2), Canvas::text_height(2), {255, 255, 255});
    canvas.text(0, 0, 2, text, {0, 0, 0});
    return canvas.image().rgb;
  };
  EXPECT_EQ(Canvas::text_width("AB", 2), 22);
  EXPECT_EQ(Canvas::text_height(2), 14);
  std::set<std::vector<std::uint8_t>> shapes;
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-. ?";
  for (const char letter : letters) shapes.insert(written(std::string(1, letter)));
  EXPECT_EQ(shapes.size(), letters.size());
  EXPECT_EQ(written("red"), written("RED"));
  EXPECT_NE(written("OX"), written("XO")) << "one stands behind the other, not over it";
}

}  // namespace
}  // namespace sightline::tests
