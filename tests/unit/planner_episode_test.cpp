// Questions about what happened, asked of a walk whose answers are plain.
#include <cmath>

#include "host/meta_memory/track.h"
#include "support/planner_fixture.h"

namespace sightline::tests {
namespace {

using host::AnswerStatus;
using host::PlaceAnswer;

class Episodes : public AskPlanner {
 protected:
  PlaceAnswer ask_in(const KnownPlaces& places, const std::string& question,
                     const std::function<bool(const kernels::Vec3&)>& is_inside = {},
                     const std::optional<kernels::Vec3>& here = std::nullopt) {
    host::PlaceStoreOptions options;
    options.is_inside = is_inside;
    const host::PlaceStore store(memory_of(places), options);
    const host::Planner planner(store.memory(), verifies_ ? &verifier_ : nullptr, options_);
    return planner.answer(host::parse_query(question), question, here);
  }
  PlaceAnswer ask_campus(const std::string& question,
                         const std::optional<kernels::Vec3>& here = std::nullopt) {
    return ask_in(small_campus(), question, {}, here);
  }
  void expect_yes(const PlaceAnswer& answer, bool yes) {
    ASSERT_TRUE(answer.told);
    ASSERT_TRUE(answer.told->yes) << answer.told->text << "; " << answer.reason;
    EXPECT_EQ(*answer.told->yes, yes) << answer.reason;
    EXPECT_EQ(answer.status, yes ? AnswerStatus::kFound : AnswerStatus::kNotFound);
    EXPECT_EQ(answer.entry >= 0, yes);
    EXPECT_EQ(answer.evidence.empty(), !yes);
  }
};

TEST_F(Episodes, WhetherThereIsOne) {
  for (const bool verifies : {true, false}) {
    verifies_ = verifies;
    expect_yes(ask_campus("Did you see a blue bench?"), true);
    expect_yes(ask_campus("Did you see a red bench?"), false);
    expect_yes(ask_campus("Have you seen a piano?"), false);
    expect_yes(ask_campus("Is there a piano near the library?"), false);
    expect_yes(
        ask_campus("Is there a vending machine between the library and the basketball court"),
        true);
    expect_yes(ask_campus("Is there a blue bench between the soccer field and the library?"),
               false);
  }
  verifies_ = true;
  expect_yes(ask_campus("Is there a blue bench near the red mailbox?"), true);  // 6 m
  expect_yes(ask_campus("Is there a trash bin near the library?"), false);      // 21 m
}

TEST_F(Episodes, WhetherThereIsOneNearHere) {
  expect_yes(ask_campus("Is there a blue bench near here?", kernels::Vec3{60, 0, 0}), true);
  const PlaceAnswer far = ask_campus("Is there a blue bench near here?", kernels::Vec3{0, 0, 0});
  expect_yes(far, false);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "the nearest that was shown is 99.0 m away",
                      far.reason);
}

TEST_F(Episodes, AnUnsureThingIsNeitherYesNorNo) {
  verifies_ = false;
  const PlaceAnswer answer = ask_campus("Did you see an open blue bench?");  // no caption says open
  ASSERT_TRUE(answer.told);
  EXPECT_FALSE(answer.told->yes);
  EXPECT_EQ(answer.status, AnswerStatus::kGuess);
  EXPECT_EQ(ask_campus("Which place contains the open blue bench and the red mailbox?").status,
            AnswerStatus::kGuess);
  EXPECT_EQ(ask_campus("Where is the nearest open blue bench to the library?").status,
            AnswerStatus::kGuess);
}

TEST_F(Episodes, WhenItWasSeen) {
  for (const bool verifies : {true, false}) {
    verifies_ = verifies;
    const PlaceAnswer first = ask_campus("When did you first see the blue bench?");
    ASSERT_TRUE(first.told && first.told->time_s);
    EXPECT_EQ(*first.told->time_s, 93);  // from (93, 0), the first place within 9 m
    EXPECT_EQ(*first.told->ago_s, 27);
    EXPECT_EQ(first.status, AnswerStatus::kFound);
    EXPECT_EQ(*ask_campus("When did you last see the blue bench?").told->time_s, 105);
    EXPECT_EQ(*ask_campus("When did you see the blue bench?").told->time_s, 105);
    // Of either walk.
    EXPECT_EQ(*ask_campus("When did you first see a red mailbox?").told->time_s, 24);
    EXPECT_EQ(*ask_campus("When did you last see a red mailbox?").told->time_s, 696);
    const PlaceAnswer never = ask_campus("When did you see the piano?");
    EXPECT_FALSE(never.told->time_s);
    EXPECT_EQ(never.status, AnswerStatus::kNotFound);
  }
}

/// The first of more sightings than are looked at together, and more than any search of k returns.
TEST_F(Episodes, TheFirstOfManySightingsIsFound) {
  KnownPlaces places;
  for (int i = 0; i < 100; ++i) places.things.push_back({"red mailbox", 9.0 * i + 30, 2});
  places.walks = {{0, {{0, 0}, {930, 0}}}};
  for (const bool verifies : {true, false}) {
    verifies_ = verifies;
    EXPECT_EQ(*ask_in(places, "When did you first see the mailbox?").told->time_s, 24);
    EXPECT_EQ(*ask_in(places, "When did you last see the mailbox?").told->time_s, 927);
  }
}

TEST_F(Episodes, HowMany) {
  EXPECT_EQ(ask_campus("How many vending machines did you see?").told->count, 5);
  EXPECT_EQ(ask_campus("How many red mailboxes did you see?").told->count, 3);
  EXPECT_EQ(ask_campus("How many blue mailboxes did you see?").told->count, 0);
  EXPECT_EQ(ask_campus("How many vending machines did you see?").status, AnswerStatus::kFound);
  verifies_ = false;  // views more than 10 m apart
  const PlaceAnswer told = ask_campus("How many vending machines did you see?");
  EXPECT_EQ(told.told->count, 4);  // the views of (21, 2), (42, -2) and others lie within 10 m
  EXPECT_EQ(told.status, AnswerStatus::kGuess);
}

TEST_F(Episodes, ColoursByCaptionsAndImages) {
  for (const bool verifies : {true, false}) {
    verifies_ = verifies;
    const PlaceAnswer blue = ask_campus("What color is the bench?");
    EXPECT_EQ(blue.told->attributes, host::find_attribute("blue").value());
    EXPECT_EQ(blue.told->text, "blue");
    EXPECT_EQ(blue.status, AnswerStatus::kFound);
    EXPECT_EQ(ask_campus("What color is the vending machine?").status, AnswerStatus::kNotFound);
    EXPECT_EQ(ask_campus("What color is the piano?").status, AnswerStatus::kNotFound);
    EXPECT_EQ(ask_campus("What is the bench made of?").told->attributes, 0u);
  }
  // No caption tells it, the image does.
  host::EntryTable silent;
  silent.width = host::kHashedWidth;
  silent.embedder = host::kHashedEmbedder;
  host::Entry entry;
  entry.caption = "a bench";
  entry.visible = {{1,
                    host::find_class("bench").value(),
                    host::find_attribute("green").value() | host::find_attribute("wood").value(),
                    {1, 1, 0},
                    1}};
  host::append_entry(entry, host::hashed_embedding(entry.caption, silent.width), &silent);
  verifies_ = true;
  EXPECT_EQ(ask(silent, "What color is the bench?").told->text, "green");
  EXPECT_EQ(ask(silent, "What is the bench made of?").told->text, "wood");
  verifies_ = false;
  EXPECT_EQ(ask(silent, "What color is the bench?").told->text, "not known");
}

/// Of things of several colours none is picked: each is told, with how many have it.
TEST_F(Episodes, ColoursOfSeveralThingsAreAllTold) {
  KnownPlaces places;
  places.things = {{"yellow bench", 30, 2}, {"yellow bench", 90, 2}, {"brown bench", 150, 2},
                   {"green bench", 210, 2}, {"red mailbox", 30, -2}, {"red mailbox", 150, -2}};
  places.walks = {{0, {{0, 0}, {240, 0}}}};
  for (const bool verifies : {true, false}) {
    verifies_ = verifies;
    const PlaceAnswer benches = ask_in(places, "What color is the bench?");
    EXPECT_EQ(benches.told->text, "yellow (2), green (1), brown (1): 4 benches");
    EXPECT_EQ(benches.told->count, 4);
    EXPECT_EQ(host::num_attributes(benches.told->attributes), 3);
    EXPECT_EQ(benches.entry, -1);
    EXPECT_EQ(benches.evidence.size(), 4u);
    // As of how many there are: views may show several.
    EXPECT_EQ(benches.status, verifies ? AnswerStatus::kFound : AnswerStatus::kGuess);
    const PlaceAnswer alike = ask_in(places, "What color is the mailbox?");
    EXPECT_EQ(alike.told->text, "red");
    EXPECT_EQ(alike.status, AnswerStatus::kFound);
    EXPECT_GE(alike.entry, 0);
  }
  // Views of both are told apart by where the things are, or not at all.
  places.things = {{"yellow bench", 30, 2}, {"brown bench", 36, 2}};
  verifies_ = true;
  EXPECT_EQ(ask_in(places, "What color is the bench?").told->text,
            "yellow (1), brown (1): 2 benches");
  verifies_ = false;
  const PlaceAnswer unplaced = ask_in(places, "What color is the bench?");
  EXPECT_EQ(unplaced.told->attributes,
            host::find_attribute("yellow").value() | host::find_attribute("brown").value());
  EXPECT_EQ(unplaced.status, AnswerStatus::kGuess);
}

/// A drinking fountain is no fountain here, but who asks may mean it.
TEST_F(Episodes, NoTellsOfWhatHasALikeName) {
  KnownPlaces places;
  places.things = {{"drinking fountain", 30, 2}};
  places.walks = {{0, {{0, 0}, {60, 0}}}};
  for (const bool verifies : {true, false}) {
    verifies_ = verifies;
    for (const char* question : {"Did you pass a fountain?", "Did you see a fountain?",
                                 "When did you see the fountain?"}) {
      const PlaceAnswer answer = ask_in(places, question);
      EXPECT_EQ(answer.status, AnswerStatus::kNotFound) << question;
      EXPECT_PRED_FORMAT2(testing::IsSubstring, "captions tell of a drinking fountain",
                          answer.told->text)
          << question;
    }
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "captions tell of a drinking fountain",
                        ask_in(places, "How many fountains did you see?").reason);
    EXPECT_EQ(ask_in(places, "Did you pass a piano?").told->text, "no, as far as is remembered");
  }
}

