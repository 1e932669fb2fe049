// sightline places follow: a robot drives the way that `ask --waypoints` wrote, in simulation.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/places.h"
#include "host/cli/world_options.h"
#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/meta_memory/follower.h"
#include "host/world/formats.h"
#include "host/world/number_csv.h"

namespace sightline::cli {
namespace {

using namespace host;
using nlohmann::ordered_json;

struct FollowArguments {
  std::string waypoints;
  WorldArguments world;
  FollowerOptions robot;
  bool unknown_is_free = false, passes_through = false, as_json = false;
};

std::vector<Waypoint> read_waypoints(const std::string& path) {
  NumberCsv csv(path, {"x", "y", "z", "node", "s_m"}, "node,x,y,z,s_m");
  for (const std::size_t column : {0, 1, 2}) csv.require(column);
  std::vector<Waypoint> waypoints;
  while (csv.next_row()) {
    Waypoint& waypoint = waypoints.emplace_back();
    waypoint.position_m = {csv.number(0), csv.number(1), csv.number(2)};
  }
  if (waypoints.empty()) throw InputError(path + ": holds no waypoint");
  return waypoints;
}

const char* name_of(FollowerStatus status) {
  constexpr const char* kNames[] = {"arrived", "stopped by a collision", "time is up"};
  return kNames[static_cast<std::size_t>(status)];
}

ordered_json report_json(const FollowerReport& report) {
  ordered_json json;
  json["status"] = name_of(report.status);
  json["time_s"] = report.time_s;
  json["driven_m"] = report.driven_m;
  json["left_m"] = report.left_m;
  json["outside"] = report.num_outside;
  json["collisions"] = ordered_json::array();
  for (const Collision& hit : report.collisions) {
    json["collisions"].push_back({{"voxel", hit.voxel},
                                  {"unknown", hit.is_unknown},
                                  {"time_s", hit.time_s},
                                  {"robot", {hit.robot_m.x, hit.robot_m.y, hit.robot_m.z}}});
  }
  return json;
}

void print_text(const FollowerReport& report) {
  fmt::print("  status      {}\n  driven      {:.1f} m in {:.1f} s, {:.1f} m left\n",
             name_of(report.status), report.driven_m, report.time_s, report.left_m);
  fmt::print("  collisions  {}\n", plural(report.collisions.size(), "voxel"));
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < report.collisions.size() && i < kShown; ++i) {
    const Collision& hit = report.collisions[i];
    fmt::print(
        "              {} voxel {}, {}, {} after {:.1f} s, robot at ({:.2f}, {:.2f}, {:.2f})\n",
        hit.is_unknown ? "unknown" : "solid", hit.voxel[0], hit.voxel[1], hit.voxel[2], hit.time_s,
        hit.robot_m.x, hit.robot_m.y, hit.robot_m.z);
  }
  if (report.num_outside > 0) {
    fmt::print("  outside     {} reached out of the world\n", plural(report.num_outside, "step"));
  }
}

void run_follow(const FollowArguments& a) {
  FollowerOptions robot = a.robot;
  robot.unknown_blocks = !a.unknown_is_free;
  robot.stops_at_collision = !a.passes_through;
  const std::vector<Waypoint> waypoints = read_waypoints(a.waypoints);
  const FollowerReport report = follow(open_world(a.world), waypoints, robot);
  if (a.as_json) {
    fmt::print("{}\n", json_text(report_json(report), 2));
  } else {
    print_text(report);
  }
}

}  // namespace

void add_places_follow(CLI::App& places) {
  CLI::App* command =
      add_command(places, "follow", "Drive a way through a voxel world, in simulation");
  auto a = std::make_shared<FollowArguments>();
  command->add_option("waypoints", a->waypoints, "Way to drive: .csv with x, y, z in metres")
      ->option_text("FILE")
      ->required();
  add_world_options(*command, a->world);
  command->add_option("--world", a->world.file, "World file: " + readable_formats());
  command->add_option("--speed", a->robot.speed_m_s, "m/s (default 1.4)");
  command->add_option("--radius", a->robot.robot_radius_m, "Of the robot, metres (default 0.3)");
  command->add_option("--height", a->robot.robot_height_m, "Of the robot, metres (default 0.5)");
  command->add_option("--clearance", a->robot.clearance_m,
                      "Of its lower end above the waypoints, metres (default 0.1)");
  command->add_flag("--unknown-free", a->unknown_is_free, "Unknown space is no obstacle");
  command->add_flag("--pass-through", a->passes_through,
                    "Report every collision instead of stopping at the first");
  command->add_flag("--json", a->as_json, "Print JSON");
  command->footer(
      "The robot turns and drives ahead; it steers, but does not go round what it meets.\n"
      "Where it cannot arrive that is told, and is no error.\n\nExample:\n"
      "  sightline places follow way.csv --world map.bt");
  command->callback([a] { run_follow(*a); });
}

}  // namespace sightline::cli
