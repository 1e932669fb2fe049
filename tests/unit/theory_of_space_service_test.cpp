// The service of scenes: whole episodes, what each line is answered with, and the schema, which
// every line of these tests is held against.
#include "host/config/json_text.h"
#include "host/theory_of_space/space_service.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/space_lines.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::ordered_json;

std::vector<Scene> some_scenes() {
  std::vector<Scene> scenes{parse_scene(kTwoRooms, "two rooms")};
  for (const int rooms : {2, 3, 4}) {
    SceneSettings settings;
    settings.num_rooms = rooms;
    settings.map_side = map_side_for(rooms);
    scenes.push_back(generate_scene(settings, static_cast<std::uint64_t>(rooms), 0));
  }
  return scenes;
}

class TheoryOfSpaceService : public testing::Test {
 protected:
  Json reply(const std::string& line) { return space_answer(&service_, line); }
  /// The result of a call, which must be of the schema itself.
  Json result(const std::string& tool, const Json& arguments) {
    const Json request{{"id", ++id_}, {"tool", tool}, {"args", arguments}};
    EXPECT_EQ(space_schema().fault(request, "/$defs/request"), "") << request;
    const Json answer = reply(host::json_text(request));
    EXPECT_EQ(answer.at("id"), id_);
    if (!answer.contains("result")) {
      ADD_FAILURE() << answer;
      return {};
    }
    EXPECT_EQ(space_schema().fault(answer.at("result"), "/$defs/" + tool + "_result"), "");
    return answer.at("result");
  }
  Json step(const std::string& actions) {
    return result("step", {{"actions", actions}}).value("turn", Json::object());
  }
  void expect_error(const std::string& line, const std::string& code, const std::string& at,
                    const std::string& message) {
    SCOPED_TRACE(line);
    const Json answer = reply(line);
    ASSERT_TRUE(answer.contains("error")) << answer;
    EXPECT_EQ(answer["error"]["code"], code);
    EXPECT_EQ(answer["error"]["at"], at);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message,
                        answer["error"]["message"].get<std::string>());
  }
  void expect_bad_argument(const std::string& tool, const std::string& arguments,
                           const std::string& at, const std::string& message) {
    expect_error(R"({"id": 1, "tool": ")" + tool + R"(", "args": )" + arguments + "}",
                 "bad_argument", at, message);
  }
  /// Plays what an explorer did, turn by turn, and compares what each turn brought.
  void replay(const std::string& explorer_name, std::size_t number, double noise) {
    SCOPED_TRACE(explorer_name + " in scene " + std::to_string(number));
    const Scene& scene = scenes_[number];
    EpisodeOptions options;
    options.noise.direction = options.noise.distance = options.noise.facing = noise;
    options.noise.seed = noise_seed(7, number);
    const auto explorer = make_explorer(explorer_name, scene, options, Profile::kCode, 1, "test");
    const Exploration tour = explore(scene, explorer.get(), options);
    result("reset", {{"scene", number}, {"noise", noise}, {"seed", 7}, {"tells_truth", true}});
    for (const TurnRecord& record : tour.turns) {
      const Json turn = step(actions_text(scene, record.actions));
      EXPECT_EQ(turn["error"], nullptr);
      EXPECT_EQ(turn["observes"], record.num_observes);
      EXPECT_EQ(turn["cost"], record.cost);
      EXPECT_EQ(turn["information_gain"], record.information_gain);
      EXPECT_EQ(turn["node_coverage"], record.node_coverage);
      EXPECT_EQ(turn["edge_coverage"], record.edge_coverage);
      EXPECT_EQ(turn["ended"], &record == &tour.turns.back());
    }
    const Json closed = result("close", Json::object());
    EXPECT_EQ(closed["scene"], scene.id);
    EXPECT_EQ(closed["ended"], true);
    EXPECT_EQ(closed["turns"], tour.turns.size());
    EXPECT_EQ(closed["observes"], tour.num_observes());
    EXPECT_EQ(closed["edge_coverage"], tour.last().edge_coverage);
  }

  const std::vector<Scene> scenes_ = some_scenes();
  SpaceService service_{scenes_};
  int id_ = 0;
};

