// sightline space: rooms to explore, and what is measured on them (Theory of Space).
#include "host/cli/space.h"

#include "host/cli/commands.h"
#include "host/cli/options.h"

namespace sightline::cli {
namespace {

/// In the order of the help.
constexpr void (*kSubcommands[])(CLI::App& space) = {
    add_space_generate, add_space_import, add_space_info,  add_space_draw,      add_space_explore,
    add_space_replay,   add_space_serve,  add_space_world, add_space_render,    add_space_questions,
    add_space_prompts,  add_space_answer, add_space_score, add_space_correlate, add_space_inertia,
};

}  // namespace

void add_space(CLI::App& app) {
  CLI::App* space = add_command(app, "space", "Make, explore and ask about scenes of rooms");
  space->require_subcommand(1);
  space->footer("Example:\n  sightline space info scenes.jsonl");
  for (const auto add : kSubcommands) add(*space);
}

}  // namespace sightline::cli
