// How right maps are beside how well tasks are solved, scene by scene, and what goes with what.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/stats/correlation.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_scores.h"
#include "support/effort.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

std::vector<Scene> some_scenes(int count) {
  std::vector<Scene> scenes;
  for (int number = 0; number < count; ++number) {
    scenes.push_back(generate_scene({}, 51, static_cast<std::uint64_t>(number)));
  }
  return scenes;
}

SceneScoring scoring_of(const std::string& explorer) {
  SceneScoring scoring;
  scoring.explorer = explorer;
  return scoring;
}

/// With queries STRATEGIST knows every cell: its map is the true one, from which all is solved.
TEST(TheoryOfSpaceScores, AreOneOfWhoKnowsEverything) {
  const std::vector<Scene> scenes = some_scenes(effort(20));
  const SceneScores scores = score_scenes(scenes, scoring_of("strategist_queries"));
  ASSERT_EQ(scores.x.size(), scenes.size());
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    EXPECT_EQ(scores.scene[i], scenes[i].id);
    EXPECT_DOUBLE_EQ(scores.x[i], 1) << i;
    EXPECT_DOUBLE_EQ(scores.y[i], 1) << i;
  }
}

TEST(TheoryOfSpaceScores, GoTogether) {
  const SceneScores scores = score_scenes(some_scenes(100), scoring_of("random"));
  const host::stats::Correlation found = host::stats::pearson(scores.x, scores.y);
  EXPECT_GT(found.interval.low, 0.3);  // a map with more wrong in it answers fewer questions
  for (const std::vector<double>& list : {scores.x, scores.y}) {
    for (const double score : list) {
      EXPECT_GE(score, 0);
      EXPECT_LE(score, 1);
    }
  }
}

/// r of (1, 2), (2, 1), (3, 4), (4, 3) is 3 / 5.
TEST(TheoryOfSpaceScores, AreReadOfEitherTable) {
  const TemporaryFolder folder;
  write_text(folder / "a.csv", "task,scene,map\n2,A,1\n1,B,2\n4,C,3\n3,D,4\n");
  write_text(folder / "a.jsonl",
             "{\"scene\": \"A\", \"map\": 1, \"task\": 2}\n{\"scene\": \"B\", \"map\": 2, "
             "\"task\": 1}\n\n{\"scene\": \"C\", \"map\": 3, \"task\": 4}\n{\"scene\": \"D\", "
             "\"map\": 4, \"task\": 3}\n");
  for (const char* name : {"a.csv", "a.jsonl"}) {
    const SceneScores scores = read_scene_scores(folder / name, "map", "task");
    EXPECT_EQ(scores.scene, (std::vector<std::string>{"A", "B", "C", "D"}));
    EXPECT_EQ(scores.x, (std::vector<double>{1, 2, 3, 4}));
    const ProgramResult run = run_program({program_path(), "space", "correlate", folder / name,
                                           "--x", "map", "--y", "task", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const nlohmann::json found = host::parse_json<nlohmann::json>(run.out);
    EXPECT_DOUBLE_EQ(found.at("r").get<double>(), 0.6);
    EXPECT_EQ(found.at("scenes"), 4);
  }
}

TEST(TheoryOfSpaceInertiaCommand, SaysThatTheMeanIsNotZero) {
  const ProgramResult run =
      run_program({program_path(), "space", "inertia", "--draws", "20000", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json rows = host::parse_json<nlohmann::json>(run.out);
  ASSERT_EQ(rows.size(), 3u);
  constexpr double kStated[]{0.165, 0.11, 0.003};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const nlohmann::json& row = rows[i];
    EXPECT_NEAR(row.at("integral").get<double>(), kStated[i], 0.002);
    EXPECT_NEAR(row.at("drawn").get<double>(), row.at("integral").get<double>(),
                5 * row.at("standard_error").get<double>());
    EXPECT_EQ(row.at("printed"), 0);
  }
}

}  // namespace
}  // namespace sightline::tests