TEST_F(Episodes, Passing) {
  const PlaceAnswer first = ask_campus("When did you first pass the library?");
  EXPECT_EQ(*first.told->time_s, 54);                                          // (54, 0)
  EXPECT_EQ(*ask_campus("When did you pass the library?").told->time_s, 663);  // (60, 3)
  EXPECT_TRUE(*ask_campus("Did you drive by the blue bench?").told->yes);
  options_.pass_m = 2.5;
  EXPECT_FALSE(*ask_campus("Did you drive by the blue bench?").told->yes);  // 3 m off the way
  options_.pass_m = 10;
  EXPECT_FALSE(*ask_campus("Did you drive by the piano?").told->yes);
  // Captions tell from where it was seen, not how far away it was.
  verifies_ = false;
  const PlaceAnswer unsure = ask_campus("Did you drive by the blue bench?");
  EXPECT_FALSE(unsure.told->yes);
  EXPECT_EQ(unsure.status, AnswerStatus::kGuess);
}

/// Each stretch of way within 10 m counts once, however many entries it has.
TEST_F(Episodes, HowOftenAThingWasPassed) {
  KnownPlaces places;
  places.things = {{"library", 30, 2}};
  places.walks = {{0, {{0, 0}, {60, 0}, {0, 0}}}, {1000, {{0, 0}, {15, 0}}}};
  for (const char* question :
       {"How many times did you pass the library?", "How often did you walk by the library?"}) {
    const PlaceAnswer answer = ask_in(places, question);
    EXPECT_EQ(answer.told->count, 2) << question;
    EXPECT_EQ(answer.status, AnswerStatus::kFound);
    EXPECT_EQ(answer.evidence.size(), 2u);
  }
  EXPECT_EQ(ask_in(places, "How often did you pass the piano?").told->count, 0);
  options_.pass_m = 1;
  EXPECT_EQ(ask_in(places, "How often did you pass the library?").told->count, 0);
  options_.pass_m = 10;
  verifies_ = false;  // where it was seen from
  EXPECT_EQ(ask_in(places, "How often did you pass the library?").status, AnswerStatus::kGuess);
}

