// Lexical search: words, stems, and BM25 against its formula written out.
#include "index/lexical_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/search.h"

namespace sightline::tests {
namespace {

using index::Hit;
using index::Hits;
using index::IdFilter;
using index::LexicalIndex;
using index::LexicalOptions;
using index::split_words;

constexpr std::uint64_t kSeed = 20240904;
constexpr double kRelativeTolerance = 1e-12;  // the oracle sums and rounds in another order

using Words = std::vector<std::string>;

TEST(Words, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(split_words("The RED mug, 2nd shelf!"), (Words{"the", "red", "mug", "2nd", "shelf"}));
  EXPECT_EQ(split_words("the dog's isn't 'quoted'"), (Words{"the", "dog", "isn", "quoted"}));
  EXPECT_EQ(split_words("O'Neil's rock'n'roll dogs' 5''x7''"),
            (Words{"o", "rock", "dogs", "5", "x7"}));
  EXPECT_EQ(split_words("Caf\xc3\xa9-bar"), (Words{"caf\xc3\xa9", "bar"}));
  EXPECT_EQ(split_words(" \t.,-'' "), Words{});
  EXPECT_EQ(split_words(""), Words{});
}

bool have_stemmer() { return !index::backend_info().stemmer_languages.empty(); }

TEST(Stemmer, ReducesEnglishWordsAsSnowballDoes) {
  if (!have_stemmer()) GTEST_SKIP() << "this build has no libstemmer";
  index::Stemmer stemmer("english");
  // From the vocabulary that Snowball publishes for its English stemmer.
  const std::map<std::string, std::string> expected{
      {"consigned", "consign"},   {"knackeries", "knackeri"},
      {"generously", "generous"}, {"walking", "walk"},
      {"walks", "walk"},          {"skies", "sky"},
      {"dying", "die"},           {"news", "news"}};
  for (const auto& [word, stem] : expected) EXPECT_EQ(stemmer.stem(word), stem);
  index::Stemmer none("none");
  EXPECT_EQ(none.stem("walking"), "walking");
}

TEST(Stemmer, RefusesWhatItDoesNotKnow) {
  if (have_stemmer()) {
    EXPECT_TRUE(says(bad_input_of([] { index::Stemmer("klingon"); }), "give none, arabic"));
  } else {
    EXPECT_THROW(index::Stemmer("english"), index::MissingLibrary);
  }
}

LexicalOptions plain_words() {
  LexicalOptions options;
  options.stemmer = "none";
  return options;
}

/// BM25 of every row for a query of plain words, from the definition: each text is read again for
/// each word. Rows without any of the words are left out.
std::map<std::int64_t, double> plain_bm25(const std::vector<Words>& texts, const Words& query,
                                          const LexicalOptions& options) {
  const auto all = static_cast<double>(texts.size());
  std::map<std::string, double> holding;  // texts with the word
  for (const Words& text : texts) {
    for (const std::string& word : std::set<std::string>(text.begin(), text.end())) ++holding[word];
  }
  const auto raw_idf = [&](const std::string& word) {
    const double odds = (all - holding[word] + 0.5) / (holding[word] + 0.5);
    return options.idf == LexicalOptions::Idf::kLucene ? std::log(1 + odds) : std::log(odds);
  };
  std::map<std::string, double> idf;
  double total_idf = 0, total_words = 0;
  for (const Words& text : texts) {
    total_words += static_cast<double>(text.size());
    for (const std::string& word : text) {
      if (idf.emplace(word, raw_idf(word)).second) total_idf += idf[word];
    }
  }
  const double floor = options.okapi_epsilon * total_idf / static_cast<double>(idf.size());
  std::map<std::int64_t, double> scores;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const Words& text = texts[row];
    for (const std::string& word : query) {
      const auto f = static_cast<double>(std::count(text.begin(), text.end(), word));
      if (f == 0) continue;
      const double length = static_cast<double>(text.size()) / (total_words / all);
      scores[static_cast<std::int64_t>(row)] +=
          (idf[word] < 0 ? floor : idf[word]) * f * (options.k1 + 1) /
          (f + options.k1 * (1 - options.b + options.b * length));
    }
  }
  return scores;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

/// Texts of words w0 .. w29, low numbers far more often, as words lie in language.
std::vector<Words> random_texts(std::int64_t num, std::uint64_t seed) {
  Random random(seed);
  std::vector<Words> texts(static_cast<std::size_t>(num));
  for (Words& text : texts) {
    for (std::int64_t i = random.integer(0, 14); i > 0; --i) {
      const double u = random.uniform(0, 1);
      text.push_back("w" + std::to_string(static_cast<int>(30 * u * u * u)));
    }
  }
  return texts;
}

void expect_agrees(const Hits& found, const std::map<std::int64_t, double>& oracle) {
  ASSERT_EQ(found.size(), oracle.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double expected = oracle.at(found[i].row);
    EXPECT_NEAR(found[i].score, expected, kRelativeTolerance * std::fabs(expected));
    if (i == 0) continue;
    EXPECT_TRUE(found[i - 1].score > found[i].score ||
                (found[i - 1].score == found[i].score && found[i - 1].row < found[i].row));
  }
}

TEST(LexicalIndex, ScoresAsTheDefinitionSays) {
  const std::vector<Words> texts = random_texts(120, kSeed);
  std::vector<std::string> joined_texts;
  for (const Words& text : texts) joined_texts.push_back(joined(text));
  for (const auto idf : {LexicalOptions::Idf::kLucene, LexicalOptions::Idf::kOkapi}) {
    for (const auto& [k1, b] :
         {std::pair{1.2, 0.75}, {1.5, 0.75}, {0.0, 0.5}, {2.0, 0.0}, {2.0, 1.0}}) {
      LexicalOptions options = plain_words();
      options.idf = idf;
      options.k1 = k1;
      options.b = b;
      const LexicalIndex index(joined_texts, options);
      for (const Words& query : random_texts(20, kSeed + 1)) {
        expect_agrees(index.search(joined(query), 1000), plain_bm25(texts, query, options));
      }
    }
  }
}

TEST(LexicalIndex, KeepsTheBestKAndTheFilter) {
  const std::vector<Words> texts = random_texts(200, kSeed);
  std::vector<std::string> joined_texts;
  for (const Words& text : texts) joined_texts.push_back(joined(text));
  const LexicalIndex index(joined_texts, plain_words());
  const Hits all = index.search("w0 w3 w9", 1000);
  ASSERT_GT(all.size(), 20u);
  EXPECT_EQ(index.search("w0 w3 w9", 7), Hits(all.begin(), all.begin() + 7));
  const IdFilter kept = IdFilter::of_mask(random_mask(200, 0.3, kSeed));
  Hits expected;
  std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
               [&](const Hit& hit) { return kept.contains(hit.row); });
  EXPECT_EQ(index.search("w0 w3 w9", 1000, &kept), expected);
}

TEST(LexicalIndex, FindsOtherFormsOfAWordAndOrdersEqualTextsByRow) {
  if (!have_stemmer()) GTEST_SKIP() << "this build has no libstemmer";
  const LexicalIndex index({"a chair", "the dog walked home", "dogs walk", "The dog walked home!"},
                           LexicalOptions{});
  const Hits hits = index.search("walking dog", 10);
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].row, 2);  // the shorter text
  EXPECT_EQ(hits[1].row, 1);
  EXPECT_EQ(hits[2].row, 3);
  EXPECT_EQ(hits[1].score, hits[2].score);
}

