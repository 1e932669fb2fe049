// Questions in English, read by hand and by the parser: every one that the Meta-Memory paper
// prints, other wordings, and what is refused.
#include "host/meta_memory/parse_query.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/queries.h"

namespace sightline::tests {
namespace {

using host::BasicQuery;
using host::Cardinal;
using host::GlobalQuery;
using host::LocalQuery;
using host::NounPhrase;
using host::ParsedQuery;
using host::Query;
using host::Reference;
using Relation = host::GlobalQuery::Relation;

Query basic(NounPhrase target, bool latest = false) {
  return {BasicQuery{std::move(target), latest}, false};
}
Query local(std::vector<NounPhrase> things) { return {LocalQuery{std::move(things)}, false}; }
Query global(Relation relation, NounPhrase target, std::vector<Reference> references) {
  GlobalQuery made;
  made.relation = relation;
  made.target = std::move(target);
  made.references = std::move(references);
  return {made, false};
}
Query kth(int k, NounPhrase target, std::vector<Reference> references) {
  Query made = global(Relation::kKth, std::move(target), std::move(references));
  std::get<GlobalQuery>(made.asked).k = k;
  return made;
}
Query direction(Cardinal cardinal, NounPhrase target, Reference reference) {
  Query made = global(Relation::kDirection, std::move(target), {std::move(reference)});
  std::get<GlobalQuery>(made.asked).direction = cardinal;
  return made;
}
Query on_foot(Query query) {
  std::get<GlobalQuery>(query.asked).on_foot = true;
  return query;
}
Query and_take_me(Query query) {
  query.take_me_there = true;
  return query;
}
Reference point(double x, double y) {
  Reference made;
  made.kind = Reference::Kind::kPoint;
  made.x = x;
  made.y = y;
  return made;
}

void expect_reads(const std::string& text, const Query& expected) {
  const ParsedQuery parsed = host::try_parse_query(text);
  ASSERT_TRUE(parsed.query) << text << "\n" << parsed.error;
  EXPECT_TRUE(host::same_query(*parsed.query, expected))
      << text << "\nread as   " << text_of(*parsed.query) << "\ninstead of " << text_of(expected);
}

/// Is it refused at the first place where this piece stands? Empty: at the end.
void expect_refused_at(const std::string& piece, const std::string& text,
                       const std::string& message = "") {
  const ParsedQuery parsed = host::try_parse_query(text);
  ASSERT_FALSE(parsed.query) << text << "\nread as " << text_of(*parsed.query);
  const std::size_t at = piece.empty() ? text.size() : text.find(piece);
  EXPECT_EQ(parsed.character, at + 1) << text << "\n" << parsed.error;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, message, parsed.error) << text;
}

const Reference kHere;

TEST(ParseQuery, QuestionsOfThePaper) {
  const Reference basketball = at_thing(thing("basketball court"));
  const Reference soccer = at_thing(thing("soccer field"));
  const NounPhrase machine = thing("vending machine");
  expect_reads("Where\u2019s the nearest coffee shop southwest of here?",  // section I
               direction(Cardinal::kSouthwest, thing("coffee shop"), kHere));
  expect_reads(  // section III.B.3, Figure 3
      "Where is the vending machine on the route from the basketball court to the football field?",
      global(Relation::kRoute, machine, {basketball, soccer}));
  expect_reads("Where is the vending machine closest to the west side of the basketball court?",
               direction(Cardinal::kWest, machine, basketball));
  expect_reads(  // Figure 4
      "On the route from my current location to the basketball court, where is the vending machine?"
      " Can you take me there.",
      and_take_me(global(Relation::kRoute, machine, {kHere, basketball})));
  expect_reads("Where did I put my red cup?", basic(thing("cup", {"red"})));  // section IV.A
  expect_reads("Which room contains a refrigerator, a microwave, and a window?",
               local({thing("refrigerator"), thing("microwave"), thing("window")}));
  expect_reads(
      "Where is the vending machine along the route from the basketball court to the soccer field?",
      global(Relation::kRoute, machine, {basketball, soccer}));
  // Section V.A and Figure 5 tell these in words of their own.
  expect_reads("Where is the black bar stool?", basic(thing("bar stool", {"black"})));
  expect_reads("Where is the book?", basic(thing("book")));
  expect_reads("Where is the water cooler located on the path from Room 423 to Room 426?",
               global(Relation::kRoute, thing("water dispenser"),
                      {at_thing(thing("room", {}, "423")), at_thing(thing("room", {}, "426"))}));
}

TEST(ParseQuery, QuestionOfAnExample) {
  expect_reads("where is the nearest vending machine to the west of the library",
               direction(Cardinal::kWest, thing("vending machine"), at_thing(thing("library"))));
}

TEST(ParseQuery, Basic) {
  const Query cup = basic(thing("cup"));
  for (const char* text :
       {"where is the cup", "WHERE'S MY CUP?", "Wheres the cup", "Where are the cups?!",
        "Where did I leave my cup.", "please, where can I find a cup", "where was the cup located",
        "Where have you seen the cup?", "Where I can find the cup\uff1f",
        "  where\tis\nthe cup  "}) {
    expect_reads(text, cup);
  }
  for (const char* text : {"Can you take me to the cup?", "take me to a cup, please",
                           "How do I get to the cup?", "Where is the cup? Could you take me there?",
                           "Where is the cup and please take me there"}) {
    expect_reads(text, and_take_me(cup));
  }
  const Query latest = basic(thing("cup"), true);
  for (const char* text : {"Where did I last see my cup?", "Where was the cup last seen?",
                           "Where did I see my cup last?", "Where have I last seen the cup"}) {
    expect_reads(text, latest);
  }
}

TEST(ParseQuery, NounPhrases) {
  const Query chair = basic(thing("chair", {"black", "white", "wooden", "large"}));
  for (const char* text : {"where is the large black and white wooden chair",
                           "where is the big, wooden, white, black chair",
                           "where is the wood black-colored white coloured large chair"}) {
    expect_reads(text, chair);
  }
  expect_reads("where is the glass", basic(thing("glass")));
  expect_reads("where is the empty glass bottle", basic(thing("bottle", {"empty", "glass"})));
  expect_reads("where is the red paper towel dispenser",
               basic(thing("paper towel dispenser", {"red"})));
  const Query hall = basic(thing("building", {"brick"}, "Annenberg Hall"));
  for (const char* text :
       {"Where is the brick building named Annenberg Hall?",
        "Where is the brick building called \"Annenberg  Hall\"?",
        "Where is the brick building that is named \u201cAnnenberg Hall\u201d"}) {
    expect_reads(text, hall);
  }
  expect_reads("where is the bench near the building named annenberg hall and the pond",
               local({thing("bench"), thing("building", {}, "annenberg hall"), thing("pond")}));
  const Query parsed = host::parse_query("Where is  the red  Water Cooler?");
  EXPECT_EQ(std::get<BasicQuery>(parsed.asked).target.text, "red Water Cooler");
}

TEST(ParseQuery, Local) {
  const Query kitchen = local({thing("sink"), thing("oven", {"white"})});
  for (const char* text :
       {"which place has a sink and a white oven",
        "What area contains both a sink, and a white oven?",
        "In which room are a sink and a white oven?", "Where can I find a sink near a white oven?",
        "where can I find the sink with the white oven",
        "Where is the sink next to the white oven?"}) {
    expect_reads(text, kitchen);
  }
  expect_reads("Can you take me to the restroom near the food court?",
               and_take_me(local({thing("bathroom"), thing("food court")})));
}

TEST(ParseQuery, Routes) {
  const NounPhrase bench = thing("bench");
  const Reference library = at_thing(thing("library"));
  expect_reads("where is the bench on the way to the library",
               global(Relation::kRoute, bench, {kHere, library}));
  expect_reads("where is the bench along the path between (1.5, -2e1) and my position",
               global(Relation::kRoute, bench, {point(1.5, -20), kHere}));
  const std::vector<const char*> ordinals{"last",  "first",   "second", "third", "fourth", "fifth",
                                          "sixth", "seventh", "eighth", "ninth", "tenth"};
  for (int k = 0; k <= 10; ++k) {
    expect_reads("Where is the " + std::string(ordinals[static_cast<std::size_t>(k)]) +
                     " bench on the route from here to the library?",
                 kth(k, bench, {kHere, library}));
  }
  expect_reads("Where is the first aid kit?", basic(thing("first aid kit")));
  expect_reads("Where is the first first aid kit on the way to the library?",
               kth(1, thing("first aid kit"), {kHere, library}));
  expect_reads("Along the way from here to the library where's the 2nd bench?",
               kth(2, bench, {kHere, library}));
}

TEST(ParseQuery, Directions) {
  const std::vector<std::string> names{"north", "northeast", "east", "southeast",
                                       "south", "southwest", "west", "northwest"};
  const NounPhrase bench = thing("bench");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Query expected = direction(static_cast<Cardinal>(i), bench, at_thing(thing("pond")));
    expect_reads("Where is the nearest bench " + names[i] + " of the pond?", expected);
    expect_reads("Where is the closest bench to the " + names[i] + " of the pond?", expected);
    expect_reads("Where is the bench on the " + names[i] + "ern side of the pond?", expected);
    expect_reads("Where is the bench nearest to the " + names[i] + " side of the pond?", expected);
  }
  expect_reads("where is a bench to the south-west of (\u22123, 4)",
               direction(Cardinal::kSouthwest, bench, point(-3, 4)));
  expect_reads("where is a bench that is north eastern of me",
               direction(Cardinal::kNortheast, bench, kHere));
}