TEST_F(Episodes, HowLongNearAThing) {
  const PlaceAnswer near = ask_campus("How long were you near the library?");
  EXPECT_EQ(*near.told->duration_s, 48);  // x 42 to 66 of one walk, y -9 to 15 of the other
  EXPECT_EQ(near.status, AnswerStatus::kFound);
  EXPECT_EQ(*ask_campus("How long did you wait near the library?").told->duration_s, 0);
  KnownPlaces stops = small_campus();
  // Corners of no length are an entry each: four at one place.
  stops.walks = {{0, {{0, 0}, {54, 0}, {54, 0}, {54, 0}, {54, 0}, {120, 0}}}};
  EXPECT_EQ(*ask_in(stops, "How long did you wait near the library?").told->duration_s, 9);
  EXPECT_EQ(*ask_in(stops, "How long did you wait near the soccer field?").told->duration_s, 0);
  EXPECT_FALSE(ask_campus("How long were you near the piano?").told->duration_s);
}

TEST_F(Episodes, Turns) {
  KnownPlaces places;
  // Left, left, right, and back.
  places.walks = {{0, {{0, 0}, {30, 0}, {30, 30}, {0, 30}, {0, 60}, {0, 30}}}};
  EXPECT_EQ(ask_in(places, "How many turns did you make?").told->count, 4);
  EXPECT_EQ(ask_in(places, "How many left turns did you make?").told->count, 2);
  EXPECT_EQ(ask_in(places, "How many right turns did you make?").told->count, 1);
  EXPECT_EQ(ask_in(places, "How many times did you turn around?").told->count, 1);
  const PlaceAnswer first = ask_in(places, "Where did you make the first turn?");
  EXPECT_EQ(first.viewpoint_m.x, 30);
  EXPECT_EQ(first.viewpoint_m.y, 0);
  const PlaceAnswer around = ask_in(places, "When did you turn around?");
  EXPECT_EQ(*around.told->time_s, 120);  // after 120 m
  EXPECT_EQ(ask_campus("How many turns did you make?").told->count, 0);
  EXPECT_EQ(ask_campus("When did you turn left?").status, AnswerStatus::kNotFound);
  EXPECT_EQ(first.session.num_checks(), 0);
}

