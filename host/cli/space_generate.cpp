// sightline space generate: scenes drawn at random.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/space.h"
#include "host/config/plural.h"
#include "host/theory_of_space/generated_scenes.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct GenerateArguments {
  SceneSettings scenes;
  std::optional<int> map_side;
  std::int64_t count = 100;
  std::uint64_t seed = 1;
  int num_threads = 0;
  std::string out;
  bool quiet = false;
};

void run_generate(const GenerateArguments& a) {
  check_output_as(".jsonl", a.out, {});
  SceneSettings scenes = a.scenes;
  scenes.map_side = a.map_side ? *a.map_side : map_side_for(scenes.num_rooms);
  const std::int64_t num_short =
      write_generated_scenes(scenes, a.seed, a.count, a.num_threads, a.out);
  if (num_short > 0) {
    print_warnings(
        {fmt::format("{} of {} scenes have fewer objects than asked for: spaced ones "
                     "did not fit; take larger rooms or fewer objects",
                     num_short, a.count)});
  }
  if (a.quiet) return;
  fmt::print("wrote {}: {} of {}\n", a.out, host::plural(a.count, "scene"),
             host::plural(scenes.num_rooms, "room"));
}

void add_scene_options(CLI::App& command, GenerateArguments& a) {
  command.add_option("--rooms", a.scenes.num_rooms, "1 to 9 (default 3)")->option_text("N");
  command.add_option("--objects", a.scenes.objects_per_room, "In each room (default 4)")
      ->option_text("N");
  command.add_option("--room-width", a.scenes.room_width, "Cells west to east (default 6)")
      ->option_text("N");
  command.add_option("--room-height", a.scenes.room_height, "Cells south to north (default 6)")
      ->option_text("N");
  command
      .add_option("--map-side", a.map_side,
                  "Cells of the square that rooms are laid out on (default 20; of four rooms 24, "
                  "of more 31)")
      ->option_text("N");
  add_choice(command, "--topology", a.scenes.topology,
             {{"any", Topology::kAny}, {"chain", Topology::kChain}, {"star", Topology::kStar}},
             "Which rooms doors join: as it comes, in a row, all with the first");
  add_choice(command, "--placement", a.scenes.placement,
             {{"free", Placement::kFree}, {"spaced", Placement::kSpaced}},
             "Objects on any cells, or apart from each other and from doors, as in the published "
             "scenes");
}

}  // namespace

void add_space_generate(CLI::App& space) {
  CLI::App* command = add_command(space, "generate", "Draw scenes of rooms at random");
  const auto a = std::make_shared<GenerateArguments>();
  constexpr std::int64_t kMostScenes = 10'000'000;
  command->add_option("--count", a->count, "Scenes (default 100)")
      ->check(integer_from(1, kMostScenes));
  add_seed(*command, a->seed, "Scene i of a seed is always the same (default 1)");
  add_scene_options(*command, *a);
  command->add_option("--threads", a->num_threads, "CPU threads (default: all cores)")
      ->check(at_least_one());
  command->add_option("-o,--out", a->out, "File to write (.jsonl)")
      ->option_text("FILE")
      ->required();
  command->add_flag("--quiet", a->quiet, "Print nothing");
  command->footer(
      "Examples:\n"
      "  sightline space generate --rooms 3 --count 20 --seed 7 --out drawn.jsonl\n"
      "  sightline space generate --rooms 4 --topology star --placement spaced --count 5 --out "
      "star.jsonl");
  command->callback([a] { run_generate(*a); });
}

}  // namespace sightline::cli
