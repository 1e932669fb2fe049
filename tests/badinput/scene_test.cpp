// Faults in scenes and world specifications: found before any work, with their place and the fix.
#include <gtest/gtest.h>

#include "host/world/load.h"
#include "host/world/scene.h"
#include "support/errors.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::ConfigValue;
using tests::input_error_of;

/// Expects that a world is refused, at a line of the file if one is given, with `part` in the text.
void expect_refused(const std::string& world, const std::string& part,
                    const std::string& place = "sweep.yaml:1:") {
  const std::string message =
      input_error_of([&] { host::parse_world_spec(ConfigValue::parse_yaml(world, "sweep.yaml")); });
  EXPECT_NE(message.find(part), std::string::npos)
      << world << "\nwanted: " << part << "\nsaid: " << message;
  EXPECT_NE(message.find(place), std::string::npos) << message;
}

void expect_bad_solid(const std::string& solid, const std::string& part) {
  expect_refused(
      "scene:\n  bounds_m: {min: [0, 0, 0], max: [20, 10, 20]}\n  solids:\n    - " + solid, part,
      "sweep.yaml:4:");
}

TEST(BadWorld, NamesOneSource) {
  expect_refused("{}", "names no world");
  expect_refused("{scene: village, file: a.bt}", "both file and scene");
  expect_refused("{scnee: village}", "did you mean \"scene\"");
}

TEST(BadWorld, FileMustExist) {
  expect_refused("{file: /nowhere/map.bt}", "/nowhere/map.bt: no such file");
  expect_refused("{file: /tmp}", "is a folder");
}

TEST(BadWorld, OnlyFilesThatDoNotSayTheirPlaceAreGivenOne) {
  const tests::TemporaryFolder folder;
  tests::write_text(folder / "map.bt", "");
  expect_refused("{file: " + (folder / "map.bt") + ", voxel_m: 0.1}",
                 "a .bt file holds its voxel size; leave voxel_m");
  tests::write_text(folder / "map.ply", "");
  expect_refused("{file: " + (folder / "map.ply") + "}", "give voxel_m");
  tests::write_text(folder / "map.npy", "");
  const auto npy = [&](const std::string& keys) {
    return "{file: " + (folder / "map.npy") + ", " + keys + "}";
  };
  expect_refused(npy("voxel_m: 0"), "voxel_m");
  expect_refused(npy("voxel_m: [1, 0, 1]"), "above 0");
  expect_refused(npy("voxel_m: [1, 1]"), "voxel_m");
  expect_refused(npy("origin_m: [1, .nan, 1]"), "origin_m");
  expect_refused(npy("frame: z_upp"), "did you mean \"z_up\"");
  expect_refused(npy("voxle_m: 1"), "did you mean \"voxel_m\"");
}

TEST(BadWorld, FileHasNoSolidToChoose) {
  expect_refused("{file: a.bt, solid: analytic}", "brings its own voxels");
}

TEST(BadSolidChoice, IsRefused) {
  expect_refused("{scene: pilot2, solid: analytical}", "did you mean \"analytic\"");
  expect_refused("{scene: pilot2, solid: {gird: {voxel_m: 1}}}", "did you mean \"grid\"");
  expect_refused("{scene: pilot2, solid: {grid: {voxel_m: -1}}}", "voxel_m");
  expect_refused("{scene: pilot2, solid: {grid: {voxel_m: 1e-9}}}", "larger voxels");
  expect_refused("{scene: pilot2, solid: {grid: {fill: centre}}}", "did you mean \"center\"");
  expect_refused("{scene: pilot2, solid: {grid: {origin_m: [99, 0, 0]}}}", "beyond the scene");
}

TEST(BadSceneName, IsAnsweredWithTheNearest) {
  expect_refused("{scene: vilage}", "did you mean \"village\"");
  expect_refused("{scene: {name: pilot3}}", "did you mean \"pilot2\"");
  expect_refused("{scene: 7}", "scene");
  expect_refused("{scene: [village]}", "a scene is a name");
}

TEST(BadSceneFile, IsNamed) {
  expect_refused("{scene: /nowhere/my.yaml}", "/nowhere/my.yaml: no such file", "");
  const tests::TemporaryFolder folder;
  tests::write_text(folder / "my.yaml", "bounds_m: {min: [0, 0, 0], max: [1, 1, 1]}\nsolid: []\n");
  expect_refused("{scene: " + (folder / "my.yaml") + "}", "did you mean \"solids\"",
                 (folder / "my.yaml") + ":2:");
  tests::write_text(folder / "list.yaml", "- 1\n");
  expect_refused("{scene: " + (folder / "list.yaml") + "}", "must be a map", folder / "list.yaml");
}