/// A wide curve is one turn if it is within 15 m, and none if it is wide enough.
TEST_F(Episodes, WideCurvesAreTurnsIfTheyAreShort) {
  const auto quarter = [](double radius_m) {
    KnownPlaces places;
    places.walks = {{0, {{-30, 0}}}};
    for (int i = 0; i <= 9; ++i) {
      const double angle = i * 3.14159265358979 / 18;
      places.walks[0].corners.emplace_back(radius_m * std::sin(angle),
                                           radius_m * (1 - std::cos(angle)));
    }
    places.walks[0].corners.emplace_back(radius_m, radius_m + 30);
    return places;
  };
  EXPECT_EQ(host::turns_of(memory_of(quarter(6))).size(), 1u);
  EXPECT_EQ(host::turns_of(memory_of(quarter(100))).size(), 0u);
}

TEST_F(Episodes, Buildings) {
  const auto in_tower = [](const kernels::Vec3& p) {
    return p.x >= 50 && p.x <= 70 && p.y >= -10 && p.y <= 10;
  };
  const KnownPlaces campus = small_campus();
  EXPECT_EQ(*ask_in(campus, "When did you first enter the building?", in_tower).told->time_s, 51);
  EXPECT_EQ(*ask_in(campus, "When did you first leave the building?", in_tower).told->time_s, 72);
  const PlaceAnswer last = ask_in(campus, "Where did you leave the building?", in_tower);
  EXPECT_EQ(*last.told->time_s, 672);  // y = 12
  EXPECT_EQ(last.viewpoint_m.y, 12);
  // x 51 to 69, y -9 to 9
  EXPECT_EQ(*ask_in(campus, "How long were you in the building?", in_tower).told->duration_s, 36);
  EXPECT_EQ(*ask_in(campus, "How long have you been outside?", in_tower).told->duration_s, 48);
  EXPECT_FALSE(ask_in(campus, "How long have you been indoors?", in_tower).told->duration_s);
  EXPECT_FALSE(*ask_in(campus, "Are you in the building?", in_tower).told->yes);
  EXPECT_TRUE(*ask_in(campus, "Are you outside?", in_tower).told->yes);
  EXPECT_TRUE(*ask_in(campus, "Are you indoors?", in_tower, kernels::Vec3{55, 0, 0}).told->yes);
}

