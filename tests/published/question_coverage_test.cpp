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
  constexpr std::int64_t kOfTheFive = 150;
  if (coverage.all.questions != kOfTheFive) GTEST_SKIP() << "other runs than the five";
  expect_coverage(coverage.all, {kOfTheFive, 25, 14, 4, 7});
  EXPECT_EQ(hash_of_readings(coverage), 17809044171559087413U);
  for (const host::TypeCoverage& type : coverage.by_type) {
    // No other type asks where something is.
    if (type.type == "position") {
      expect_coverage(type, {51, 25, 14, 4, 7});
    } else {
      EXPECT_EQ(type.parsed, 0) << type.type;
    }
  }
}

TEST(QuestionCoverage, OpenEqa) {
  constexpr const char* kFile = "open_eqa/questions.tsv";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  const host::QuestionCoverage coverage = coverage_of(kFile);
  expect_coverage(coverage.all, {1074, 80, 80, 0, 0});
  EXPECT_EQ(hash_of_readings(coverage), 5733540719171627309U);
  for (const host::TypeCoverage& type : coverage.by_type) {
    if (type.type == "object localization") expect_coverage(type, {180, 78, 78, 0, 0});
    if (type.type == "spatial understanding") expect_coverage(type, {136, 2, 2, 0, 0});
  }
}

}  // namespace
}  // namespace sightline::tests
