// Policies that choose a mix for a query: on experience made by hand, where the best is known.
#include "host/studies/mix_policy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::tests {
namespace {

using host::AskedCorpus;
using host::CueExperience;
using host::MixPolicy;
using host::PolicySettings;

/// Two regimes of 100 queries and four mixes: 0 hits the first regime's, 1 the second's, 2 the half
/// of each (0.6 and 0.55 of them), 3 less than 2 of both. The first statistic tells regimes apart,
/// but for a tenth of each; the others say nothing.
AskedCorpus told_by_the_first() {
  AskedCorpus corpus;
  corpus.num_mixes = 4;
  corpus.hits = {90, 10, 60, 50, 10, 90, 55, 50};
  for (int query = 0; query < 200; ++query) {
    const bool is_second = query >= 100, looks_second = is_second != (query % 10 == 0);
    corpus.statistics.push_back({looks_second ? 2.0 : 1.0, query % 7 * 1.0, query % 3 * 1.0});
  }
  return corpus;
}

const host::PoolStatistics kLooksFirst{1, 0, 0}, kLooksSecond{2, 0, 0};

PolicySettings reads(bool statistics, bool declaration) {
  PolicySettings settings;
  settings.reads_statistics = statistics;
  settings.reads_declaration = declaration;
  return settings;
}

TEST(CueExperience, LeavesOutMixesThatAnotherOneBeats) {
  const CueExperience experience({told_by_the_first()}, 2, 2);
  std::vector<std::size_t> front = experience.front();
  std::sort(front.begin(), front.end());
  EXPECT_EQ(front, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(experience.rate(1, 2), 0.55);
}

TEST(CueExperience, KnowsHowOftenStatisticsAreWhere) {
  const CueExperience experience({told_by_the_first()}, 2, 2);
  const std::array<bool, 3> first{true, false, false}, none{false, false, false};
  const std::size_t cell = experience.cell_of(kLooksFirst);
  EXPECT_DOUBLE_EQ(experience.share(cell, 0, first), 91.0 / 102);  // one more in each of two ranges
  EXPECT_DOUBLE_EQ(experience.share(cell, 1, first), 11.0 / 102);
  EXPECT_DOUBLE_EQ(experience.share(cell, 1, none), 1);
}

TEST(MixPolicy, FollowsStatistics) {
  const CueExperience experience({told_by_the_first()}, 2, 2);
  const MixPolicy policy(experience, reads(true, false));
  EXPECT_EQ(policy.mix_of(kLooksFirst, 1), 0u) << "declarations are not read";
  EXPECT_EQ(policy.mix_of(kLooksSecond, 0), 1u);
}

TEST(MixPolicy, FollowsDeclarationsAsFarAsItTrustsThem) {
  const CueExperience experience({told_by_the_first()}, 2, 2);
  PolicySettings settings = reads(false, true);
  const MixPolicy trusting(experience, settings);
  EXPECT_EQ(trusting.mix_of(kLooksFirst, 1), 1u) << "statistics are not read";
  EXPECT_EQ(trusting.mix_of(kLooksSecond, 0), 0u);
  settings.assumed_error = 0.5;
  EXPECT_EQ(MixPolicy(experience, settings).mix_of(kLooksFirst, 1), 2u) << "half and half";
}

TEST(MixPolicy, WeighsStatisticsAgainstDeclarations) {
  const CueExperience experience({told_by_the_first()}, 2, 2);
  PolicySettings settings = reads(true, true);
  settings.assumed_error = 0.01;
  EXPECT_EQ(MixPolicy(experience, settings).mix_of(kLooksFirst, 1), 1u);
  settings.assumed_error = 0.4;
  EXPECT_EQ(MixPolicy(experience, settings).mix_of(kLooksFirst, 1), 0u);
  settings.uses = {false, true, true};
  EXPECT_EQ(MixPolicy(experience, settings).mix_of(kLooksFirst, 1), 2u)
      << "without the statistic that tells";
}

/// Without knowledge a policy is one fixed mix: under even odds the best on average, under the
/// least favourable ones the best in its worst regime.
TEST(MixPolicy, IsTheMinimaxMixWithoutKnowledge) {
  AskedCorpus corpus = told_by_the_first();
  corpus.hits = {100, 40, 60, 0, 30, 35, 55, 0};
  const CueExperience experience({corpus}, 2, 2);
  PolicySettings settings = reads(true, false);
  settings.uses = {false, false, false};
  EXPECT_EQ(MixPolicy(experience, settings).mix_of(kLooksFirst, 0), 0u);
  settings.least_favourable = true;
  const MixPolicy policy(experience, settings);
  EXPECT_EQ(policy.mix_of(kLooksFirst, 0), 2u);
  EXPECT_GT(policy.prior()[1], 0.5) << "the second regime is the hard one";
  EXPECT_NEAR(policy.prior()[0] + policy.prior()[1], 1, 1e-12);
}

}  // namespace
}  // namespace sightline::tests