// ---- episodes --------------------------------------------------------------------------------

// What each look shows of the two rooms follows from their drawing: support/two_rooms.h.
TEST_F(TheoryOfSpaceService, AnAgentLearnsAllOfTwoRooms) {
  const Json told = result("reset", {{"scene", "two_rooms"}});
  EXPECT_EQ(told["objects"], Json::array({"sofa", "lamp", "desk"}));
  EXPECT_EQ(told["doors"], Json::array({"red door"}));
  EXPECT_EQ(told["field_of_view"], 90);
  EXPECT_EQ(told["budget"], nullptr);
  EXPECT_EQ(step("[Observe()]")["information_gain"], 0.25);  // the sofa is on one cell
  const Json east = step("[Rotate(90), Observe()]");
  EXPECT_EQ(east["observation"]["items"][1]["name"], "red door");
  EXPECT_EQ(east["information_gain"], 0.75);
  EXPECT_FALSE(east.contains("pose"));
  EXPECT_FALSE(east.contains("edge_coverage"));
  const Json before = result("belief", Json::object());
  EXPECT_EQ(before["certain"], false);
  EXPECT_EQ(before["things"][2], host::parse_json<Json>(R"({"name": "desk", "cells": null})"));
  EXPECT_EQ(before["things"][3], host::parse_json<Json>(R"({"name": "red door", "cells": 1})"));
  EXPECT_EQ(step("[JumpTo(red door), Observe()]")["information_gain"], 1.0);
  EXPECT_EQ(result("belief", Json::object())["certain"], true);
  EXPECT_EQ(step("[Term()]")["ended"], true);
  const Json closed = result("close", Json::object());
  EXPECT_EQ(closed["cost"], 3);
  EXPECT_EQ(closed["turns"], 4);
  EXPECT_EQ(closed["node_coverage"], 1.0);
}

TEST_F(TheoryOfSpaceService, PlaysWhatExplorersDo) {
  for (std::size_t number = 0; number < scenes_.size(); ++number) {
    replay("scout", number, 0);
    replay("strategist_queries", number, 0);
    replay("random", number, 0.3);
  }
}

TEST_F(TheoryOfSpaceService, SeveralEpisodesAreUnderWayAtOnce) {
  const auto step_in = [&](const char* episode, const char* actions) {
    return result("step", {{"episode", episode}, {"actions", actions}})["turn"];
  };
  result("reset", {{"scene", 0}, {"episode", "a"}, {"tells_truth", true}});
  result("reset", {{"scene", 0}, {"episode", "b"}, {"tells_truth", true}});
  step_in("a", "[Rotate(90), Observe()]");
  EXPECT_EQ(step_in("b", "[Observe()]")["turn"], 1);
  EXPECT_EQ(step_in("a", "[JumpTo(red door), Observe()]")["pose"]["on"], "red door");
  EXPECT_EQ(step_in("b", "[Observe()]")["pose"]["on"], nullptr);
  EXPECT_EQ(result("close", {{"episode", "a"}})["turns"], 2);
  EXPECT_EQ(step_in("b", "[Observe()]")["turn"], 3);
  // One that is reset begins anew.
  result("reset", {{"scene", 1}, {"episode", "b"}});
  EXPECT_EQ(step_in("b", "[Observe()]")["turn"], 1);
}

