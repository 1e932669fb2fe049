// Embeddings by hashing: equal to what scripts/embed.py --hashed makes, bit for bit.
#include "host/memory/hashed_embedder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "host/memory/json_lines.h"
#include "host/world/half.h"
#include "host/world/npy.h"
#include "support/errors.h"
#include "support/places.h"

namespace sightline {
namespace {

using Words = std::vector<std::string>;

/// Components that are not 0, times the root of the sum of their squares.
std::map<int, int> counts_of(const std::string& text, int sum_of_squares) {
  const std::vector<float> embedding = host::hashed_embedding(text);
  std::map<int, int> counts;
  const double length = std::sqrt(sum_of_squares);
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    if (embedding[i] == 0) continue;
    const long count = std::lround(static_cast<double>(embedding[i]) * length);
    EXPECT_EQ(embedding[i], static_cast<float>(static_cast<double>(count) / length));
    counts[static_cast<int>(i)] = static_cast<int>(count);
  }
  return counts;
}

TEST(HashedWords, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(host::hashed_words("Red-MUG_2 on\tdesk!"), (Words{"red", "mug", "2", "desk"}));
  EXPECT_EQ(host::hashed_words("Caf\xc3\xa9, \xc3\x89T\xc3\x89"),
            (Words{"caf\xc3\xa9", "\xc3\x89t\xc3\x89"}));
  EXPECT_EQ(host::hashed_words(" ,.! "), Words{});
}

TEST(HashedWords, KeepStopWordsIfThereIsNothingElse) {
  EXPECT_EQ(host::hashed_words("Where is the mug of these?"), Words{"mug"});
  EXPECT_EQ(host::hashed_words("What was it?"), (Words{"what", "was", "it"}));
}

TEST(HashedEmbedding, IsWhatThePythonScriptMakes) {
  EXPECT_EQ(counts_of("Where is the fire extinguisher closest to the lift?", 27),
            (std::map<int, int>{{9, -1},   {10, -1},  {39, 1},   {47, -1},  {48, -1},  {59, 1},
                                {67, -1},  {80, -1},  {90, -1},  {102, -1}, {105, 1},  {133, -1},
                                {134, -1}, {142, -1}, {169, -1}, {176, -1}, {182, 1},  {203, 1},
                                {206, 1},  {220, 1},  {237, 1},  {242, -1}, {245, -1}, {277, -1},
                                {314, 1},  {338, -1}, {341, 1}}));
  EXPECT_EQ(counts_of("What was it?", 12), (std::map<int, int>{{25, 1},
                                                               {30, 1},
                                                               {84, 1},
                                                               {85, 1},
                                                               {165, -1},
                                                               {229, -1},
                                                               {238, 1},
                                                               {252, -1},
                                                               {270, 1},
                                                               {284, 1},
                                                               {285, 1},
                                                               {364, -1}}));
  EXPECT_EQ(
      counts_of("Caf\xc3\xa9 Z\xc3\xbcrich, CAF\xc3\x89: 42!", 29),
      (std::map<int, int>{{14, -1},  {44, 1},   {65, 2},  {66, 2},   {94, -1},  {115, -1}, {134, 2},
                          {160, -1}, {190, -1}, {222, 1}, {225, -1}, {246, -1}, {258, 1},  {267, 1},
                          {307, 1},  {343, -1}, {344, 1}, {350, 1},  {358, 1},  {379, 1}}));
}

TEST(HashedEmbedding, OfEveryCommittedCorpusIsTheCommittedOne) {
  const std::filesystem::path folder = tests::source_file("configs/corpora");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no corpora in this tree";
  const std::vector<std::string> keys{"id",     "text",   "activity", "class",
                                      "object", "region", "answers"};
  int num_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::filesystem::path embeddings = entry.path();
    host::NpyTable table(embeddings.replace_extension(".hashed.npy"));
    host::JsonLines lines(entry.path());
    for (std::int64_t row = 0; row < table.num_rows(); ++row) {
      ASSERT_TRUE(lines.next());
      const std::vector<float> made = host::hashed_embedding(*lines.object(keys).text("text"));
      const double* committed = table.next_row();
      for (std::size_t i = 0; i < made.size(); ++i) {
        ASSERT_EQ(host::half_to_float(host::float_to_half(made[i])), committed[i])
            << entry.path() << " row " << row;
      }
    }
    ++num_files;
  }
  EXPECT_GT(num_files, 0);
}

TEST(HashedEmbedding, HasTheWidthAskedForAndUnitLength) {
  for (const std::int32_t width : {1, 2, 100, 65536}) {
    const std::vector<float> embedding = host::hashed_embedding("a brass lamp", width);
    double square = 0;
    for (const float x : embedding) square += static_cast<double>(x) * x;
    EXPECT_EQ(embedding.size(), static_cast<std::size_t>(width));
    EXPECT_NEAR(square, 1, 0x1p-22);
  }
}

TEST(HashedEmbedding, RefusesTextWithoutWords) {
  EXPECT_EQ(tests::input_error_of([] { host::hashed_embedding("?! -"); }),
            "the text holds no word to embed; write one");
  EXPECT_NE(tests::input_error_of([] { host::hashed_embedding("lamp", 0); }).find("from 1 to"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline
