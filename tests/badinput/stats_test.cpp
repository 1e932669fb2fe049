// The statistics refuse what has no answer, and say which value.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "host/error.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Expects an InputError whose message holds `part`.
template <typename Call>
void expect_refusal(Call call, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "no InputError; expected one about \"" << part << "\"";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(StatsInput, RefusesNegativeCounts) {
  expect_refusal([] { mcnemar_exact(-1, 3); }, "b is -1");
  expect_refusal([] { mcnemar_exact(3, -2); }, "c is -2");
  expect_refusal([] { bootstrap_mean_exact(10, -1, 0, 0.95); }, "b is -1");
  expect_refusal([] { difference_interval(10, 0, -1); }, "c is -1");
  expect_refusal([] { tost_paired_proportions(-5, 0, 0, 0.1); }, "n is -5");
  expect_refusal([] { wilson(-1, 10); }, "successes is -1");
  expect_refusal([] { wilson(0, -10); }, "n is -10");
}

TEST(StatsInput, RefusesCountsWhoseSumOverflows) {
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  expect_refusal([] { mcnemar_exact(kHuge, kHuge); }, std::to_string(kHuge));
  expect_refusal([] { bootstrap_mean_exact(kHuge, kHuge, kHuge, 0.95); }, std::to_string(kHuge));
}

TEST(StatsInput, RefusesMoreDiscordantPairsThanPairs) {
  expect_refusal([] { bootstrap_mean_exact(5, 3, 3, 0.95); }, "3 + 3");
  expect_refusal([] { difference_interval(5, 3, 3); }, "3 + 3");
  expect_refusal([] { difference_interval(0, 0, 0); }, "n = 0");
  expect_refusal([] { tost_paired_proportions(5, 3, 3, 0.1); }, "3 + 3");
  expect_refusal([] { bootstrap_mean_exact(0, 0, 0, 0.95); }, "n = 0");
  expect_refusal([] { tost_paired_proportions(0, 0, 0, 0.1); }, "n = 0");
  expect_refusal([] { wilson(11, 10); }, "11 successes of n = 10");
}

TEST(StatsInput, RefusesDifferencesThatAreNotFinite) {
  expect_refusal([] { wilcoxon_signed_rank({1, kNaN}); }, "difference 1 is nan");
  expect_refusal([] { wilcoxon_exact({kInfinity, 1}); }, "difference 0 is inf");
  expect_refusal([] { cohens_d({1, 2, -kInfinity}); }, "difference 2 is -inf");
  expect_refusal([] { bootstrap_mean({kNaN}, 0.95, 10, 1); }, "difference 0 is nan");
}

TEST(StatsInput, RefusesTooFewDifferences) {
  expect_refusal([] { cohens_d({}); }, "at least 2");
  expect_refusal([] { cohens_d({1}); }, "at least 2");
  expect_refusal([] { bootstrap_mean({}, 0.95, 10, 1); }, "at least 1");
}

TEST(StatsInput, RefusesProbabilitiesOutsideTheirBounds) {
  for (const double confidence : {0.0, 1.0, -0.5, 1.5, kNaN}) {
    expect_refusal([=] { wilson(1, 2, confidence); }, "confidence");
    expect_refusal([=] { bootstrap_mean({1.0}, confidence, 10, 1); }, "confidence");
    expect_refusal([=] { bootstrap_mean_exact(2, 1, 0, confidence); }, "confidence");
    expect_refusal([=] { difference_interval(2, 1, 0, confidence); }, "confidence");
    expect_refusal([=] { normal_critical(confidence); }, "confidence");
  }
  expect_refusal([] { tost_paired_proportions(10, 1, 1, 0); }, "margin");
  expect_refusal([] { tost_paired_proportions(10, 1, 1, kNaN); }, "margin");
  expect_refusal([] { holm_bonferroni({0.5, 1.5}); }, "p value 2 of 2 is 1.5");
  expect_refusal([] { holm_bonferroni({kNaN}); }, "p value 1 of 1");
}

TEST(StatsInput, RefusesWorkBeyondItsStatedBounds) {
  expect_refusal([] { bootstrap_mean_exact(kMaxExactBootstrap + 1, 1, 0, 0.95); }, "10001");
  expect_refusal([] { wilcoxon_exact(std::vector<double>(kMaxExactRanks + 1, 1.0)); }, "1001");
  expect_refusal([] { bootstrap_mean({1.0}, 0.95, 0, 1); }, "num_resamples");
}

}  // namespace
}  // namespace sightline::host::stats