TEST_F(TheoryOfSpaceService, OptionsAreThoseOfAnEpisode) {
  const Json told = result("reset", {{"scene", 0}, {"budget", 2}, {"field_of_view", 180}});
  EXPECT_EQ(told["budget"], 2);
  const auto text = told["instructions"].get<std::string>();
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "180 degrees", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "slightly far (4, 8]", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "Objects: sofa, lamp, desk.\nDoors: red door.", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "You have 2 turns.", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "Return()", text);
  const Json first = result("step", {{"actions", "[Observe()]"}});
  EXPECT_EQ(first["turns_left"], 1);
  EXPECT_EQ(first["turn"]["observation"]["items"].size(), 2u);  // the door, straight to the right
  EXPECT_EQ(first["turn"]["observation"]["items"][1]["direction"], "right");
  const Json last = step("[Observe()]");
  EXPECT_EQ(last["ended"], true);
  EXPECT_EQ(last["forced_end"], true);
  const Json strict =
      result("reset", {{"scene", 0}, {"queries_need_sight", true}, {"allows_return", false}});
  EXPECT_PRED_FORMAT2(testing::IsNotSubstring, "Return()",
                      strict["instructions"].get<std::string>());
  EXPECT_EQ(step("[Query(desk)]")["failed"], true);
  EXPECT_NE(step("[Return(), Observe()]")["error"], nullptr);
  // As the paper has it, a thing that nothing was said of may be on any cell of the map.
  result("reset", {{"scene", 0}, {"profile", "paper"}});
  EXPECT_EQ(result("belief", Json::object())["things"][0]["cells"], 400);
}

TEST_F(TheoryOfSpaceService, AFailedTurnIsNoError) {
  result("reset", {{"scene", 0}});
  const Json unknown = step("[JumpTo(unicorn), Rotate(90), Observe()]");
  EXPECT_EQ(unknown["failed"], true);
  EXPECT_EQ(unknown["cost"], 1);
  EXPECT_EQ(unknown["actions"][0]["ok"], false);
  for (const char* bad : {"", "where am I?", "[Rotate(45), Observe()]", "[Observe(), Observe()]",
                          "[Rotate(99999999999999999999), Observe()]", "[Term(), Term()]"}) {
    const Json turn = step(bad);
    EXPECT_EQ(turn["failed"], true) << bad;
    EXPECT_NE(turn["error"], nullptr) << bad;
    EXPECT_EQ(turn["cost"], 1) << bad;
  }
  EXPECT_EQ(step("I turn first. [Observe()] or rather [Rotate(90), Observe()]")["actions"].size(),
            2u);
}

TEST_F(TheoryOfSpaceService, ListsScenes) {
  const Json all = result("scenes", Json::object());
  EXPECT_EQ(all["num_scenes"], scenes_.size());
  ASSERT_EQ(all["scenes"].size(), scenes_.size());
  EXPECT_EQ(all["scenes"][0],
            host::parse_json<Json>(R"({"number": 0, "scene": "two_rooms", "rooms": 2,
                                              "objects": 3, "doors": 1})"));
  const Json some = result("scenes", {{"first", 2}, {"count", 1}});
  ASSERT_EQ(some["scenes"].size(), 1u);
  EXPECT_EQ(some["scenes"][0]["scene"], scenes_[2].id);
  EXPECT_TRUE(result("scenes", {{"first", 4}})["scenes"].empty());
}

// ---- what is refused -------------------------------------------------------------------------

TEST_F(TheoryOfSpaceService, AMalformedLineIsAnErrorAndTheNextIsAnswered) {
  result("reset", {{"scene", 0}});
  for (const char* line : {"", "{", "{\"id\": 1", "nonsense", "\xff\xfe", "{\"id\": 1} {}"}) {
    expect_error(line, "malformed_line", "line", "one object a line");
  }
  expect_error(std::string(100000, '['), "malformed_line", "line", "nested deeper");
  expect_error("[]", "bad_request", "line", "\"tool\": \"scenes\"");
  expect_error(R"({"id": 1})", "bad_request", "tool", "name one");
  expect_error(R"({"id": 1, "tool": "step", "actions": "[Observe()]"})", "bad_request", "actions",
               "id, tool");
  expect_error(R"({"id": 1, "tool": "stpe"})", "unknown_tool", "tool", "did you mean \"step\"");
  EXPECT_EQ(step("[Observe()]")["turn"], 1);
  EXPECT_EQ(reply(R"({"id": "seven", "tool": "none"})")["id"], "seven");
}

