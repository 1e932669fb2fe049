// The parts of render-as-recall: pictures, damage, a map told as boxes.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "host/studies/map_damage.h"
#include "host/studies/occluder_texts.h"
#include "host/studies/occlusion_pictures.h"
#include "host/world/load.h"
#include "host/world/vec3.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

using host::Bounds;
using host::VoxelState;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20260403;

host::World rooms() {
  return host::make_world(host::parse_world_spec(host::ConfigValue::parse_yaml(
      "{scene: {name: rooms, seed: 2, size_m: [12, 3, 12]}, solid: {grid: {voxel_m: 0.1}}}",
      "w.yaml")));
}

Vec3 place_in(Random& random) {
  return {random.uniform(0.3, 11.7), random.uniform(0.3, 2.7), random.uniform(0.3, 11.7)};
}

// ---- pictures --------------------------------------------------------------------------------

/// By another way: the kernel that renders the pixels around a box alone, and casts no ray beyond.
TEST(OcclusionPictures, ShowWhatCoversPixels) {
  const host::World world = rooms();
  host::Device device(host::DeviceChoice::kCpu);
  Random random(kSeed);
  constexpr std::int64_t kPoses = 40, kTargets = 50;
  constexpr double kMostAmiss = 0.005;  ///< ends of rays are rounded at other places
  const kernels::Camera camera = host::make_camera({96, 72, 90, 0, 20});
  std::vector<kernels::Pose> poses;
  host::RayBatch rays;
  rays.shape = kernels::RayShape::kPairs;
  std::vector<host::Sighted> asked;
  for (std::int64_t p = 0; p < kPoses; ++p) {
    poses.push_back(host::make_pose_deg(world.frame, place_in(random), random.uniform(0, 360), 0));
    for (std::int64_t t = 0; t < kTargets; ++t) {
      rays.pairs.insert(rays.pairs.end(), {p, static_cast<std::int64_t>(rays.targets.size())});
      rays.targets.push_back(place_in(random));
      asked.push_back({p, rays.targets.back()});
    }
  }
  constexpr double kBox_m = 0.3;
  const auto counts =
      host::covered_pixels(world, poses, rays, {kBox_m, kBox_m, kBox_m}, camera, {}, device);
  for (const std::int64_t min_pixels : {1, 4}) {
    const auto shown =
        host::shows_in_pictures(world, poses, camera, {kBox_m, min_pixels, 0}, asked, device);
    std::int64_t num_amiss = 0, num_shown = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      num_amiss += (counts[i].visible >= min_pixels) != (shown[i] != 0);
      num_shown += shown[i];
    }
    EXPECT_LE(static_cast<double>(num_amiss), kMostAmiss * kPoses * kTargets);
    EXPECT_GT(num_shown, kPoses) << "there is something to compare";
  }
}

TEST(OcclusionPictures, AThingHalfBehindAWallShowsByItsShare) {
  host::GridGeometry geometry;
  geometry.dims = {20, 20, 20};
  geometry.voxel_m = {0.5, 0.5, 0.5};
  host::World world;
  world.grid.emplace(geometry);
  world.grid->set_box({0, 0, 8}, {10, 20, 9}, VoxelState::kOccupied);  // left half, to x = 5 m
  host::Device device(host::DeviceChoice::kCpu);
  const std::vector<kernels::Pose> pose{
      host::look_at(world.frame, {5.01, 5.01, 1}, {5.01, 5.01, 9})};
  const kernels::Camera camera = host::make_camera({101, 101, 20, 0, 20});
  const auto shows = [&](double x, double share) {
    return host::shows_in_pictures(world, pose, camera, {1, 1, share}, {{0, {x, 5.01, 8}}},
                                   device)[0] != 0;
  };
  EXPECT_TRUE(shows(5.2, 0.5)) << "most of it stands free";
  EXPECT_TRUE(shows(4.8, 0.1));
  EXPECT_FALSE(shows(4.8, 0.5)) << "most of it is behind";
  EXPECT_FALSE(shows(4.2, 0)) << "all of it";
  EXPECT_FALSE(
      host::shows_in_pictures(world, pose, camera, {1, 1, 0}, {{0, {5.01, 5.01, 0}}}, device)[0])
      << "behind the camera";
}

TEST(OcclusionPictures, LookingAtIsYawAndPitch) {
  constexpr double kNear = 1e-12;
  for (const host::Frame frame : {host::Frame::kSceneYUp, host::Frame::kMapZUp}) {
    const kernels::Pose wanted = host::make_pose_deg(frame, {1, 2, 3}, 130, -25);
    const kernels::Pose pose =
        host::look_at(frame, {1, 2, 3}, host::plus({1, 2, 3}, host::scaled(7, wanted.forward)));
    for (const auto axis : {&kernels::Pose::forward, &kernels::Pose::right, &kernels::Pose::up,
                            &kernels::Pose::level_forward}) {
      const Vec3 apart = kernels::minus(pose.*axis, wanted.*axis);
      EXPECT_LT(kernels::dot(apart, apart), kNear);
    }
  }
}

// ---- damage ----------------------------------------------------------------------------------

