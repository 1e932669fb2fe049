// How many questions of others the closed language reads: ReMEmbR's NaVQA (Anwar et al. 2024; the
// 150 of five runs) and OpenEQA (Majumdar et al. 2024; 1074 of its 1636). All that parse, 60 and
// 102, were read by hand on 2026-11-24, none was wrong; a change of these counts, of a reading, or
// of the hash of readings, asks for that again.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <string>

#include "host/meta_memory/question_coverage.h"
#include "host/meta_memory/tsv_table.h"
#include "host/random.h"
#include "navqa_readings.h"
#include "support/reference_data.h"

namespace sightline::tests {
namespace {

constexpr std::int64_t kOfTheFive = 150;

struct Expected {
  std::int64_t questions, parsed, basic, local, global, episodic;
};

void expect_coverage(const host::TypeCoverage& found, const Expected& expected) {
  EXPECT_EQ(found.questions, expected.questions) << found.type;
  EXPECT_EQ(found.parsed, expected.parsed) << found.type;
  EXPECT_EQ(found.basic, expected.basic) << found.type;
  EXPECT_EQ(found.local, expected.local) << found.type;
  EXPECT_EQ(found.global, expected.global) << found.type;
  EXPECT_EQ(found.episodic, expected.episodic) << found.type;
}

host::QuestionCoverage coverage_of(const std::string& file) {
  return host::cover_questions(host::read_listed_questions(reference_data(file)));
}

/// Of what the questions that parsed were read as, in their order.
std::uint64_t hash_of_readings(const host::QuestionCoverage& coverage) {
  std::string readings;
  for (const host::ParsedQuery& parsed : coverage.parsed) {
    if (parsed.query) readings += host::text_of(*parsed.query) + "\n";
  }
  return host::stream_of(readings);
}

TEST(QuestionCoverage, Navqa) {
  constexpr const char* kFile = "navqa_coda/navqa_questions.tsv";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  const host::QuestionCoverage coverage = coverage_of(kFile);
  if (coverage.all.questions != kOfTheFive) GTEST_SKIP() << "other runs than the five";
  expect_coverage(coverage.all, {kOfTheFive, 60, 27, 5, 7, 21});
  const std::map<std::string, Expected> by_type{{"binary", {47, 13, 12, 0, 0, 1}},
                                                {"duration", {5, 3, 0, 0, 0, 3}},
                                                {"position", {51, 29, 15, 5, 7, 2}},
                                                {"text", {25, 5, 0, 0, 0, 5}},
                                                {"time", {22, 10, 0, 0, 0, 10}}};
  for (const host::TypeCoverage& type : coverage.by_type) {
    expect_coverage(type, by_type.at(type.type));
  }
}

/// Each question of the file is read as a hand-checked reading says, or not at all.
TEST(QuestionCoverage, NavqaIsReadAsWasCheckedByHand) {
  constexpr const char* kFile = "navqa_coda/navqa_questions.tsv";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  std::map<std::string, std::string> read_as;
  for (const Reading& one : kNavqaReadings) read_as[one.id] = one.read_as;
  ASSERT_EQ(read_as.size(), std::size(kNavqaReadings));
  if (coverage_of(kFile).all.questions != kOfTheFive) GTEST_SKIP() << "other runs than the five";
  host::TsvTable questions(reference_data(kFile), {"id", "question"});
  std::size_t num_read = 0;
  while (questions.next_row()) {
    const host::ParsedQuery parsed = host::try_parse_query(questions.text(1));
    const auto checked = read_as.find(questions.text(0));
    if (checked == read_as.end()) {
      EXPECT_FALSE(parsed.query) << questions.text(0) << ": nobody checked that it is read as "
                                 << text_of(*parsed.query);
      continue;
    }
    ++num_read;
    ASSERT_TRUE(parsed.query) << questions.text(0) << ": " << parsed.error;
    EXPECT_EQ(text_of(*parsed.query), checked->second) << questions.text(0);
  }
  EXPECT_EQ(num_read, read_as.size());
}

TEST(QuestionCoverage, OpenEqa) {
  constexpr const char* kFile = "open_eqa/questions.tsv";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  const host::QuestionCoverage coverage = coverage_of(kFile);
  expect_coverage(coverage.all, {1074, 102, 81, 0, 0, 21});
  EXPECT_EQ(hash_of_readings(coverage), 11529919038912180832U);
  for (const host::TypeCoverage& type : coverage.by_type) {
    if (type.type == "object localization") expect_coverage(type, {180, 79, 79, 0, 0, 0});
    if (type.type == "spatial understanding") expect_coverage(type, {136, 2, 2, 0, 0, 0});
    if (type.type == "attribute recognition") expect_coverage(type, {153, 21, 0, 0, 0, 21});
  }
}

}  // namespace
}  // namespace sightline::tests