TEST(LexicalIndex, AnswersDoNotDependOnThreads) {
  std::vector<std::string> texts, queries;
  for (const Words& text : random_texts(300, kSeed)) texts.push_back(joined(text));
  for (const Words& query : random_texts(70, kSeed + 2)) queries.push_back(joined(query));
  const LexicalIndex index(texts, plain_words());
  const IdFilter kept = IdFilter::range(300, 20, 250);
  const std::vector<Hits> one = index.search(queries, 9, {&kept}, 1);
  EXPECT_EQ(one, index.search(queries, 9, {&kept}, 2));
  EXPECT_EQ(one, index.search(queries, 9, {&kept}, 4));
  EXPECT_EQ(one[3], index.search(queries[3], 9, &kept));
}

TEST(LexicalIndex, HasNothingToFindInNothing) {
  const LexicalIndex none({}, plain_words());
  EXPECT_TRUE(none.search("word", 5).empty());
  const LexicalIndex empty_texts({"", "...", "one"}, plain_words());
  EXPECT_TRUE(empty_texts.search("", 5).empty());
  EXPECT_TRUE(empty_texts.search("unknown", 5).empty());
  EXPECT_EQ(empty_texts.search("one", 5).size(), 1u);
  EXPECT_EQ(empty_texts.num_rows(), 3);
  EXPECT_EQ(empty_texts.num_terms(), 1);
}

TEST(LexicalIndex, RefusesOptionsOutOfRange) {
  for (const auto& [k1, b] : {std::pair{-1.0, 0.5}, {1.0, 1.5}, {std::nan(""), 0.5}}) {
    LexicalOptions options = plain_words();
    options.k1 = k1;
    options.b = b;
    EXPECT_TRUE(says(bad_input_of([&] { LexicalIndex({"a"}, options); }), "BM25's"));
  }
  const LexicalIndex index({"a"}, plain_words());
  EXPECT_TRUE(says(bad_input_of([&] { index.search("a", 0); }), "k 0"));
  const IdFilter other = IdFilter::all(2);
  EXPECT_TRUE(says(bad_input_of([&] { index.search("a", 1, &other); }), "is over 2 rows"));
}

}  // namespace
}  // namespace sightline::tests
