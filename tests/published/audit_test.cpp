// `sightline audit`: runs that are no evidence about space are flagged, good ones pass. What
// Spatial Memory Must Store (2026), sections 4 and 6.4.
#include "host/report/audit.h"

#include <filesystem>
#include <regex>

#include "host/stats/paired.h"
#include "support/errors.h"
#include "support/hand_made_run.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class AuditCommand : public testing::Test {
 protected:
  ProgramResult audit(const std::string& config, const std::vector<std::string>& overrides = {}) {
    const std::string out = folder_ / "run";
    std::filesystem::remove_all(out);
    std::vector<std::string> argv{program_path(), "sweep", source_file("configs/" + config),
                                  "--out",        out,     "--quiet"};
    if (config == "topic_partition.yaml") {
      const std::string rows = source_file("configs/corpora/topics/documents.minilm.npy");
      argv.insert(argv.end(), {"-s", "study.topic_partition.embeddings=" + rows});
    }
    for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
    const ProgramResult run = run_program(argv);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run_program({program_path(), "audit", out});
  }
  static std::string documents() {
    return "study.topic_partition.documents=" +
           source_file("configs/corpora/topics/documents.jsonl");
  }
  static bool tells(const ProgramResult& audit, const std::string& words) {
    return audit.out.find(words) != std::string::npos;
  }

  TemporaryFolder folder_;
};

