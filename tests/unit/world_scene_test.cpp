// Frames and poses; scenes from YAML and from the library; world specifications.
#include "host/world/scene.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "host/world/load.h"
#include "host/world/scene_library.h"
#include "support/errors.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::ConfigValue;
using host::Frame;
using host::Scene;
using kernels::Vec3;

constexpr double kDegree = 3.14159265358979323846 / 180;

#define EXPECT_VEC3_EQ(v, ex, ey, ez) \
  do {                                \
    const Vec3 actual = (v);          \
    EXPECT_EQ(actual.x, ex);          \
    EXPECT_EQ(actual.y, ey);          \
    EXPECT_EQ(actual.z, ez);          \
  } while (false)

TEST(Pose, TurnsByQuartersExactlyInAScene) {
  const auto pose = [](double yaw_deg) {
    return host::make_pose(Frame::kSceneYUp, {1, 2, 3}, yaw_deg * kDegree, 0);
  };
  EXPECT_VEC3_EQ(pose(0).position, 1, 2, 3);
  EXPECT_VEC3_EQ(pose(0).forward, 0, 0, 1);
  EXPECT_VEC3_EQ(pose(0).right, 1, 0, 0);
  EXPECT_VEC3_EQ(pose(90).forward, 1, 0, 0);
  EXPECT_VEC3_EQ(pose(90).right, 0, 0, -1);
  EXPECT_VEC3_EQ(pose(180).forward, 0, 0, -1);
  EXPECT_VEC3_EQ(pose(270).forward, -1, 0, 0);
  EXPECT_VEC3_EQ(pose(-90).forward, -1, 0, 0);
  EXPECT_VEC3_EQ(pose(450).forward, 1, 0, 0);
  EXPECT_VEC3_EQ(pose(90).up, 0, 1, 0);
}

TEST(Pose, TurnsByQuartersExactlyInAMap) {
  const auto pose = [](double yaw_deg) {
    return host::make_pose(Frame::kMapZUp, {}, yaw_deg * kDegree, 0);
  };
  EXPECT_VEC3_EQ(pose(0).forward, 1, 0, 0);
  EXPECT_VEC3_EQ(pose(0).right, 0, -1, 0);
  EXPECT_VEC3_EQ(pose(90).forward, 0, 1, 0);
  EXPECT_VEC3_EQ(pose(90).right, 1, 0, 0);
  EXPECT_VEC3_EQ(pose(90).world_up, 0, 0, 1);
}

TEST(Pose, IsTheSameAfterWholeTurns) {
  constexpr double kPart = 1.0 / 1024;  // so that every yaw below is a double
  const auto bits_of = [](Frame frame, double yaw_deg) {
    const kernels::Pose pose = host::make_pose_deg(frame, {1, 2, 3}, yaw_deg, -7);
    std::array<char, sizeof pose> bits;
    std::memcpy(bits.data(), &pose, sizeof pose);
    return bits;
  };
  for (const Frame frame : {Frame::kSceneYUp, Frame::kMapZUp}) {
    for (int part = -180 * 1024; part <= 180 * 1024; part += 3 * 1024 / 7) {
      const double yaw_deg = part * kPart;
      for (const double turns : {-999999.0, -2.0, -1.0, 1.0, 2.0, 999999.0}) {
        ASSERT_EQ(bits_of(frame, yaw_deg + 360 * turns), bits_of(frame, yaw_deg))
            << yaw_deg << " degrees and " << turns << " turns";
      }
    }
    for (const double quarter_deg : {-180.0, -90.0, 0.0, 90.0, 180.0}) {
      EXPECT_EQ(bits_of(frame, quarter_deg + 360), bits_of(frame, quarter_deg)) << quarter_deg;
    }
  }
}

TEST(Pose, LooksUpByItsPitch) {
  for (const Frame frame : {Frame::kSceneYUp, Frame::kMapZUp}) {
    const host::FrameAxes axes = host::frame_axes(frame);
    const kernels::Pose straight_up = host::make_pose(frame, {}, 0, 90 * kDegree);
    EXPECT_VEC3_EQ(straight_up.forward, axes.up.x, axes.up.y, axes.up.z);
    EXPECT_VEC3_EQ(straight_up.level_forward, axes.yaw_0.x, axes.yaw_0.y, axes.yaw_0.z);
    EXPECT_GT(kernels::dot(host::make_pose(frame, {}, 1, 0.1).forward, axes.up), 0);
  }
}

