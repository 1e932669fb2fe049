// Places that captions tell: written, read back, and left out of what is embedded.
#include "host/meta_memory/caption_places.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/sightings.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

NounPhrase phrase(const char* noun, const char* attribute = nullptr) {
  NounPhrase asked;
  asked.noun = find_class(noun).value();
  if (attribute != nullptr) asked.attributes = find_attribute(attribute).value();
  asked.text = noun;
  return asked;
}

void expect_places(const std::string& caption, const NounPhrase& asked,
                   const std::vector<Vec3>& expected) {
  const std::vector<Vec3> told = places_told(caption, asked);
  ASSERT_EQ(told.size(), expected.size()) << caption;
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].x, expected[i].x) << caption;
    EXPECT_EQ(told[i].y, expected[i].y) << caption;
    EXPECT_EQ(told[i].z, expected[i].z) << caption;
  }
}

TEST(CaptionPlaces, AreReadAsWritten) {
  const std::string place = caption_place({12.344, -5.6, 0.756});
  EXPECT_EQ(place, " (12.34, -5.60, 0.76)");
  const std::string caption = "There is a mug" + place + ", a door and a chair (1, 2, 3).";
  expect_places(caption, phrase("mug"), {{12.34, -5.6, 0.76}});
  expect_places(caption, phrase("chair"), {{1, 2, 3}});
  expect_places(caption, phrase("door"), {});
  expect_places(caption, phrase("bench"), {});
  EXPECT_EQ(without_places(caption), "There is a mug, a door and a chair.");
}

TEST(CaptionPlaces, AreOfThingsThatMayBeMeant) {
  const std::string caption =
      "I can see a red mug (1, 0, 0), a blue mug (2, 0, 0), a mug (3, 0, 0) and a cup (4, 0, 0).";
  expect_places(caption, phrase("mug"), {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  expect_places(caption, phrase("mug", "red"), {{1, 0, 0}});
  expect_places(caption, phrase("mug", "green"), {{3, 0, 0}});
  expect_places("A mug (3, 0, 0) and a red mug (1, 0, 0)", phrase("mug", "red"), {{1, 0, 0}});
  expect_places("A mug named (sic) Bob (3, 0, 0).", phrase("mug"), {{3, 0, 0}});
}

TEST(CaptionPlaces, AreThreeFiniteNumbers) {
  for (const char* words :
       {"a mug (1, 2)", "a mug (1, 2, 3, 4)", "a mug (one, 2, 3)", "a mug (1 2 3)",
        "a mug (1, 2, nan)", "a mug (1, 2, 1e999)", "a mug (1, 2, 3", "a mug (",
        "a mug (1e300, 0, 0)", "a mug (0, 0, -10000001)"}) {
    expect_places(words, phrase("mug"), {});
    EXPECT_EQ(without_places(words), words);
  }
  for (const char* words : {"a mug (1,2,3)", "a mug(1, 2, 3)", "a mug  ( 1 , 2 ,3 )"}) {
    expect_places(words, phrase("mug"), {{1, 2, 3}});
    EXPECT_EQ(without_places(words), "a mug");
  }
  EXPECT_EQ(without_places(""), "");
  EXPECT_EQ(without_places(" (1, 2, 3) (4, 5, 6)"), "");
}

EntryTable one_entry(const std::string& caption) {
  EntryTable table;
  table.width = kHashedWidth;
  table.embedder = kHashedEmbedder;
  Entry entry;
  entry.position_m = {10, 0, 0};
  entry.caption = caption;
  append_entry(entry, embed_text(table, caption), &table);
  return table;
}

TEST(CaptionPlaces, AreNoWordsOfAnEmbedding) {
  EXPECT_EQ(one_entry("a red mug (12.34, -5.60, 0.75)").embedding(0),
            one_entry("a red mug").embedding(0));
  EXPECT_NE(one_entry("a red mug (12)").embedding(0), one_entry("a red mug").embedding(0));
}

TEST(CaptionPlaces, PlaceWhatNoImageDoes) {
  const EntryTable table = one_entry("a mug (1, 2, 3) and a mug (4, 5, 6)");
  RetrievedEntry hit;
  hit.row = 0;
  const auto seen = [&](bool verifies, bool locates = true) {
    return sightings_of(table, {hit}, phrase("mug"), verifies, locates);
  };
  ASSERT_EQ(seen(false).size(), 2U);
  EXPECT_EQ(seen(false)[1].place_m().x, 4);
  EXPECT_EQ(seen(false)[1].probability, 1);
  ASSERT_EQ(seen(false, false).size(), 1U);
  EXPECT_EQ(seen(false, false)[0].place_m().x, 10);

  EXPECT_TRUE(seen(true).empty());  // looked at, and not there
  hit.verified = true;
  ASSERT_EQ(seen(true).size(), 2U);
  hit.seen_at_m = {{7, 8, 9}};  // an image that places it is believed
  ASSERT_EQ(seen(true).size(), 1U);
  EXPECT_EQ(seen(true)[0].place_m().x, 7);
}

}  // namespace
}  // namespace sightline::host
