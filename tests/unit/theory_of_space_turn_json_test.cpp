// Turns as JSON: every field, on a scene of two rooms that is walked by hand.
#include "host/config/json_text.h"
#include "host/theory_of_space/turn_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "host/theory_of_space/scene_jsonl.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::ordered_json;

// x east, y north, from the start: sofa (-1, 1) facing east, lamp (1, -1) without a facing, desk
// (5, 1) facing west, red door (2, 0), in the east wall of room 1.
class TheoryOfSpaceTurnJson : public testing::Test {
 protected:
  Json play(const std::string& answer, const TurnJsonOptions& options = {}) {
    episode_.act(std::string_view(answer));
    const std::string line = turn_json(episode_, options);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    return host::parse_json<Json>(line);
  }

  const Scene scene_ = parse_scene(kTwoRooms, "two rooms");
  Episode episode_{scene_};
};

TEST_F(TheoryOfSpaceTurnJson, HasWhatWasDoneAndSeen) {
  const Json turn = play("[Rotate(90), Observe()]");
  EXPECT_EQ(host::json_text(turn),
            R"j({"turn":1,"actions":[{"action":"Rotate(90)","ok":true},)j"
            R"j({"action":"Observe()","ok":true}],"error":null,"failed":false,"ended":false,)j"
            R"j("forced_end":false,"observation":{"text":"You observe:\n)j"
            R"j(- lamp: front-right, near\n- red door: front, near, on front wall\n)j"
            R"j(- lamp is south east, near of red door",)j"
            R"j("items":[{"name":"lamp","direction":"front-right","distance":"near"},)j"
            R"j({"name":"red door","direction":"front","distance":"near","wall":"front"}],)j"
            R"j("pairs":[{"name":"lamp","from":"red door","direction":"south east",)j"
            R"j("distance":"near"}]},"query":null,"observes":1,"cost":1,"node_coverage":0.5})j");
}

TEST_F(TheoryOfSpaceTurnJson, TellsTheFacingOfWhatHasOne) {
  const Json turn = play("[Observe()]");
  EXPECT_EQ(
      turn["observation"]["items"],
      host::parse_json<Json>(R"([{"name": "sofa", "direction": "front-left", "distance": "near",
                            "facing": "right"}])"));
}

TEST_F(TheoryOfSpaceTurnJson, NothingInSightIsSaid) {
  const Json turn = play("[Rotate(180), Rotate(90), Rotate(-90), Observe()]");
  EXPECT_EQ(turn["observation"]["items"].size(), 1u);  // the lamp
  play("[JumpTo(lamp), Observe()]");
  const Json nothing = play("[Observe()]");
  EXPECT_EQ(nothing["observation"],
            host::parse_json<Json>(R"({"text": "You observe: no objects in your field of view.",
                            "items": [], "pairs": []})"));
}

TEST_F(TheoryOfSpaceTurnJson, TellsTheTruthOnlyWhenAsked) {
  TurnJsonOptions options;
  options.explorer = "scout";
  options.tells_truth = true;
  options.information_gain = 1.0 / 3;
  EXPECT_FALSE(play("[Rotate(90), Observe()]").contains("pose"));
  const Json turn = play("[JumpTo(red door), Observe()]", options);
  EXPECT_EQ(turn.begin().key(), "scene");
  EXPECT_EQ(turn["scene"], "two_rooms");
  EXPECT_EQ(turn["explorer"], "scout");
  EXPECT_EQ(turn["information_gain"].get<double>(), 1.0 / 3);  // not one digit less
  EXPECT_EQ(turn["pose"],
            host::parse_json<Json>(R"({"x": 2, "y": 0, "heading": "east", "rooms": [1, 2],
                                          "on": "red door"})"));
  // Pairs of room 1: sofa, lamp and door, and each with the start; of room 2: desk and door. Seen
  // were lamp and door from the start, and the desk from the door.
  EXPECT_EQ(turn["edge_coverage"].get<double>(), 3.0 / 7);
  EXPECT_EQ(turn["node_coverage"].get<double>(), 3.0 / 4);
  const Json ended = play("[Return(), Term()]", options);
  EXPECT_EQ(ended["pose"],
            host::parse_json<Json>(R"({"x": 0, "y": 0, "heading": "north", "rooms": [1],
                                           "on": null})"));
  EXPECT_TRUE(ended["ended"].get<bool>());
  EXPECT_FALSE(ended["forced_end"].get<bool>());
  EXPECT_TRUE(ended["observation"].is_null());
}

TEST_F(TheoryOfSpaceTurnJson, HasTheAnswerToAQuery) {
  const Json sofa = play("[Query(sofa)]");
  EXPECT_EQ(sofa["query"],
            host::parse_json<Json>(R"({"name": "sofa", "x": -1, "y": 1, "facing": "east"})"));
  EXPECT_EQ(sofa["cost"], 2);
  EXPECT_TRUE(sofa["observation"].is_null());
  const Json lamp = play("[Query(lamp)]");
  EXPECT_EQ(lamp["query"],
            host::parse_json<Json>(R"({"name": "lamp", "x": 1, "y": -1, "facing": null})"));
  EXPECT_EQ(lamp["cost"], 4);
}

TEST_F(TheoryOfSpaceTurnJson, AFailureIsAnObserve) {
  const Json turn = play("[JumpTo(unicorn), Rotate(90), Observe()]");
  EXPECT_TRUE(turn["failed"].get<bool>());
  EXPECT_EQ(turn["actions"], host::parse_json<Json>(R"j([{"action": "JumpTo(unicorn)", "ok": false,
                                              "why": "nothing that you saw before and see now has this name"},
                                             {"action": "Observe()", "ok": true}])j"));
  EXPECT_EQ(turn["cost"], 1);
  const Json bad = play("I would rather not");
  EXPECT_TRUE(bad["failed"].get<bool>());
  EXPECT_NE(bad["error"].get<std::string>().find("is no action"), std::string::npos);
  EXPECT_EQ(bad["actions"], Json::array());
  EXPECT_EQ(bad["turn"], 2);
  EXPECT_EQ(bad["cost"], 1);
}

TEST_F(TheoryOfSpaceTurnJson, IsTextWhateverAnAgentWrites) {
  const Json turn = play("[JumpTo(\xff\xfe \"quoted\" \n), Observe()]");
  EXPECT_TRUE(turn["failed"].get<bool>());
  EXPECT_EQ(turn["actions"].size(), 2u);
}

}  // namespace
}  // namespace sightline::tests
