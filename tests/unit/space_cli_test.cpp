// `sightline space generate`, `explore` and `serve` from the outside: what they print and write.
#include <algorithm>

#include "host/config/json_text.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/space_command.h"
#include "support/space_lines.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

// ---- generate --------------------------------------------------------------------------------

TEST_F(SpaceCommand, GeneratesTheSameBytesOnAnyNumberOfThreads) {
  const auto generate = [&](const char* threads, const char* seed) {
    const std::string out = folder_ / (std::string(threads) + "_" + seed + ".jsonl");
    const ProgramResult result = space({"generate", "--count", "300", "--seed", seed, "--threads",
                                        threads, "--placement", "spaced", "-o", out});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "wrote " + out + ": 300 scenes of 3 rooms\n");
    return read_text(out);
  };
  const std::string one = generate("1", "7");
  EXPECT_EQ(lines_of(one).size(), 300u);
  EXPECT_EQ(generate("3", "7"), one);
  EXPECT_NE(generate("1", "8"), one);
}

TEST_F(SpaceCommand, GeneratesWhatIsAskedFor) {
  const std::string out = folder_ / "drawn.jsonl";
  const ProgramResult result = space({"generate", "--rooms", "4", "--topology", "star", "--objects",
                                      "2", "--room-width", "5", "--room-height", "4", "--map-side",
                                      "22", "--count", "20", "--quiet", "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  const std::vector<host::tos::Scene> scenes = host::tos::read_scenes(out);
  ASSERT_EQ(scenes.size(), 20u);
  for (const host::tos::Scene& scene : scenes) {
    EXPECT_EQ(scene.mask.width, 22);
    EXPECT_EQ(scene.num_objects(), 8);
    const auto num_cells = std::count(scene.mask.cells.begin(), scene.mask.cells.end(), 1);
    EXPECT_EQ(num_cells, 5 * 4);
    ASSERT_EQ(scene.doors.size(), 3u);
    for (const host::tos::Door& door : scene.doors) EXPECT_EQ(door.rooms[0], 1);
  }
  EXPECT_EQ(space({"info", out}).out,
            out + ": 20 scenes\n  20 of 4 rooms\n  11 to 11 objects and doors\n");
}

TEST_F(SpaceCommand, WarnsWhereSpacedObjectsDoNotFit) {
  const std::string out = folder_ / "drawn.jsonl";
  const ProgramResult result =
      space({"generate", "--placement", "spaced", "--objects", "20", "--count", "5", "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "5 of 5 scenes have fewer objects", result.err);
  EXPECT_EQ(host::tos::read_scenes(out).size(), 5u);
}

// ---- explore ---------------------------------------------------------------------------------

// SCOUT looks north, east, south and west from the start and through the door once: support/
// two_rooms.h. Seen from one another are the start and the three things of its room, and the door
// and the desk: four of seven pairs.
TEST_F(SpaceCommand, ExploresAndTellsTheMeans) {
  const std::string log = folder_ / "turns.jsonl";
  const ProgramResult result = space({"explore", scenes_, "--json", "--log", log});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Json> means = lines_of(result.out);
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0], host::parse_json<Json>(R"({"explorer": "scout", "scenes": 1, "observes": 5.0,
      "cost": 5.0, "information_gain": 1.0, "node_coverage": 1.0,
      "edge_coverage": 0.5714285714285714, "resolved": 1.0, "contradictory": 0.0})"));
  const std::vector<Json> turns = lines_of(read_text(log));
  ASSERT_EQ(turns.size(), 6u);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    EXPECT_EQ(turns[i]["scene"], "two_rooms");
    EXPECT_EQ(turns[i]["explorer"], "scout");
    EXPECT_EQ(turns[i]["turn"], i + 1);
    EXPECT_EQ(turns[i]["ended"], i == 5);
  }
  EXPECT_EQ(turns[0]["observation"]["items"][0]["name"], "sofa");
  EXPECT_EQ(turns[4]["pose"]["on"], "red door");
  EXPECT_EQ(turns[5]["actions"][0]["action"], "Term()");
}

TEST_F(SpaceCommand, PrintsATable) {
  const ProgramResult result = space(
      {"explore", scenes_, "--explorer", "scout", "--explorer", "strategist", "--budget", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "explorer      scenes  observes      cost      gain     nodes     edges  resolved\n"
            "scout              1      1.00      1.00     0.250     0.250     0.143     0.000\n"
            "strategist         1      1.00      1.00     0.250     0.250     0.143     0.000\n");
}

TEST_F(SpaceCommand, ExploresAsItIsTold) {
  const std::string drawn = folder_ / "drawn.jsonl";
  EXPECT_EQ(space({"generate", "--count", "20", "--out", drawn}).exit_code, 0);
  const auto means = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"explore", file, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = space(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return lines_of(result.out).at(0);
  };
  // The sofa ahead, and the door that is straight to the right.
  EXPECT_EQ(means(scenes_, {"--field-of-view", "180", "--budget", "1"})["node_coverage"], 0.5);
  // The paper's SCOUT looks all around in every room; the code's, in later rooms, only three ways.
  const Json code = means(drawn, {}), paper = means(drawn, {"--profile", "paper"});
  EXPECT_LE(code["observes"], 4 + 3 * 2);
  EXPECT_GT(paper["observes"], code["observes"]);
  const Json noisy = means(drawn, {"--noise", "0.5"});
  EXPECT_NE(noisy, code);
  EXPECT_EQ(noisy, means(drawn, {"--noise", "0.5", "--threads", "1"}));
  EXPECT_NE(noisy, means(drawn, {"--noise", "0.5", "--seed", "2"}));
  EXPECT_NE(means(drawn, {"--explorer", "random"}),
            means(drawn, {"--explorer", "random", "--seed", "2"}));
}

TEST_F(SpaceCommand, SaysWhatErrorsOfPerceptionDo) {
  const ProgramResult result = space({"explore", scenes_, "--noise", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "scout: in 1.000 of scenes what was seen cannot all be true", result.out);
}

// ---- serve -----------------------------------------------------------------------------------

TEST_F(SpaceCommand, ServesEachLineToTheEnd) {
  const std::string lines =
      R"({"id": 1, "tool": "reset", "args": {"scene": "two_rooms", "budget": 2}})"
      "\n\nnonsense\r\n"
      R"({"id": 2, "tool": "step", "args": {"actions": "[JumpTo(unicorn), Observe()]"}})"
      "\n"
      R"({"id": 3, "tool": "close"})";  // without a line end
  const ProgramResult result = serve(lines);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const std::vector<Json> answers = lines_of(result.out);
  ASSERT_EQ(answers.size(), 4u);
  for (const Json& answer : answers) {
    EXPECT_EQ(space_schema().fault(answer, "/$defs/answer"), "") << answer;
  }
  EXPECT_EQ(answers[0]["result"]["budget"], 2);
  EXPECT_EQ(answers[1]["error"]["code"], "malformed_line");
  EXPECT_EQ(answers[2]["result"]["turn"]["failed"], true);  // and no error
  EXPECT_EQ(answers[2]["result"]["turn"]["cost"], 1);
  EXPECT_EQ(answers[3]["result"]["observes"], 1);
}

TEST_F(SpaceCommand, PrintsTheSchemaOfItsLines) {
  const ProgramResult result = space({"serve", "--schema"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(host::parse_json<Json>(result.out), host::tos::space_tools().schema());
}

}  // namespace
}  // namespace sightline::tests
