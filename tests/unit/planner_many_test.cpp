// Questions about things of which there are many, more than one search brings back.
#include <fmt/format.h>

#include "support/planner_fixture.h"

namespace sightline::tests {
namespace {

using host::AnswerStatus;
using host::Entry;
using host::EntryTable;
using host::PlaceAnswer;

void append(const Entry& entry, EntryTable* table) {
  host::append_entry(entry, host::embed_text(*table, entry.caption), table);
}

EntryTable empty_table() {
  EntryTable table;
  table.width = host::kHashedWidth;
  table.embedder = host::kHashedEmbedder;
  return table;
}

/// A straight way of 120 entries, 5 m and 3 s apart; every tenth shows a bench 3 m beside it.
EntryTable row_of_benches() {
  EntryTable table = empty_table();
  for (int i = 0; i < 120; ++i) {
    Entry entry;
    entry.time_s = 3 * i;
    entry.position_m = {5.0 * i, 0, 0};
    entry.caption =
        i % 10 == 5 ? fmt::format("There is a bench ({}, 3, 0).", 5 * i) : "Nothing of note.";
    append(entry, &table);
  }
  return table;
}

class ManyThings : public AskPlanner {
 protected:
  void SetUp() override {
    AskPlanner::SetUp();
    verifies_ = false;
  }
};

TEST_F(ManyThings, ArePassedOneByOne) {
  const PlaceAnswer passes = ask(row_of_benches(), "how many times did you pass by a bench");
  EXPECT_EQ(passes.told->count, 12);
  EXPECT_EQ(passes.status, AnswerStatus::kFound) << passes.reason;
  EXPECT_EQ(ask(row_of_benches(), "when did you last pass by a bench").told->time_s, 345);
  EXPECT_EQ(ask(row_of_benches(), "when did you first pass by a bench").told->time_s, 15);
  // Within 15 m of a bench 3 m beside the way are the five entries from 10 m before it to 10 m
  // behind: four steps of 3 s.
  const PlaceAnswer near = ask(row_of_benches(), "how long were you near a bench");
  EXPECT_EQ(near.told->duration_s, 12 * 4 * 3);
  const PlaceAnswer seen = ask(row_of_benches(), "when did you last see a bench");
  const PlaceAnswer last = ask(row_of_benches(), "where did I last see the bench");
  EXPECT_EQ(last.entry, seen.entry);
  EXPECT_EQ(last.entry, 115);
}

// Where one was while no entry was made is not known: told, and not counted.
TEST_F(ManyThings, AreStayedNearButForGaps) {
  EntryTable table = row_of_benches();
  Entry entry;
  for (const double time_s : {360.0, 420.0}) {
    entry.time_s = time_s;
    entry.position_m = {575, 0, 0};
    entry.caption = "Nothing of note.";
    append(entry, &table);
  }
  const PlaceAnswer near = ask(table, "how long were you near a bench");
  EXPECT_EQ(near.told->duration_s, 12 * 4 * 3);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "without 1.00 min in which no entry was made",
                      near.reason);
}

TEST_F(ManyThings, AreNotAllReadByFewSteps) {
  EntryTable table = empty_table();
  for (int i = 0; i < 300; ++i) {
    Entry entry;
    entry.time_s = i;
    entry.position_m = {30.0 * i, 0, 0};
    entry.caption = fmt::format("a bench ({}, 0, 0)", 30 * i);
    append(entry, &table);
  }
  const PlaceAnswer passes = ask(table, "how many times did you pass by a bench");
  EXPECT_EQ(passes.status, AnswerStatus::kGuess);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "not all captions that name it were looked at",
                      passes.reason);
  // The last is among those that are looked at first, from the end.
  const PlaceAnswer last = ask(table, "where did I last see the bench");
  EXPECT_EQ(last.entry, 299);
  EXPECT_EQ(last.status, AnswerStatus::kFound);
}

TEST_F(ManyThings, ThatWereNotAllReadAreNotSurelyUnpassed) {
  EntryTable table = empty_table();
  for (int i = 0; i < 300; ++i) {
    Entry entry;
    entry.time_s = i;
    entry.position_m = {30.0 * i, 0, 0};
    entry.caption = fmt::format("a bench ({}, 20, 0)", 30 * i);
    append(entry, &table);
  }
  const PlaceAnswer answer = ask(table, "did you drive by a bench");
  EXPECT_FALSE(answer.told->yes) << answer.told->text;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "as far as was looked", answer.told->text);
}

TEST_F(ManyThings, HaveTheColourThatIsToldAtTheirPlace) {
  EntryTable table = empty_table();
  Entry entry;
  entry.caption = "a red bench (5, 0, 0) and a blue bench (20, 0, 0)";
  append(entry, &table);
  const PlaceAnswer answer = ask(table, "what color is the bench");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "red (1)", answer.told->text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "blue (1)", answer.told->text);
  EXPECT_EQ(answer.told->text.find(" or "), std::string::npos) << answer.told->text;
}

TEST_F(ManyThings, OfTwoColoursAreNotAskedForTogether) {
  EXPECT_THROW(host::parse_query("how many red and blue benches did you see"), host::InputError);
  EXPECT_THROW(host::parse_query("how many red and blue mugs did you see"), host::InputError);
  EXPECT_NO_THROW(host::parse_query("where is the red and blue bench"));
  EXPECT_NO_THROW(host::parse_query("how many big and red benches did you see"));
}

}  // namespace
}  // namespace sightline::tests
