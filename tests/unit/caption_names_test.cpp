// Names that captions give to things: whole, and of the thing that they belong to.
#include "host/meta_memory/caption_names.h"

#include <gtest/gtest.h>

#include <string>

#include "host/meta_memory/caption_places.h"
#include "host/meta_memory/retrieved.h"

namespace sightline::host {
namespace {

NounPhrase named(const char* noun, const char* name) {
  NounPhrase asked;
  asked.noun = find_class(noun).value();
  asked.name = name;
  return asked;
}

bool has_name(const std::string& caption, const char* noun, const char* name) {
  const CaptionMatch match = match_caption(caption, named(noun, name));
  return match.names_class && match.has_name;
}

TEST(CaptionNames, BehindNamedOrCalledOrInQuotes) {
  EXPECT_TRUE(has_name("I can see a library named Norris.", "library", "Norris"));
  EXPECT_TRUE(has_name("a LIBRARY NAMED NORRIS, and a bench", "library", "norris"));
  EXPECT_TRUE(has_name("a library called Norris in the sun", "library", "Norris"));
  EXPECT_TRUE(has_name("a cafe \"Blue Door\"", "cafe", "Blue Door"));
  EXPECT_TRUE(has_name("a library named \"Arts and Crafts Hall\" and a bench", "library",
                       "Arts and Crafts Hall"));
  EXPECT_TRUE(has_name("a library named Norris and a museum named Block", "museum", "Block"));
  EXPECT_TRUE(has_name("a library named Norris and a museum named Block", "library", "Norris"));
}

TEST(CaptionNames, BeforeTheNoun) {
  EXPECT_TRUE(has_name("the Norris library, and a bench", "library", "Norris"));
  EXPECT_FALSE(has_name("the Norris, and a library", "library", "Norris"));
}

TEST(CaptionNames, AreWholeWordsAndWholeNames) {
  EXPECT_FALSE(has_name("a library named Southgate.", "library", "South"));
  EXPECT_FALSE(has_name("a library named South Hall.", "library", "South"));
  EXPECT_TRUE(has_name("a library named South Hall.", "library", "South Hall"));
  EXPECT_FALSE(has_name("a library named south hall.", "library", "south"));
  EXPECT_FALSE(has_name("a library named Hall of Fame", "library", "Hall"));
  EXPECT_FALSE(has_name("a library named Mid South", "library", "South"));
  EXPECT_FALSE(has_name("a cafe with art on a partition", "cafe", "Art"));
}

TEST(CaptionNames, BelongToTheirThing) {
  EXPECT_FALSE(has_name("a gate named Kline and a museum", "museum", "Kline"));
  EXPECT_TRUE(has_name("a gate named Kline and a museum", "gate", "Kline"));
  // What is not so named is of the class all the same.
  EXPECT_TRUE(
      match_caption("a gate named Kline and a museum", named("museum", "Kline")).names_class);
  NounPhrase red = named("library", "South");
  red.attributes = find_attribute("red").value();
  const std::string both = "a red library named North and a library named South";
  EXPECT_EQ(match_caption(both, red).matched, 0U);
  EXPECT_TRUE(match_caption(both, red).has_name);
}

TEST(CaptionNames, HaveTheirPlaces) {
  const auto places = [](const std::string& caption, const char* noun, const char* name) {
    return places_told(caption, named(noun, name));
  };
  const std::string two = "a library named North (100, 0, 0) and a library named South (0, 5, 0)";
  ASSERT_EQ(places(two, "library", "South").size(), 1U);
  EXPECT_EQ(places(two, "library", "South")[0].y, 5);
  EXPECT_EQ(places(two, "library", "North")[0].x, 100);
  EXPECT_TRUE(
      places("a gate named Kline (9, 9, 0) and a museum (20, 0, 0)", "museum", "Kline").empty());
  ASSERT_EQ(places("the Norris library (1, 2, 3)", "library", "Norris").size(), 1U);
}

}  // namespace
}  // namespace sightline::host
