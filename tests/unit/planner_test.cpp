// Questions answered by the planner: every relation, every question that the Meta-Memory paper
// prints, and its Figure 4; what may not change an answer; what each costs.
#include "host/meta_memory/planner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.h"
#include "support/planner_fixture.h"

namespace sightline::tests {
namespace {

using host::AnswerMode;
using host::AnswerStatus;
using host::PlaceAnswer;
using kernels::Vec3;

/// Positions are kept as floats: of some kilometres, to this.
constexpr double kFloat_m = 1e-4;

class PlannerTest : public AskPlanner {
 protected:
  void expect_thing(const std::string& question, double x, double y,
                    const std::optional<Vec3>& here = std::nullopt) {
    SCOPED_TRACE(question);
    const PlaceAnswer answer = ask(small_campus(), question, here);
    EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
    ASSERT_TRUE(answer.thing_m);
    EXPECT_NEAR(answer.thing_m->x, x, kFloat_m);
    EXPECT_NEAR(answer.thing_m->y, y, kFloat_m);
    EXPECT_LE(std::hypot(answer.viewpoint_m.x - x, answer.viewpoint_m.y - y), 9);
  }
};

// ---- relations -------------------------------------------------------------------------------

TEST_F(PlannerTest, Basic) {
  expect_thing("where is the blue bench", 99, 3);
  expect_thing("where did I last see my red cup", 62, -30);  // the second walk came later
}

TEST_F(PlannerTest, BasicAnswersWithTheNearestView) {
  const PlaceAnswer answer = ask(small_campus(), "where is the blue bench");
  EXPECT_NEAR(answer.viewpoint_m.x, 99, kFloat_m);
  EXPECT_NEAR(answer.viewpoint_m.y, 0, kFloat_m);
  EXPECT_EQ(answer.evidence.front(), answer.entry);
}

TEST_F(PlannerTest, Local) {
  const PlaceAnswer answer = ask(small_campus(), "which area has a blue bench and a trash bin");
  EXPECT_EQ(answer.status, AnswerStatus::kFound);
  EXPECT_LE(std::hypot(answer.viewpoint_m.x - 101, answer.viewpoint_m.y - 2), 7) << answer.reason;
  EXPECT_EQ(answer.evidence.size(), 2u);
}

TEST_F(PlannerTest, Route) {
  expect_thing("where is the red mailbox on the route from the soccer field to the library", 30, 2);
  expect_thing("on the route from the library to the basketball court where is the red mailbox", 93,
               2);
}

TEST_F(PlannerTest, Kth) {
  const std::string way =
      " vending machine on the route from the soccer field to the basketball "
      "court";
  expect_thing("where is the first" + way, 21, 2);
  expect_thing("where is the second" + way, 42, -2);
  expect_thing("where is the third" + way, 81, 2);
  expect_thing("where is the last" + way, 81, 2);
  const PlaceAnswer none = ask(small_campus(), "where is the fourth" + way);
  EXPECT_EQ(none.status, AnswerStatus::kNotFound);
  EXPECT_EQ(none.entry, -1);
}

TEST_F(PlannerTest, Direction) {
  expect_thing("where is the nearest vending machine to the west of the library", 42, -2);
  expect_thing("where is the vending machine closest to the east side of the library", 81, 2);
  expect_thing("where is the nearest vending machine north of the library", 62, 42);
  expect_thing("where is the nearest vending machine to the south of the library", 62, -48);
  expect_thing("where is the nearest red mailbox west of here", 62, 30, Vec3{66, 30, 0});
}

TEST_F(PlannerTest, Between) {
  expect_thing("where is the red mailbox between the library and the basketball court", 93, 2);
  expect_thing("where is the red mailbox between (0, 0) and (55, 0)", 30, 2);
}

TEST_F(PlannerTest, Visible) {
  const char* const question = "where is the trash bin visible from the library";
  const host::SightTest open = [](const std::vector<Vec3>& from, const std::vector<Vec3>&) {
    return std::vector<std::uint8_t>(from.size(), 1);
  };
  const PlaceAnswer seen = ask(memory_of(small_campus()), question, {}, open);
  EXPECT_EQ(seen.status, AnswerStatus::kFound) << seen.reason;
  ASSERT_TRUE(seen.thing_m);
  EXPECT_NEAR(seen.thing_m->x, 75, kFloat_m);
  const host::SightTest blind = [](const std::vector<Vec3>& from, const std::vector<Vec3>&) {
    return std::vector<std::uint8_t>(from.size(), 0);
  };
  const PlaceAnswer hidden = ask(memory_of(small_campus()), question, {}, blind);
  EXPECT_EQ(hidden.status, AnswerStatus::kNotFound);
}

TEST_F(PlannerTest, Near) {
  expect_thing("where is the nearest trash bin to the library", 75, 2);
  expect_thing("where is the nearest vending machine", 21, 2, Vec3{3, 0, 0});
}

TEST_F(PlannerTest, NearOnFootGoesAlongTheWay) {
  // Ten metres from here as the crow flies, but the way to it goes round by the east.
  KnownPlaces places;
  places.things = {{"vending machine", 0, 21}, {"vending machine", 30, -2}};
  places.walks = {{0, {{0, 0}, {60, 0}, {60, 18}, {0, 18}}}};
  const Vec3 here{0, 0, 0};
  const PlaceAnswer straight = ask(places, "where is the nearest vending machine to here", here);
  ASSERT_TRUE(straight.thing_m);
  EXPECT_NEAR(straight.thing_m->y, 21, kFloat_m);
  const PlaceAnswer walked =
      ask(places, "where is the nearest vending machine to here on foot", here);
  ASSERT_TRUE(walked.thing_m);
  EXPECT_NEAR(walked.thing_m->x, 30, kFloat_m);
}

TEST_F(PlannerTest, NearIsLookedAtMoreCloselyOnceSomethingIsFound) {
  // Of each place that is scanned the most similar view is looked at, which shows the farther one
  // alone; the nearer stands among other things. Still others, far off, are what captions find.
  options_.scan_k = 1;
  options_.global_k = 8;
  KnownPlaces places;
  places.things = {
      {"fire extinguisher", 12, 2}, {"fire extinguisher", -5, 2}, {"bench", -5, -2},
      {"trash bin", -4, 3},         {"red mailbox", -4, -3},      {"vending machine", -5, 1}};
  for (const double x : {100, 130, 160}) places.things.push_back({"fire extinguisher", x, 2});
  places.walks = {{0, {{170, 0}, {0, 0}}}};
  const PlaceAnswer answer =
      ask(places, "where is the nearest fire extinguisher to here", Vec3{0, 0, 0});
  ASSERT_TRUE(answer.thing_m);
  EXPECT_NEAR(answer.thing_m->x, -5, kFloat_m);
}

TEST_F(PlannerTest, AReferenceIsNoAnswerWhicheverWordIsWider) {
  KnownPlaces places;
  places.things = {{"blue trash bin", 10, 2}, {"red trash bin", 40, 2}};
  places.walks = {{0, {{0, 0}, {60, 0}}}};
  for (const char* reference : {"blue bin", "blue trash bin"}) {
    for (const char* target : {"trash bin", "bin"}) {
      const std::string question =
          std::string("where is the nearest ") + target + " to the " + reference;
      const PlaceAnswer answer = ask(places, question);
      ASSERT_TRUE(answer.thing_m) << question << ": " << answer.reason;
      EXPECT_NEAR(answer.thing_m->x, 40, kFloat_m) << question;
    }
  }
}

// ---- the paper -------------------------------------------------------------------------------

/// Figure 4: where the user is, the basketball court, and the machines that were found.
host::EntryTable figure_4() {
  const std::string machines =
      "In this image, multiple vending machines are located outside a building with large glass "
      "doors. The vending machines are clearly positioned along the wall on the right side.";
  const auto between = [](double a, double b, int i, int n) { return a + (b - a) * i / n; };
  struct Seen {
    std::uint16_t sequence;
    double x, y;
    std::string caption;
  };
  std::vector<Seen> seen;
  constexpr int kToMachines = 13, kToCourt = 4;  // steps of 3 m
  for (int i = 0; i < kToMachines; ++i) {
    seen.push_back({0, between(-2.757, -14.849, i, kToMachines),
                    between(19.24, 55.468, i, kToMachines), "A path between trees."});
  }
  seen.push_back({0, -14.849, 55.468, machines});
  for (int i = 1; i < kToCourt; ++i) {
    seen.push_back({0, between(-14.849, -15.757, i, kToCourt), between(55.468, 67.34, i, kToCourt),
                    "A path beside a wall."});
  }
  seen.push_back({0, -15.757, 67.34, "A basketball court with two hoops."});
  seen.push_back({1, 1345.81, 1198.129, "A vending machine in a hall."});
  seen.push_back({2, -105.77, 607.334, "A vending machine under a roof."});
  host::EntryTable table;
  table.width = host::kHashedWidth;
  table.embedder = host::kHashedEmbedder;
  for (const Seen& one : seen) {
    host::Entry entry;
    entry.sequence = one.sequence;
    entry.time_s = 3.0 * static_cast<double>(table.size());
    entry.position_m = {one.x, one.y, 0};
    entry.caption = one.caption;
    host::append_entry(entry, host::hashed_embedding(one.caption, table.width), &table);
  }
  return table;
}

TEST_F(PlannerTest, AnswersFigure4) {
  verifies_ = false;  // its fixture is captions and places
  const PlaceAnswer answer =
      ask(figure_4(),
          "On the route from my current location to the basketball court, where is the vending "
          "machine? Can you take me there.",
          Vec3{-2.757, 19.24, 0});
  EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
  EXPECT_NEAR(answer.position_m(AnswerMode::kViewpoint).x, -14.849, kFloat_m);
  EXPECT_NEAR(answer.position_m(AnswerMode::kViewpoint).y, 55.468, kFloat_m);
  ASSERT_TRUE(answer.map);
  EXPECT_EQ(answer.map->relax_level, 0);
  EXPECT_EQ(answer.map->candidates.size(), 3u);  // as the figure lists them
}

/// What the paper's questions are about, along one corridor and out of doors.
KnownPlaces paper_places() {
  KnownPlaces places;
  places.things = {
      {"coffee shop", -74, -31},  {"coffee shop", 60, 63},     {"basketball court", 0, 3},
      {"soccer field", 90, 3},    {"vending machine", 45, 2},  {"vending machine", -30, 2},
      {"red cup", 200, 2},        {"refrigerator", 220, 2},    {"microwave", 222, 3},
      {"window", 218, 3},         {"black bar stool", 240, 2}, {"book", 260, 2},
      {"room named 423", 280, 3}, {"water dispenser", 300, 2}, {"room named 426", 320, 3}};
  places.walks = {{0, {{-42, 0}, {90, 0}}},
                  {400, {{-42, 0}, {-72, -30}}},
                  {500, {{60, 0}, {60, 60}}},
                  {600, {{195, 0}, {327, 0}}}};
  return places;
}

TEST_F(PlannerTest, EveryQuestionOfThePaperHasAPlace) {
  struct Printed {
    const char* question;
    double x, y;
  };
  const Printed printed[] = {
      {"Where\u2019s the nearest coffee shop southwest of here?", -74, -31},
      {"Where is the vending machine on the route from the basketball court to the football "
       "field?",
       45, 2},
      {"Where is the vending machine closest to the west side of the basketball court?", -30, 2},
      {"On the route from my current location to the basketball court, where is the vending "
       "machine? Can you take me there.",
       -30, 2},
      {"Where did I put my red cup?", 200, 2},
      {"Which room contains a refrigerator, a microwave, and a window?", 220, 2},
      {"Where is the vending machine along the route from the basketball court to the soccer "
       "field?",
       45, 2},
      {"Where is the black bar stool?", 240, 2},
      {"Where is the book?", 260, 2},
      {"Where is the water cooler located on the path from Room 423 to Room 426?", 300, 2}};
  for (const Printed& one : printed) {
    SCOPED_TRACE(one.question);
    const PlaceAnswer answer = ask(paper_places(), one.question, Vec3{-42, 0, 0});
    EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
    ASSERT_TRUE(answer.thing_m);
    EXPECT_NEAR(answer.thing_m->x, one.x, kFloat_m);
    EXPECT_NEAR(answer.thing_m->y, one.y, kFloat_m);
  }
}

// ---- what may not change an answer -----------------------------------------------------------

const char* const kQuestions[] = {
    "where is the blue bench",
    "which area has a blue bench and a trash bin",
    "where is the red mailbox on the route from the soccer field to the library",
    "where is the second vending machine on the route from the soccer field to the library",
    "where is the nearest vending machine to the west of the library",
    "where is the red mailbox between the library and the basketball court",
    "where is the trash bin visible from the library",
    "where is the nearest trash bin to the library",
    "where is the nearest vending machine to the library on foot"};

TEST_F(PlannerTest, TheOrderOfRowsAndIdsChangesNothing) {
  KnownPlaces other = small_campus();
  other.reverses_rows = other.renumbers_things = true;
  for (const char* question : kQuestions) {
    SCOPED_TRACE(question);
    const PlaceAnswer a = ask(small_campus(), question), b = ask(other, question);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.viewpoint_m.x, b.viewpoint_m.x);
    EXPECT_EQ(a.viewpoint_m.y, b.viewpoint_m.y);
    ASSERT_TRUE(a.thing_m && b.thing_m);
    EXPECT_NEAR(a.thing_m->x, b.thing_m->x, kFloat_m);
    EXPECT_NEAR(a.thing_m->y, b.thing_m->y, kFloat_m);
  }
}

TEST_F(PlannerTest, MovedAsAWholeTheAnswerMovesWithIt) {
  KnownPlaces moved = small_campus();
  moved.shift_m = {1024, -512, 16};  // exact in floats
  for (const char* question : kQuestions) {
    SCOPED_TRACE(question);
    const PlaceAnswer a = ask(small_campus(), question), b = ask(moved, question);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.entry, b.entry);
    ASSERT_TRUE(a.thing_m && b.thing_m);
    EXPECT_NEAR(b.thing_m->x - a.thing_m->x, moved.shift_m.x, kFloat_m);
    EXPECT_NEAR(b.thing_m->y - a.thing_m->y, moved.shift_m.y, kFloat_m);
    EXPECT_NEAR(b.thing_m->z - a.thing_m->z, moved.shift_m.z, kFloat_m);
  }
}