TEST(ParseQuery, BetweenVisibleNear) {
  const NounPhrase bench = thing("bench");
  const Reference library = at_thing(thing("library")), pond = at_thing(thing("pond"));
  expect_reads("where is the bench between the library and the pond",
               global(Relation::kBetween, bench, {library, pond}));
  for (const char* text : {"where is the bench visible from the library",
                           "where is the bench that I can see from the library",
                           "where is the bench that can be seen from the library",
                           "where is the bench which is in sight of the library"}) {
    expect_reads(text, global(Relation::kVisible, bench, {library}));
  }
  const Query near = global(Relation::kNear, bench, {kHere});
  for (const char* text :
       {"where is the nearest bench", "where is the closest bench to me",
        "where is a bench near here", "where is the bench nearest to where I am"}) {
    expect_reads(text, near);
  }
  expect_reads("where is the nearest bench on foot", on_foot(near));
  const Query near_pond = on_foot(global(Relation::kNear, bench, {pond}));
  expect_reads("where is the nearest bench to the pond on foot", near_pond);
  expect_reads("where is the nearest bench by foot to the pond", near_pond);
  expect_reads("where is the bench closest to the pond walking", near_pond);
}

TEST(ParseQuery, RefusalsNameThePosition) {
  expect_refused_at("", "", "at the end");
  expect_refused_at("", "Where is the");
  expect_refused_at("", "Where is the red");
  expect_refused_at("benhc", "Where is the benhc?", "did you mean \"bench\"?");
  expect_refused_at("left", "Where did you left my cup?");
  expect_refused_at("that", "Where is the nearest bike rack that is not empty?");
  expect_refused_at("frame", "Where is the picture frame?");
  expect_refused_at("toy", "Where is the toy car?");
  expect_refused_at("in", "Where is the cup in the kitchen?");
  expect_refused_at("and", "Where is the cup and the mug?");
  expect_refused_at("?", "Which room has a cup?", "two things at least");
  expect_refused_at("?", "Which room has a cup, a mug?", "follows \"and\"");
  expect_refused_at("second", "Where is the second bench?", "only things on a route");
  expect_refused_at("on the", "Where is the nearest bench on the route from here to the pond?");
  expect_refused_at("near the", "Where did I last see the cup near the sink?", "seen last");
  expect_refused_at("the library", "Where did you leave the library?", "is a place");
  expect_refused_at("there", "Where is the bench between here and there?");
  expect_refused_at("?", "Where is the bench between here?", "\"and\" must stand here");
  expect_refused_at("(1", "Where is the bench west of (1, nan)?");
  expect_refused_at("\"", "Where is the building named \"Annenberg?");
  expect_refused_at("\"\"", "Where is the building named \"\"?", "must not be empty");
  expect_refused_at("\xff", "Where is the \xff?");
  expect_refused_at("Where", "Where is the " + std::string(host::kMaxQuestionBytes, ' ') + "cup?",
                    "bytes");
}

