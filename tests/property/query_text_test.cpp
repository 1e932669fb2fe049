// A query, asked by its canonical question, is read as the same query again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "support/effort.h"
#include "support/queries.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261124;
constexpr int kQueries = effort(20000);

TEST(QueryText, ParsesToTheSameQuery) {
  Random random(kSeed);
  for (int i = 0; i < kQueries; ++i) {
    const host::Query query = random_query(&random);
    const std::string text = host::text_of(query);
    const host::ParsedQuery again = host::try_parse_query(text);
    ASSERT_TRUE(again.query) << text << "\n" << again.error;
    ASSERT_TRUE(host::same_query(*again.query, query)) << text;
    ASSERT_EQ(host::text_of(*again.query), text);
  }
}

/// Names keep their letters, all else may be written in any case and with any blanks.
TEST(QueryText, CaseAndBlanksDoNotCount) {
  Random random(kSeed + 1);
  for (int i = 0; i < kQueries / 4; ++i) {
    const host::Query query = random_query(&random);
    std::string text = host::text_of(query);
    if (text.find('"') != std::string::npos) continue;
    std::string other;
    for (const char c : text) {
      other += random.chance(0.5) ? static_cast<char>(std::toupper(c)) : c;
      if (c == ' ') other += random.chance(0.5) ? "\t" : "";
    }
    const host::ParsedQuery again = host::try_parse_query(other);
    ASSERT_TRUE(again.query) << other << "\n" << again.error;
    ASSERT_TRUE(host::same_query(*again.query, query)) << other;
  }
}

/// A question with a piece taken out, doubled or swapped is refused with a position within it, or
/// is a question of its own.
TEST(QueryText, BrokenQuestionsAreRefusedWithinThem) {
  Random random(kSeed + 2);
  for (int i = 0; i < kQueries / 4; ++i) {
    std::string text = host::text_of(random_query(&random));
    const auto at =
        static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
    if (random.chance(0.5)) {
      text.erase(at, static_cast<std::size_t>(random.integer(1, 6)));
    } else {
      text[at] = static_cast<char>(random.integer(1, 255));
    }
    const host::ParsedQuery parsed = host::try_parse_query(text);
    if (parsed.query) {
      EXPECT_NO_THROW(host::text_of(*parsed.query)) << text;
    } else {
      EXPECT_GE(parsed.character, 1u) << text;
      EXPECT_LE(parsed.character, text.size() + 1) << text;
      EXPECT_FALSE(parsed.error.empty()) << text;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
