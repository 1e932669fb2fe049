// sightline space world: a scene as a world of voxels.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/space.h"
#include "host/error.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_world.h"
#include "host/world/binary_file.h"
#include "host/world/formats.h"
#include "host/world/load.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct WorldFiles {
  std::string scenes, id, out, labels;
  SceneWorldOptions options;
};

void write_world(const WorldFiles& a) {
  check_output(a.out, {a.scenes});
  if (!a.labels.empty()) check_output_as(".csv", a.labels, {a.scenes}, "--labels");
  check_outputs_differ({{"--out", a.out}, {"--labels", a.labels}});
  const Scene scene = read_scene(a.scenes, a.id);
  const SceneWorld built = scene_world(scene, a.options);
  print_warnings(host::save_world(built.world, a.out));
  if (!a.labels.empty()) host::write_file(a.labels, boxes_csv(built.boxes));
  fmt::print("wrote {}: {} of {} objects and doors stand in it\n", a.out, built.boxes.size(),
             scene.num_items());
}

}  // namespace

void add_space_world(CLI::App& space) {
  CLI::App* command = add_command(space, "world", "Write a scene as a world of voxels");
  const auto arguments = std::make_shared<WorldFiles>();
  WorldFiles& a = *arguments;
  command->add_option("scenes", a.scenes, "Scenes, .jsonl")->required();
  command->add_option("--scene", a.id, "Which of them")->option_text("ID")->required();
  command->add_option("--out", a.out, "World to write: " + host::writable_formats())
      ->option_text("FILE")
      ->required();
  command
      ->add_option("--labels", a.labels,
                   "Also whose voxels are whose, .csv: ids are objects in the order of the scene, "
                   "then doors, from 0")
      ->option_text("FILE");
  command->add_flag("--open-doors", a.options.doors_are_open, "Leave the leaves of doors out");
  command->footer(
      "A cell is a metre: x east, y north, z up, and a cell's middle has its numbers.\n"
      "Example:\n"
      "  sightline space world scenes.jsonl --scene two_rooms --out room.slw --labels room.csv");
  command->callback([arguments] { write_world(*arguments); });
}

}  // namespace sightline::cli
