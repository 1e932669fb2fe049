// Wave E of What Spatial Memory Must Store (2026), section 6.8, with sentences and on a corpus
// placed by walking and looking: the claims that hold, and anchors broken on purpose, which must
// not pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

class WaveETexts : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(source_file("configs/corpora/episodes/episodes.jsonl"))) {
      GTEST_SKIP() << "no corpora in this tree";
    }
  }
  /// Paths of the corpora start at the tree.
  std::string sweep(const std::string& config, const std::vector<std::string>& overrides) {
    std::vector<std::string> argv{program_path(), "sweep", "configs/" + config + ".yaml", "--out",
                                  folder_ / ("run" + std::to_string(num_runs_++))};
    for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
    ProgramOptions options;
    options.working_directory = source_file("");
    const ProgramResult result = run_program(argv, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  static bool has(const std::string& output, const std::string& line) {
    return output.find("\n" + line) != std::string::npos;
  }

  TemporaryFolder folder_;

 private:
  int num_runs_ = 0;
};

constexpr const char* kFewer = "replicates=8";

int count(const std::string& output, const std::string& line) {
  int found = 0;
  for (std::size_t at = output.find("\n" + line); at != std::string::npos;
       at = output.find("\n" + line, at + 1)) {
    ++found;
  }
  return found;
}

// All rates as foretold from its cosines, and the paper's once they are rescaled.
TEST_F(WaveETexts, ThePapersModelMissesNoClaim) {
  const std::string model = sweep("wave_e_bge", {});
  EXPECT_EQ(count(model, "reproduced "), 23) << model;
}

TEST_F(WaveETexts, ThePapersModelMissesNoClaimOnAWanderedCorpus) {
  const std::string model = sweep("wave_e_wandered_bge", {});
  EXPECT_EQ(count(model, "reproduced "), 16) << model;
}

// The paper's headline, that its old mix does not beat the vector: not where the gap between
// activities is wide.
TEST_F(WaveETexts, ANeuralModelMissesThatTheOldMixWinsByChanceAtMost) {
  const std::string model = sweep("wave_e_model", {});
  EXPECT_EQ(count(model, "reproduced "), 20) << model;
  EXPECT_EQ(count(model, "not reproduced "), 1) << model;
  EXPECT_TRUE(has(model, "not reproduced  Near, the old mix wins by chance at most")) << model;
}

TEST_F(WaveETexts, ASecondModelMissesThree) {
  const std::string model = sweep("wave_e_second_model", {});
  EXPECT_EQ(count(model, "reproduced "), 18) << model;
  EXPECT_EQ(count(model, "not reproduced "), 3) << model;
  EXPECT_TRUE(has(model, "not reproduced  Near, the old mix wins by chance at most")) << model;
  EXPECT_TRUE(has(model, "not reproduced  Near, the retuned mix wins in every corpus")) << model;
  EXPECT_TRUE(has(model, "not reproduced  Questions that name the place")) << model;
}

// The same vectors in the opposite order: those of another activity's sentences.
TEST_F(WaveETexts, VectorsOfOtherSentencesFailTheClaimsOnWords) {
  std::string rows = read_text(source_file("configs/corpora/episodes/episodes.bge.npy"));
  constexpr std::size_t kHeader = 128, kRow = 2 * 384;
  ASSERT_EQ(rows.size(), kHeader + 120 * kRow);
  for (std::size_t i = 0; i < 60; ++i) {
    std::swap_ranges(rows.begin() + kHeader + i * kRow, rows.begin() + kHeader + (i + 1) * kRow,
                     rows.begin() + kHeader + (119 - i) * kRow);
  }
  const std::string other = folder_ / "other.npy";
  write_text(other, rows);
  const std::string model = sweep(
      "wave_e_bge", {kFewer, "axes.memories.corpus.embeddings=[" + other + ", " + other + "]"});
  EXPECT_TRUE(has(model, "not reproduced  It hits as often from everywhere")) << model;
  EXPECT_TRUE(has(model, "not reproduced  Spatial mix, as foretold from sd and gap")) << model;
  EXPECT_TRUE(has(model, "not reproduced  Questions that name the place")) << model;
  EXPECT_TRUE(has(model, "reproduced      A positive control: place alone")) << model;
}

// What is missed, and why: the comments of the two files.
TEST_F(WaveETexts, MissesWhatTheFilesTell) {
  const std::string texts = sweep("wave_e_texts", {});
  EXPECT_EQ(count(texts, "reproduced "), 21) << texts;
  EXPECT_EQ(count(texts, "not reproduced "), 6) << texts;
  EXPECT_TRUE(has(texts, "not reproduced  Near, the retuned mix wins in every corpus")) << texts;
  EXPECT_TRUE(has(texts, "reproduced      Spatial mix, as foretold from sd and gap")) << texts;
  const std::string wandered = sweep("wave_e_wandered", {});
  EXPECT_EQ(count(wandered, "reproduced "), 11) << wandered;
  EXPECT_EQ(count(wandered, "not reproduced "), 2) << wandered;
  EXPECT_TRUE(has(wandered, "not reproduced  Near, the retuned mix wins in every corpus"))
      << wandered;
}

TEST_F(WaveETexts, ShuffledAnchorsAreNotReproduced) {
  const std::string out = sweep("wave_e_texts", {kFewer, "memories.bound_to=shuffled"});
  EXPECT_TRUE(has(out, "not reproduced  A positive control")) << out;
  EXPECT_TRUE(has(out, "not reproduced  Near, the spatial mix wins in every corpus")) << out;
  EXPECT_TRUE(has(out, "not reproduced  Spatial mix, as foretold")) << out;
  EXPECT_TRUE(has(out, "reproduced      Vector alone hits no more than 40 of 120")) << out;
}

TEST_F(WaveETexts, AnchorsAtTheObserverAreNotReproduced) {
  const std::string out = sweep("wave_e_wandered", {kFewer, "memories.bound_to=observer"});
  EXPECT_TRUE(has(out, "not reproduced  A positive control")) << out;
  EXPECT_TRUE(has(out, "not reproduced  Near, the spatial mix wins in every corpus")) << out;
}

TEST_F(WaveETexts, ShuffledAnchorsOfAWanderedCorpusAreNotReproduced) {
  const std::string out = sweep("wave_e_wandered", {kFewer, "memories.bound_to=shuffled"});
  EXPECT_TRUE(has(out, "not reproduced  A positive control")) << out;
  EXPECT_TRUE(has(out, "not reproduced  Near, the spatial mix wins in every corpus")) << out;
}

}  // namespace
}  // namespace sightline::tests