TEST_F(PlannerTest, APointIsAtTheHeightOfTheWay) {
  KnownPlaces moved = small_campus();
  moved.shift_m = {0, 0, 16};
  const PlaceAnswer answer =
      ask(moved, "where is the red mailbox on the route from (0, 0) to (57, 0)");
  EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
  ASSERT_TRUE(answer.thing_m);
  EXPECT_NEAR(answer.thing_m->x, 30, kFloat_m);
}

// ---- what it costs ---------------------------------------------------------------------------

TEST_F(PlannerTest, BeginsWithSemanticRetrievalAndStopsInTime) {
  for (const char* question : kQuestions) {
    SCOPED_TRACE(question);
    const PlaceAnswer answer = ask(small_campus(), question);
    const auto& calls = answer.session.calls();
    ASSERT_FALSE(calls.empty());
    EXPECT_EQ(calls.front().tool, host::Tool::kSsr);
    EXPECT_LE(calls.size(), host::ToolSession::kMaxSteps);
  }
}

TEST_F(PlannerTest, CountsEveryLook) {
  for (const char* question : kQuestions) {
    SCOPED_TRACE(question);
    verifier_.num_looks = 0;
    const PlaceAnswer answer = ask(small_campus(), question);
    EXPECT_EQ(answer.session.num_checks(), verifier_.num_looks);
  }
  verifier_.num_looks = 0;
  const PlaceAnswer basic = ask(small_campus(), "where is the blue bench");
  EXPECT_EQ(basic.session.calls().size(), 1u);
  EXPECT_EQ(verifier_.num_looks, options_.basic_k);
}

