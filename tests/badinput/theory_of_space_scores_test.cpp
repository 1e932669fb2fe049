// Tables of scores that are none: each fault is told with its file and line.
#include <gtest/gtest.h>

#include <string>

#include "host/error.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_scores.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

void expect_refusal(const std::string& name, const std::string& text, const std::string& what) {
  const TemporaryFolder folder;
  write_text(folder / name, text);
  try {
    read_scene_scores(folder / name, "map", "task");
    ADD_FAILURE() << "was read: " << text;
  } catch (const host::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(SceneScoreTable, FaultsOfTablesNameTheLine) {
  const std::string head = "scene,map,task\n", row = "A,0.5,0.5\n";
  expect_refusal("a.csv", "", "a.csv");
  expect_refusal("a.csv", "scene,map\nA,1\n", "a.csv:1: column 'task' is missing");
  expect_refusal("a.csv", "scene,map,task,more\n", "unknown column 'more'");
  expect_refusal("a.csv", head + row + "B,high,1\n", "a.csv:3: map is 'high'");
  expect_refusal("a.csv", head + row + "B,1,nan\n", "a.csv:3: task is 'nan'");
  expect_refusal("a.csv", head + row + "B,1\n", "a.csv:3");
  expect_refusal("a.csv", head + row + row, "a.csv:3: the scene \"A\" comes twice");
}

TEST(SceneScoreTable, FaultsOfLinesNameTheLine) {
  const std::string row = "{\"scene\": \"A\", \"map\": 1, \"task\": 1}\n";
  expect_refusal("a.jsonl", row + "[1]\n", "a.jsonl:2");
  expect_refusal("a.jsonl", row + "{\"scene\": \"B\", \"map\": 1}\n", "a.jsonl:2: task");
  expect_refusal("a.jsonl", "{\"scene\": \"A\", \"map\": null, \"task\": 1}\n", "a.jsonl:1: map");
  expect_refusal("a.jsonl", "{\"scene\": 7, \"map\": 1, \"task\": 1}\n", "a.jsonl:1: scene");
  expect_refusal("a.jsonl", "{\"map\": 1, \"task\": 1}\n", "a.jsonl:1: scene");
  expect_refusal("a.jsonl", "{\"scene\": \"A\", \"map\": \"x\", \"task\": 1}\n", "a.jsonl:1: map");
  expect_refusal("a.jsonl", row + row, "a.jsonl:2: the scene \"A\" comes twice");
}

TEST(SceneScoreTable, ColumnsAndExplorersMustBe) {
  EXPECT_THROW(read_scene_scores("a.csv", "map", "map"), host::InputError);
  EXPECT_THROW(read_scene_scores("a.csv", "scene", "map"), host::InputError);
  EXPECT_THROW(read_scene_scores("/nowhere/a.csv", "map", "task"), host::InputError);
  SceneScoring scoring;
  scoring.explorer = "nobody";
  EXPECT_THROW(score_scenes({generate_scene({}, 1, 0)}, scoring), host::InputError);
}

TEST(CorrelateCommand, RefusesWhatGoesWithNothing) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& rows) {
    write_text(folder / "a.csv", "scene,map_correctness,task_score\n" + rows);
    const ProgramResult run = run_program({program_path(), "space", "correlate", folder / "a.csv"});
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  };
  EXPECT_NE(refusal("A,1,1\nB,2,3\n").find("3"), std::string::npos);
  EXPECT_NE(refusal("A,1,1\nB,1,2\nC,1,3\n").find("the same"), std::string::npos);
  const ProgramResult run = run_program(
      {program_path(), "space", "correlate", folder / "a.csv", "--out", folder / "b.jsonl"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--explorer"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace sightline::tests
