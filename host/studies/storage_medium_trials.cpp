#include "host/studies/storage_medium_trials.h"

#include <fmt/format.h>

#include <array>

#include "host/random.h"
#include "host/world/load.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kMediumStream = std::uint64_t{1} << 43;
constexpr std::int64_t kGround_cm = 2000;  ///< side of the square in which everything happens
constexpr double kVoxel_m = 0.5;
constexpr double kOracleStep_m = 0.05;  ///< the paper's "fine 0.05 m analytic segment sampling"

struct Thing {
  const char* name;
  const char* sentence;
};
constexpr std::array<Thing, 12> kThings{{
    {"lantern", "A brass lantern was filled with oil and left burning."},
    {"barrel", "The oak barrel has a new hoop and smells of vinegar."},
    {"loom", "Half a grey blanket is still stretched on the loom."},
    {"bell", "Somebody polished the bell until it shone."},
    {"wheelbarrow", "The wheelbarrow is full of wet leaves."},
    {"mirror", "A crack runs across the tall mirror from corner to corner."},
    {"harp", "Two strings of the harp have snapped."},
    {"churn", "The butter churn was scrubbed and put out to dry."},
    {"sundial", "Moss covers the sundial, but the hours can be read."},
    {"beehive", "The beehive was painted white before the summer."},
    {"rocking horse", "The rocking horse has lost its left ear."},
    {"grindstone", "Sparks flew from the grindstone all morning."},
}};

/// A whole number of centimetres in [low, high].
double centimetres(RandomItem& draw, std::int64_t low_cm, std::int64_t high_cm) {
  const auto range = static_cast<std::uint64_t>(high_cm - low_cm + 1);
  return static_cast<double>(low_cm + static_cast<std::int64_t>(draw.below(range))) / 100;
}

/// A whole number of voxels in [low, high], in metres.
double on_grid(RandomItem& draw, std::int64_t low, std::int64_t high) {
  const auto range = static_cast<std::uint64_t>(high - low + 1);
  return kVoxel_m * static_cast<double>(low + static_cast<std::int64_t>(draw.below(range)));
}

/// Two boxes, a doorway of 2 m between them; across x, or across z.
std::vector<Bounds> draw_walls(RandomItem& draw) {
  constexpr double kGround_m = kGround_cm / 100.0, kThickness_m = 1, kDoor_m = 2;
  const bool across_x = draw.below(2) == 0;
  const double at = on_grid(draw, 12, 26), door = on_grid(draw, 6, 30), high = on_grid(draw, 4, 8);
  const auto box = [&](double low, double end) {
    return across_x ? Bounds{{at, 0, low}, {at + kThickness_m, high, end}}
                    : Bounds{{low, 0, at}, {end, high, at + kThickness_m}};
  };
  return {box(0, door), box(door + kDoor_m, kGround_m)};
}

/// Within half a metre of a wall, where nobody stands and nothing is put.
bool is_near(const std::vector<Bounds>& walls, Vec3 p) {
  constexpr double kClear_m = 0.5;
  for (const Bounds& wall : walls) {
    if (p.x > wall.min.x - kClear_m && p.x < wall.max.x + kClear_m && p.z > wall.min.z - kClear_m &&
        p.z < wall.max.z + kClear_m) {
      return true;
    }
  }
  return false;
}

Vec3 draw_place(RandomItem& draw, const std::vector<Bounds>& walls, std::int64_t low_cm,
                std::int64_t high_cm) {
  constexpr std::int64_t kMargin_cm = 100;
  Vec3 place_m;
  do {
    place_m.x = centimetres(draw, kMargin_cm, kGround_cm - kMargin_cm);
    place_m.y = centimetres(draw, low_cm, high_cm);
    place_m.z = centimetres(draw, kMargin_cm, kGround_cm - kMargin_cm);
  } while (is_near(walls, place_m));
  return place_m;
}

Vec3 draw_eyes(RandomItem& draw, const std::vector<Bounds>& walls) {
  return draw_place(draw, walls, 150, 170);
}

/// Draws observers and things, some at a time, and takes the first pair that the truth wants.
void place_until(bool visible, RandomItem& draw, Device& device, MediumTrial* trial) {
  constexpr int kAtATime = 16;
  const World world = medium_world(*trial);
  VisibilityQuery query;
  query.method = Method::kMarchUniform;
  query.geometry = Geometry::kAnalytic;
  trial->visible = visible;
  for (;;) {
    RayBatch rays;
    for (int i = 0; i < kAtATime; ++i) {
      rays.observers.push_back(draw_eyes(draw, trial->walls));
      rays.targets.push_back(draw_place(draw, trial->walls, 50, 350));
    }
    const auto seen = line_of_sight(world, rays, query, kOracleStep_m, device);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if ((seen[i] == kernels::Visibility::kVisible) != visible) continue;
      trial->from_m = rays.observers[i];
      trial->place_m = rays.targets[i];
      return;
    }
  }
}

MediumTrial make_trial(RandomItem draw, Device& device) {
  MediumTrial trial;
  const Thing& thing = kThings[static_cast<std::size_t>(draw.below(kThings.size()))];
  trial.object = thing.name;
  trial.sentence = thing.sentence;
  trial.walls = draw_walls(draw);
  trial.seen_from_m = draw_eyes(draw, trial.walls);
  const bool visible = draw.below(2) == 0;
  place_until(visible, draw, device, &trial);
  return trial;
}

}  // namespace

World medium_world(const MediumTrial& trial) {
  std::string solids;
  for (const Bounds& wall : trial.walls) {
    solids += fmt::format("{}{{box: {{min: [{}, {}, {}], max: [{}, {}, {}]}}}}",
                          solids.empty() ? "" : ", ", wall.min.x, wall.min.y, wall.min.z,
                          wall.max.x, wall.max.y, wall.max.z);
  }
  const std::string scene = fmt::format(
      "{{scene: {{frame: y_up, bounds_m: {{min: [0, 0, 0], max: [20, 4, 20]}}, solids: [{}]}}, "
      "solid: {{analytic: true, grid: {{voxel_m: {}}}}}}}",
      solids, kVoxel_m);
  return make_world(parse_world_spec(ConfigValue::parse_yaml(scene, "a trial's world")));
}

std::vector<MediumTrial> make_medium_trials(std::int64_t count, std::uint64_t seed,
                                            Device& device) {
  std::vector<MediumTrial> trials;
  for (std::int64_t t = 0; t < count; ++t) {
    trials.push_back(
        make_trial(RandomItem(seed, kMediumStream, static_cast<std::uint64_t>(t)), device));
  }
  return trials;
}

}  // namespace sightline::host