TEST_F(Episodes, WithoutOutlinesNobodyKnowsOfBuildings) {
  for (const char* question :
       {"When did you first enter the building?", "Are you inside?",
        "How long have you been outside?", "Where did you leave the building?"}) {
    const PlaceAnswer answer = ask_campus(question);
    EXPECT_EQ(answer.status, AnswerStatus::kNotFound) << question;
    EXPECT_FALSE(answer.told->yes);
    EXPECT_FALSE(answer.told->duration_s);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "--buildings", answer.reason);
  }
}

TEST_F(Episodes, AnEmptyMemoryHasNoAnswerAndNoFault) {
  KnownPlaces nothing;
  for (const char* question :
       {"Did you see a bench?", "When did you see a bench?", "How many benches did you see?",
        "What color is the bench?", "Did you pass the bench?", "How long were you near the bench?",
        "How many turns did you make?", "When did you turn left?", "Is there a bench near a pond?",
        "Is there a bench between a pond and a library?"}) {
    const PlaceAnswer answer = ask_in(nothing, question);
    EXPECT_EQ(answer.entry, -1) << question;
    ASSERT_TRUE(answer.told) << question;
  }
  for (const char* question :
       {"Are you inside?", "How long have you been outside?", "When did you enter the building?"}) {
    EXPECT_EQ(ask_in(nothing, question, [](const kernels::Vec3&) { return true; }).status,
              AnswerStatus::kNotFound)
        << question;
  }
}

/// Rows in another order, and all elsewhere, change no time and no count.
TEST_F(Episodes, OrderOfRowsAndOriginDoNotCount) {
  KnownPlaces moved = small_campus();
  moved.reverses_rows = true;
  moved.shift_m = {1000, -500, 0};
  for (const char* question :
       {"When did you first see a red mailbox?", "When did you last see a vending machine?",
        "When did you first pass the library?", "When did you pass the library?"}) {
    EXPECT_EQ(*ask_in(moved, question).told->time_s, *ask_campus(question).told->time_s)
        << question;
  }
  EXPECT_EQ(ask_in(moved, "How many vending machines did you see?").told->count, 5);
  EXPECT_EQ(*ask_in(moved, "How long were you near the library?").told->duration_s, 48);
}

}  // namespace
}  // namespace sightline::tests