TEST_F(PlannerTest, LooksAtNothingWithoutAVerifier) {
  verifies_ = false;
  const PlaceAnswer answer = ask(small_campus(), "where is the blue bench");
  EXPECT_EQ(answer.session.num_checks(), 0);
  EXPECT_LE(std::hypot(answer.viewpoint_m.x - 99, answer.viewpoint_m.y - 3), 9);
}

// ---- what cannot be answered -----------------------------------------------------------------

TEST_F(PlannerTest, OfNothingRemembersNothing) {
  host::EntryTable empty;
  empty.width = host::kHashedWidth;
  empty.embedder = host::kHashedEmbedder;
  host::EntryTable deleted = memory_of(small_campus());
  for (std::int64_t row = 0; row < deleted.size(); ++row) host::mark_deleted(row, &deleted);
  for (const char* question : kQuestions) {
    SCOPED_TRACE(question);
    for (const host::EntryTable* table : {&empty, &deleted}) {
      const PlaceAnswer answer = ask(*table, question, Vec3{0, 0, 0});
      EXPECT_EQ(answer.status, AnswerStatus::kNotFound);
      EXPECT_EQ(answer.entry, -1);
      EXPECT_EQ(answer.reason, "nothing is remembered");
    }
  }
}

TEST_F(PlannerTest, TellsOfPlacesOffTheMapAndWithoutAWay) {
  const PlaceAnswer off =
      ask(small_campus(), "where is the red mailbox on the route from here to the library",
          Vec3{30, 500, 0});
  EXPECT_EQ(off.status, AnswerStatus::kOffGraph);
  EXPECT_GE(off.entry, 0);
  KnownPlaces apart = small_campus();
  apart.walks = {{0, {{0, 0}, {45, 0}}}, {600, {{54, 0}, {120, 0}}}};  // 12 m between them
  const PlaceAnswer cut = ask(
      apart, "where is the red mailbox on the route from the soccer field to the basketball court");
  EXPECT_EQ(cut.status, AnswerStatus::kDisconnected);
  EXPECT_GE(cut.entry, 0);
}

TEST_F(PlannerTest, GuessesWhereNoImageShowsIt) {
  const PlaceAnswer answer = ask(small_campus(), "where is the piano");
  EXPECT_EQ(answer.status, AnswerStatus::kGuess);
  EXPECT_GE(answer.entry, 0);
}

TEST_F(PlannerTest, MustKnowWhereHereIs) {
  EXPECT_NE(input_error_of([&] {
              ask(small_campus(), "where is the nearest vending machine to here");
            }).find("here"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
