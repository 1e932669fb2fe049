// NaVQA as its files have it: what holds of the annotated clock, and of answers that know no
// caption.
#include "host/meta_memory/navqa.h"

#include <gtest/gtest.h>

#include <set>

#include "support/reference_data.h"

namespace sightline::host {
namespace {

/// Of the spec's figures, which have one decimal.
constexpr std::int64_t kMostOutside =
    1;  // of all seven runs: 70 of 71 position questions lie in theirs
constexpr double kRounding_m = 0.05;

class NavqaData : public testing::Test {
 protected:
  void SetUp() override {
    SIGHTLINE_REQUIRE_REFERENCE_DATA("navqa_coda/navqa_questions.tsv");
    navqa_ = read_navqa(tests::reference_data("navqa_coda"));
    std::set<std::int64_t> sequences;
    for (const NavqaRun& run : navqa_.runs) sequences.insert(run.sequence);
    are_the_five_ = sequences == std::set<std::int64_t>{0, 3, 4, 6, 21};
  }

  NavqaErrors total(NavqaMethod method, NavqaTruth truth = NavqaTruth::kSeenFrom) const {
    for (const NavqaErrors& row : navqa_errors(navqa_, truth)) {
      if (row.method == method && row.sequence == -1) return row;
    }
    ADD_FAILURE() << "no total";
    return {};
  }

  Navqa navqa_;
  bool are_the_five_ = false;
};

TEST_F(NavqaData, TheClockIsEightHoursBehindUtc) {
  const NavqaClock clock = check_clock(navqa_);
  for (const double other_h : {-7.0, -6.0, -5.0, -4.0, 0.0, 1.0, 8.0}) {
    EXPECT_EQ(check_clock(navqa_, other_h).num_in_run, 0) << other_h;
  }
  EXPECT_LE(clock.num_in_run, clock.num_position);
  EXPECT_GE(clock.num_in_run, clock.num_position - kMostOutside);
  if (!are_the_five_) GTEST_SKIP() << "other runs than the five that the figures are of";
  EXPECT_EQ(navqa_.questions.size(), 150U);
  EXPECT_EQ(clock.num_position, 51);
  EXPECT_EQ(clock.num_in_run, 50);
  EXPECT_EQ(clock.num_outside_window, 16);
}

TEST_F(NavqaData, AnswersWithoutCaptionsAreAsFarOffAsMeasured) {
  if (!are_the_five_) GTEST_SKIP() << "other runs than the five that the figures are of";
  EXPECT_NEAR(total(NavqaMethod::kCurrent).error_3d_m, 89.0, kRounding_m);
  EXPECT_NEAR(total(NavqaMethod::kRandom).error_3d_m, 59.6, kRounding_m);
  EXPECT_NEAR(total(NavqaMethod::kWindowMean).error_3d_m, 45.1, kRounding_m);
  EXPECT_NEAR(total(NavqaMethod::kBest).error_3d_m, 3.0, kRounding_m);
}

TEST_F(NavqaData, TheTwoTruthsAreApart) {
  const NavqaErrors seen = total(NavqaMethod::kBest),
                    object = total(NavqaMethod::kBest, NavqaTruth::kObject);
  EXPECT_EQ(seen.num_answered, seen.num_asked);
  EXPECT_GT(object.error_3d_m, seen.error_3d_m);
  for (const NavqaErrors& row : navqa_errors(navqa_, NavqaTruth::kSeenFrom)) {
    if (row.num_answered == 0) continue;
    EXPECT_LE(row.error_2d_m, row.error_3d_m);
  }
}

TEST_F(NavqaData, CaptionsAreRankedWhereThereAreAny) {
  for (const NavqaMethod method : {NavqaMethod::kBm25, NavqaMethod::kHashed}) {
    const NavqaErrors row = total(method);
    EXPECT_GT(row.num_answered, 0);
    EXPECT_LE(row.num_answered, row.num_asked);
    EXPECT_GE(row.error_3d_m, total(NavqaMethod::kBest).error_3d_m);
  }
}

}  // namespace
}  // namespace sightline::host
