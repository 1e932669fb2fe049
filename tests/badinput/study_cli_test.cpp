// Sweep files of studies with a fault: one error at the key, exit code 2, no run folder.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

struct Fault {
  const char* name;
  const char* yaml;
  const char* error;
};

class StudyFaults : public testing::TestWithParam<Fault> {};

TEST_P(StudyFaults, AreToldAtTheirKey) {
  const TemporaryFolder folder;
  std::ofstream(folder / "bad.yaml") << GetParam().yaml;
  const std::string out = folder / "run";
  const ProgramResult run =
      run_program({program_path(), "sweep", folder / "bad.yaml", "--out", out});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(GetParam().error), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("bad.yaml:"), std::string::npos) << "where? " << run.err;
  EXPECT_FALSE(std::filesystem::exists(out));
}

INSTANTIATE_TEST_SUITE_P(
    Files, StudyFaults,
    testing::Values(
        Fault{"UnknownStudy", "study: {batery: {type: presence}}\narms: {a: {answer: text}}\n",
              "there is no study \"batery\"; did you mean \"battery\""},
        Fault{"TwoStudies",
              "study: {battery: {type: presence}, b: {}}\narms: {a: {answer: text}}\n",
              "must name one study and its settings, such as {battery: {type: occlusion}}, but "
              "names battery, b"},
        Fault{"UnknownLooksOfTheAim",
              "study: {space_exploration: {aim_looks: neded}}\narms: {a: {explorer: gain}}\n",
              "did you mean \"needed\""},
        Fault{"AgentsOfAnotherExplorer",
              "study: {space_exploration: {}}\narms: {a: {explorer: scout, agents: 2}}\n",
              "goes with explorer: gain"},
        Fault{"NoAgents",
              "study: {space_exploration: {}}\narms: {a: {explorer: gain, agents: 0}}\n",
              "arms.a.agents"},
        Fault{"UnknownAim",
              "study: {space_exploration: {aim: strategy}}\narms: {a: {explorer: gain}}\n",
              "did you mean \"strategist\""},
        Fault{"NoType", "study: {battery: {trials: 3}}\narms: {a: {answer: text}}\n", "type"},
        Fault{"BadTrials",
              "study: {battery: {type: presence, trials: 0}}\narms: {a: {answer: text}}\n",
              "study.battery.trials"},
        Fault{"NoArm", "study: {battery: {type: presence}}\narms: {}\n", "needs at least one arm"},
        Fault{"UnknownAnswer", "study: {battery: {type: presence}}\narms: {a: {answer: txt}}\n",
              "arms.a.answer"},
        Fault{"MarchWithoutStep",
              "study: {battery: {type: occlusion}}\narms: {a: {answer: geometry, method: march}}\n",
              "step_m"},
        Fault{"StepWithoutMarch",
              "study: {battery: {type: occlusion}}\narms: {a: {answer: geometry, step_m: 1}}\n",
              "give method: march"},
        Fault{"WallForBlindText",
              "study: {storage_medium: {}}\narms: {a: {answer: blind_text, wall: another}}\n",
              "arms.a.wall: is for arms that know the wall"},
        Fault{"AnchorsForALabel",
              "study: {storage_medium: {}}\narms: {a: {answer: stored_label, anchors: observer}}\n",
              "arms.a.anchors: is for arms with coordinates"},
        Fault{"StepForText",
              "study: {storage_medium: {}}\narms: {a: {answer: coordinates_only, step_m: 1}}\n",
              "arms.a.step_m: is for answer: line_of_sight"},
        Fault{"OneTrialHasNoOtherWall",
              "study: {storage_medium: {trials: 1}}\narms: {a: {answer: blind_text}}\n",
              "study.storage_medium.trials"},
        Fault{"ModelWithoutEmbeddings",
              "study: {landscape: {domain: village, type: control}}\narms: {a: {answer: dense, "
              "embedder: model}}\n",
              "arms.a.embedder: is model, and the study names no embeddings"},
        Fault{"EmbedderOfWords",
              "study: {landscape: {domain: village, type: control}}\narms: {a: {answer: bm25, "
              "embedder: hashed}}\n",
              "arms.a.embedder"},
        Fault{"FolderWithoutEmbeddings",
              "study: {landscape: {domain: village, type: control, embeddings: nowhere}}\narms: "
              "{a: {answer: dense}}\n",
              "nowhere/texts.jsonl"},
        Fault{"WorldBesideStudy",
              "study: {battery: {type: presence}}\nworld: {scene: village}\narms: {a: {answer: "
              "text}}\n",
              "world"},
        Fault{"NoDocuments", "study: {topic_partition: {top_k: 3}}\narms: {a: {answer: dense}}\n",
              "documents"},
        Fault{"NoSuchWorld",
              "study: {confirmatory: {type: control, trajectory: 1, world: vilage, worlds: "
              "{village: {scene: village}}}}\narms: {a: {answer: text}}\n",
              "study.confirmatory.world: there is no world \"vilage\"; did you mean \"village\""},
        Fault{"FileForAWorldOfSolids",
              "study: {confirmatory: {type: control, trajectory: 1, world: a, worlds: {a: {file: "
              "map.bt}}}}\narms: {a: {answer: text}}\n",
              "study.confirmatory.worlds.a"},
        Fault{"WalkThatClimbsALevel",
              "study: {confirmatory: {type: control, trajectory: 1, world: a, worlds: {a: {scene: "
              "village}}, walk: {floor_m: 0, climb_m: 1}}}\narms: {a: {answer: text}}\n",
              "climb_m: is for floor_m: ground"},
        Fault{"RankerOfAFlatArm",
              "study: {topic_partition: {documents: none.jsonl}}\narms: {a: {answer: dense, "
              "ranker: rrf}}\n",
              "ranker"},
        Fault{"RivalThatIsNoArm",
              "study: {battery: {type: presence}}\narms: {a: {answer: text}}\nclaims: [{text: t, "
              "arm: a, at_least: {rate: score, arm: b}}]\n",
              "no arm is called \"b\""},
        Fault{"UnknownBaseline",
              "study: {battery: {type: presence}}\narms: {a: {answer: text}}\nbaseline: b\n",
              "no arm is called \"b\""}),
    [](const auto& fault) { return std::string(fault.param.name); });

