// Flattened arms that are broken on purpose: notes ranked by the words of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/studies/note_recall.h"
#include "index/backend_info.h"
#include "support/errors.h"

namespace sightline {
namespace {

using host::ConfigValue;
using host::NoteArm;

constexpr std::uint64_t kSeed = 5;
const std::vector<std::string> kThings{"anchor", "barrel", "candle", "drawer", "engine", "fiddle",
                                       "garden", "hammer", "island", "jacket", "kettle", "ladder"};

NoteArm arm_of(const std::string& yaml) {
  constexpr std::int64_t kDepth = 3;
  return host::parse_note_arm(ConfigValue::parse_yaml(yaml, "a.yaml"), kDepth,
                              host::TextEmbedder());
}

host::NoteStore store() {
  std::vector<host::Note> notes;
  for (const std::string& thing : kThings) {
    notes.push_back({"old " + thing, "The " + thing + " is broken."});
  }
  return host::make_note_store(notes, {}, kSeed);
}

/// The first row found for each thing, asked for by its name.
std::vector<std::int64_t> first_rows(const std::string& arm, std::uint64_t seed = kSeed) {
  const host::NoteStore notes = store();
  const host::TextEmbedder hashed;
  host::NoteRecall recall(arm_of(arm), notes, hashed, seed);
  std::vector<std::int64_t> rows;
  for (const std::string& thing : kThings) {
    rows.push_back(recall.surfaced("Mend the " + thing + ".", 0).at(0));
  }
  return rows;
}

class ShuffledTexts : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const index::BackendInfo info = index::backend_info();
    if (info.stemmer_languages.empty() || info.faiss_version.empty()) {
      GTEST_SKIP() << "this build has no libstemmer, or no FAISS";
    }
  }
  std::string arm(const std::string& texts) const {
    return std::string("{answer: flattened, ranker: ") + GetParam() + ", texts: " + texts + "}";
  }
};

// A word is in one note alone, so that whoever is asked for it finds that note's new row.
TEST_P(ShuffledTexts, ExchangeTheRowsAndNothingElse) {
  std::vector<std::int64_t> in_order(kThings.size());
  for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i] = static_cast<std::int64_t>(i);
  EXPECT_EQ(first_rows(arm("own")), in_order);
  std::vector<std::int64_t> rows = first_rows(arm("shuffled"));
  EXPECT_NE(rows, in_order);
  EXPECT_EQ(rows, first_rows(arm("shuffled")));
  EXPECT_NE(rows, first_rows(arm("shuffled"), kSeed + 1));
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, in_order) << "a permutation";
}

INSTANTIATE_TEST_SUITE_P(Rankers, ShuffledTexts, testing::Values("cosine", "bm25", "hybrid"),
                         [](const auto& ranker) { return std::string(ranker.param); });

TEST(ShuffledTextsOfOtherArms, AreRefused) {
  const auto error_of = [](const std::string& arm) {
    return tests::input_error_of([&] { arm_of(arm); });
  };
  EXPECT_NE(error_of("{answer: flattened, texts: mine}").find("shuffled"), std::string::npos);
  EXPECT_NE(error_of("{answer: world_bound, texts: shuffled}").find("texts"), std::string::npos);
  EXPECT_NE(error_of("{answer: object_keyed, texts: shuffled}").find("texts"), std::string::npos);
}

}  // namespace
}  // namespace sightline
