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
        Fault{"NoSuchWorldToRender",
              "study: {render_as_recall: {world: vilage, worlds: {village: {scene: village}}}}\n"
              "arms: {a: {answer: text}}\n",
              "study.render_as_recall.world: there is no world \"vilage\"; did you mean"},
        Fault{
            "NoVoxelsToRender",
            "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms, solid: analytic}}}}\n"
            "arms: {a: {answer: text}}\n",
            "has no voxels, which pictures are of"},
        Fault{"TargetsNoMultipleOfFour",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}, targets: 10}}\n"
              "arms: {a: {answer: text}}\n",
              "study.render_as_recall.targets: is no multiple of 4"},
        Fault{"NearestBeyondTheRange",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}, nearest_m: 30}}\n"
              "arms: {a: {answer: text}}\n",
              "nearest_m is not below range_m"},
        Fault{"UnknownDamage",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}, damage: {kind: "
              "lost, amount: 1}}}\n"
              "arms: {a: {answer: text}}\n",
              "study.render_as_recall.damage.kind"},
        Fault{"DamageWithoutAmount",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}, damage: {kind: "
              "lost_percent}}}\n"
              "arms: {a: {answer: text}}\n",
              "amount"},
        Fault{"MoreThanAllIsLost",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}, damage: {kind: "
              "lost_percent, amount: 101}}}\n"
              "arms: {a: {answer: text}}\n",
              "study.render_as_recall.damage.amount"},
        Fault{"PictureFromNowhere",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}}}\n"
              "arms: {a: {answer: view}}\n",
              "from"},
        Fault{"WidthForARay",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}}}\n"
              "arms: {a: {answer: line_of_sight, width: 9}}\n",
              "arms.a.width: is for answer: view"},
        Fault{"CandidatesForOwnView",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}}}\n"
              "arms: {a: {answer: view, from: query, candidates: 3}}\n",
              "arms.a.candidates: is for from: best_frame"},
        Fault{"BoxesForAPicture",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}}}\n"
              "arms: {a: {answer: view, from: query, boxes: 3}}\n",
              "arms.a.boxes: is for answer: coordinates"},
        Fault{"PoseForText",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}}}\n"
              "arms: {a: {answer: text, pose: another}}\n",
              "arms.a.pose: is for arms that read places"},
        Fault{"PictureOfNoPixel",
              "study: {render_as_recall: {world: a, worlds: {a: {scene: rooms}}}}\n"
              "arms: {a: {answer: view, from: query, width: 0}}\n",
              "arms.a.width"},
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
        Fault{"NoSuchDocuments",
              "study: {topic_partition: {documents: /no/d.jsonl}}\narms: {a: {answer: dense}}\n",
              "study.topic_partition.documents: /no/d.jsonl: no such file"},
        Fault{"NoSuchNotes",
              "study: {flattening: {texts: /no, task: warning}}\narms: {a: {answer: "
              "object_keyed}}\n",
              "study.flattening.texts: /no/warning.jsonl: no such file"},
        Fault{"NoSuchNotesInDepth",
              "study: {retrieval_depth: {texts: /no}}\narms: {a: {answer: object_keyed}}\n",
              "study.retrieval_depth.texts: /no/warning.jsonl: no such file"},
        Fault{"NoSuchTextsOfALandscape",
              "study: {landscape: {domain: village, type: control, texts: /no}}\narms: {a: "
              "{answer: bm25}}\n",
              "study.landscape.texts: /no/village.jsonl: no such file"},
        Fault{"NoSuchCampus",
              "study: {location_questions: {sequence: 0, type: basic, noise: default, campus: "
              "{osm: /no}}}\narms: "
              "{a: {answer: meta_memory}}\n",
              "study.location_questions.campus.osm: /no/origin.txt: no such file"},
        Fault{"NoSuchScenes",
              "study: {space_exploration: {scenes: {file: /no.jsonl}}}\narms: {a: {explorer: "
              "gain}}\n",
              "study.space_exploration.scenes.file: /no.jsonl: no such file"},
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
        Fault{"UnknownQuestionOfVersions",
              "study: {geometry_versions: {question: than, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current]}}\n",
              "did you mean \"then\""},
        Fault{"UnknownWorldOfVersions",
              "study: {geometry_versions: {question: then, world: b, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current]}}\n",
              "there is no world \"b\""},
        Fault{"NoEdits",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: rooms}}, "
              "edits: 0}}\narms: {a: {keeps: [current]}}\n",
              "study.geometry_versions.edits"},
        Fault{"UnknownKindOfEdit",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: rooms}}, "
              "kinds: [dor]}}\narms: {a: {keeps: [current]}}\n",
              "did you mean \"door\""},
        Fault{"NoKindOfEdit",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: rooms}}, "
              "kinds: []}}\narms: {a: {keeps: [current]}}\n",
              "needs a kind of edit"},
        Fault{"TooManyPairs",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: rooms}}, "
              "edits: 1000, memories: 1000000, pairs_per_memory: 1000}}\narms: {a: {keeps: "
              "[current]}}\n",
              "asks of more than 10000000 pairs"},
        Fault{"NothingKept",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: []}}\n",
              "needs something to keep"},
        Fault{"KeptTwice",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current, current]}}\n",
              "is kept already"},
        Fault{"UnknownStore",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [snapshot]}}\n",
              "did you mean \"snapshots\""},
        Fault{"NothingStandsIn",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [seen_bits], stands_in: true}}\n",
              "arms.a.stands_in: needs geometry to ask"},
        Fault{"AuditOfWhoDoesNotGuess",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current], judged_by: changed_pairs}}\n",
              "it goes with stands_in"},
        Fault{"LateWithoutAPast",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current], late_by: 3}}\n",
              "arms.a.late_by: is for arms that keep"},
        Fault{"LogWithoutVersions",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [snapshots], log: shuffled}}\n",
              "arms.a.log: is for arms that keep versions"},
        Fault{"RivalsCountWithAMargin",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current]}}\nclaims: [{text: t, arm: a, at_least: "
              "{count: right, arm: a, margin: 0.1}}]\n",
              "is for a rate"},
        Fault{"RivalsRateTimesOver",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current]}}\nclaims: [{text: t, arm: a, at_least: "
              "{rate: accuracy, arm: a, times: 2}}]\n",
              "is for a count"},
        Fault{"RivalsCountThatIsNone",
              "study: {geometry_versions: {question: then, world: a, worlds: {a: {scene: "
              "rooms}}}}\narms: {a: {keeps: [current]}}\nclaims: [{text: t, arm: a, at_least: "
              "{count: rigt, arm: a}}]\n",
              "is no count of this sweep"},
        Fault{"UnknownRegime",
              "study: {gates_as_recall: {regime: near, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {radius_m: 5}, kept: {in_sight: 1, turned_away: 1, "
              "behind_wall: 1, same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {}}\n",
              "study.gates_as_recall.regime"},
        Fault{"UnknownGate",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {radius_m: 5}, kept: {in_sight: 1, turned_away: 1, "
              "behind_wall: 1, same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {gate: nearr}}\n",
              "there is no gate \"nearr\"; did you mean \"near\""},
        Fault{"PenaltyWithoutAGate",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {radius_m: 5}, kept: {in_sight: 1, turned_away: 1, "
              "behind_wall: 1, same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {penalty: 0.1}}\n",
              "give gate: NAME beside it"},
        Fault{"SpatialBehindAGate",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {radius_m: 5}, kept: {in_sight: 1, turned_away: 1, "
              "behind_wall: 1, same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {gate: near, spatial: 1}}\n",
              "a gate has an `order`"},
        Fault{"GateForARule",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {radius_m: 5}, kept: {in_sight: 1, turned_away: 1, "
              "behind_wall: 1, same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {rule: declared, gate: near}}\n",
              "arms.a.gate"},
        Fault{"GateWithoutATest",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {}, kept: {in_sight: 1, turned_away: 1, behind_wall: 1, "
              "same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: 1}}}}}\narms: "
              "{a: {}}\n",
              "tests nothing"},
        Fault{"UnknownGateTest",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {radius: 5}, kept: {in_sight: 1, turned_away: 1, behind_wall: "
              "1, same_room: 1, other_room: 1, far: 0, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {}}\n",
              "did you mean \"radius_m\""},
        Fault{"GateKeptOfNoRegime",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {nearest: 5}, kept: {in_sight: 1}}}}}\narms: {a: {}}\n",
              "turned_away"},
        Fault{"ShareAboveOne",
              "study: {gates_as_recall: {regime: far, world: a, worlds: {a: {scene: village}}, "
              "gates: {near: {test: {nearest: 5}, kept: {in_sight: 1, turned_away: 1, behind_wall: "
              "1, same_room: 1, other_room: 1, far: 2, meaning_alone: 0, place_alone: "
              "1}}}}}\narms: {a: {}}\n",
              "study.gates_as_recall.gates.near.kept.far"},
        Fault{"GainsOfNoArm",
              "study: {battery: {type: presence}}\narms: {a: {answer: text}}\nreport: {gains: "
              "{panels: [x], rows: {r: [b]}}}\n",
              "no arm is called \"b\""},
        Fault{"GainsWithoutAnArmForEachPanel",
              "study: {battery: {type: presence}}\narms: {a: {answer: text}}\nreport: {gains: "
              "{panels: [x, y], rows: {r: [a]}}}\n",
              "needs an arm for each of 2 panels"},
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
