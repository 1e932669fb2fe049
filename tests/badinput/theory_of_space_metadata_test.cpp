// The reader of the published dataset's scenes: what it makes of one, and what it refuses.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_metadata.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using nlohmann::json;

class Metadata : public testing::Test {
 protected:
  /// What the reader says of the scene after a change of its file.
  std::string error_after(const std::function<void(json*)>& change) const {
    json file = host::parse_json<json>(kTwoRoomsMetadata);
    change(&file);
    write_text(path_, host::json_text(file));
    return input_error_of([&] { read_scene_metadata(path_); });
  }

  void expect_error(const std::string& expected, const std::function<void(json*)>& change) const {
    const std::string error = error_after(change);
    EXPECT_EQ(error.rfind(path_ + ": " + expected, 0), 0u) << error << "\nexpected: " << expected;
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "meta_data.json";
};

TEST_F(Metadata, IsReadAsTheSceneItTells) {
  write_text(path_, kTwoRoomsMetadata);
  Scene expected = parse_scene(kTwoRooms, "two rooms");
  expected.seed = 7;
  EXPECT_EQ(scene_line(read_scene_metadata(path_, "two_rooms")), scene_line(expected));
  EXPECT_EQ(read_scene_metadata(path_).id, "run07");
}

TEST_F(Metadata, MayHoldAnOldRoomAndALackingRunSeed) {
  EXPECT_EQ(error_after([](json* file) {
              (*file)["objects"][2]["attributes"]["room_id"] = 1;  // of a scene that was changed
              file->erase("run_seed");
            }),
            "no error");
  EXPECT_EQ(read_scene_metadata(path_).id, "run03");
  EXPECT_EQ(read_scene_metadata(path_).object(2).room, 2);
}

TEST_F(Metadata, PutsDoorsInThePublishedOrder) {
  ASSERT_EQ(error_after([](json* file) {
              json& mask = (*file)["mask"];
              // A third room beyond the north wall of room 1, joined by a door along y.
              for (json& row : mask) row.insert(row.end(), {-1, -1});
              for (const int x : {1, 2, 3}) mask[x][5] = 3, mask[x][6] = 0;
              mask[0][5] = 0, mask[0][6] = 0, mask[4][5] = 0, mask[4][6] = 0, mask[2][4] = 101;
              json door = (*file)["objects"][3];
              door["name"] = "blue door";
              door["pos"] = {{"x", -2}, {"z", 2}};
              door["attributes"] = {{"orientation", "horizontal"}, {"connected_rooms", {1, 3}}};
              (*file)["objects"].insert((*file)["objects"].begin(), door);
            }),
            "no error");
  const Scene scene = read_scene_metadata(path_);
  ASSERT_EQ(scene.doors.size(), 2u);
  EXPECT_EQ(scene.doors[0].name, "red door");
  EXPECT_EQ(scene.doors[1].name, "blue door");
  EXPECT_EQ(scene.doors[1].rooms, (std::array<int, 2>{1, 3}));
  EXPECT_EQ(scene.doors[1].into_room(3), Heading::kNorth);
}

TEST_F(Metadata, IsRefusedWithoutAKey) {
  for (const char* key : {"mask", "offset", "objects", "cameras"}) {
    expect_error(std::string(key) + " is missing", [&](json* file) { file->erase(key); });
  }
  expect_error("seed is missing", [](json* file) { file->erase("run_seed"), file->erase("seed"); });
  expect_error("objects[0].name is missing",
               [](json* file) { (*file)["objects"][0].erase("name"); });
  expect_error("objects[1].attributes.has_orientation is missing",
               [](json* file) { (*file)["objects"][1]["attributes"].erase("has_orientation"); });
  expect_error("objects[0].rot is missing", [](json* file) { (*file)["objects"][0].erase("rot"); });
  expect_error("objects[3].attributes.connected_rooms is missing",
               [](json* file) { (*file)["objects"][3]["attributes"].erase("connected_rooms"); });
  expect_error("cameras[1].position.z is missing",
               [](json* file) { (*file)["cameras"][1]["position"].erase("z"); });
}

TEST_F(Metadata, IsRefusedWithAValueOfAnotherKind) {
  expect_error("the file must be a map", [](json* file) { *file = json::array(); });
  expect_error("mask must be a list", [](json* file) { (*file)["mask"] = 3; });
  expect_error("mask[2][1] must be a whole number, not \"1\"",
               [](json* file) { (*file)["mask"][2][1] = "1"; });
  expect_error("mask[2][1] is 12; a cell is -1", [](json* file) { (*file)["mask"][2][1] = 12; });
  expect_error("mask[2] has 4 numbers, the first row 5",
               [](json* file) { (*file)["mask"][2].erase(0); });
  expect_error("offset must be two numbers", [](json* file) { (*file)["offset"] = {4}; });
  expect_error("objects[0].pos.x must be a whole number, not 0.5",
               [](json* file) { (*file)["objects"][0]["pos"]["x"] = 0.5; });
  expect_error("objects[0].pos.x must be a whole number, not 1e+300",
               [](json* file) { (*file)["objects"][0]["pos"]["x"] = 1e300; });
  expect_error("objects[0].attributes.has_orientation must be true or false",
               [](json* file) { (*file)["objects"][0]["attributes"]["has_orientation"] = 1; });
  expect_error("cameras[0].id must be a text", [](json* file) { (*file)["cameras"][0]["id"] = 4; });
}

TEST_F(Metadata, IsRefusedWhereItsKeysDisagree) {
  expect_error("objects[0].rot.y is 45; a heading is 0, 90, 180 or 270",
               [](json* file) { (*file)["objects"][0]["rot"]["y"] = 45; });
  expect_error("objects[0].attributes.orientation is \"east\", but rot.y says \"south\"",
               [](json* file) { (*file)["objects"][0]["rot"]["y"] = 180; });
  expect_error("objects[0].pos is cell (0, 3) of the mask, which is in no room",
               [](json* file) { (*file)["objects"][0]["pos"]["x"] = -4; });
  expect_error("objects[3].pos is cell (4, 3) of the mask, which is no door",
               [](json* file) { (*file)["objects"][3]["pos"]["z"] = 1; });
  expect_error(
      "objects[3].attributes.orientation is \"horizontal\", but the mask says",
      [](json* file) { (*file)["objects"][3]["attributes"]["orientation"] = "horizontal"; });
  expect_error("objects[3].attributes.connected_rooms are 1 and 3, but beside the door are 1 and 2",
               [](json* file) {
                 (*file)["objects"][3]["attributes"]["connected_rooms"] = {1, 3};
               });
  expect_error("cameras have none with the id \"agent\"",
               [](json* file) { (*file)["cameras"][1]["id"] = "robot"; });
}

TEST_F(Metadata, IsRefusedAsASceneThatCannotBe) {
  expect_error("the agent starts facing east",
               [](json* file) { (*file)["cameras"][1]["rotation"]["y"] = 90; });
  expect_error("the agent starts at (6, 2), which is not in room 1",
               [](json* file) { (*file)["cameras"][1]["position"]["x"] = 2; });
  expect_error("the mask has a door cell at (4, 2) that no gate names",
               [](json* file) { (*file)["objects"].erase(3); });
  expect_error("\"sofa\" and \"lamp\" overlap",
               [](json* file) { (*file)["objects"][1]["pos"] = (*file)["objects"][0]["pos"]; });
}

TEST_F(Metadata, IsRefusedAsAFile) {
  EXPECT_NE(input_error_of([&] { read_scene_metadata(path_); }).find(path_), std::string::npos);
  for (const char* text : {"", "{\"mask\": [", "no json"}) {
    write_text(path_, text);
    EXPECT_EQ(input_error_of([&] { read_scene_metadata(path_); }),
              path_ + ": is no JSON; give a meta_data.json of the dataset");
  }
}

}  // namespace
}  // namespace sightline::tests
