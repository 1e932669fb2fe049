// A building of rooms in rows: straight walls through the whole building, a door in every stretch
// of wall between two rooms, windows and one entrance in the outer walls.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "host/config/number_text.h"
#include "host/random.h"
#include "host/world/scene_library.h"

namespace sightline::host {
namespace {

struct RoomsOptions {
  double room_m = 6, wall_m = 0.2, door_m = 1, door_height_m = 2.1;
  double window_share = 0.5;  ///< of the outer wall's stretches
  std::uint64_t seed = 1;
};

constexpr double kWindow_m = 1.4, kSill_m = 0.9, kWindowTop_m = 2.1;
constexpr std::int64_t kMaxRoomsPerRow = 1000;

RoomsOptions parse(const ConfigValue& arguments) {
  arguments.allow_only({"room_m", "wall_m", "door_m", "door_height_m", "window_share", "seed"});
  RoomsOptions options;
  const auto length = [&](const char* key, double& out) {
    if (const ConfigValue* value = arguments.find(key)) out = value->as_positive();
  };
  length("room_m", options.room_m);
  length("wall_m", options.wall_m);
  length("door_m", options.door_m);
  length("door_height_m", options.door_height_m);
  if (const ConfigValue* share = arguments.find("window_share")) {
    options.window_share = share->as_number(0, 1);
  }
  if (const ConfigValue* seed = arguments.find("seed")) {
    options.seed = static_cast<std::uint64_t>(seed->as_integer(0));
  }
  if (options.room_m < options.wall_m + std::max(options.door_m, kWindow_m)) {
    arguments.fail("rooms of " + short_text(options.room_m) +
                   " m have no place for a wall, a door and a window; make room_m larger");
  }
  return options;
}

/// One side of the building as walls run: along x (row = 0) or along z (row = 2) in plan.
struct Direction {
  double along_begin, along_end;    ///< of every wall
  double across_begin, across_end;  ///< where the first and the last wall stand
  bool along_x;
};

class Building {
 public:
  Building(SceneBuilder& scene, const RoomsOptions& options)
      : scene_(scene), options_(options), plan_(scene.plan_bounds()) {}

  void build(const ConfigValue& arguments) {
    const Direction along_x{plan_.min.x, plan_.max.x, plan_.min.z, plan_.max.z, true};
    const Direction along_z{plan_.min.z, plan_.max.z, plan_.min.x, plan_.max.x, false};
    for (const Direction& direction : {along_x, along_z}) {
      const std::int64_t rows = count(direction.across_end - direction.across_begin, arguments);
      const std::int64_t stretches = count(direction.along_end - direction.along_begin, arguments);
      for (std::int64_t line = 0; line <= rows; ++line) {
        add_wall(direction, line, rows, stretches);
      }
    }
  }

 private:
  std::int64_t count(double extent, const ConfigValue& arguments) const {
    const double rooms = std::round(extent / options_.room_m);
    if (rooms > kMaxRoomsPerRow) arguments.fail("has more than 1000 rooms in a row");
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(rooms));
  }

  /// Wall `line` of rows + 1. The outer ones lie inside the bounds.
  void add_wall(const Direction& direction, std::int64_t line, std::int64_t rows,
                std::int64_t stretches) {
    const double spacing =
        (direction.across_end - direction.across_begin) / static_cast<double>(rows);
    const double middle = std::clamp(direction.across_begin + static_cast<double>(line) * spacing,
                                     direction.across_begin + 0.5 * options_.wall_m,
                                     direction.across_end - 0.5 * options_.wall_m);
    const Wall wall{direction, middle - 0.5 * options_.wall_m, middle + 0.5 * options_.wall_m};
    const bool outer = line == 0 || line == rows;
    std::vector<Opening> openings;
    for (std::int64_t stretch = 0; stretch < stretches; ++stretch) {
      const double length =
          (direction.along_end - direction.along_begin) / static_cast<double>(stretches);
      const double begin = direction.along_begin + static_cast<double>(stretch) * length;
      // One stream per direction; a building has at most 1001 walls of 1000 stretches.
      RandomItem random(options_.seed, direction.along_x ? 1 : 2,
                        static_cast<std::uint64_t>(line * kMaxRoomsPerRow + stretch));
      const bool entrance = direction.along_x && line == 0 && stretch == stretches / 2;
      if (!outer || entrance) {
        openings.push_back(
            hole(wall, begin, length, random, options_.door_m, 0, options_.door_height_m));
      } else if (random.uniform() < options_.window_share) {
        openings.push_back(hole(wall, begin, length, random, kWindow_m, kSill_m, kWindowTop_m));
      }
    }
    scene_.add_box(box(wall, direction.along_begin, direction.along_end, plan_.min.y, plan_.max.y),
                   openings);
  }

  struct Wall {
    const Direction& direction;
    double across_begin, across_end;
  };

  Bounds box(const Wall& wall, double along_begin, double along_end, double bottom,
             double top) const {
    const Bounds plan =
        wall.direction.along_x
            ? Bounds{{along_begin, bottom, wall.across_begin}, {along_end, top, wall.across_end}}
            : Bounds{{wall.across_begin, bottom, along_begin}, {wall.across_end, top, along_end}};
    return scene_.from_plan(plan);
  }

  /// A hole of a width at a random place of a stretch, clear of the walls that meet it there.
  Opening hole(const Wall& wall, double begin, double length, RandomItem& random, double width,
               double bottom, double top) const {
    const double margin = options_.wall_m;
    const double slack = std::max(0.0, length - width - 2 * margin);
    const double at = begin + margin + slack * random.uniform();
    return {
        box(wall, at, at + width, plan_.min.y + bottom, std::min(plan_.min.y + top, plan_.max.y))};
  }

  SceneBuilder& scene_;
  RoomsOptions options_;
  Bounds plan_;
};

}  // namespace

void add_rooms(SceneBuilder& scene, const ConfigValue& arguments) {
  Building(scene, parse(arguments)).build(arguments);
}

}  // namespace sightline::host
