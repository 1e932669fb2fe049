// Claims that go by a 95 % interval: that of a paired difference needs an exact test as well, and a
// bound on a rate can ask for the whole interval.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "host/sweep/claims.h"
#include "support/errors.h"
#include "support/two_worlds.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;
using host::ConfigValue;

// That an interval leaves out 0 counts only where the exact test agrees.
TEST(ClaimIntervals, OfADifferenceNeedAnExactTestThatShowsIt) {
  const auto judge = [](const std::string& claim, std::int64_t num_pairs,
                        const std::vector<std::int64_t>& wins) {
    HandMadeRun run({"seed"}, "baseline: text\nclaims:\n  - {text: t, arm: los, " + claim + "}\n");
    int world = 0;
    for (const std::int64_t won : wins) {
      // Of fewer than no pairs: those that the baseline wins.
      const std::int64_t lost = std::max<std::int64_t>(-won, 0);
      host::Answers los = answers_of(num_pairs, 0, lost);
      los.only_arm_right = std::max<std::int64_t>(won, 0);
      los.only_baseline_right = lost;
      run.add({ConfigValue::integer(world)}, "text", answers_of(num_pairs, 0, los.only_arm_right));
      run.add({ConfigValue::integer(world++)}, "los", los);
    }
    run.data.num_configurations = run.data.num_finished = world;
    return evaluate_claims(run.data).at(0);
  };
  for (const char* low : {"delta_low: {min: 0}", "delta_low: {min: 0.000001}"}) {
    EXPECT_EQ(judge(low, 8, {3}).holds, false) << "p = 0.25";
    EXPECT_EQ(judge(low, 5000, {4}).holds, false) << "p = 0.125";
    EXPECT_EQ(judge(low, 40, {5}).holds, false) << "p = 0.0625";
    EXPECT_EQ(judge(low, 40, {6}).holds, true) << "p = 0.03125";
    EXPECT_EQ(judge(std::string("by: [seed], ") + low, 40, {6, 6}).holds, true);
    EXPECT_EQ(judge(std::string("by: [seed], ") + low, 40, {6, 5}).holds, false);
    EXPECT_EQ(judge(std::string("by: [seed], mean: true, ") + low, 40, {5, 5}).holds, true)
        << "ten of ten pairs in all";
    EXPECT_EQ(judge(std::string("by: [seed], mean: true, ") + low, 40, {5, 0}).holds, false);
  }
  // Of c = 0 the lower end is (b - z^2) / (n + z^2).
  EXPECT_EQ(judge("delta_low: {min: 0}", 5000, {4}).found,
            "delta_low = 3.16839e-05, but the exact McNemar p is 0.125");
  EXPECT_EQ(judge("delta_high: {max: 0}", 5000, {-4}).holds, false);
  EXPECT_EQ(judge("delta_high: {max: 0}", 5000, {-6}).holds, true);
  // Claims that leave room for 0 need no such test.
  EXPECT_EQ(judge("delta_low: {min: -0.01}", 5000, {4}).holds, true);
  EXPECT_EQ(judge("delta_high: {max: 0.01}", 5000, {4}).holds, true);
}

// A small group leads, a large one trails by as clear a margin: the mean of the two ends is beyond
// 0, and of all pairs most say the opposite.
TEST(ClaimIntervals, InTheMeanNeedPairsThatSayTheSame) {
  HandMadeRun run({"seed"},
                  "baseline: text\nclaims:\n"
                  "  - {text: t, arm: los, by: [seed], mean: true, delta_low: {min: 0}}\n");
  const auto add = [&](int seed, std::int64_t num_pairs, std::int64_t won, std::int64_t lost) {
    host::Answers los = answers_of(num_pairs, 0, lost);
    los.only_arm_right = won;
    los.only_baseline_right = lost;
    run.add({ConfigValue::integer(seed)}, "text", answers_of(num_pairs, 0, won));
    run.add({ConfigValue::integer(seed)}, "los", los);
    run.data.num_configurations = run.data.num_finished = seed + 1;
  };
  add(0, 10, 9, 0);
  EXPECT_EQ(evaluate_claims(run.data).at(0).holds, true);
  add(1, 1000, 50, 150);
  EXPECT_EQ(evaluate_claims(run.data).at(0).holds, false);
  EXPECT_NE(
      evaluate_claims(run.data).at(0).found.find("150 of 209 discordant pairs are the baseline's"),
      std::string::npos)
      << evaluate_claims(run.data).at(0).found;
}

/// An arm in one world after the other, of so many hidden targets calling so many visible.
ClaimResult judge_rates(const std::string& claim,
                        const std::vector<std::pair<std::int64_t, std::int64_t>>& worlds) {
  HandMadeRun run({"seed"}, "baseline: text\nclaims:\n  - {text: t, arm: los, " + claim + "}\n");
  int world = 0;
  for (const auto& [num, wrong] : worlds) {
    run.add({ConfigValue::integer(world)}, "text", answers_of(0, num, num));
    run.add({ConfigValue::integer(world++)}, "los", answers_of(0, num, wrong));
  }
  run.data.num_configurations = run.data.num_finished = world;
  return evaluate_claims(run.data).at(0);
}

