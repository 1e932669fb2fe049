// sightline places: the places that a robot remembers, and what is measured on them.
#include "host/cli/places.h"

#include "host/cli/commands.h"
#include "host/cli/options.h"

namespace sightline::cli {
namespace {

/// In the order of the help.
constexpr void (*kSubcommands[])(CLI::App& places) = {
    add_places_draw,   add_places_import, add_places_info,   add_places_append,  add_places_delete,
    add_places_follow, add_places_navqa,  add_places_forest, add_places_lexicon,
};

}  // namespace

void add_places(CLI::App& app) {
  CLI::App* places =
      add_command(app, "places", "Make, look at and change a store of remembered places");
  places->require_subcommand(1);
  places->footer("Example:\n  sightline places info robot.slp");
  for (const auto add : kSubcommands) add(*places);
}

}  // namespace sightline::cli