ProgramResult sweep(const std::string& config, const std::vector<std::string>& overrides,
                    const std::string& out) {
  std::vector<std::string> argv{program_path(), "sweep", source_file("configs/" + config), "--out",
                                out};
  for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
  return run_program(argv);
}

TEST(StudyOfTexts, IsNotAskedAgainAsNewEvidence) {
  const TemporaryFolder folder;
  const std::string texts = "study.flattening.texts=" + source_file("configs/corpora/flattening"),
                    out = folder / "run";
  for (const char* again : {"replicates=2", "seed=[1, 2]"}) {
    const ProgramResult run =
        sweep("flattening.yaml", {texts, "study.flattening.embeddings=null", again}, out);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("asks the same trials again"), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST(StudyOfTexts, TellsABrokenLineBeforeAFolderIsMade) {
  const TemporaryFolder folder;
  const std::string out = folder / "run", broken = folder / "village.jsonl";
  std::ofstream(broken) << "{\"id\": 0, \"kind\": \"thing\",\n";
  const ProgramResult run = sweep(
      "landscape.yaml",
      {"study.landscape.texts=" + folder.path().string(), "study.landscape.domain=village"}, out);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(broken + ":"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(StudyOfTexts, AreListedOnlyWhereAStudyMakesThem) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& config) {
    const ProgramResult run = run_program(
        {program_path(), "texts", source_file(config), "--out", folder / "texts.jsonl"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(folder / "texts.jsonl"));
    return run.err;
  };
  EXPECT_NE(error_of("configs/storage_medium.yaml").find("embeds no text but lines of its files"),
            std::string::npos);
  EXPECT_NE(error_of("configs/quickstart.yaml").find("has no study"), std::string::npos);
}

TEST(StudyOfTexts, TellsALineThatIsThereTwice) {
  const TemporaryFolder folder;
  const std::string out = folder / "run", texts = source_file("configs/corpora/flattening");
  for (const auto& entry : std::filesystem::directory_iterator(texts)) {
    std::filesystem::copy(entry.path(), folder / entry.path().filename().string());
  }
  std::ifstream in(texts + "/warning.jsonl");
  std::ofstream twice(folder / "warning.jsonl");
  int row = 0;
  for (std::string line; std::getline(in, line); ++row) {
    twice << line << "\n";
    if (row == 4) twice << line << "\n";
  }
  twice.close();
  const ProgramResult run = sweep(
      "flattening.yaml",
      {"study.flattening.texts=" + folder.path().string(), "study.flattening.embeddings=null"},
      out);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("warning.jsonl:6"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("twice"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace sightline::tests
