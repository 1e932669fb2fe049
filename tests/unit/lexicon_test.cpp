// The words of the closed language: classes, attributes, and what a text names.
#include "host/meta_memory/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace sightline::tests {
namespace {

using host::AttributeBits;
using host::classes_named_in;
using host::ClassId;
using host::find_attribute;
using host::find_class;
using host::is_one_of;
using host::thing_classes;

ClassId id(const std::string& words) {
  const std::optional<ClassId> found = find_class(words);
  EXPECT_TRUE(found) << words;
  return found.value_or(host::kNoClass);
}

TEST(Lexicon, HoldsWhatThePaperNames) {
  for (const char* name : {"vending machine",
                           "basketball court",
                           "soccer field",
                           "football field",
                           "water dispenser",
                           "water cooler",
                           "supermarket",
                           "restaurant",
                           "coffee shop",
                           "library",
                           "refrigerator",
                           "microwave",
                           "window",
                           "bar stool",
                           "chair",
                           "cup",
                           "mug",
                           "book",
                           "room",
                           "building",
                           "bench",
                           "trash bin",
                           "bicycle rack",
                           "stairs",
                           "elevator",
                           "door",
                           "sign",
                           "kitchen"}) {
    EXPECT_TRUE(find_class(name)) << name;
  }
  constexpr std::int64_t kFewestThings = 40, kFewestLandmarks = 10;  // enough for a campus
  const auto& classes = thing_classes();
  const auto places = std::count_if(classes.begin(), classes.end(),
                                    [](const host::ThingClass& known) { return known.is_place; });
  EXPECT_GE(places, kFewestLandmarks);
  EXPECT_GE(static_cast<std::int64_t>(classes.size()) - places, kFewestThings);
}

TEST(Lexicon, EveryNameIsOfOneClass) {
  std::map<std::string, std::string> class_of;
  for (const host::ThingClass& known : thing_classes()) {
    std::vector<std::string> names = known.synonyms;
    names.push_back(known.name);
    for (const std::string& name : names) {
      EXPECT_TRUE(class_of.emplace(name, known.name).second)
          << name << " is of " << class_of[name] << " and of " << known.name;
      EXPECT_EQ(thing_classes()[id(name)].name, known.name);
    }
  }
}

/// Files hold the ids: a class that moves changes what they say.
TEST(Lexicon, IdsStay) {
  EXPECT_EQ(id("drinking vessel"), 0);
  EXPECT_EQ(id("mug"), 2);
  EXPECT_EQ(id("seat"), 55);
  EXPECT_EQ(id("vending machine"), 121);
  EXPECT_EQ(id("building"), 168);
  EXPECT_EQ(id("balcony"), 224);
  EXPECT_EQ(id("pedestrian overpass"), 233);
  EXPECT_EQ(thing_classes().size(), 234u);
}

TEST(Lexicon, PluralsAndCase) {
  EXPECT_EQ(id("BENCHES"), id("bench"));
  EXPECT_EQ(id("Bookshelves"), id("bookshelf"));
  EXPECT_EQ(id("libraries"), id("library"));
  EXPECT_EQ(id("trash  cans"), id("trash bin"));
  EXPECT_EQ(id("coffee-shop"), id("coffee shop"));
  EXPECT_EQ(id("places to sit"), id("seat"));
  EXPECT_EQ(id("CAF\u00c9S"), id("coffee shop"));
  EXPECT_EQ(id("stair"), id("stairs"));
  EXPECT_EQ(id("keys"), id("key"));
  EXPECT_FALSE(find_class("stairses"));
  EXPECT_FALSE(find_class("unicorn"));
  EXPECT_FALSE(find_class(""));
}

TEST(Lexicon, ParentsAreFollowed) {
  EXPECT_TRUE(is_one_of(id("mug"), id("mug")));
  EXPECT_TRUE(is_one_of(id("mug"), id("drinking vessel")));
  EXPECT_FALSE(is_one_of(id("mug"), id("cup")));
  EXPECT_FALSE(is_one_of(id("drinking vessel"), id("mug")));
  EXPECT_TRUE(is_one_of(id("bar stool"), id("seat")));
  EXPECT_FALSE(is_one_of(host::kNoClass, id("mug")));
  EXPECT_FALSE(is_one_of(host::kNoClass, host::kNoClass));
}

TEST(Lexicon, Attributes) {
  ASSERT_EQ(host::attribute_names().size(), static_cast<std::size_t>(host::kNumAttributes));
  for (std::size_t bit = 0; bit < host::attribute_names().size(); ++bit) {
    EXPECT_EQ(find_attribute(host::attribute_names()[bit]), AttributeBits{1} << bit);
  }
  EXPECT_EQ(find_attribute("Gray"), find_attribute("grey"));
  EXPECT_EQ(find_attribute("wooden"), AttributeBits{1} << host::kNumColours);
  EXPECT_EQ(find_attribute("big"), find_attribute("large"));
  EXPECT_FALSE(find_attribute("nice"));
}

TEST(Lexicon, NamesInTexts) {
  const auto named = [](const std::string& text, std::vector<std::string> names) {
    std::vector<ClassId> ids;
    for (const std::string& name : names) ids.push_back(id(name));
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(classes_named_in(text), ids) << text;
  };
  named("A water dispenser, two Mugs and another mug.", {"water dispenser", "mug"});
  named("a basketball court", {"basketball court"});
  named("large glass doors", {"door"});
  named("a glass of water by the glass table", {"glass", "table"});
  named("coffee. Shop hours", {"shop"});
  named("nothing here", {});
  named("A view without chairs or a red table, but a bench.", {"bench"});
  named("There is no vending machine.", {});
  named("There are no other visible glass doors, and a mug is not a glass", {"mug"});
  named("no bench and a table", {"table"});
  named("No bench, table or statue.", {});
  named("No bench, a table or a chair.", {"table", "chair"});
  named("A view with no cars, a tree and a bench", {"tree", "bench"});
  named("no wooden or metal bench; a mug", {"mug"});
  named("No big, red bench.", {});
  named("No more benches, no sign of a table, not a single chair", {});
  named("There is neither a bench nor a table.", {});
  named("There is no longer a bench, lacking a sofa, zero chairs", {});
  named("not far from a bench", {"bench"});
  named("no longer by the table", {"table"});
  EXPECT_EQ(classes_named_in("a no parking sign"), classes_named_in("a parking sign"));
  EXPECT_FALSE(classes_named_in("a no parking sign").empty());
  named("", {});
}

}  // namespace
}  // namespace sightline::tests
