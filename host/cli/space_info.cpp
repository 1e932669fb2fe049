// sightline space info: what a file of scenes holds.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/space.h"
#include "host/config/plural.h"
#include "host/theory_of_space/scene_jsonl.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

void print_info(const std::string& path) {
  const std::vector<Scene> scenes = read_scenes(path);
  std::map<int, int> rooms;
  std::size_t most_items = 0, least_items = Scene::kMaxItems;
  for (const Scene& scene : scenes) {
    ++rooms[scene.num_rooms()];
    const auto items = static_cast<std::size_t>(scene.num_items());
    most_items = std::max(most_items, items), least_items = std::min(least_items, items);
  }
  fmt::print("{}: {}\n", path, host::plural(scenes.size(), "scene"));
  for (const auto& [num_rooms, count] : rooms) {
    fmt::print("  {} of {}\n", count, host::plural(num_rooms, "room"));
  }
  fmt::print("  {} to {} objects and doors\n", least_items, most_items);
}

}  // namespace

void add_space_info(CLI::App& space) {
  CLI::App* info = add_command(space, "info", "Check a file of scenes and say what it holds");
  info->footer("Example:\n  sightline space info scenes.jsonl");
  const auto path = std::make_shared<std::string>();
  info->add_option("scenes", *path, "Scenes, .jsonl")->required();
  info->callback([path] { print_info(*path); });
}

}  // namespace sightline::cli