TEST(ParseQuery, EightThingsOfAPlaceAtMost) {
  const std::string seven = "Which room has a cup, a mug, a bowl, a plate, a book, a pen, a key";
  const ParsedQuery eight = host::try_parse_query(seven + " and a lamp?");
  ASSERT_TRUE(eight.query) << eight.error;
  EXPECT_EQ(std::get<LocalQuery>(eight.query->asked).things.size(), 8u);
  expect_refused_at("?", seven + ", a lamp and a sofa?", "8 things at most");
}

TEST(ParseQuery, EachThingOfAPlaceIsNamedOnce) {
  expect_refused_at("sofa?", "Which room has the sofa and the sofa?", "asked for already");
  expect_refused_at("couch?", "Which room has a lamp, a sofa and a couch?", "asked for already");
  expect_refused_at("red mug?", "Where can I find the red mug near a red mug?", "name each thing");
  for (const char* other : {"Which room has a mug and a red mug?",
                            "Where is the building \"A\" near the building \"B\"?"}) {
    const ParsedQuery parsed = host::try_parse_query(other);
    EXPECT_TRUE(parsed.query) << other << ": " << parsed.error;
  }
}

TEST(ParseQuery, PlacesAreWithin10000Km) {
  for (const char* place : {"(10000000, -10000000)", "(1e7, 0)", "(-9999999.5, 3)"}) {
    EXPECT_TRUE(host::try_parse_query(std::string("Where is the bench west of ") + place).query)
        << place;
  }
  for (const char* place : {"(10000001, 0)", "(0, -10000000.1)", "(1e300, 0)"}) {
    expect_refused_at("(", std::string("Where is the bench west of ") + place, "10,000 km");
  }
}

