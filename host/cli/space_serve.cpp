// sightline space serve: scenes for any agent, in any language, to explore by lines of JSON.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/serve_lines.h"
#include "host/cli/space.h"
#include "host/config/json_text.h"
#include "host/error.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/space_service.h"
#include "host/theory_of_space/space_tools.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct ServeArguments {
  std::string scenes;
  bool prints_schema = false;
};

void run_serve(const ServeArguments& a) {
  if (a.prints_schema == !a.scenes.empty()) {
    throw host::InputError("give one of: a file of scenes (.jsonl), --schema");
  }
  if (a.prints_schema) {
    fmt::print("{}\n", host::json_text(space_tools().schema(), 2));
    return;
  }
  const std::vector<Scene> scenes = read_scenes(a.scenes);
  SpaceService service(scenes);
  serve_lines([&](const std::string& line) { return service.answer(line); });
}

}  // namespace

void add_space_serve(CLI::App& space) {
  CLI::App* command = add_command(space, "serve", "Serve scenes to agents, by lines of JSON");
  const auto a = std::make_shared<ServeArguments>();
  command->add_option("scenes", a->scenes, "Scenes, .jsonl");
  command->add_flag("--schema", a->prints_schema, "Print the JSON schema of the lines");
  command->footer(
      "A JSON object a line in, one out, to the end of input:\n"
      "  {\"id\": 1, \"tool\": \"reset\", \"args\": {\"scene\": 0, \"budget\": 20}}\n"
      "  {\"id\": 2, \"tool\": \"step\", \"args\": {\"actions\": \"[Rotate(90), Observe()]\"}}\n"
      "Tools: scenes, reset, step, belief, close. The answer to a reset has all that an agent is "
      "told.\n\n"
      "Examples:\n"
      "  sightline space serve scenes.jsonl < turns.jsonl\n"
      "  sightline space serve --schema");
  command->callback([a] { run_serve(*a); });
}

}  // namespace sightline::cli