TEST_F(AuditCommand, FlagsARunThatReadsNoPlace) {
  const ProgramResult run =
      audit("topic_partition.yaml", {documents(),
                                     "arms={dense: {answer: dense}, bm25: {answer: "
                                     "bm25}}",
                                     "baseline=dense", "claims=[]", "family=null"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(tells(run, "FLAGGED: no arm reads a place")) << run.out;
  EXPECT_TRUE(tells(run, "family of 1 tests")) << run.out;
}

/// Rooms that are explored are of space, and there is no place to read or not to read.
TEST_F(AuditCommand, AsksNoPlacesOfStudiesThatHaveNone) {
  const ProgramResult run = audit("theory_of_space_explorers.yaml",
                                  {"study.space_exploration.scenes.count=5", "claims=[]",
                                   "axes.study.space_exploration.scenes.rooms=[3]",
                                   "axes.study.space_exploration.measure=[node_coverage]"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(tells(run, "No memories with places are kept here")) << run.out;
  EXPECT_TRUE(tells(run, "audit passed")) << run.out;
  EXPECT_FALSE(tells(run, "reads no place")) << run.out;
  EXPECT_FALSE(tells(run, "not of space")) << run.out;
  EXPECT_FALSE(tells(run, "FLAGGED")) << run.out;
}

TEST_F(AuditCommand, AsksNoPlacesOfBeliefsAboutRooms) {
  const ProgramResult run =
      audit("theory_of_space_beliefs.yaml", {"study.space_beliefs.scenes.count=2", "claims=[]",
                                             "axes.study.space_beliefs.measure=null",
                                             "axes.study.space_beliefs.episode.noise=[0]"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(tells(run, "No memories with places are kept here")) << run.out;
  EXPECT_FALSE(tells(run, "FLAGGED")) << run.out;
}

TEST_F(AuditCommand, FlagsATruthThatRefinesThePartition) {
  const ProgramResult run =
      audit("topic_partition.yaml",
            {documents(), "arms={place: {answer: nearest_place}, route: {answer: route}}",
             "baseline=place", "claims=[]", "family=null"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(tells(run, "cross-region relevant share 0.000")) << run.out;
  EXPECT_TRUE(tells(run, "refines its own partition")) << run.out;
  EXPECT_FALSE(tells(run, "no arm reads a place")) << run.out;
}

TEST_F(AuditCommand, FlagsAnArmThatIsTheOracle) {
  const ProgramResult own =
      audit("pilot2_occlusion.yaml",
            {"oracle={method: hdda, solid: grid}", "axes={visibility.step_m: [0.5]}",
             "arms.exact_walk={predict: line_of_sight, visibility: {method: "
             "hdda, solid: grid}}"});
  EXPECT_EQ(own.exit_code, 1) << own.out << own.err;
  EXPECT_TRUE(tells(own, "truth's own predicate in 1 of 1 configurations")) << own.out;
}

TEST_F(AuditCommand, FlagsTheOraclesOtherWalk) {
  const ProgramResult run = audit("quickstart.yaml");  // `exact` walks by dda, the oracle by hdda
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  EXPECT_TRUE(tells(run, "truth's own predicate in 3 of 3 configurations")) << run.out;
}

TEST_F(AuditCommand, FlagsTheOracleWithinAFieldOfView) {
  const ProgramResult own =
      audit("pilot2_occlusion.yaml",
            {"oracle={method: hdda, solid: grid}", "axes={visibility.step_m: [0.5]}", "claims=[]",
             "arms.cone_los={predict: field_of_view_and_line_of_sight, visibility: {method: "
             "hdda, solid: grid}}"});
  EXPECT_EQ(own.exit_code, 1) << own.out << own.err;
  EXPECT_TRUE(tells(own, "truth's own predicate in 1 of 1 configurations")) << own.out;
}

TEST_F(AuditCommand, FlagsALabelThatIsTheTruth) {
  const ProgramResult run = audit("storage_medium.yaml", {"study.storage_medium.trials=20"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(tells(run, "FLAGGED: answers by the truth's own predicate in 2 of 2")) << run.out;
  const ProgramResult without = audit(
      "storage_medium.yaml", {"study.storage_medium.trials=20",
                              "arms.stored_label_rule_based_reader={answer: coordinates_only}"});
  EXPECT_EQ(without.exit_code, 0) << without.out;
}

TEST_F(AuditCommand, TestsNoTrialsThatAnAxisOfArmsRepeats) {
  const ProgramResult run = audit(
      "storage_medium.yaml",
      {"study.storage_medium.trials=20", "claims=[]", "axes.arms.line_of_sight.step_m=[0.5, 0.6]"});
  EXPECT_TRUE(tells(run,
                    "not tested, its rows of several arms.line_of_sight.step_m are the same "
                    "trials"))
      << run.out;
  EXPECT_FALSE(tells(run, ", survives")) << run.out;
  const ProgramResult once = audit("storage_medium.yaml", {"study.storage_medium.trials=20"});
  EXPECT_TRUE(tells(once, ", survives")) << once.out;
}

TEST_F(AuditCommand, FlagsNotesThatAreBoundToWhatIsActedOn) {
  const ProgramResult run =
      audit("flattening_loop.yaml",
            {"study.flattening.texts=" + source_file("configs/corpora/flattening")});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(tells(run, "right there by construction")) << run.out;
}

TEST_F(AuditCommand, FlagsGeometryThatAuthorsTheTruthOfTheBattery) {
  const ProgramResult run = audit("battery.yaml", {"study.battery.trials=40", "claims=[]"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(tells(run, "truth's own predicate in 6 of 8 configurations")) << run.out;
}

TEST_F(AuditCommand, PassesVisibilityWithAnOracleOfItsOwn) {
  const ProgramResult run = audit("pilot2_occlusion.yaml", {});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_TRUE(tells(run, "text: reads no place; baseline")) << run.out;
  EXPECT_TRUE(tells(run, "audit passed")) << run.out;
}

TEST_F(AuditCommand, PassesRecallThatWeighsPlace) {
  const std::vector<std::string> small{"axes={queries.offset_m: [1, far]}", "replicates=1",
                                       "claims=[]"};
  const ProgramResult run = audit("wave_e.yaml", small);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_TRUE(tells(run, "looks at places")) << run.out;
}

TEST_F(AuditCommand, PassesAStudyWhoseTruthLeavesTheRegion) {
  const ProgramResult run =
      audit("topic_partition.yaml",
            {documents(),
             "arms={place: {answer: nearest_place}, route: {answer: route, topics: "
             "shuffled}}",
             "baseline=place", "claims=[]", "family=null"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_TRUE(tells(run, "ok as a control")) << run.out;
}

// The paper's three contrasts, as the sweep file declares them: each p, and what Holm makes of it.
TEST_F(AuditCommand, TellsEachPOfTheDeclaredFamily) {
  const ProgramResult run = audit("topic_partition.yaml", {documents()});
  EXPECT_TRUE(tells(run, "a family of 3 tests, declared by the sweep file\n")) << run.out;
  for (const char* baseline : {"dense", "rrf", "kmeans"}) {
    const std::regex line("  route_hybrid, baseline " + std::string(baseline) +
                          R"(: b (\d+), c (\d+), p (\S+), adjusted ([^\s,]+))");
    std::smatch told;
    ASSERT_TRUE(std::regex_search(run.out, told, line)) << baseline << run.out;
    const double p = host::stats::mcnemar_exact(std::stoll(told[1]), std::stoll(told[2]));
    EXPECT_NEAR(std::stod(told[3]), p, 5e-3 * p) << "three digits";
    EXPECT_GE(std::stod(told[4]), std::stod(told[3]));
  }
  EXPECT_TRUE(tells(run, "of no declared family")) << run.out;
}

// Sets of paraphrases are compared by Student's t: b and c would not give that p.
TEST_F(AuditCommand, NamesTheTestOfScores) {
  const ProgramResult run =
      audit("flattening.yaml",
            {"study.flattening.texts=" + source_file("configs/corpora/flattening"),
             "study.flattening.embeddings=" + source_file("configs/corpora/flattening/bge")});
  EXPECT_TRUE(tells(run, "upstream_fix: higher in 0, lower in 20, Student's p ")) << run.out;
  EXPECT_FALSE(tells(run, ": b ")) << run.out;
}

// Of looks less is better: the tour that takes fewer is not worse for it.
TEST_F(AuditCommand, KnowsOfWhichMeasuresLessIsBetter) {
  const ProgramResult run = audit("theory_of_space_explorers.yaml",
                                  {"study.space_exploration.scenes.count=20", "claims=[]",
                                   "arms={scout: {explorer: scout}, gain: {explorer: gain}}",
                                   "baseline=gain", "axes.study.space_exploration.scenes.rooms=[3]",
                                   "axes.study.space_exploration.measure=[looks]"});
  EXPECT_TRUE(tells(run, "  scout, looks: less is better; higher in 0, lower in 20, Student's p "))
      << run.out;
  EXPECT_TRUE(tells(run, "scout: better in 1 and worse in 0 of 1 tests")) << run.out;
}

// Without the key, by the claim that corrects over a family: six contrasts, and no other arm's.
TEST_F(AuditCommand, TakesTheFamilyOfAClaim) {
  const ProgramResult run = audit("battery.yaml", {"study.battery.trials=40"});
  EXPECT_TRUE(tells(run, "a family of 6 tests, declared by the claim \"All six contrasts"))
      << run.out;
  EXPECT_TRUE(tells(run, "  geometry, study.battery.type relation: b ")) << run.out;
  EXPECT_TRUE(tells(run, "better in 6 and worse in 0 of 6 tests")) << run.out;
  EXPECT_FALSE(tells(run, "  view, study.battery.type")) << run.out;
}

TEST_F(AuditCommand, RefusesDocumentsThatTheRunDidNotRead) {
  const std::string copy = folder_ / "documents.jsonl";
  std::filesystem::copy_file(source_file("configs/corpora/topics/documents.jsonl"), copy);
  const std::string use = "study.topic_partition.documents=" + copy;
  EXPECT_EQ(audit("topic_partition.yaml", {use}).exit_code, 1);
  write_text(copy, read_text(copy) + "\n");
  const ProgramResult run = run_program({program_path(), "audit", folder_ / "run"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("is not the file that"), std::string::npos) << run.err;
}

TEST_F(AuditCommand, AdjustsThePValuesOfThePaper) {
  const ProgramResult run = run_program({program_path(), "audit", "--p", "0.018,0.045,0.0005"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* line :
       {"0.018, 0.036, yes\n", "0.045, 0.045, yes\n", "0.0005, 0.0015, yes\n",
        "In a family of 3: all 3 survive\n",
        "In a family of at least 4, the others larger: only 0.0005 survives\n"}) {
    EXPECT_TRUE(tells(run, line)) << line << run.out;
  }
}

TEST_F(AuditCommand, TellsBadInputOnce) {
  const auto error_of = [&](const std::vector<std::string>& words) {
    std::vector<std::string> argv{program_path(), "audit"};
    argv.insert(argv.end(), words.begin(), words.end());
    const ProgramResult run = run_program(argv);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    return run.err;
  };
  EXPECT_NE(error_of({folder_ / "nowhere"}).find("nowhere"), std::string::npos);
  EXPECT_NE(error_of({folder_.path()}).find(folder_.path()), std::string::npos);
  EXPECT_NE(error_of({}).find("one of the two"), std::string::npos);
  EXPECT_NE(error_of({"--p", "1.5"}).find("1.5"), std::string::npos);
}

TEST(HolmText, EndsAtFamiliesThatNobodyHas) {
  for (const double p : {0.0, 1e-320, 1e-17}) {
    const std::string text = host::holm_text({p, 0.02});
    EXPECT_NE(text.find("In a family of at least 4, the others larger: only "), std::string::npos)
        << text;
    EXPECT_EQ(text.find("none survives"), std::string::npos) << text;
  }
}

TEST(HolmText, CountsSurvivorsOfLargerFamilies) {
  const std::string text = host::holm_text({0.04});
  EXPECT_NE(text.find("In a family of 1: only 0.04 survives\n"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 2, the others larger: none survives\n"), std::string::npos) << text;
}

TEST(Audit, IsOfAWholeRun) {
  HandMadeRun run = occlusion_pilot();
  run.data.num_configurations = 3;
  run.data.num_finished = 2;
  EXPECT_NE(input_error_of([&] { host::audit_of(run.data); }).find("2 of 3"), std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
