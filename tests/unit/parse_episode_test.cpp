// Questions about what happened: what they are read as, and the many near them that are refused.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "host/meta_memory/parse_query.h"

namespace sightline::tests {
namespace {

/// Is it read as what this canonical question asks?
void expect_reads(const std::string& text, const std::string& canonical) {
  const host::ParsedQuery parsed = host::try_parse_query(text);
  ASSERT_TRUE(parsed.query) << text << "\n" << parsed.error;
  EXPECT_EQ(host::text_of(*parsed.query), canonical) << text;
}

void expect_refused_at(const std::string& piece, const std::string& text,
                       const std::string& message = "") {
  const host::ParsedQuery parsed = host::try_parse_query(text);
  ASSERT_FALSE(parsed.query) << text << "\nread as " << host::text_of(*parsed.query);
  const std::size_t at = piece.empty() ? text.size() : text.find(piece);
  EXPECT_EQ(parsed.character, at + 1) << text << "\n" << parsed.error;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, message, parsed.error) << text;
}

TEST(ParseEpisode, WhetherThereIsOne) {
  for (const char* text :
       {"Did you see any benches?", "have you ever seen a bench", "Is there a bench?",
        "WERE THERE SOME BENCHES", "did I ever see my bench", "Did we notice the bench?"}) {
    expect_reads(text, "Did you see the bench?");
  }
  expect_reads("Is there a bench next to the pond and a bin?",
               "Did you see the bench near the pond and the bin?");
  expect_reads("Is there an ATM near here?", "Did you see the atm near here?");
  expect_reads("Are there any benches between the library and (1, 2)?",
               "Did you see the bench between the library and (1, 2)?");
  expect_reads("Is there a bench on the way to the pond? Can you take me there?",
               "Did you see the bench on the route from here to the pond? Can you take me there?");
  expect_reads("Was there a bench north of the pond",
               "Did you see the bench to the north of the pond?");
  expect_reads("Did I see an \"EXIT\" sign", "Did you see the sign named \"EXIT\"?");
}

TEST(ParseEpisode, WhenAndWhere) {
  expect_reads("When did you see a bench?", "When did you see the bench?");
  for (const char* text : {"When did you last see the bench?", "When was the bench last seen?",
                           "When have you last seen a bench", "When did I see the bench last",
                           "when did we see the bench for the last time?"}) {
    expect_reads(text, "When did you last see the bench?");
  }
  for (const char* text : {"When did you first drive by the library?",
                           "When did you walk past the library for the first time?"}) {
    expect_reads(text, "When did you first pass by the library?");
  }
  expect_reads("When did you turn around for the first time?", "When did you first turn around?");
  expect_reads("Where did you make the last left turn?", "Where did you last turn left?");
  expect_reads("Can you go back to the place where you made the first turn",
               "Where did you first turn? Can you take me there?");
  for (const char* text :
       {"When did you first enter the building?", "When did you first go into a building?",
        "When did you enter the building for the first time?"}) {
    expect_reads(text, "When did you first enter the building?");
  }
  for (const char* text :
       {"Where did you leave the building?", "where did you left the building",
        "Where did you exit a building?", "Where did you walk out of the building?"}) {
    expect_reads(text, "Where did you leave the building?");
  }
}

TEST(ParseEpisode, HowLongAndHowMany) {
  expect_reads("How long were you waiting at the intersection?",
               "How long did you wait near the intersection?");
  expect_reads("For how long did you stay near the pond", "How long were you near the pond?");
  expect_reads("How long were you in the building for?", "How long were you inside?");
  expect_reads("How long have you been outside?", "How long have you been outside?");
  expect_reads("Are you in the building right now?", "Are you inside?");
  expect_reads("How many cars did you see in total?", "How many cars did you see?");
  expect_reads("how many red buses named \"7\" have you seen",
               "How many red buses named \"7\" did you see?");
  expect_reads("How many right turns did you make?", "How many times did you turn right?");
  expect_reads("How often did you drive past the library in total?",
               "How many times did you pass by the library?");
  expect_reads("How often did you turn left?", "How many times did you turn left?");
  expect_refused_at("see", "How often did you see a bench?");
  expect_reads("How many times did you turned around?", "How many times did you turn around?");
}

TEST(ParseEpisode, ColoursAndMaterials) {
  for (const char* text : {"What color is the door?", "What was the color of the door?",
                           "Which colour are the doors", "What's the colour of a door?"}) {
    expect_reads(text, "What color is the door?");
  }
  expect_reads("What is the large table made of?", "What is the large table made of?");
  expect_reads("What material is the table?", "What is the table made of?");
}

TEST(ParseEpisode, WhatSaysAnotherThingIsRefused) {
  expect_refused_at("not", "Did you not see a bench?");
  expect_refused_at("Didn't", "Didn't you see a bench?");
  expect_refused_at("never", "Have you never seen a bench?");
  expect_refused_at("no", "Did you see no bench?");
  expect_refused_at("two", "Did you see two benches?");
  expect_refused_at("and", "Did you see a bench and a bin?");
  expect_refused_at("another", "Is there another bench?");
  expect_refused_at("the", "Did you see the nearest bench?", "wherever there is one");
  expect_refused_at("closest", "Is there a bench closest to the pond?", "wherever there is one");
  expect_refused_at("closest", "Is there a bench closest to the east side of the pond?");
  expect_refused_at("in the", "Did you see the cup in the kitchen?");
  expect_refused_at("that", "How many cars did you see that passed the gate?");
  expect_refused_at("that", "What color is the car that passed?");
  expect_refused_at("frame", "What color is the bed frame?");
  expect_refused_at("and", "What color are the door and the window?");
  expect_refused_at("the red", "What color is the red car?", "says what is asked for");
  expect_refused_at("through", "Did you pass through the gate?");
  expect_refused_at("the ball", "Did you pass the ball?", "passed to somebody");
  expect_refused_at("bus", "Did you go by bus?");
  expect_refused_at("room", "Is there room near the sofa?", "say \"a room\"");
  expect_refused_at("glass", "Is there any glass near the door?", "say \"a glass\"");
  expect_refused_at("library", "When did you leave the library?", "\"the building\"");
  expect_refused_at("museum", "When did you first go into the museum?", "\"the building\"");
  expect_refused_at("first", "When did you exit the first building?", "\"the building\"");
  expect_refused_at("?", "When did you enter?", "\"the building\"");
  expect_refused_at("named", "When did you leave the building named Tech?");
  expect_refused_at("in the", "How long were you in the library?");
  expect_refused_at("at the", "When did you turn left at the library?");
  expect_refused_at("in?", "When did you turn in?");
  expect_refused_at("before", "How many turns did you make before lunch?");
  expect_refused_at("last", "When did you see the last bus?");
  expect_refused_at("last?", "When did you first see the bench last?");
  expect_refused_at("built", "When was the library built?", "\"seen\"");
  expect_refused_at("see", "How many times did you see a bench?");
  expect_refused_at("you", "When you did see a bench");
  expect_refused_at("?", "What is the door?");
}

TEST(ParseEpisode, NamesEndWhereTheQuestionGoesOn) {
  expect_reads("Where is the building named Bank of America near the pond?",
               "Which place contains the building named \"Bank of America\" and the pond?");
  expect_reads("How many buildings named Tech did you see?",
               "How many buildings named \"Tech\" did you see?");
  expect_reads("Take me to the \"Tree\" sculpture",
               "Where is the sculpture named \"Tree\"? Can you take me there?");
  expect_refused_at("lately", "Where is the building named Tech Hall lately?");
  expect_refused_at("I saw", "Where is the building named Tech Hall I saw yesterday?");
  expect_refused_at("yesterday", "Where is the building named Tech Hall yesterday?");
  expect_refused_at("yesterday", "where is the building named tech hall yesterday evening?");
  expect_refused_at("\"EXIT\"", "When did I see an \"EXIT\" marker?");
  expect_refused_at("named", "Where is the \"Tree\" sculpture named \"Oak\"?", "already");
}

TEST(ParseEpisode, WhatNobodyAsksHasNoText) {
  using Event = host::EpisodicQuery::Event;
  host::EpisodicQuery query;
  query.target.noun = host::find_class("bench").value();
  query.ask = host::EpisodicQuery::Ask::kWhere;  // of a thing: a basic question
  EXPECT_THROW(host::text_of(host::Query{query, false}), host::InputError);
  query.ask = host::EpisodicQuery::Ask::kWhen;
  query.event = Event::kInside;
  EXPECT_THROW(host::text_of(host::Query{query, false}), host::InputError);
}

}  // namespace
}  // namespace sightline::tests