TEST(ClaimIntervals, OfARateCountAsAWholeWhereTheClaimAsksForIt) {
  // 3 of 3: Wilson's interval is 0.4385 to 1. 400 of 400: from 0.9905.
  EXPECT_EQ(judge_rates("accuracy: {min: 0.99}", {{3, 0}}).holds, true);
  const ClaimResult few = judge_rates("accuracy: {min: 0.99, interval: true}", {{3, 0}});
  EXPECT_EQ(few.holds, false);
  EXPECT_EQ(few.expected, "accuracy, by its 95 % interval, at least 0.99");
  EXPECT_EQ(few.found, "accuracy = 1");
  EXPECT_EQ(few.interval, "0.4385 to 1");
  EXPECT_EQ(judge_rates("accuracy: {min: 0.99, interval: false}", {{3, 0}}).holds, true);
  EXPECT_EQ(judge_rates("accuracy: {min: 0.99, interval: true}", {{400, 0}}).holds, true);
  // 10 of 100: 0.05523 to 0.17437. Each end is bounded by itself.
  for (const auto& [bounds, holds] : {std::pair{"{max: 0.1743, interval: true}", false},
                                      {"{max: 0.1744, interval: true}", true},
                                      {"{min: 0.0553, interval: true}", false},
                                      {"{min: 0.0552, interval: true}", true},
                                      {"{min: 0.0552, max: 0.17, interval: true}", false},
                                      {"{min: 0.0552, max: 0.1744, interval: true}", true}}) {
    EXPECT_EQ(judge_rates(std::string("false_visible_rate: ") + bounds, {{100, 10}}).holds, holds)
        << bounds;
  }
}

TEST(ClaimIntervals, OfARateCountInEveryGroup) {
  // The group of 20 has the highest rate and the lowest end: 0.8389 to 1.
  const std::string by = "by: [seed], accuracy: ";
  const std::vector<std::pair<std::int64_t, std::int64_t>> worlds{{400, 4}, {20, 0}};
  EXPECT_EQ(judge_rates(by + "{min: 0.85}", worlds).holds, true);
  const ClaimResult result = judge_rates(by + "{min: 0.85, interval: true}", worlds);
  EXPECT_EQ(result.holds, false);
  EXPECT_EQ(result.found, "accuracy from 0.99 to 1 over 2 groups");
  EXPECT_EQ(result.interval, "0.8389 to 1");
  EXPECT_EQ(judge_rates(by + "{min: 0.83, interval: true}", worlds).holds, true);
}

TEST(ClaimIntervals, OfAMeanOfGroupsAreThoseOfTheMean) {
  // 0.9, 0.95 and 1: mean 0.95, Student's t with 2 degrees of freedom gives +-0.1242.
  const std::vector<std::pair<std::int64_t, std::int64_t>> worlds{{20, 2}, {20, 1}, {20, 0}};
  const auto holds = [&](const std::string& bounds) {
    return judge_rates("by: [seed], mean: true, accuracy: " + bounds, worlds).holds;
  };
  EXPECT_EQ(holds("{min: 0.83}"), true);
  EXPECT_EQ(holds("{min: 0.83, interval: true}"), false);
  EXPECT_EQ(holds("{min: 0.82, interval: true}"), true);
  // Two equal groups have a spread of 0, which tells nothing.
  EXPECT_EQ(judge_rates("by: [seed], mean: true, accuracy: {min: 0.5, interval: true}",
                        {{20, 0}, {20, 0}})
                .holds,
            std::nullopt);
}

TEST(ClaimIntervals, AreForBoundsOnRates) {
  const auto refusal = [](const std::string& claim) {
    const HandMadeRun run({"seed"}, "claims:\n  - {text: t, arm: los, " + claim + "}\n");
    return input_error_of([&] {
      host::check_claims(*run.data.resolved.find("claims"), host::ExperimentKind::kVisibility,
                         std::vector<std::string>{"text", "los"}, {"seed"}, run.data.resolved);
    });
  };
  EXPECT_EQ(refusal("accuracy: {min: 0.9, interval: true}"), "no error");
  for (const auto& [claim, part] :
       {std::pair{"false_visible: {max: 2, interval: true}", "false_visible is none"},
        {"delta: {min: 0.1, interval: true}", "or claim delta_low or delta_high"},
        {"mcnemar_p: {max: 0.05, interval: true}", "interval"},
        {"accuracy: {min: 1, interval: true}", "holds of no interval"},
        {"accuracy: {min: 0.9, max: 0.9, interval: true}", "holds of no interval"},
        {"accuracy: {max: 0, interval: true}", "holds of no interval"}}) {
    EXPECT_NE(refusal(claim).find(part), std::string::npos) << claim << ": " << refusal(claim);
  }
}

}  // namespace
}  // namespace sightline::tests