TEST(BadNamedScene, IsRefused) {
  expect_refused("{scene: {name: village, sead: 1}}", "did you mean \"seed\"");
  expect_refused("{scene: {name: village, size_m: [5, 5, 5]}}", "a village needs at least");
  expect_refused("{scene: {name: village, seed: -1}}", "seed");
  expect_refused("{scene: {name: village, size_m: [32, 8, 3.0e18]}}", "at most 100000 m");
  expect_refused("{scene: {name: village, size_m: [1.0e5, 8, 1.0e5]}}", "more than 2000000 solids");
  expect_refused("{scene: {name: rooms, size_m: [5, 0, 5]}}", "above 0");
  expect_refused("{scene: {name: rooms, room_m: 1}}", "make room_m larger");
  expect_refused("{scene: {name: rooms, room_m: 0.01, wall_m: 0.001, door_m: 0.001}}", "room_m");
  expect_refused("{scene: {name: clutter, box_m: [3, 1]}}", "low <= high");
  expect_refused("{scene: {name: clutter, count: 0}}", "count");
  expect_refused("{scene: {name: terrain, size_m: [32, 12, 32.3]}}", "whole multiples of 0.5 m");
  expect_refused("{scene: {name: terrain, size_m: [1024, 12, 32]}}", "at most 64 m up");
  expect_refused("{scene: {name: terrain, relief_m: 13}}", "relief_m");
  expect_refused("{scene: {name: terrain, digs: -1}}", "digs");
  expect_refused("{scene: {name: pilot2, gap_m: [11, 9]}}", "begin below its end");
  expect_refused("{scene: {name: pilot2, edges: clsoed}}", "did you mean \"closed\"");
  expect_refused("{scene: {name: pilot2, lintel_m: 11}}", "lintel_m");
}

TEST(BadBounds, AreRefused) {
  expect_refused("{scene: {bounds_m: {min: [0, 0, 0], max: [1, 0, 1]}, solids: []}}",
                 "min must be below max along y");
  expect_refused("{scene: {bounds_m: {min: [0, .nan, 0], max: [1, 1, 1]}, solids: []}}", "sweep");
  expect_refused("{scene: {bounds_m: {min: [0, 0], max: [1, 1, 1]}, solids: []}}", "min");
  expect_refused("{scene: {bounds_m: {max: [1, 1, 1]}, solids: []}}", "\"min\" is missing");
  expect_refused("{scene: {solids: []}}", "\"bounds_m\" is missing");
  expect_refused("{scene: {bounds_m: {min: [0, 0, 0], max: [1, 1, 1]}}}", "\"solids\" is missing");
  expect_refused("{scene: {frame: up, bounds_m: {min: [0, 0, 0], max: [1, 1, 1]}, solids: []}}",
                 "y_up");
}

TEST(BadSolid, IsRefusedAtItsLine) {
  expect_bad_solid("7", "a solid is a map with one entry");
  expect_bad_solid("{bix: {min: [0, 0, 0], max: [1, 1, 1]}}", "did you mean \"box\"");
  expect_bad_solid("{box: {min: [2, 0, 0], max: [1, 1, 1]}}", "min must be below max along x");
  expect_bad_solid("{box: {min: [0, 0, 0], max: [1, 1, 1], closed: [x_mni]}}",
                   "did you mean \"x_min\"");
  expect_bad_solid("{box: {min: [0, 0, 0], max: [1, 1, 1], openings: [{z: [2, 1]}]}}",
                   "begin below its end");
  expect_bad_solid("{box: {min: [0, 0, 0], max: [1, 1, 1], openings: [{edges: ajar}]}}", "edges");
  expect_bad_solid("{box: {min: [0, 0, 0], max: [1, 1, 1], openings: {z: [1, 2]}}}", "list");
  expect_bad_solid("{slab: {axis: w, at: 1, thickness: 1}}", "axis");
  expect_bad_solid("{slab: {axis: x, at: 1, thickness: 0}}", "thickness");
  expect_bad_solid("{slab: {axis: x, thickness: 1}}", "\"at\" is missing");
  expect_bad_solid("{slab: {axis: x, at: 1, thickness: 1, span: {x: [0, 1]}}}", "own axis");
  expect_bad_solid("{rotated_box: {center: [0, 0, 0], size: [1, -1, 1], yaw_deg: 3}}", "above 0");
  expect_bad_solid("{rotated_box: {center: [0, 0, 0], size: [1, 1, 1]}}", "\"yaw_deg\" is missing");
  expect_bad_solid("{cylinder: {base: [0, 0, 0], radius: 0, height: 1}}", "radius");
  expect_bad_solid("{sphere: {center: [0, 0, 0], radius: .inf}}", "radius");
  expect_bad_solid("{sphere: {center: [0, 0, 0], radius: 1, openings: []}}", "unknown key");
  expect_bad_solid(
      "{diagonal_slab: {min: [0, 0, 0], max: [1, 1, 1], normal: [0, 0, 0], offset: 1, thickness: "
      "1}}",
      "must not be zero");
  expect_bad_solid(
      "{pillars: {first: [0, 0, 0], step: [1, 0, 0], count: 2.5, width: 1, height: 1}}", "count");
  expect_bad_solid("{rooms: {room: 6}}", "did you mean \"room_m\"");
  expect_bad_solid("{clutter: {size_m: [1, 2]}}", "unknown key");
}

}  // namespace
}  // namespace sightline