TEST_F(TheoryOfSpaceService, NamesTheArgumentAndTheFix) {
  expect_bad_argument("reset", "{}", "args.scene", "is missing; give a text or a whole number");
  expect_bad_argument("reset", R"({"scene": "none"})", "args.scene", "lists them");
  expect_bad_argument("reset", R"({"scene": 4})", "args.scene", "the last scene is 3");
  expect_bad_argument("reset", R"({"scene": -1})", "args.scene", "at least 0");
  expect_bad_argument("reset", R"({"scene": 18446744073709551615})", "args.scene", "at most");
  expect_bad_argument("reset", R"({"scene": 0.5})", "args.scene", "a whole number");
  expect_bad_argument("reset", R"({"scene": 0, "field_of_view": 100})", "args.field_of_view",
                      "one of [60,90,120,180]");
  expect_bad_argument("reset", R"({"scene": 0, "noise": 1.5})", "args.noise", "at most 1");
  expect_bad_argument("reset", R"({"scene": 0, "budget": -1})", "args.budget", "at least 0");
  expect_bad_argument("reset", R"({"scene": 0, "profile": "papper"})", "args.profile",
                      "did you mean \"paper\"");
  expect_bad_argument("reset", R"({"scene": 0, "buget": 3})", "args.buget",
                      "did you mean \"budget\"");
  expect_bad_argument("step", "{}", "args.actions", "is missing");
  expect_bad_argument("step", R"({"actions": ["[]"]})", "args.actions", "a text");
  expect_bad_argument("step", R"({"actions": ")" + std::string(40000, 'x') + "\"}", "args.actions",
                      "at most 32768");
  expect_bad_argument("scenes", R"({"count": 0})", "args.count", "at least 1");
  expect_bad_argument("close", R"({"episode": ""})", "args.episode", "at least 1");
}

TEST_F(TheoryOfSpaceService, AStepOutsideAnEpisodeIsRefused) {
  const std::string observe = R"({"tool": "step", "args": {"actions": "[Observe()]"}})";
  expect_error(observe, "refused", "args.episode", "no episode \"main\" is under way");
  expect_error(R"({"tool": "belief"})", "refused", "args.episode", "reset one");
  expect_error(R"({"tool": "close"})", "refused", "args.episode", "reset one");
  result("reset", {{"scene", 0}});
  expect_error(R"({"tool": "step", "args": {"actions": "[Observe()]", "episode": "other"}})",
               "refused", "args.episode", "\"other\"");
  step("[Term()]");
  expect_error(observe, "refused", "args.episode", "has ended");
  EXPECT_EQ(result("belief", Json::object())["information_gain"], 0.0);
  EXPECT_EQ(result("close", Json::object())["turns"], 1);  // what was refused was no turn
  expect_error(observe, "refused", "args.episode", "no episode");
}

TEST_F(TheoryOfSpaceService, EpisodesAreNotWithoutNumber) {
  for (std::size_t i = 0; i < SpaceService::kMostEpisodes; ++i) {
    service_.answer(R"({"tool": "reset", "args": {"scene": 0, "episode": "e)" + std::to_string(i) +
                    "\"}}");
  }
  expect_error(R"({"tool": "reset", "args": {"scene": 0, "episode": "one more"}})", "refused",
               "args.episode", "close one");
  result("reset", {{"scene", 1}, {"episode", "e5"}});
  result("close", {{"episode", "e6"}});
  result("reset", {{"scene", 0}, {"episode", "one more"}});
}

// ---- the schema ------------------------------------------------------------------------------

TEST(TheoryOfSpaceTools, AreDefinedForFunctionCalling) {
  const Json& whole = space_tools().schema();
  ASSERT_EQ(whole["tools"].size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const Json& function = whole["tools"][i]["function"];
    EXPECT_EQ(function["name"], space_tools().names()[i]);
    EXPECT_FALSE(function["description"].get<std::string>().empty());
    EXPECT_EQ(host::json_text(function["parameters"]).find("$ref"), std::string::npos);
  }
}

}  // namespace
}  // namespace sightline::tests
