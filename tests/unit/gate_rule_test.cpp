// The rule of thumb on numbers that can be counted by hand.
#include "host/studies/gate_rule.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::host {
namespace {

constexpr double kRounding = 1e-12;

TEST(GateRule, WithoutAGateWhatComesFirstOfAlikeMemoriesIsChance) {
  EXPECT_NEAR(expected_without_gate({5, 20, 0, 0}), 0.25, kRounding);
  EXPECT_EQ(expected_without_gate({5, 3, 0, 0}), 1) << "words fit fewer than are returned";
}

TEST(GateRule, AHardGateIsWorthWhatItKeeps) {
  EXPECT_NEAR(expected_behind_hard_gate({5, 20, 4, 0.9}), 0.9, kRounding);
  EXPECT_NEAR(expected_behind_hard_gate({5, 20, 10, 0.9}), 0.45, kRounding);
  EXPECT_EQ(expected_behind_hard_gate({5, 20, 0, 0.9}), 0) << "no rival kept: nor is the answer";
  EXPECT_NEAR(expected_behind_hard_gate({5, 20, 20, 0.1}), 0.25, kRounding) << "all are kept";
}

TEST(GateRule, ASoftGateLeavesTheRestOfThePlacesToThoseOutside) {
  EXPECT_NEAR(expected_behind_soft_gate({5, 20, 2, 0.5}), 0.5 + 0.5 * 3 / 18, kRounding);
  EXPECT_NEAR(expected_behind_soft_gate({5, 20, 8, 0.5}), 0.5 * 5 / 8, kRounding);
  EXPECT_EQ(expected_behind_soft_gate({5, 1, 0, 0.9}), 1) << "the only one that words fit";
}

TEST(GateRule, AHardGateGainsIfAndOnlyIfItKeepsTheAnswerMoreOftenThanRecallAndThanARival) {
  int num_gains = 0, num_losses = 0;
  for (std::int64_t alike = 1; alike <= 30; ++alike) {
    for (std::int64_t kept = 1; kept < alike; ++kept) {
      for (int tenth = 0; tenth <= 10; ++tenth) {
        const GateFacts facts{5, alike, kept, tenth / 10.0};
        const double r = static_cast<double>(alike);
        const double needed = std::max(std::min(1.0, 5 / r), static_cast<double>(kept) / r);
        if (std::abs(facts.keeps_answer - needed) < kRounding) continue;
        const bool gains = expected_behind_hard_gate(facts) > expected_without_gate(facts);
        EXPECT_EQ(gains, alike > 5 && facts.keeps_answer > needed)
            << alike << " " << kept << " " << tenth;
        (gains ? num_gains : num_losses) += 1;
      }
    }
  }
  EXPECT_GT(num_gains, 100);
  EXPECT_GT(num_losses, 100);
}

}  // namespace
}  // namespace sightline::host
