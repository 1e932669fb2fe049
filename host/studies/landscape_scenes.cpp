#include "host/studies/landscape_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::size_t kNotes = 4;
constexpr double kHall_m = 20, kMargin_m = 1, kTop_m = 3;

double between(RandomItem* random, double low, double high) {
  return low + (high - low) * random->uniform();
}

Vec3 place_between(RandomItem* random, const Vec3& low, const Vec3& high) {
  const double x = between(random, low.x, high.x), y = between(random, low.y, high.y);
  return {x, y, between(random, low.z, high.z)};
}

Vec3 anywhere(RandomItem* random) {
  return place_between(random, {kMargin_m, 0, kMargin_m},
                       {kHall_m - kMargin_m, kTop_m, kHall_m - kMargin_m});
}

/// The ranges of the battery of section 6.4; a thing inside the wall stands before it instead.
LandscapeScene draw_occlusion(RandomItem* random) {
  constexpr double kWallBegin_m = 9.5, kWallEnd_m = 10.5, kDoorBegin_m = 9, kDoorEnd_m = 11;
  constexpr double kBeforeWall_m = 8.5;
  LandscapeScene scene;
  scene.standpoint_m = place_between(random, {1, 1.5, 4}, {8, 1.7, 16});
  for (std::size_t i = 0; i < kNotes; ++i) {
    Vec3 thing = place_between(random, {2, 0.5, 2}, {19, 4, 18});
    const bool is_in_door = thing.z >= kDoorBegin_m && thing.z <= kDoorEnd_m;
    if (thing.x >= kWallBegin_m && thing.x <= kWallEnd_m && !is_in_door) thing.x = kBeforeWall_m;
    scene.things_m.push_back(thing);
  }
  scene.subject = random->below(kNotes);
  scene.num_options = 2;
  return scene;
}

/// One thing to each side of the standpoint; the side of the subject is drawn, then all places.
LandscapeScene draw_relation(RandomItem* random) {
  constexpr double kNearest_m = 1.5, kFarthest_m = 8, kQuarter_deg = 90;
  LandscapeScene scene;
  scene.num_options = kNotes;
  scene.truth = static_cast<std::int64_t>(random->below(kNotes));
  scene.subject = random->below(kNotes);
  scene.standpoint_m = place_between(random, {8, 1.5, 8}, {12, 1.7, 12});
  scene.yaw_deg = between(random, 0, 4 * kQuarter_deg);
  std::array<std::int64_t, kNotes> sides{0, 1, 2, 3};  // as Side: scene_graph.h
  shuffle(&sides, random);
  // The subject has the side that was drawn for it, whoever had it gets the subject's.
  std::swap(sides[scene.subject], *std::find(sides.begin(), sides.end(), scene.truth));
  for (const std::int64_t side : sides) {
    const double turn_deg = kQuarter_deg * (static_cast<double>(side) + between(random, -0.5, 0.5));
    const Vec3 way = make_pose_deg(Frame::kSceneYUp, {}, scene.yaw_deg + turn_deg, 0).level_forward;
    const double range_m = between(random, kNearest_m, kFarthest_m);
    scene.things_m.push_back({scene.standpoint_m.x + range_m * way.x, between(random, 0, kTop_m),
                              scene.standpoint_m.z + range_m * way.z});
  }
  return scene;
}

/// Two things alike, at least as far apart as structures of Pilot 1; who asks stands at one.
LandscapeScene draw_near_duplicate(RandomItem* random) {
  constexpr double kApart_m = 1.5;
  LandscapeScene scene;
  scene.num_options = 2;
  scene.subject = random->below(2);
  scene.truth = static_cast<std::int64_t>(scene.subject);
  const Vec3 first = anywhere(random);
  Vec3 second, apart;
  do {
    second = anywhere(random);
    apart = kernels::minus(first, second);
  } while (kernels::dot(apart, apart) < kApart_m * kApart_m);
  scene.things_m = {first, second};
  scene.standpoint_m = scene.things_m[scene.subject];
  scene.yaw_deg = between(random, 0, 360);
  return scene;
}

