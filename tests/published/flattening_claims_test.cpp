// Sections 6.6, 6.7 and 7 (E1, E2) of What Spatial Memory Must Store (2026): what the sweeps say to
// their claims, and arms that are broken on purpose and must not pass for the experiment.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "index/backend_info.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

class NoteClaims : public testing::Test {
 protected:
  void SetUp() override {
    const index::BackendInfo info = index::backend_info();
    if (info.stemmer_languages.empty() || info.faiss_version.empty()) {
      GTEST_SKIP() << "this build has no libstemmer, or no FAISS";
    }
  }

  /// What the program prints of a sweep over the study; of that name, unless the file has another.
  std::string sweep(const std::string& study, const std::vector<std::string>& overrides = {},
                    const std::string& file = "") {
    std::vector<std::string> argv{program_path(), "sweep",
                                  source_file("configs/" + (file.empty() ? study : file) + ".yaml"),
                                  "--out", folder_ / ("run" + std::to_string(num_runs_++))};
    const std::string texts =
        "study." + study + ".texts=" + source_file("configs/corpora/flattening");
    argv.insert(argv.end(), {"-s", texts});
    if (file != "flattening_loop") {
      const std::string embeddings =
          "study." + study + ".embeddings=" + source_file("configs/corpora/flattening/bge");
      argv.insert(argv.end(), {"-s", embeddings});
    }
    for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  /// The texts of the claims that were not reproduced, up to their first ':' or '['.
  static std::set<std::string> misses(const std::string& printed) {
    const std::string verdict = "\nnot reproduced  ";
    std::set<std::string> texts;
    for (std::size_t at = printed.find(verdict); at != std::string::npos;
         at = printed.find(verdict, at + 1)) {
      const std::size_t first = at + verdict.size();
      texts.insert(printed.substr(first, printed.find_first_of("[\n", first) - first));
    }
    return texts;
  }

  static bool holds(const std::set<std::string>& texts, const std::string& words) {
    for (const std::string& text : texts) {
      if (text.find(words) != std::string::npos) return true;
    }
    return false;
  }

  TemporaryFolder folder_;
  int num_runs_ = 0;
};

// What is missed, and why: configs/corpora/flattening/README.md.
TEST_F(NoteClaims, MissWhatTheCorpusSaysAndNothingElse) {
  EXPECT_EQ(misses(sweep("flattening")),
            (std::set<std::string>{"Handoff, flattened ",
                                   "Three tasks of a set, 54 decisions: difference ",
                                   "Hashed words: handoff "}));
  EXPECT_EQ(misses(sweep("retrieval_depth")),
            (std::set<std::string>{"Dense misses most notes at every depth",
                                   "Dense is flat: depth 20 finds at most one note of sixteen more "
                                   "than depth 1",
                                   "Hashed words miss most notes at every depth",
                                   "Hybrid with hashed words at depth 20"}));
}

// A table of decisions says who decided.
TEST_F(NoteClaims, NameTheRuleBasedReaderInEveryArmThatItReadsFor) {
  for (const char* config : {"flattening", "flattening_loop", "storage_medium"}) {
    const host::ConfigValue sweep = host::ConfigValue::parse_yaml(
        read_text(source_file("configs/" + std::string(config) + ".yaml")), config);
    for (const auto& [name, arm] : sweep.at("arms").entries()) {
      if (arm.at("answer").as_text() == "line_of_sight") continue;
      EXPECT_NE(name.find("rule_based_reader"), std::string::npos) << config << ": " << name;
    }
  }
  for (const char* config : {"battery", "confirmatory"}) {  // where most arms read no text
    const host::ConfigValue sweep = host::ConfigValue::parse_yaml(
        read_text(source_file("configs/" + std::string(config) + ".yaml")), config);
    for (const auto& [name, arm] : sweep.at("arms").entries()) {
      const bool reads = arm.at("answer").as_text() == "text_coordinates";
      EXPECT_EQ(name.find("rule_based_reader") != std::string::npos, reads)
          << config << ": " << name;
    }
  }
}

// Why: the comment of the file.
TEST_F(NoteClaims, MissInTheLoopThatHandoffsShowNoDifference) {
  EXPECT_EQ(misses(sweep("flattening", {}, "flattening_loop")),
            std::set<std::string>{"Handoff: no set of 36 shows a significant difference"});
  const auto missed = misses(sweep(
      "flattening", {"arms.world_bound_rule_based_reader.anchors=observer"}, "flattening_loop"));
  EXPECT_TRUE(holds(missed, "right in both rounds")) << testing::PrintToString(missed);
}

TEST_F(NoteClaims, AnchorsAtTheWriterAreNotReproduced) {
  const auto missed =
      misses(sweep("flattening", {"arms.world_bound_rule_based_reader.anchors=observer"}));
  EXPECT_TRUE(holds(missed, "Warning: bound to the world")) << testing::PrintToString(missed);
  EXPECT_TRUE(holds(missed, "Resume: so it is")) << testing::PrintToString(missed);
  EXPECT_TRUE(holds(missed, "right of the same decisions")) << testing::PrintToString(missed);
}

TEST_F(NoteClaims, ShuffledAnchorsAreNotReproduced) {
  const auto missed =
      misses(sweep("flattening", {"arms.world_bound_rule_based_reader.anchors=shuffled"}));
  EXPECT_TRUE(holds(missed, "Warning: bound to the world")) << testing::PrintToString(missed);
  EXPECT_TRUE(holds(missed, "Handoff: so it is")) << testing::PrintToString(missed);
  EXPECT_TRUE(holds(missed, "Resume: p of a set of 18")) << testing::PrintToString(missed);
  EXPECT_TRUE(holds(missed, "Three tasks of a set: p")) << testing::PrintToString(missed);
}

TEST_F(NoteClaims, ShuffledKeysAreNotReproduced) {
  const auto missed =
      misses(sweep("flattening", {"arms.object_keyed_rule_based_reader.keys=shuffled"}));
  EXPECT_TRUE(holds(missed, "right of the same decisions")) << testing::PrintToString(missed);
  EXPECT_FALSE(holds(missed, "bound to the world")) << testing::PrintToString(missed);
}

TEST_F(NoteClaims, BrokenBindingIsNotReproducedInTheDepthSweep) {
  const auto anchors = misses(sweep("retrieval_depth", {"arms.world_bound.anchors=shuffled"}));
  EXPECT_TRUE(holds(anchors, "every note is surfaced")) << testing::PrintToString(anchors);
  const auto keys = misses(sweep("retrieval_depth", {"arms.object_keyed.keys=shuffled"}));
  EXPECT_TRUE(holds(keys, "the same notes are")) << testing::PrintToString(keys);
}

TEST_F(NoteClaims, AKeyedArmThatReadsCoordinatesIsNotReproduced) {
  const auto missed =
      misses(sweep("flattening", {"arms.object_keyed_rule_based_reader.answer=world_bound"}));
  EXPECT_TRUE(holds(missed, "no coordinate is read")) << testing::PrintToString(missed);
}

}  // namespace
}  // namespace sightline::tests
