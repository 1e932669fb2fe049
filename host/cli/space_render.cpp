// sightline space render: what an agent sees of a scene, and the pictures it is told by.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/space.h"
#include "host/config/plural.h"
#include "host/theory_of_space/scene_drawing.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_views.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct RenderArguments {
  std::string scenes, id, out;
  std::vector<std::string> poses, candidates;
  std::int64_t side_px = kViewSide_px;
  bool references = false;
  DeviceArguments device;
};

std::vector<Pose> poses_of(const RenderArguments& a, const Scene& scene) {
  std::vector<Pose> poses;
  for (const std::string& text : a.poses) poses.push_back(parse_pose(scene, text));
  if (poses.empty()) poses.push_back(scene.start);
  return poses;
}

/// The rooms without objects, the candidates and the agent.
SceneMap candidate_map(const RenderArguments& a, const Scene& scene, const Pose& agent) {
  SceneMap map;
  map.shows_objects = false;
  map.agent = agent;
  for (const std::string& text : a.candidates) {
    map.candidates.push_back(parse_room_cell(scene, text));
  }
  return map;
}

void print_seen(const Scene& scene, const host::Views& views, const std::vector<Pose>& poses) {
  const host::Views items = with_item_ids(views);
  for (std::size_t view = 0; view < poses.size(); ++view) {
    const Pose& pose = poses[view];
    fmt::print("view {}: from ({}, {}) facing {}\n", view, pose.cell.x, pose.cell.y,
               name_of(pose.heading));
    for (const auto& seen : host::pixels_by_id(items, static_cast<std::int64_t>(view))) {
      fmt::print("  id {:>2}  {}: {} pixels\n", seen.first, scene.name_of(seen.first), seen.second);
    }
  }
}

void render(const RenderArguments& a) {
  const Scene scene = read_scene(a.scenes, a.id);
  const std::vector<Pose> poses = poses_of(a, scene);
  const SceneMap map = candidate_map(a, scene, poses.front());
  check_scene_views(a.out);
  host::Device device = make_device(a.device);
  print_warnings_of(device);
  const host::Views views = scene_views(scene, poses, device, a.side_px);
  write_scene_views(a.out, scene, views);
  print_seen(scene, views, poses);
  if (a.references) {
    host::write_png(distance_reference(device, a.side_px), a.out + "/distance_reference.png");
    host::write_png(orientation_reference(scene, device), a.out + "/orientation_reference.png");
  }
  if (!map.candidates.empty()) {
    host::write_png(scene_picture(scene, map), a.out + "/candidates.png");
  }
  fmt::print("{} of {} x {} pixels -> {}\n", host::plural(poses.size(), "view"), a.side_px,
             a.side_px, a.out);
}

}  // namespace

void add_space_render(CLI::App& space) {
  CLI::App* command =
      add_command(space, "render", "What an agent sees: colours, depth and ids as PNG");
  const auto arguments = std::make_shared<RenderArguments>();
  RenderArguments& a = *arguments;
  command->add_option("scenes", a.scenes, "Scenes, .jsonl")->required();
  command->add_option("--scene", a.id, "Which of them")->option_text("ID")->required();
  const auto add_places = [&](const char* name, std::vector<std::string>& places, const char* form,
                              const char* description) {
    command->add_option(name, places, description)->option_text(form)->take_all()->expected(1);
  };
  add_places("--pose", a.poses, "X,Y,N|E|S|W",
             "Where one stands and looks; may be repeated (default: where the agent starts)");
  add_places(
      "--candidate", a.candidates, "X,Y",
      "Also candidates.png: the rooms from above without objects, cells marked A, B, ... and "
      "the first pose; may be repeated");
  command->add_flag("--references", a.references,
                    "Also distance_reference.png (posts: blue, red, green 1, 2, 3 cells ahead, "
                    "yellow 2 cells and 22.5 degrees to the left) and orientation_reference.png "
                    "(objects from the front and from their left)");
  command->add_option("--size", a.side_px, "Pixels of a side (default 384)")->check(at_least_one());
  command->add_option("--out", a.out, "Folder to write into")->required();
  add_device_options(*command, a.device);
  command->footer(
      "Writes view_0000_shaded.png (a dark mark is where a thing faces), view_0000_depth.png\n"
      "(millimetres, a cell being a metre), view_0000_id.png (0: nobody's; 1 and more: objects in\n"
      "the order of the scene, then doors), and pixels.csv, whose ids count from 0. The view is "
      "90\n"
      "degrees wide; doors are closed but for the one that one stands in.\n"
      "Examples:\n"
      "  sightline space render scenes.jsonl --scene two_rooms --out seen\n"
      "  sightline space render scenes.jsonl --scene two_rooms --pose 4,2,E --pose 2,2,W "
      "--candidate 1,1 --references --out seen");
  command->callback([arguments] { render(*arguments); });
}

}  // namespace sightline::cli
