// The embedder that knows the lexicon: its words, weights and what is alike by it.
#include "host/meta_memory/place_words.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/meta_memory/place_store.h"
#include "index/backend_info.h"
#include "support/entries.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::PlaceWords;

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

TEST(PlaceWords, AreTheLexiconsNamesAndHaveNoPlural) {
  const std::vector<std::string> words =
      host::place_words("Two COUCHES by a gray wall with windmills (1.00, 2.00, 0.50)");
  EXPECT_EQ(words, (std::vector<std::string>{"two", "sofa", "grey", "wall", "windmill"}));
  EXPECT_EQ(host::place_words("glass"), (std::vector<std::string>{"glass"}));
}

TEST(PlaceWords, SynonymsAreOne) {
  const PlaceWords words(256);
  constexpr double kSame = 1e-6;  // of floats
  EXPECT_NEAR(cosine(words.embed("a couch"), words.embed("the sofas")), 1, kSame);
  EXPECT_LT(cosine(words.embed("a couch"), words.embed("a lamp")), 0.5);
  const host::HashedPhrases hashed(384);
  EXPECT_LT(cosine(hashed.embed("a couch"), hashed.embed("the sofas")), 0.5);
  EXPECT_NE(input_error_of([&] { words.embed("?!"); }), "no error");
}

TEST(PlaceWords, TwoWordsInARowAreAFeature) {
  const PlaceWords words(256);
  const auto asked = words.embed("windmill tower");
  EXPECT_GT(cosine(asked, words.embed("windmill tower")),
            cosine(asked, words.embed("tower windmill")) + 0.01);
}

TEST(PlaceWords, ARepeatedFeatureCountsByItsLogarithm) {
  // Of "ox ox" each feature occurs twice, and "ox+ox" once: by hand.
  const PlaceWords words(4096);
  const std::vector<float> one = words.embed("ox"), two = words.embed("ox ox");
  const double single = 1 / std::sqrt(4.0);  // ox, #^ox, #ox$, #^ox$
  const double weight = 1 + std::log(2.0);
  const double twice = weight / std::sqrt(4 * weight * weight + 1);
  double first = 0, second = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    first = std::max(first, std::fabs(double{one[i]}));
    if (one[i] != 0) second = std::max(second, std::fabs(double{two[i]}));
  }
  constexpr double kRounding = 1e-6;  // of floats
  EXPECT_NEAR(first, single, kRounding);
  EXPECT_NEAR(second, twice, kRounding);
}

TEST(PlaceWords, OfQuestionsWeighWhatFewCaptionsHave) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  host::EntryTable entries;
  entries.width = host::kPlaceWordsWidth;
  entries.embedder = host::kPlaceWords;
  for (const char* caption : {"gravel path", "gravel yard", "gravel road", "gravel windmill"}) {
    host::Entry entry;
    entry.time_s = static_cast<double>(entries.size());
    entry.caption = caption;
    append_entry(entry, embed_text(entries, caption), &entries);
  }
  const std::vector<float> plain = embed_text(entries, "gravel windmill");
  const PlaceWords asked(entries);
  const PlaceWords without(host::kPlaceWordsWidth);
  const std::vector<float> rare = asked.embed("gravel windmill");
  EXPECT_EQ(plain, without.embed("gravel windmill")) << "as captions are";
  EXPECT_GT(cosine(rare, without.embed("windmill")),
            cosine(plain, without.embed("windmill")) + 0.02);
  // A store embeds questions so.
  const host::PlaceStore store(entries, {});
  EXPECT_EQ(embed_text(store.entries(), "gravel windmill"), rare);
}

}  // namespace
}  // namespace sightline::tests
