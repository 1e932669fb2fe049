// ReMEmbR's retrieval without its language model: R0 and R1.
#include "host/meta_memory/remembr.h"

#include <gtest/gtest.h>

#include "support/entries.h"

namespace sightline::tests {
namespace {

using host::answer_by_remembr;
using host::EntryTable;
using host::nearest_positions;
using host::nearest_times;
using host::RemembrOptions;

/// Entry i at (i, 0, 0), 3 s after the one before.
EntryTable entries() {
  return captioned_entries(
      {"a chair", "a mug", "a red mug", "a desk", "a lamp", "a sofa", "a tall plant", "a wall"});
}

TEST(Remembr, FindsTheNearestPlacesAndTimes) {
  const EntryTable table = entries();
  const auto at = [&](std::size_t row) { return table.position_m[row]; };
  EXPECT_EQ(nearest_positions(table, at(3), 1), std::vector<std::int64_t>{3});
  const auto near = nearest_positions(table, at(0), 3);
  EXPECT_EQ(near, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(nearest_times(table, table.time_s[5], 1), std::vector<std::int64_t>{5});
  EntryTable less = entries();
  host::mark_deleted(3, &less);
  EXPECT_NE(nearest_positions(less, at(3), 1), std::vector<std::int64_t>{3});
}

TEST(Remembr, AnswersByTheMostSimilarCaptionThatNamesTheClass) {
  const std::vector<double> similarity{0.9, 0.5, 0.4, 0.8, 0.1, 0.1, 0.1, 0.1};
  EXPECT_EQ(answer_by_remembr(entries(), similarity, phrase_of("mug", "red"), {}), 1);
  RemembrOptions two;
  two.num_texts = 2;  // neither names a mug: the most similar
  EXPECT_EQ(answer_by_remembr(entries(), similarity, phrase_of("mug", "red"), two), 0);
  EXPECT_EQ(answer_by_remembr(EntryTable(), {}, phrase_of("mug", "red"), {}), -1);
}

TEST(Remembr, LooksAtTheTimeThatTheQuestionIsAbout) {
  const EntryTable table = entries();
  const std::vector<double> similarity{0.9, 0.1, 0.2, 0.8, 0.1, 0.1, 0.1, 0.1};
  RemembrOptions two;
  two.num_texts = 2;  // neither names a mug
  two.num_times = 3;
  EXPECT_EQ(answer_by_remembr(table, similarity, phrase_of("mug", "red"), two), 0);
  EXPECT_EQ(answer_by_remembr(table, similarity, phrase_of("mug", "red"), two, table.time_s[3]), 2);
  EXPECT_EQ(answer_by_remembr(table, similarity, phrase_of("mug", "red"), two, table.time_s[6]), 0);
}

TEST(Remembr, LooksAroundTheBestAndRanksByCaptions) {
  const std::vector<double> similarity{0.9, 0.5, 0.1, 0.8, 0.7, 0.6, 0.2, 0.2};
  RemembrOptions around;
  around.looks_around = true;
  // Entry 2 is not among the five most similar; it is among the four nearest to entry 0.
  EXPECT_EQ(answer_by_remembr(entries(), similarity, phrase_of("mug", "red"), {}), 1);
  EXPECT_EQ(answer_by_remembr(entries(), similarity, phrase_of("mug", "red"), around), 2);
}

TEST(Remembr, LooksAtTheFourNearestPlaces) {
  const std::vector<double> similarity{0.9, 0.8, 0.7, 0.1, 0.1, 0.6, 0.5, 0.2};
  RemembrOptions around;
  around.looks_around = true;
  const auto answer = [&](const std::vector<std::string>& captions) {
    return answer_by_remembr(captioned_entries(captions), similarity, phrase_of("mug"), around);
  };
  EXPECT_EQ(answer({"a bin", "a bin", "a bin", "a mug", "a bin", "a bin", "a bin", "a bin"}), 3);
  EXPECT_EQ(answer({"a bin", "a bin", "a bin", "a bin", "a mug", "a bin", "a bin", "a bin"}), 0)
      << "the fifth from the best";
}

}  // namespace
}  // namespace sightline::tests