TEST(Pose, HasOrthonormalAxes) {
  constexpr double kRounding = 1e-15;  // a few units in the last place of 1
  for (const Frame frame : {Frame::kSceneYUp, Frame::kMapZUp}) {
    for (double yaw = -4; yaw < 4; yaw += 0.37) {
      for (double pitch = -1.5; pitch < 1.5; pitch += 0.31) {
        const kernels::Pose pose = host::make_pose(frame, {}, yaw, pitch);
        EXPECT_NEAR(kernels::dot(pose.forward, pose.right), 0, kRounding);
        EXPECT_NEAR(kernels::dot(pose.forward, pose.up), 0, kRounding);
        EXPECT_NEAR(kernels::dot(pose.right, pose.up), 0, kRounding);
        EXPECT_NEAR(kernels::dot(pose.forward, pose.forward), 1, kRounding);
        EXPECT_NEAR(kernels::dot(pose.level_forward, pose.world_up), 0, kRounding);
      }
    }
  }
}

Scene scene_of(const std::string& yaml) {
  return host::make_scene(ConfigValue::parse_yaml(yaml, "test"));
}

/// A scene of one solid in bounds of 20 m.
Scene solid_of(const std::string& solid, const std::string& frame = "y_up") {
  return scene_of("{frame: " + frame +
                  ", bounds_m: {min: [0, 0, 0], max: [20, 10, 20]}, solids: [" + solid + "]}");
}

bool solid_at(const Scene& scene, double x, double y, double z) {
  return scene.solid.view().solid_at({x, y, z});
}

TEST(SceneBox, IsClosedUnlessToldFaceByFace) {
  const Scene closed = solid_of("{box: {min: [1, 1, 1], max: [2, 2, 2]}}");
  EXPECT_TRUE(solid_at(closed, 1, 1, 1));
  EXPECT_TRUE(solid_at(closed, 2, 2, 2));
  const Scene open = solid_of("{box: {min: [1, 1, 1], max: [2, 2, 2], closed: none}}");
  EXPECT_FALSE(solid_at(open, 1, 1.5, 1.5));
  EXPECT_FALSE(solid_at(open, 1.5, 1.5, 2));
  EXPECT_TRUE(solid_at(open, 1.5, 1.5, 1.5));
  const Scene some = solid_of("{box: {min: [1, 1, 1], max: [2, 2, 2], closed: [x_min, z_max]}}");
  EXPECT_TRUE(solid_at(some, 1, 1.5, 2));
  EXPECT_FALSE(solid_at(some, 2, 1.5, 1.5));
  EXPECT_FALSE(solid_at(some, 1.5, 1, 1.5));
}

TEST(SceneSlab, SpansTheBoundsUnlessTold) {
  const Scene wall = solid_of("{slab: {axis: x, at: 10, thickness: 1}}");
  for (const double z : {0.0, 20.0}) {
    EXPECT_TRUE(solid_at(wall, 9.5, 0, z));
    EXPECT_TRUE(solid_at(wall, 10.5, 10, z));
  }
  EXPECT_FALSE(solid_at(wall, 9.49, 5, 5));
  const Scene low = solid_of("{slab: {axis: x, at: 10, thickness: 1, span: {y: [0, 2.5]}}}");
  EXPECT_TRUE(solid_at(low, 10, 2.5, 20));
  EXPECT_FALSE(solid_at(low, 10, 2.51, 20));
}

TEST(SceneOpening, HasClosedOpenOrHalfOpenEdges) {
  const auto wall = [](const std::string& edges) {
    return solid_of(
        "{slab: {axis: x, at: 10, thickness: 1, openings: [{z: [9, 11], y: [0, 3], "
        "edges: " +
        edges + "}]}}");
  };
  for (const char* edges : {"closed", "open", "half_open"}) {
    EXPECT_FALSE(solid_at(wall(edges), 10, 1, 10)) << edges;
    EXPECT_TRUE(solid_at(wall(edges), 10, 3.01, 10)) << edges << ": the lintel";
  }
  EXPECT_FALSE(solid_at(wall("closed"), 10, 1, 9));
  EXPECT_FALSE(solid_at(wall("closed"), 10, 1, 11));
  EXPECT_FALSE(solid_at(wall("closed"), 10, 3, 10));
  EXPECT_TRUE(solid_at(wall("open"), 10, 1, 9));
  EXPECT_TRUE(solid_at(wall("open"), 10, 1, 11));
  EXPECT_TRUE(solid_at(wall("open"), 10, 3, 10));
  EXPECT_FALSE(solid_at(wall("half_open"), 10, 1, 9));
  EXPECT_TRUE(solid_at(wall("half_open"), 10, 1, 11));
}

