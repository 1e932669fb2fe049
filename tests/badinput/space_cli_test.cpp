// `sightline space` from the outside: what it refuses, with one error that names file and line, and
// without leaving a file behind.
#include "support/space_command.h"

namespace sightline::tests {
namespace {

/// The scene with one piece of its line replaced by another.
std::string two_rooms_but(const std::string& piece, const std::string& other) {
  std::string line = kTwoRooms;
  const std::size_t at = line.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return line.replace(at, piece.size(), other);
}

struct BadScene {
  std::string line, message;
};

std::vector<BadScene> bad_scenes() {
  const std::string door = R"(["red door", 4, 2, [1, 2], {"1": "W", "2": "E"}])";
  std::string apart = two_rooms_but(door, "");
  apart.replace(apart.find("##D##"), 5, "#####");
  return {
      {two_rooms_but(R"("lamp", 3, 1)", R"("lamp", 1, 3)"), "\"sofa\" and \"lamp\" overlap"},
      {two_rooms_but(R"("desk", 7, 3, "W", 2)", R"("desk", 4, 2, "W", 2)"), "is not in room 2"},
      {two_rooms_but(R"("##D##", "#222#")", R"("##D##", "#####")"), "a room on either side"},
      {two_rooms_but("[1, 2], {", "[1, 1], {"), "a room on either side"},
      {two_rooms_but(R"([1, 2], {"1": "W", "2": "E"})", R"([1], {"1": "W"})"), "needs two rooms"},
      {two_rooms_but("\"grid\": 9", "\"grid\": 4"),
       "less than the mask of 9 x 5 cells needs; give 9"},
      {two_rooms_but("#222#\", \"#222#\", \"#222#", "#222#\", \"#####\", \"#222#"),
       "room 2 is in pieces: of its 6 cells, 3 hang together"},
      {apart, "the map is not connected: no doors lead from room 1 to room 2"},
      {two_rooms_but("#111#", "#111"), "of one length"},
      {two_rooms_but("\"lamp\"", "\"sofa\""), "the name \"sofa\" is taken"},
      {"{\"id\": \"cut", "cannot be read as JSON"},
      {"[]", "a scene must be a map"}};
}

TEST_F(SpaceCommand, ASceneThatCannotBeIsNamedWithItsLine) {
  for (const BadScene& bad : bad_scenes()) {
    SCOPED_TRACE(bad.line);
    std::string second = bad.line;
    const std::size_t id = second.find("two_rooms");
    if (id != std::string::npos) second.replace(id, 9, "second");
    write_text(scenes_, std::string(kTwoRooms) + "\n" + second + "\n");
    const std::string log = folder_ / "turns.jsonl";
    for (const ProgramResult& result :
         {space({"info", scenes_}), space({"explore", scenes_, "--log", log}),
          space({"serve", scenes_})}) {
      expect_refused(result, "scenes.jsonl:2: ");
      EXPECT_PRED_FORMAT2(testing::IsSubstring, bad.message, result.err);
    }
    expect_files(1);
  }
}

TEST_F(SpaceCommand, AFileWithoutScenesIsNamed) {
  write_text(scenes_, "\n");
  expect_refused(space({"explore", scenes_}), "scenes.jsonl holds no scene");
  expect_refused(space({"serve", scenes_}), "scenes.jsonl holds no scene");
  expect_refused(space({"serve", folder_ / "none.jsonl"}), "none.jsonl");
  expect_refused(space({"explore", folder_ / "none.jsonl"}), "none.jsonl");
}

TEST_F(SpaceCommand, AnUnknownExplorerIsToldWithTheOneThatWasMeant) {
  const std::string log = folder_ / "turns.jsonl";
  expect_refused(space({"explore", scenes_, "--explorer", "scuot", "--log", log}),
                 "--explorer: no explorer is called \"scuot\"; did you mean \"scout\"?");
  expect_files(1);
}

TEST_F(SpaceCommand, OptionsThatCannotBeAreNamed) {
  expect_refused(space({"explore", scenes_, "--budget", "-1"}), "--budget");
  expect_refused(space({"explore", scenes_, "--noise", "1.5"}), "--noise");
  expect_refused(space({"explore", scenes_, "--noise", "nan"}), "--noise");
  expect_refused(space({"explore", scenes_, "--field-of-view", "100"}), "--field-of-view");
  expect_refused(space({"explore", scenes_, "--profile", "papers"}), "--profile");
  expect_refused(space({"explore", scenes_, "--log", scenes_}), "is one of the inputs");
  expect_refused(space({"explore", scenes_, "--log", folder_ / "none/turns.jsonl"}), "none");
  expect_refused(space({"serve"}), "give one of");
  expect_refused(space({"serve", scenes_, "--schema"}), "give one of");
}

TEST_F(SpaceCommand, ScenesThatCannotBeDrawnAreNoFile) {
  const std::string out = folder_ / "drawn.jsonl";
  const auto generate = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "--out", out});
    return space(more);
  };
  expect_refused(generate({"--rooms", "0"}), "the number of rooms is 0; 1 to 9 are allowed");
  expect_refused(generate({"--rooms", "10"}), "the number of rooms is 10");
  expect_refused(generate({"--objects", "36"}), "the number of objects in a room is 36");
  expect_refused(generate({"--room-width", "19"}), "the width of rooms is 19; 2 to 18");
  expect_refused(generate({"--map-side", "32"}), "the side of the map is 32");
  expect_refused(generate({"--count", "0"}), "--count");
  expect_refused(generate({"--seed", "-1"}), "--seed: must be an integer, 0 or more, but is -1");
  expect_refused(generate({"--topology", "ring"}), "--topology");
  expect_refused(generate({"--rooms", "1", "--objects", "1", "--room-width", "2", "--room-height",
                           "2", "--placement", "spaced"}),
                 "no objects and no doors");
  expect_refused(space({"generate"}), "--out");
  expect_refused(space({"generate", "--out", folder_ / "none/drawn.jsonl"}), "none");
  // A map too small for its rooms is found out by trying.
  const ProgramResult crowded = generate({"--rooms", "9", "--map-side", "20"});
  EXPECT_EQ(crowded.exit_code, 1);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "take a larger map", crowded.err);
  expect_files(1);
}

TEST_F(SpaceCommand, AFullDiskLeavesNoFile) {
  ProgramOptions options;
  options.max_file_bytes = 4096;
  const ProgramResult drawn = run_program(
      {program_path(), "space", "generate", "--count", "50", "--out", folder_ / "drawn.jsonl"},
      options);
  EXPECT_EQ(drawn.exit_code, 1) << drawn.err;
  expect_files(1);
}

}  // namespace
}  // namespace sightline::tests
