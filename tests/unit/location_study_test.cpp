// The study of location questions: what its settings mean, and which it refuses.
#include "host/studies/location_questions.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "index/backend_info.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;

std::unique_ptr<host::Study> study_of(const std::string& study) {
  const ConfigValue config = ConfigValue::parse_yaml(
      "study: {sequence: 0, type: basic, noise: default, " + study +
          "}\narms: {full: {answer: meta_memory}, semantic: {answer: embodied_rag, search: "
          "semantic}}\n",
      "s.yaml");
  return host::make_location_questions({config.at("study"), config.at("arms").entries(), 1});
}

std::vector<ArmAnswers> answers_of(const std::string& study) {
  host::Device device(host::DeviceChoice::kCpu, 1);
  return study_of(study)->run(device);
}

TEST(LocationStudy, AQuestionAskedUnderSeveralDrawsIsOneTrial) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  constexpr int kDraws = 3;
  const std::vector<ArmAnswers> pooled = answers_of("noise_seeds: [1, 2, 3]");
  std::vector<std::vector<ArmAnswers>> alone;
  for (int seed = 1; seed <= kDraws; ++seed) {
    alone.push_back(answers_of("noise_seed: " + std::to_string(seed)));
  }
  bool differs = false;
  for (std::size_t arm = 0; arm < pooled.size(); ++arm) {
    ASSERT_EQ(pooled[arm].right.size(), alone[0][arm].right.size());
    ASSERT_EQ(pooled[arm].score.size(), pooled[arm].right.size());
    std::int64_t num_unanswered = 0, num_candidates = 0;
    for (const auto& draw : alone) {
      EXPECT_TRUE(draw[arm].score.empty());
      num_unanswered += draw[arm].num_unanswered;
      num_candidates += draw[arm].num_candidates;
    }
    EXPECT_EQ(pooled[arm].num_candidates, num_candidates);
    EXPECT_NEAR(static_cast<double>(pooled[arm].num_unanswered),
                static_cast<double>(num_unanswered) / kDraws, 0.5);
    for (std::size_t i = 0; i < pooled[arm].right.size(); ++i) {
      int num_right = 0;
      for (const auto& draw : alone) num_right += draw[arm].right[i];
      EXPECT_DOUBLE_EQ(pooled[arm].score[i], static_cast<double>(num_right) / kDraws);
      EXPECT_EQ(pooled[arm].right[i], num_right >= 2 ? 1 : 0);
      differs = differs || (num_right > 0 && num_right < kDraws);
    }
  }
  EXPECT_TRUE(differs) << "no draw decides anything";
}

TEST(LocationStudy, RefusesDrawsThatAreNone) {
  const auto error = [](const std::string& study) {
    return input_error_of([&] { study_of(study); });
  };
  EXPECT_EQ(error("noise_seeds: [4]"), "no error");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "in place of noise_seed",
                      error("noise_seed: 1, noise_seeds: [1, 2]"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "twice", error("noise_seeds: [1, 2, 1]"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "at least one", error("noise_seeds: []"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "noise_seeds", error("noise_seeds: 3"));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "noise_seeds", error("noise_seeds: [-1]"));
}

}  // namespace
}  // namespace sightline::tests
