// What embeds the words of questions: hashed words, tables, and which texts a question needs.
#include "host/meta_memory/phrase_embedder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/parse_query.h"
#include "support/entries.h"
#include "support/errors.h"
#include "support/memory_files.h"

namespace sightline::tests {
namespace {

using host::EntryTable;
using Texts = std::vector<std::string>;

TEST(HashedPhrases, LeaveThePlacesOut) {
  const host::HashedPhrases hashed(64);
  EXPECT_EQ(hashed.width(), 64);
  EXPECT_EQ(hashed.embed("a red mug (1.00, 2.00, 3.00)"), host::hashed_embedding("a red mug", 64));
  EXPECT_NE(input_error_of([&] { hashed.embed("?"); }), "no error");
}

TEST(PhraseTable, HoldsTheVectorsOfItsTexts) {
  const TemporaryFolder folder;
  const std::string path = folder / "p.jsonl";
  write_text(path, "{\"id\": 7, \"text\": \"red mug\"}\n\n{\"text\": \"sofa\"}\n");
  write_text(folder / "p.npy", float_npy({0, 3, 4, 0}, 2));
  const host::PhraseTable table(path);
  EXPECT_EQ(table.width(), 2);
  EXPECT_EQ(table.embed("red mug"), (std::vector<float>{0, 1}));
  EXPECT_EQ(table.embed("sofa"), (std::vector<float>{1, 0}));
  const std::string lacking = input_error_of([&] { table.embed("Red mug"); });
  EXPECT_EQ(lacking, path +
                         ": has no vector of \"Red mug\"; sightline ask --write-phrases writes the "
                         "texts that questions need, scripts/embed.py embeds them");
  write_text(folder / "q.npy", float_npy({1, 0, 0, 1}, 2));
  EXPECT_EQ(host::PhraseTable(path, folder / "q.npy").embed("sofa"), (std::vector<float>{0, 1}));
}

TEST(EmbedText, AsksTheTableOfAModel) {
  const TemporaryFolder folder;
  write_text(folder / "p.jsonl", "{\"text\": \"red mug\"}\n");
  write_text(folder / "p.npy", float_npy({0, 0, 0, 2}, 4));
  const auto phrases = std::make_shared<const host::PhraseTable>(folder / "p.jsonl");
  EntryTable entries = random_entries(1, 4, 1, 1);
  embed_questions_by(phrases, &entries);
  EXPECT_EQ(host::embed_text(entries, "red mug"), (std::vector<float>{0, 0, 0, 1}));
  EXPECT_NE(input_error_of([&] { host::embed_text(entries, "mug"); }).find("\"mug\""),
            std::string::npos);
  EntryTable wide = random_entries(1, 5, 1, 1);
  EXPECT_NE(input_error_of([&] { embed_questions_by(phrases, &wide); }).find("4 numbers"),
            std::string::npos);
  EntryTable hashed = captioned_entries({"a red mug"});
  EXPECT_NE(input_error_of([&] { embed_questions_by(phrases, &hashed); }).find("are hashed"),
            std::string::npos);
}

TEST(Phrases, AreAllThatAQuestionNames) {
  const auto of = [](const char* question) { return phrases_of(host::parse_query(question)); };
  EXPECT_EQ(of("where is the red mug"), (Texts{"red mug"}));
  EXPECT_EQ(of("which room has the sofa, the lamp and the plant"),
            (Texts{"sofa", "lamp", "plant"}));
  EXPECT_EQ(of("where is the bench on the route from the gate to (3, 4)"),
            (Texts{"bench", "gate"}));
  EXPECT_EQ(of("where is the nearest bench to here"), (Texts{"bench"}));
  EXPECT_EQ(of("how many turns did you make"), Texts{});
  const Texts coloured = of("what color is the truck");
  EXPECT_EQ(coloured.size(), 1u + host::kNumColours);
  EXPECT_EQ(coloured[0], "truck");
  EXPECT_NE(std::find(coloured.begin(), coloured.end(), "red truck"), coloured.end());
}

TEST(Phrases, AreWrittenOnceWithTheClassesThatCaptionsName) {
  const EntryTable entries = captioned_entries({"a red mug by a sofa", "a couch"});
  const Texts texts = texts_to_embed(
      {host::parse_query("where is the mug"), host::parse_query("where is the red mug")}, entries);
  EXPECT_EQ(texts, (Texts{"mug", "red mug", "sofa"}));
  EXPECT_EQ(host::texts_file({"a \"b\"", "c"}),
            "{\"id\":0,\"text\":\"a \\\"b\\\"\"}\n{\"id\":1,\"text\":\"c\"}\n");
}

}  // namespace
}  // namespace sightline::tests
