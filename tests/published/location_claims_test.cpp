// Meta-Memory (Mao et al.), tables I and III: of configs/meta_memory_ablation.yaml,
// meta_memory_perfect.yaml, meta_memory_table1.yaml, meta_memory_captions.yaml and
// meta_memory_false_positives.yaml some walks, and systems in whose place another is put, which
// must not pass.
#include <string>
#include <utility>
#include <vector>

#include "index/backend_info.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class LocationClaims : public StudyCommand {
 protected:
  void SetUp() override {
    if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  }
  std::string print(const std::string& config, std::vector<std::string> overrides,
                    int num_walks = 10) {
    std::string walks = "axes.study.location_questions.sequence=[0";
    for (int i = 1; i < num_walks; ++i) walks += ", " + std::to_string(i);
    overrides.push_back(walks + "]");
    const ProgramResult result = sweep(config, overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(LocationClaims, WhatEachToolAddsIsSeenOnTenWalks) {
  const std::string output = print("meta_memory_ablation.yaml", {});
  for (const char* claim :
       {"On average every tool helps: images", "On average every tool helps: integration",
        "Basic questions lose most without images", "... less without spatial range",
        "Global questions lose 30 points or more", "... less without images",
        "... and less without spatial range", "Without integration basic questions",
        "... and local ones", "The whole system is ahead of ReMEmbR", "... of that with a look"}) {
    EXPECT_EQ(count(output, "reproduced", claim), 1) << claim << "\n" << output;
  }
}

TEST_F(LocationClaims, SystemsThatLackNothingAreFoundOut) {
  const std::string output =
      print("meta_memory_ablation.yaml",
            {"arms.no_images.images=true", "arms.no_range.spatial_range=true",
             "arms.no_integration.integration=true", "arms.remembr={answer: meta_memory}",
             "arms.remembr_around={answer: meta_memory}", "arms.embodied_rag={answer: meta_memory}",
             "arms.embodied_rag_semantic={answer: meta_memory}"});
  EXPECT_EQ(count(output, "not reproduced"), 14) << output;
  // What stands in for each is the system itself, from which nothing may differ.
  EXPECT_EQ(count(output, "reproduced", "Without integration basic questions"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "... and local ones"), 1) << output;
}

TEST_F(LocationClaims, AToolThatIsMissedElsewhereIsFoundOut) {
  const std::string output =
      print("meta_memory_ablation.yaml", {"arms.no_integration.images=false"});
  EXPECT_EQ(count(output, "not reproduced", "Without integration basic questions"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "... and local ones"), 1) << output;
}

TEST_F(LocationClaims, TableIsShapeIsSeenOnTenWalks) {
  const std::string healthy = print("meta_memory_table1.yaml", {});
  EXPECT_EQ(count(healthy, "reproduced"), 12) << healthy;
  const std::string broken =
      print("meta_memory_table1.yaml",
            {"arms.remembr={answer: meta_memory}", "arms.remembr_around={answer: meta_memory}",
             "arms.embodied_rag={answer: meta_memory}",
             "arms.embodied_rag_semantic={answer: meta_memory}"});
  EXPECT_EQ(count(broken, "not reproduced"), 12) << broken;
}

/// Without the values between the first and the last.
const char* const kMentions = "axes.study.location_questions.mention=[0.45, 1]";
const char* const kRates = "axes.study.location_questions.false_positive_rate=[0, 0.1]";

TEST_F(LocationClaims, WhatSpatialRangeGainsIsSeenOnTenWalks) {
  const std::string captions = print("meta_memory_captions.yaml", {kMentions});
  for (const char* claim :
       {"spatial range helps with basic", "the gain on basic questions is gone"}) {
    EXPECT_EQ(count(captions, "reproduced", claim), 1) << claim << "\n" << captions;
  }
  const std::string images = print("meta_memory_false_positives.yaml", {kRates});
  for (const char* claim : {"spatial range helps with local", "spatial range helps with global"}) {
    EXPECT_EQ(count(images, "reproduced", claim), 1) << claim << "\n" << images;
  }
}

TEST_F(LocationClaims, SpatialRangeThatDoesNothingIsFoundOut) {
  for (const auto& [config, values] : {std::pair("meta_memory_captions.yaml", kMentions),
                                       std::pair("meta_memory_false_positives.yaml", kRates)}) {
    const std::string output = print(config, {"arms.full.spatial_range=false", values}, 1);
    EXPECT_EQ(count(output, "not reproduced"), 3) << output;
  }
}

TEST_F(LocationClaims, AGainThatShouldBeGoneIsFoundOut) {
  constexpr int kSomeWalks = 8;  // of another system, which does worse
  const std::string other = "arms.no_range={answer: embodied_rag}";
  const std::string images = print("meta_memory_false_positives.yaml", {other, kRates}, kSomeWalks);
  EXPECT_EQ(count(images, "not reproduced", "no gain is shown any more"), 3) << images;
  const std::string captions = print("meta_memory_captions.yaml", {other, kMentions}, kSomeWalks);
  EXPECT_EQ(count(captions, "not reproduced", "the gain on basic questions is gone"), 1)
      << captions;
}

TEST_F(LocationClaims, WithoutErrorsNoToolMayBeMissing) {
  constexpr int kFewWalks = 4;
  const std::string healthy = print("meta_memory_perfect.yaml", {}, kFewWalks);
  EXPECT_EQ(count(healthy, "reproduced", "Every question of every type is answered"), 1) << healthy;
  EXPECT_EQ(count(healthy, "reproduced", "By construction"), 1) << healthy;
  const std::string views = "axes.study.location_questions.answer=[viewpoint]";
  const std::string no_map =
      print("meta_memory_perfect.yaml", {"arms.full.integration=false", views}, 1);
  EXPECT_EQ(count(no_map, "not reproduced", "Every question of every type is answered"), 1)
      << no_map;
  const std::string others =
      print("meta_memory_perfect.yaml",
            {"arms.no_images={answer: embodied_rag}", "arms.no_range={answer: remembr}",
             "arms.no_places={answer: remembr}", views});
  EXPECT_EQ(count(others, "not reproduced", "By construction"), 1) << others;
  EXPECT_EQ(count(others, "not reproduced", "... nor to local ones"), 2) << others;
  EXPECT_EQ(count(others, "not reproduced", "... nor to global ones"), 2) << others;
  EXPECT_EQ(count(others, "not reproduced", "... or half a point at most"), 1) << others;
}

}  // namespace
}  // namespace sightline::tests
