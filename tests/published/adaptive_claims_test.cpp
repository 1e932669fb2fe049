// Weights that adapt to the query, which What Spatial Memory Must Store (2026) leaves to future
// work: of configs/adaptive_weights.yaml fewer corpora, of seeds that nothing was set on, and arms
// that are broken on purpose, which must not pass.
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class AdaptiveClaims : public StudyCommand {
 protected:
  std::string print(const std::string& config, const std::vector<std::string>& more) {
    std::vector<std::string> overrides{"seed=2", "study.adaptive_weights.corpora=12",
                                       "study.adaptive_weights.development.corpora=12"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const ProgramResult result = sweep(config, overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

constexpr const char* kEveryMix = "beats every one of the 10,626";
constexpr const char* kPure = "In each pure regime it is within";

TEST_F(AdaptiveClaims, FewerCorporaOfAnotherSeedShowWhatAllOfThemDo) {
  const std::string output = print("adaptive_weights.yaml", {});
  for (const char* text : {kEveryMix, "The best mix in hindsight", "The vector alone",
                           "retuned one", "Statistics of the pool alone too", "But are far below",
                           "Because pools look alike", "Distances alone are as far"}) {
    EXPECT_EQ(count(output, "reproduced", text), 1) << text << "\n" << output;
  }
}

TEST_F(AdaptiveClaims, DeclarationsOfOtherQuestionsAreFoundOut) {
  const std::string output = print("adaptive_weights.yaml", {"arms.adaptive.shuffled=declaration"});
  EXPECT_EQ(count(output, "not reproduced", kEveryMix), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", kPure), 1) << output;
}

TEST_F(AdaptiveClaims, PoolsOfOtherQuestionsAreFoundOut) {
  const std::string output =
      print("adaptive_weights.yaml", {"arms.pool_statistics.shuffled=statistics"});
  EXPECT_EQ(count(output, "not reproduced", "Statistics of the pool alone too"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "Because pools look alike"), 1) << output;
}

TEST_F(AdaptiveClaims, AFixedMixInPlaceOfTheAdaptiveArmIsFoundOut) {
  const std::string output = print("adaptive_weights.yaml", {"arms.adaptive={mix: minimax}"});
  EXPECT_EQ(count(output, "not reproduced", kEveryMix), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", kPure), 1) << output;
}

TEST_F(AdaptiveClaims, ErrorsOfDeclarationsCost) {
  const std::vector<std::string> shares{
      "axes.study.adaptive_weights.declared_error=[0, 0.1, 0.2, 0.3, 0.4, 0.5, 1]"};
  const std::string output = print("adaptive_weights_errors.yaml", shares);
  EXPECT_EQ(count(output, "reproduced", "Up to a half of wrong declarations"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "When all are wrong it does not"), 1) << output;
  std::vector<std::string> broken = shares;
  broken.emplace_back("arms.adaptive.shuffled=declaration");
  const std::string found_out = print("adaptive_weights_errors.yaml", broken);
  EXPECT_EQ(count(found_out, "not reproduced", "Up to a half of wrong declarations"), 1);
}

}  // namespace
}  // namespace sightline::tests