TEST(MapDamage, TakesTheSharesThatItSaysAndMoreOfThemAsItGrows) {
  const host::World world = rooms();
  const host::VoxelSight sight(*world.grid);
  host::OcclusionSet set;
  set.poses = {{{5, 1.6, 5}, 30}};
  const auto before = world.grid->count();
  const auto at = [&](host::DamageKind kind, double amount) {
    return host::damaged(world, sight, set, {kind, amount}, kSeed).world;
  };
  const host::World lost = at(host::DamageKind::kLostPercent, 10);
  EXPECT_EQ(lost.grid->count().occupied,
            before.occupied - std::llround(0.1 * static_cast<double>(before.occupied)));
  const host::World more = at(host::DamageKind::kLostPercent, 30);
  const host::World added = at(host::DamageKind::kAddedPer10000, 30);
  EXPECT_EQ(added.grid->count().occupied,
            before.occupied + std::llround(0.003 * static_cast<double>(before.free)));
  const host::VoxelSight less_seen(*lost.grid), more_seen(*more.grid);
  for (std::size_t i = 0; i < sight.states().size(); ++i) {
    if (less_seen.states()[i] == sight.states()[i]) continue;
    ASSERT_EQ(more_seen.states()[i], VoxelState::kFree) << "lost at 10 %, so at 30 %";
  }
  EXPECT_EQ(world.grid->count().occupied, before.occupied) << "the world is as it was";
}

TEST(MapDamage, PosesAreOffByTheSpreadThatItSays) {
  const host::World world = rooms();
  const host::VoxelSight sight(*world.grid);
  host::OcclusionSet set;
  set.poses.assign(4000, {{5, 1.6, 5}, 30});
  const auto given =
      host::damaged(world, sight, set, {host::DamageKind::kPoseCentimetres, 20}, kSeed);
  double square_m = 0, square_deg = 0;
  for (const host::Stand& stand : given.poses) {
    const Vec3 apart = kernels::minus(stand.eye_m, {5, 1.6, 5});
    square_m += kernels::dot(apart, apart) / 3;
    square_deg += (stand.yaw_deg - 30) * (stand.yaw_deg - 30);
  }
  const auto count = static_cast<double>(given.poses.size());
  EXPECT_NEAR(std::sqrt(square_m / count), 0.2, 0.01);
  EXPECT_NEAR(std::sqrt(square_deg / count), 2, 0.1);
}

// ---- texts -----------------------------------------------------------------------------------

TEST(OccluderTexts, BoxesHoldEveryVoxelOnce) {
  const host::World world = rooms();
  constexpr double kVoxel_m3 = 0.001, kNear = 1e-6;
  double volume_m3 = 0;
  const auto boxes = host::boxes_of(*world.grid);
  for (const Bounds& box : boxes) {
    const Vec3 size = kernels::minus(box.max, box.min);
    volume_m3 += size.x * size.y * size.z;
  }
  const auto occupied = static_cast<double>(world.grid->count().occupied);
  EXPECT_NEAR(volume_m3, kVoxel_m3 * occupied, kNear);
  EXPECT_LT(static_cast<double>(boxes.size()), occupied / 50) << "and many in one";
  const host::VoxelSight sight(*world.grid);
  Random random(kSeed);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = place_in(random);
    bool is_held = false;
    for (const Bounds& box : boxes) is_held = is_held || host::holds(box, p);
    EXPECT_EQ(is_held, !sight.is_free(p));
  }
}

TEST(OccluderTexts, AreWhatTheHeaderShows) {
  const host::ToldOccluders told{
      true, {3.1, 1.6, 5}, {12.3, 1.2, 7.85}, {{{9.5, 0, 0}, {10.5, 4, 9}}}};
  const host::Prompt prompt = host::occluder_prompt(told, false);
  EXPECT_EQ(prompt.question,
            "A thing is remembered.\n"
            "You stand with your eyes at x 3.10, y 1.60, z 5.00.\n"
            "The thing is at x 12.30, y 1.20, z 7.85.\n"
            "Solid: x 9.50 to 10.50, y 0.00 to 4.00, z 0.00 to 9.00.\n"
            "Can you see the thing from where you stand? Answer with one word, VISIBLE or HIDDEN.");
  EXPECT_EQ(prompt.answers[prompt.right], "HIDDEN");
  EXPECT_EQ(host::read_occluder_prompt(prompt.question), "HIDDEN");
  host::ToldOccluders open = told;
  open.boxes = {{{9.5, 2, 0}, {10.5, 4, 9}}};
  EXPECT_EQ(host::read_occluder_prompt(host::occluder_prompt(open, true).question), "VISIBLE");
  EXPECT_EQ(host::read_occluder_prompt(host::occluder_prompt({}, true).question), "VISIBLE");
}

TEST(OccluderTexts, TellTheNearestBoxesBetween) {
  const std::vector<Bounds> boxes{{{6, 0, 0}, {7, 1, 1}},
                                  {{2, 0, 0}, {3, 1, 1}},
                                  {{2, 5, 0}, {3, 6, 1}},
                                  {{11, 0, 0}, {12, 1, 1}}};
  const auto told = host::boxes_between(boxes, {0, 0.5, 0.5}, {10, 0.5, 0.6}, 5);
  ASSERT_EQ(told.size(), 2u) << "one lies above, one beyond";
  EXPECT_EQ(told[0].min.x, 2);
  EXPECT_EQ(told[1].min.x, 6);
  EXPECT_EQ(host::boxes_between(boxes, {0, 0.5, 0.5}, {10, 0.5, 0.6}, 1).size(), 1u);
}

}  // namespace
}  // namespace sightline::tests
