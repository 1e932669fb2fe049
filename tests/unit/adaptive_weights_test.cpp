// The study of adaptive weights: arms whose order is known whatever the corpora are.
#include "host/studies/adaptive_weights.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "host/device.h"
#include "host/stats/paired.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;

constexpr std::size_t kCorpora = 4;
const std::string kArms =
    "best: {mix: best}, minimax: {mix: minimax}, oracle: {mix: oracle}, "
    "statistics: {reads: statistics}, declared: {reads: declaration}, adaptive: {reads: both}, "
    "hardest: {mix: hardest, against: adaptive}, vector: {mix: [1, 0, 0, 0, 0]}, "
    "on_lattice: {mix: [0.35, 0.3, 0.15, 0.15, 0.05]}";
enum Arm : std::size_t {
  kBest,
  kMinimax,
  kOracle,
  kStatistics,
  kDeclared,
  kAdaptive,
  kHardest,
  kVector,
  kOnLattice
};

std::vector<ArmAnswers> answers_of(const std::string& settings, const std::string& arms = kArms,
                                   std::uint64_t seed = 3, int num_threads = 1) {
  const auto config = ConfigValue::parse_yaml(
      "study: {corpora: " + std::to_string(kCorpora) +
          ", development: {seed: 900, corpora: 3}, regimes: {near: {place_m: 1}, told: {meaning: "
          "0.5}, then: {time_days: 0.5}}, apart: [near, then], memories: {calibrated: "
          "{activities: 3, per_activity: 12, dimensions: 48}}, " +
          settings + "}\narms: {" + arms + "}\n",
      "study.yaml");
  const auto study =
      host::make_adaptive_weights({config.at("study"), config.at("arms").entries(), seed});
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return study->run(device);
}

double mean_of(const ArmAnswers& arm) {
  return std::accumulate(arm.score.begin(), arm.score.end(), 0.0) /
         static_cast<double>(arm.score.size());
}

double low_of(const ArmAnswers& arm, const ArmAnswers& other) {
  host::stats::Sums lead;
  for (std::size_t i = 0; i < arm.score.size(); ++i) {
    const double difference = arm.score[i] - other.score[i];
    ++lead.n;
    lead.sum += difference;
    lead.squares += difference * difference;
  }
  return host::stats::mean_interval(lead).low;
}

TEST(AdaptiveWeights, NoArmBeatsTheOracleAndNoMixTheBest) {
  for (const char* measure : {"near", "told", "then", "worst"}) {
    const auto answers = answers_of(std::string("measure: ") + measure);
    ASSERT_EQ(answers.size(), 9u);
    for (const ArmAnswers& arm : answers) {
      ASSERT_EQ(arm.score.size(), kCorpora);
      EXPECT_LE(mean_of(arm), mean_of(answers[kOracle])) << measure;
    }
    for (const Arm mix : {kMinimax, kHardest, kVector, kOnLattice}) {
      EXPECT_LE(mean_of(answers[mix]), mean_of(answers[kBest])) << measure;
    }
  }
}

TEST(AdaptiveWeights, WorstIsTheRegimeOfTheLowestMean) {
  const auto worst = answers_of("measure: worst");
  for (std::size_t arm = 0; arm < worst.size(); ++arm) {
    if (arm == kBest || arm == kHardest) continue;  // other mixes in every regime
    double lowest = 1;
    for (const char* measure : {"near", "told", "then"}) {
      lowest = std::min(lowest, mean_of(answers_of(std::string("measure: ") + measure)[arm]));
    }
    EXPECT_DOUBLE_EQ(mean_of(worst[arm]), lowest) << arm;
  }
  EXPECT_EQ(worst[kBest].score, worst[kMinimax].score);
}