TEST(SceneOpening, LeavesNoSkinOnTheFacesOfItsSolid) {
  const Scene wall = solid_of(
      "{slab: {axis: x, at: 10, thickness: 1, openings: [{box: {min: [9.5, 0, 9], "
      "max: [10.5, 10, 11]}, edges: open}]}}");
  for (const double x : {9.5, 10.0, 10.5}) {
    for (const double y : {0.0, 10.0}) EXPECT_FALSE(solid_at(wall, x, y, 10)) << x << ' ' << y;
  }
}

TEST(SceneRotatedBox, TurnsAsAnObserverDoes) {
  for (const std::string frame : {"y_up", "z_up"}) {
    const Frame as = frame == "z_up" ? Frame::kMapZUp : Frame::kSceneYUp;
    const bool z_up = as == Frame::kMapZUp;
    // 4 m long where yaw 0 looks, 1 m across.
    const Scene scene = solid_of(std::string("{rotated_box: {center: [10, 5, 10], size: ") +
                                     (z_up ? "[4, 1, 1]" : "[1, 1, 4]") + ", yaw_deg: 30}}",
                                 frame);
    const Vec3 along = host::make_pose(as, {}, 30 * kDegree, 0).forward;
    const Vec3 across = host::make_pose(as, {}, 30 * kDegree, 0).right;
    EXPECT_TRUE(solid_at(scene, 10 + 1.9 * along.x, 5 + 1.9 * along.y, 10 + 1.9 * along.z))
        << frame;
    EXPECT_FALSE(solid_at(scene, 10 + 2.1 * along.x, 5 + 2.1 * along.y, 10 + 2.1 * along.z));
    EXPECT_FALSE(solid_at(scene, 10 + 0.6 * across.x, 5 + 0.6 * across.y, 10 + 0.6 * across.z));
  }
}

TEST(SceneRotatedBox, CarriesItsOpeningsWithIt) {
  const Scene scene = solid_of(
      "{rotated_box: {center: [10, 1, 10], size: [6, 2, 0.4], yaw_deg: 40, "
      "openings: [{x: [1, 2], y: [-1, 0.5]}]}}");
  const Vec3 own_x = host::make_pose(Frame::kSceneYUp, {}, 40 * kDegree, 0).right;
  const auto at = [&](double u, double y) {
    return solid_at(scene, 10 + u * own_x.x, y, 10 + u * own_x.z);
  };
  EXPECT_TRUE(at(0.9, 1));
  EXPECT_FALSE(at(1.1, 1));
  EXPECT_FALSE(at(1.9, 0));
  EXPECT_TRUE(at(1.5, 1.6));
  EXPECT_TRUE(at(2.1, 1));
}

TEST(SceneDiagonalSlab, IsASlabWithinABox) {
  const Scene scene = solid_of(
      "{diagonal_slab: {min: [0, 0, 0], max: [20, 10, 20], normal: [1, 0, 1], offset: 20, "
      "thickness: 1}}");
  const double half = 0.5 / std::sqrt(2.0);  // across the slab, along each of x and z
  EXPECT_TRUE(solid_at(scene, 10 + 0.99 * half, 5, 10 + 0.99 * half));
  EXPECT_FALSE(solid_at(scene, 10 + 1.01 * half, 5, 10 + 1.01 * half));
  EXPECT_TRUE(solid_at(scene, 20, 0, 0));
  EXPECT_FALSE(solid_at(scene, 20.01, 5, 0)) << "clipped by its box";
}

TEST(SceneRoundSolids, StandUprightInBothFrames) {
  const Scene scene = solid_of("{cylinder: {base: [5, 1, 5], radius: 1, height: 3}}");
  EXPECT_TRUE(solid_at(scene, 6, 1, 5));
  EXPECT_TRUE(solid_at(scene, 5, 4, 5));
  EXPECT_FALSE(solid_at(scene, 5, 4.01, 5));
  EXPECT_FALSE(solid_at(scene, 5.8, 2, 5.8));
  const Scene map = solid_of("{cylinder: {base: [5, 5, 1], radius: 1, height: 3}}", "z_up");
  EXPECT_TRUE(solid_at(map, 5, 6, 4));
  EXPECT_FALSE(solid_at(map, 5, 5, 4.01));
  const Scene ball = solid_of("{sphere: {center: [5, 5, 5], radius: 2}}");
  EXPECT_TRUE(solid_at(ball, 5, 7, 5));
  EXPECT_FALSE(solid_at(ball, 6.2, 6.2, 6.2));
}

