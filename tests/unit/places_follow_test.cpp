// `sightline places follow`, as a user runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/run_program.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

class PlacesFollow : public testing::Test {
 protected:
  void SetUp() override {
    write_text(way_, "node,x,y,z,s_m\n4,2,2,0.2,0\n5,8,2,0.2,6\n");
    save_room(false);
  }

  /// 12 m x 12 m over a floor; with a box across the way.
  void save_room(bool has_box) const {
    std::string scene =
        "frame: z_up\nbounds_m: {min: [0, 0, 0], max: [12, 12, 2]}\nsolids:\n"
        "  - box: {min: [0, 0, 0], max: [12, 12, 0.2]}\n";
    if (has_box) scene += "  - box: {min: [5.6, 1.6, 0.2], max: [6, 2.4, 0.8]}\n";
    write_text(world_, scene);
  }

  ProgramResult follow(const std::vector<std::string>& more) const {
    std::vector<std::string> words{program_path(), "places", "follow", way_, "--world", world_};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  void expect_refused(const ProgramResult& result, const std::string& message) const {
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, result.err);
  }

  const TemporaryFolder folder_;
  const std::string way_ = folder_ / "way.csv", world_ = folder_ / "room.yaml";
};

TEST_F(PlacesFollow, TellsOfAnArrival) {
  const auto report = host::parse_json<nlohmann::json>(follow({"--json"}).out);
  EXPECT_EQ(report.at("status"), "arrived");
  EXPECT_TRUE(report.at("collisions").empty());
  constexpr double kReached_m = 0.11;  // what counts as reached, and a step's rounding
  EXPECT_NEAR(report.at("driven_m").get<double>(), 6, kReached_m);
}

TEST_F(PlacesFollow, TellsOfACollision) {
  save_room(true);
  const auto report = host::parse_json<nlohmann::json>(follow({"--json"}).out);
  EXPECT_EQ(report.at("status"), "stopped by a collision");
  // The box begins at x 5.6 m, the robot's radius is 0.3 m.
  EXPECT_LE(report.at("collisions").at(0).at("robot").at(0).get<double>(), 5.6);
  EXPECT_GT(report.at("collisions").at(0).at("robot").at(0).get<double>(), 5.2);
  const auto through = host::parse_json<nlohmann::json>(follow({"--json", "--pass-through"}).out);
  EXPECT_EQ(through.at("status"), "arrived");
  EXPECT_EQ(through.at("collisions").size(), 2u * 4u * 3u);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "solid voxel", follow({}).out);
}

TEST_F(PlacesFollow, RefusesWhatCannotBe) {
  expect_refused(follow({"--radius", "-1"}), "radius");
  expect_refused(follow({"--speed", "0"}), "speed");
  write_text(way_, "node,x,y,z\n1,2,three,0\n");
  expect_refused(follow({}), "way.csv:2");
  write_text(way_, "x,y\n1,2\n");
  expect_refused(follow({}), "way.csv");
  write_text(way_, "x,y,z\n");
  expect_refused(follow({}), "holds no waypoint");
  expect_refused(
      run_program({program_path(), "places", "follow", folder_ / "none.csv", "--world", world_}),
      "none.csv");
}

}  // namespace
}  // namespace sightline::tests
