// Section 6.5 of What Spatial Memory Must Store (2026), by the paper's own embedding model: 60
// trials of the control, whose texts and vectors lie beside the tests, broken on purpose; and the
// whole, if its vectors have been made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/study_command.h"

namespace sightline::tests {
namespace {

class LandscapeOfAModel : public StudyCommand {
 protected:
  ProgramResult sweep(const std::string& folder, std::vector<std::string> overrides) {
    overrides.push_back("study.landscape.texts=" + source_file("configs/corpora/landscape"));
    overrides.push_back("study.landscape.embeddings=" + folder);
    return StudyCommand::sweep("landscape_bge.yaml", overrides);
  }
  ProgramResult control(const std::string& folder, std::vector<std::string> overrides = {}) {
    overrides.insert(overrides.end(),
                     {"study.landscape.type=control", "study.landscape.domain=village",
                      "study.landscape.trials=60"});
    return sweep(folder, overrides);
  }

  const std::string few_ = source_file("tests/published/landscape_bge");
};

// Vectors of a model see through other words: too good for the paper's band.
TEST_F(LandscapeOfAModel, AnswersTheControlBetterThanThePaperTells) {
  const ProgramResult result = control(few_);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "not reproduced", "Dense retrieval: competitive"), 1) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced", "Clusters: competitive"), 1) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced", "PageRank: competitive"), 1) << result.out;
  EXPECT_EQ(count(result.out, "reproduced", "Generative Agents: competitive"), 1) << result.out;
  EXPECT_EQ(count(result.out, "reproduced", "Geometry is at chance on the control"), 1)
      << result.out;
}

// The same vectors in the opposite order: those of other texts.
TEST_F(LandscapeOfAModel, VectorsOfOtherTextsFailTheClaims) {
  const std::string other = folder_ / "other";
  std::filesystem::create_directory(other);
  std::filesystem::copy_file(few_ + "/texts.jsonl", other + "/texts.jsonl");
  std::string rows = read_text(few_ + "/texts.npy");
  constexpr std::size_t kHeader = 128, kRow = 2 * 384;
  const std::size_t num_rows = (rows.size() - kHeader) / kRow;
  for (std::size_t i = 0; i < num_rows / 2; ++i) {
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(kHeader + i * kRow);
    const auto last =
        rows.begin() + static_cast<std::ptrdiff_t>(kHeader + (num_rows - 1 - i) * kRow);
    std::swap_ranges(row, row + kRow, last);
  }
  write_text(other + "/texts.npy", rows);
  const ProgramResult result = control(other);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "not reproduced", "Generative Agents: competitive"), 1) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced", "Fused ranks: competitive"), 1) << result.out;
  EXPECT_EQ(count(result.out, "reproduced", "BM25: competitive"), 1) << "it reads no vector";
}

TEST_F(LandscapeOfAModel, GeometryThatReadsTextsFailsTheClaims) {
  const ProgramResult result = control(few_, {"arms.geometry={answer: dense}"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "not reproduced", "Geometry is at chance on the control"), 1)
      << result.out;
  EXPECT_EQ(count(result.out, "not reproduced", "Geometry reads as many places"), 1) << result.out;
}

TEST_F(LandscapeOfAModel, TellsHowItsVectorsAreMade) {
  const ProgramResult result = control(folder_ / "nowhere");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("nowhere/texts.jsonl is not there"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("sightline texts"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("scripts/embed.py"), std::string::npos) << result.err;
}

TEST_F(LandscapeOfAModel, MissesWhatTheFileTells) {
  const char* const named = std::getenv("SIGHTLINE_LANDSCAPE_BGE");
  const std::string folder = named ? named : source_file("runs/studies/landscape_texts_bge");
  if (!std::filesystem::exists(folder + "/texts.npy")) {
    GTEST_SKIP() << folder
                 << " has no vectors of all texts; scripts/run_studies.sh makes them, and "
                 << "SIGHTLINE_LANDSCAPE_BGE may name another folder";
  }
  const ProgramResult result = sweep(folder, {});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "reproduced"), 20) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced"), 5) << result.out;
}

}  // namespace
}  // namespace sightline::tests