TEST(ScenePillars, StandInARow) {
  const Scene scene = solid_of(
      "{pillars: {first: [10, 0, 0.5], step: [0, 0, 2.5], count: 9, width: 1, height: 10}}");
  ASSERT_EQ(scene.solid.solids.size(), 9u);
  EXPECT_TRUE(solid_at(scene, 9.5, 0, 0));
  EXPECT_TRUE(solid_at(scene, 10.5, 10, 21));
  EXPECT_FALSE(solid_at(scene, 10, 5, 1.01));
  EXPECT_FALSE(solid_at(scene, 10, 5, 2.49));
}

TEST(SceneFile, IsReadFromItsPath) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "wall.yaml";
  tests::write_text(path,
                    "bounds_m: {min: [0, 0, 0], max: [4, 4, 4]}\n"
                    "solids:\n  - slab: {axis: z, at: 2, thickness: 1}\n");
  EXPECT_TRUE(solid_at(host::make_scene(ConfigValue::text(path)), 1, 1, 2.5));
  const host::World world = host::load_world(path);
  EXPECT_EQ(world.grid->count().occupied, 16 * 16 * 4);
}

TEST(Pilot2Scene, IsTheWallOfThePaper) {
  const Scene scene = scene_of("pilot2");
  EXPECT_TRUE(solid_at(scene, 9.5, 0, 0));
  EXPECT_TRUE(solid_at(scene, 10.5, 10, 20));
  EXPECT_FALSE(solid_at(scene, 10, 5, 10));
  EXPECT_FALSE(solid_at(scene, 10, 10, 9)) << "closed edges belong to the gap";
  EXPECT_TRUE(solid_at(scene, 10, 10, 8.99));
  EXPECT_TRUE(solid_at(scene_of("{name: pilot2, edges: open}"), 10, 10, 9));
  EXPECT_TRUE(solid_at(scene_of("{name: pilot2, lintel_m: 3}"), 10, 3.01, 10));
  EXPECT_FALSE(solid_at(scene_of("{name: pilot2, lintel_m: 3}"), 10, 2.99, 10));
  EXPECT_FALSE(solid_at(scene_of("{name: pilot2, gap_m: [2, 4]}"), 10, 5, 3));
}

/// Where every solid and every opening begins and ends.
std::vector<double> outline(const Scene& scene) {
  std::vector<double> numbers;
  for (const auto* primitives : {&scene.solid.solids, &scene.solid.openings}) {
    for (const kernels::Primitive& p : *primitives) {
      numbers.insert(numbers.end(), {p.min.x, p.min.y, p.min.z, p.max.x, p.max.y, p.max.z});
    }
  }
  return numbers;
}

TEST(NamedScenes, AreTheSameForTheSameSeedAndOthersForAnother) {
  for (const char* name : {"village", "rooms", "clutter", "terrain"}) {
    const auto make = [&](int seed) {
      return scene_of("{name: " + std::string(name) + ", seed: " + std::to_string(seed) + "}");
    };
    EXPECT_EQ(outline(make(3)), outline(make(3))) << name;
    EXPECT_NE(outline(make(3)), outline(make(4))) << name;
  }
}

TEST(NamedScenes, AllBuildWithTheArgumentsTheirListNames) {
  for (const host::NamedScene& named : host::named_scenes()) {
    const Scene scene = scene_of("{name: " + named.name + ", " + named.arguments + "}");
    EXPECT_EQ(scene.name, named.name);
    EXPECT_FALSE(scene.solid.solids.empty()) << named.name;
  }
}

TEST(NamedScenes, ListTheDefaultsThatHold) {
  for (const host::NamedScene& named : host::named_scenes()) {
    EXPECT_EQ(outline(scene_of("{name: " + named.name + ", " + named.arguments + "}")),
              outline(scene_of(named.name)))
        << named.name;
  }
}

TEST(VillageScene, HasGroundWallsAndOpenSkyInItsBounds) {
  const host::World world =
      host::make_world(host::parse_world_spec(ConfigValue::parse_yaml("{scene: village}", "test")));
  EXPECT_EQ(world.bounds_m.max.x, 96);
  EXPECT_EQ(world.bounds_m.min.y, -0.5);
  const host::GridGeometry& geometry = world.grid->geometry();
  ASSERT_EQ(geometry.dims, (std::array<std::int64_t, 3>{384, 48, 384}));
  std::int64_t ground = 0, eye_height = 0, sky = 0;
  for (std::int64_t i = 0; i < geometry.dims[0]; ++i) {
    for (std::int64_t k = 0; k < geometry.dims[2]; ++k) {
      ground += world.grid->at(i, 1, k) == host::VoxelState::kOccupied;
      eye_height += world.grid->at(i, 8, k) == host::VoxelState::kOccupied;  // y in [1.5, 1.75)
      sky += world.grid->at(i, 47, k) == host::VoxelState::kOccupied;
    }
  }
  const std::int64_t columns = geometry.dims[0] * geometry.dims[2];
  EXPECT_EQ(ground, columns);
  EXPECT_GT(eye_height, columns / 50);
  EXPECT_LT(eye_height, columns / 5);
  EXPECT_EQ(sky, 0);
}

