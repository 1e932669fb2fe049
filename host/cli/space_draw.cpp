// sightline space draw: a scene as a map.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/space.h"
#include "host/error.h"
#include "host/theory_of_space/scene_drawing.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct DrawArguments {
  std::string scenes, id, out;
};

void draw(const DrawArguments& a) {
  if (!a.out.empty()) {
    if (host::extension_of(a.out) != ".png") {
      throw host::InputError("--out " + a.out + ": a map is written as .png");
    }
    host::check_output_path(a.out);
  }
  const Scene scene = read_scene(a.scenes, a.id);
  fmt::print("{}", scene_text(scene));
  if (a.out.empty()) return;
  SceneMap map;
  map.agent = scene.start;
  host::write_png(scene_picture(scene, map), a.out);
  fmt::print("wrote {}\n", a.out);
}

}  // namespace

void add_space_draw(CLI::App& space) {
  CLI::App* command = add_command(space, "draw", "Draw a scene as a map, in text and as a PNG");
  const auto arguments = std::make_shared<DrawArguments>();
  DrawArguments& a = *arguments;
  command->add_option("scenes", a.scenes, "Scenes, .jsonl")->required();
  command->add_option("--scene", a.id, "Which of them")->option_text("ID")->required();
  command->add_option("--out", a.out, "Also a picture from above, .png")->option_text("FILE");
  command->footer(
      "Capitals are objects, an arrow (^ > v <) is where one faces; small letters are doors, of\n"
      "which - leads east and west, | north and south; @ is the agent; figures are the rooms.\n"
      "In the picture a cell is 32 x 32 pixels and north is up: walls are dark grey, each room has "
      "a\n"
      "light colour of its own, doors and objects are coloured, objects with their letters and a\n"
      "black mark where they face; the agent is a red arrow.\n"
      "Example:\n"
      "  sightline space draw scenes.jsonl --scene two_rooms --out map.png");
  command->callback([arguments] { draw(*arguments); });
}

}  // namespace sightline::cli