TEST(ParseQuery, TellsWhatAsksFromHere) {
  for (const char* text :
       {"where is the nearest bench", "where is the bench between the pond and me",
        "where is the bench on the route from my current location to the pond"}) {
    EXPECT_TRUE(says_here(host::parse_query(text))) << text;
  }
  for (const char* text :
       {"where is the bench", "which room has a cup and a mug",
        "where is the bench west of the pond", "where is the bench west of (1, 2)"}) {
    EXPECT_FALSE(says_here(host::parse_query(text))) << text;
  }
}

TEST(ParseQuery, PositionsCountCharacters) {
  const ParsedQuery parsed = host::try_parse_query("Where is the caf\u00e9 \u00fcber?");
  EXPECT_EQ(parsed.character, 19u) << parsed.error;
}

TEST(ParseQuery, ThrowsWhereItIsAskedTo) {
  try {
    host::parse_query("Where is the unicorn?");
    FAIL() << "no error";
  } catch (const host::QueryError& error) {
    EXPECT_EQ(error.character(), 14u);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "character 14, \"unicorn\"", error.what());
  }
}

TEST(ParseQuery, TextsOfWhatNobodyAsks) {
  const auto error_of = [](const Query& query) { return input_error_of([&] { text_of(query); }); };
  const NounPhrase bench = thing("bench");
  EXPECT_NE(error_of(basic(NounPhrase{})), "no error");
  EXPECT_NE(error_of(basic(thing("bench", {}, "a \"b"))), "no error");
  EXPECT_NE(error_of(basic(thing("bench", {}, " "))), "no error");
  EXPECT_NE(error_of(local({bench})), "no error");
  EXPECT_NE(error_of(local({bench, bench})), "no error");
  EXPECT_NE(error_of(local({})), "no error");
  EXPECT_NE(error_of(global(Relation::kNear, bench, {})), "no error");
  EXPECT_NE(
      error_of(global(Relation::kNear, bench, {point(0, std::numeric_limits<double>::infinity())})),
      "no error");
  EXPECT_NE(error_of(kth(11, bench, {kHere, kHere})), "no error");
  EXPECT_NE(error_of(kth(-1, bench, {kHere, kHere})), "no error");
}

}  // namespace
}  // namespace sightline::tests