TEST(VillageScene, StaysInsideItsBounds) {
  const Scene scene = scene_of("{name: village, seed: 8, size_m: [40, 9, 60]}");
  for (const kernels::Primitive& solid : scene.solid.solids) {
    EXPECT_GE(solid.min.x, scene.bounds_m.min.x);
    EXPECT_LE(solid.max.x, scene.bounds_m.max.x);
    EXPECT_GE(solid.min.z, scene.bounds_m.min.z);
    EXPECT_LE(solid.max.z, scene.bounds_m.max.z);
    EXPECT_LE(solid.max.y, scene.bounds_m.max.y);
  }
}

TEST(RoomsScene, HasADoorInEveryWallBetweenRooms) {
  const Scene scene = scene_of("{name: rooms, seed: 2}");
  std::size_t doors = 0;
  for (const kernels::Primitive& opening : scene.solid.openings) doors += opening.min.y <= 0;
  EXPECT_EQ(doors, 5u * 4 + 3u * 6 + 1) << "6 x 4 rooms, and the entrance";
}

host::WorldSpec spec_of(const std::string& yaml) {
  return host::parse_world_spec(ConfigValue::parse_yaml(yaml, "test"));
}

TEST(WorldSpec, GivesASceneAGridUnlessTold) {
  const host::WorldSpec spec = spec_of("{scene: pilot2}");
  EXPECT_EQ(spec.voxel_m, host::kDefaultVoxel_m);
  EXPECT_EQ(spec.fill, host::Fill::kOverlap);
  EXPECT_FALSE(spec.analytic);
  EXPECT_TRUE(host::make_world(spec).grid);
}

TEST(WorldSpec, KeepsTheAnalyticSetTheGridOrBoth) {
  const host::World analytic = host::make_world(spec_of("{scene: pilot2, solid: analytic}"));
  EXPECT_TRUE(analytic.analytic);
  EXPECT_FALSE(analytic.grid);
  const host::World both = host::make_world(
      spec_of("{scene: pilot2, solid: {analytic: true, grid: {voxel_m: 0.5, fill: center}}}"));
  EXPECT_TRUE(both.analytic);
  ASSERT_TRUE(both.grid);
  EXPECT_EQ(both.grid->geometry().dims, (std::array<std::int64_t, 3>{64, 20, 40}));
  EXPECT_EQ(both.grid->count().occupied, 2 * 20 * (40 - 4));
}

TEST(WorldSpec, PlacesTheGridWhereItIsTold) {
  const host::World world = host::make_world(
      spec_of("{scene: pilot2, solid: {grid: {voxel_m: 1, origin_m: [0.5, 0, -1]}}}"));
  EXPECT_EQ(world.grid->geometry().origin_m, (std::array<double, 3>{0.5, 0, -1}));
  EXPECT_EQ(world.grid->geometry().dims, (std::array<std::int64_t, 3>{32, 10, 21}));
}

TEST(WorldSpec, IsNamedByWhatItMeans) {
  const std::string plain = spec_of("{scene: village}").canonical;
  EXPECT_EQ(plain, spec_of("{scene: {name: village}}").canonical);
  EXPECT_EQ(plain,
            spec_of("{scene: village, solid: {grid: {voxel_m: 0.25, fill: overlap}}}").canonical);
  EXPECT_NE(plain, spec_of("{scene: {name: village, seed: 2}}").canonical);
  EXPECT_NE(plain, spec_of("{scene: village, solid: {grid: {voxel_m: 0.2}}}").canonical);
  EXPECT_NE(plain, spec_of("{scene: village, solid: {grid: {fill: center}}}").canonical);
  EXPECT_NE(plain, spec_of("{scene: village, solid: {analytic: true, grid: {}}}").canonical);
  EXPECT_NE(plain, spec_of("{scene: village, solid: {grid: {origin_m: [0, -1, 0]}}}").canonical);
}

}  // namespace
}  // namespace sightline