/// Two regions, one on each side of a lane; one holds one or two things more. Some stand in the
/// lane, in neither.
LandscapeScene draw_multi_region(RandomItem* random) {
  constexpr double kLeast_m = 4, kLaneBegin_m = 9, kLaneEnd_m = 11;
  constexpr double kEnd_m = kHall_m - kMargin_m;
  LandscapeScene scene;
  scene.num_options = 2;
  scene.truth = static_cast<std::int64_t>(random->below(2));
  for (const double begin_m : {kMargin_m, kLaneEnd_m}) {
    LandscapeRegion region;
    region.min_x = between(random, begin_m, begin_m + kLaneBegin_m - kMargin_m - kLeast_m);
    region.max_x = between(random, region.min_x + kLeast_m, begin_m + kLaneBegin_m - kMargin_m);
    region.min_z = between(random, kMargin_m, kEnd_m - kLeast_m);
    region.max_z = between(random, region.min_z + kLeast_m, kEnd_m);
    scene.regions.push_back(region);
  }
  if (random->below(2) == 1) std::swap(scene.regions[0], scene.regions[1]);
  const std::uint64_t fewer = 1 + random->below(3), more = fewer + 1 + random->below(2);
  for (std::size_t r = 0; r < 2; ++r) {
    const LandscapeRegion& region = scene.regions[r];
    const bool has_more = static_cast<std::int64_t>(r) == scene.truth;
    for (std::uint64_t i = 0; i < (has_more ? more : fewer); ++i) {
      scene.things_m.push_back(place_between(random, {region.min_x, 0, region.min_z},
                                             {region.max_x, kTop_m, region.max_z}));
    }
  }
  const std::uint64_t num_stray = random->below(3);
  for (std::uint64_t i = 0; i < num_stray; ++i) {
    scene.things_m.push_back(
        place_between(random, {kLaneBegin_m, 0, kMargin_m}, {kLaneEnd_m, kTop_m, kEnd_m}));
  }
  shuffle(&scene.things_m, random);
  scene.standpoint_m = anywhere(random);
  return scene;
}

LandscapeScene draw_control(RandomItem* random) {
  LandscapeScene scene;
  scene.num_options = kNotes;
  scene.subject = random->below(kNotes);
  scene.truth = static_cast<std::int64_t>(scene.subject);
  for (std::size_t i = 0; i < kNotes; ++i) scene.things_m.push_back(anywhere(random));
  scene.standpoint_m = anywhere(random);
  return scene;
}

}  // namespace

LandscapeScene draw_landscape_scene(LandscapeType type, RandomItem* random) {
  switch (type) {
    case LandscapeType::kOcclusion:
      return draw_occlusion(random);
    case LandscapeType::kRelation:
      return draw_relation(random);
    case LandscapeType::kNearDuplicate:
      return draw_near_duplicate(random);
    case LandscapeType::kMultiRegion:
      return draw_multi_region(random);
    case LandscapeType::kControl:
      break;
  }
  return draw_control(random);
}

Vec3 draw_landscape_observer(RandomItem* random) {
  constexpr double kEyes_m = 1.6;
  return place_between(random, {kMargin_m, kEyes_m, kMargin_m},
                       {kHall_m - kMargin_m, kEyes_m, kHall_m - kMargin_m});
}

void judge_occlusion(const World& world, double step_m, Device& device,
                     const std::vector<LandscapeScene*>& scenes) {
  RayBatch rays;
  for (const LandscapeScene* scene : scenes) {
    rays.observers.push_back(scene->standpoint_m);
    rays.targets.push_back(scene->things_m[scene->subject]);
  }
  VisibilityQuery query;
  query.method = Method::kMarchUniform;
  query.geometry = Geometry::kAnalytic;
  const std::vector<kernels::Visibility> seen = line_of_sight(world, rays, query, step_m, device);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    scenes[i]->truth = seen[i] == kernels::Visibility::kVisible ? kYes : kNo;
  }
}

}  // namespace sightline::host
