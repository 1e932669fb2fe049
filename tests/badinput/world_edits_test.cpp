// Worlds built by edits in a sweep file: what they are, and what is refused. Sweeps that ask what
// their points cannot tell.
#include <gtest/gtest.h>

#include <string>

#include "host/world/load.h"
#include "support/errors.h"
#include "support/npy_bytes.h"
#include "support/sweep_command.h"

namespace sightline::tests {
namespace {

using host::ConfigValue;
using host::World;

/// A hall of 2 x 1 x 1 m in voxels of 0.1 m, which no binary number holds exactly.
constexpr const char* kHall =
    "scene: {bounds_m: {min: [0, 0, 0], max: [2, 1, 1]}, solids: []}\n"
    "solid: {analytic: true, grid: {voxel_m: 0.1}}\n";

World world_of(const std::string& yaml) {
  return make_world(host::parse_world_spec(ConfigValue::parse_yaml(yaml, "world.yaml")));
}

TEST(WorldEdits, FillTheVoxelsThatAScenesSolidFills) {
  for (const char* fill : {"overlap", "center"}) {
    const std::string solid = std::string("solid: {grid: {voxel_m: 0.1, fill: ") + fill + "}}\n";
    const World edited =
        world_of("scene: {bounds_m: {min: [0, 0, 0], max: [2, 1, 1]}, solids: []}\n" + solid +
                 "edits: [{box_m: {min: [0.3, 0, 0.1], max: [0.6, 0.7, 0.9]}}]\n");
    const World built = world_of(
        "scene: {bounds_m: {min: [0, 0, 0], max: [2, 1, 1]}, solids: [{box: {min: [0.3, 0, 0.1], "
        "max: [0.6, 0.7, 0.9]}}]}\n" +
        solid);
    EXPECT_EQ(edited.grid->count().occupied, 3 * 7 * 8) << fill;
    EXPECT_EQ(edited.versions->checkout(1).words(), built.grid->compacted().words()) << fill;
  }
}

TEST(WorldEdits, MakeAVersionEachOfVoxelsAndSolid) {
  const std::string edits =
      "edits: [{box_m: {min: [0.5, 0, 0], max: [0.6, 1, 1]}, note: a wall}, "
      "{box_m: {min: [1.5, 0, 0], max: [1.6, 1, 1]}}]\n";
  for (const auto& [version, walls] : {std::pair{"0", 0}, {"1", 1}, {"2", 2}, {"latest", 2}}) {
    const World world = world_of(kHall + edits + "version: " + version + "\n");
    EXPECT_EQ(world.grid->count().occupied, 100 * walls) << version;
    EXPECT_EQ(world.analytic->solids.size(), static_cast<std::size_t>(walls)) << version;
    EXPECT_EQ(world.versions->num_versions(), 3);
    EXPECT_EQ(world.versions->version(1).note.text, "a wall");
  }
}

TEST(WorldEdits, ThatCannotBeAreRefusedWithTheirPlace) {
  const auto refused = [](const std::string& edit) {
    return input_error_of([&] { world_of(kHall + ("edits: [" + edit + "]\n")); });
  };
  const std::string box = "box_m: {min: [0, 0, 0], max: [1, 1, 1]}";
  EXPECT_NE(refused("{state: free}").find("box_m"), std::string::npos);
  EXPECT_NE(refused("{" + box + ", state: gone}").find("occupied"), std::string::npos);
  EXPECT_NE(refused("{" + box + ", colour: red}").find("unknown key"), std::string::npos);
  EXPECT_NE(refused("{box_m: {min: [0, 0, 0], max: [1, 0, 1]}}").find("is empty"),
            std::string::npos);
  const std::string outside = refused("{box_m: {min: [3, 0, 0], max: [4, 1, 1]}}");
  EXPECT_NE(outside.find("world.yaml:3"), std::string::npos) << outside;
  EXPECT_NE(outside.find("edits[0]: its box holds no voxel"), std::string::npos) << outside;
  EXPECT_NE(refused("{" + box + ", state: free}").find("cannot lose a part"), std::string::npos);
  const std::string note = refused("{" + box + ", note: \"a\\nb\"}");
  EXPECT_NE(note.find("world.yaml:3"), std::string::npos) << note;
  EXPECT_NE(note.find("note: holds a line break"), std::string::npos) << note;
  const std::string later =
      input_error_of([&] { world_of(kHall + ("edits: [{" + box + "}]\nversion: 2\n")); });
  EXPECT_NE(later.find("its latest is 1"), std::string::npos) << later;
}

class PointsWithoutHeadings : public SweepCommand {
 protected:
  void write_sweep(const std::string& more) const {
    write_text(config(), "name: t\nworld: {scene: clutter}\nobservers: {file: " + points_ +
                             "}\ntargets: {list: [[9, 1, 9], [8, 1, 3]]}\n"
                             "visibility: {method: hdda}\n" +
                             more);
  }
  const std::string points_ = folder_ / "points.csv";
};

TEST_F(PointsWithoutHeadings, AreRefusedWhereSomeoneLooksSomewhere) {
  write_text(points_, "x,y,z\n1,1,1\n");
  for (const char* arm :
       {"{predict: rendered_view, view: {box_m: 1}}",
        "{predict: field_of_view, field_of_view: {kind: cone, half_angle_deg: 40}}"}) {
    write_sweep(std::string("arms: {a: ") + arm + "}\n");
    expect_failure(sweep(), kBadInput, {"observers", "yaw_deg and pitch_deg"});
    EXPECT_FALSE(std::filesystem::exists(out()));
  }
}

TEST_F(PointsWithoutHeadings, OfWhichThereIsNoneCannotBeAskedByAPreflight) {
  write_text(folder_ / "none.npy", npy_file(1, npy_header("<f8", false, "(0, 3)"), ""));
  write_sweep("arms: {a: {predict: line_of_sight}}\npreflight: {hidden: [[4, 1, 1]]}\n");
  ProgramResult result = sweep({"-s", "observers.file=" + (folder_ / "none.npy")});
  expect_failure(result, kBadInput, {"preflight.hidden", "no observer"});
}

}  // namespace
}  // namespace sightline::tests