/// No mix has an interval against the adaptive arm that begins lower: not the best, not one of many
/// others.
TEST(AdaptiveWeights, TheHardestMixHasTheLowestInterval) {
  std::string mixes = kArms;
  for (int place = 0; place <= 20; place += 5) {
    for (int time = 0; time + place <= 20; time += 4) {
      mixes += ", m" + std::to_string(place) + "_" + std::to_string(time) + ": {mix: [" +
               std::to_string(20 - place - time) + ", " + std::to_string(place) + ", " +
               std::to_string(time) + ", 0, 0]}";
    }
  }
  for (const char* measure : {"worst", "near"}) {
    const auto answers = answers_of(std::string("measure: ") + measure, mixes);
    const double lowest = low_of(answers[kAdaptive], answers[kHardest]);
    for (std::size_t arm = kVector; arm < answers.size(); ++arm) {
      EXPECT_LE(lowest, low_of(answers[kAdaptive], answers[arm]) + 1e-12) << measure << arm;
    }
    EXPECT_LE(lowest, low_of(answers[kAdaptive], answers[kBest]) + 1e-12);
  }
}

TEST(AdaptiveWeights, ErrorsOfDeclarationsCostWhoReadsThem) {
  const auto right = answers_of("measure: worst, declared_error: 0");
  const auto wrong = answers_of("measure: worst, declared_error: 1");
  EXPECT_GT(mean_of(right[kDeclared]), mean_of(wrong[kDeclared]) + 0.1);
  EXPECT_GT(mean_of(right[kAdaptive]), mean_of(wrong[kAdaptive]));
  EXPECT_EQ(right[kStatistics].score, wrong[kStatistics].score);
  EXPECT_EQ(right[kMinimax].score, wrong[kMinimax].score);
}

TEST(AdaptiveWeights, RegimesAreNamedByWhoReads) {
  const auto named = answers_of("measure: named");
  EXPECT_TRUE(named[kVector].score.empty()) << "a mix names nothing";
  EXPECT_TRUE(named[kHardest].score.empty());
  EXPECT_EQ(mean_of(named[kDeclared]), 1);
  EXPECT_GT(mean_of(named[kStatistics]), 0.4) << "one in three is chance";
  EXPECT_LT(mean_of(named[kStatistics]), 1);
  const auto apart = answers_of("measure: apart, declared_error: 1");
  EXPECT_LT(mean_of(apart[kDeclared]), 0.5) << "of the two, what is declared is the other or none";
}

/// What a study answers does not depend on what was asked before it, nor on threads.
TEST(AdaptiveWeights, AreTheSameAgainAndOnAnyNumberOfThreads) {
  const auto first = answers_of("measure: worst, declared_error: 0.3");
  answers_of("measure: worst", kArms, 4);  // other corpora
  const auto again = answers_of("measure: worst, declared_error: 0.3", kArms, 3, 4);
  for (std::size_t arm = 0; arm < first.size(); ++arm) {
    EXPECT_EQ(first[arm].score, again[arm].score) << arm;
  }
  EXPECT_NE(first[kAdaptive].score, answers_of("measure: worst", kArms, 5)[kAdaptive].score);
}

/// Broken on purpose.
TEST(AdaptiveWeights, WhatIsKnownOfOtherQueriesDoesNotHelp) {
  const auto answers = answers_of(
      "measure: worst",
      "declared: {reads: declaration}, of_others: {reads: declaration, shuffled: declaration}, "
      "statistics: {reads: statistics}, pools_of_others: {reads: statistics, shuffled: "
      "statistics}, minimax: {mix: minimax}");
  EXPECT_GT(mean_of(answers[0]), mean_of(answers[1]) + 0.1);
  EXPECT_GT(mean_of(answers[2]), mean_of(answers[3]) + 0.1);
  EXPECT_LT(mean_of(answers[3]), mean_of(answers[4]) + 0.05);
}

TEST(AdaptiveWeights, CountWhatIsScored) {
  const auto answers = answers_of("measure: worst");
  EXPECT_EQ(answers[kAdaptive].num_candidates, 4 * 3 * 36 * 36);
  EXPECT_EQ(answers[kVector].coordinate_reads, 0) << "no weight on place";
  EXPECT_EQ(answers[kAdaptive].coordinate_reads, answers[kAdaptive].num_candidates);
  EXPECT_EQ(answers[kAdaptive].memory_size, 36);
}

}  // namespace
}  // namespace sightline::tests
