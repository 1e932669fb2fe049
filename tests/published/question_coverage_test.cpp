// How many questions of others the closed language reads: ReMEmbR's NaVQA (Anwar et al. 2024; the
// 150 of five runs) and OpenEQA (Majumdar et al. 2024; 1074 of its 1636). All that parse were read
// by hand on 2026-11-24, none was wrong; a change of these counts asks for that again.
#include <gtest/gtest.h>

#include <string>

#include "host/meta_memory/question_coverage.h"
#include "support/reference_data.h"

namespace sightline::tests {
namespace {

struct Expected {
  std::int64_t questions, parsed, basic, local, global;
};

void expect_coverage(const host::TypeCoverage& found, const Expected& expected) {
  EXPECT_EQ(found.questions, expected.questions) << found.type;
  EXPECT_EQ(found.parsed, expected.parsed) << found.type;
  EXPECT_EQ(found.basic, expected.basic) << found.type;
  EXPECT_EQ(found.local, expected.local) << found.type;
  EXPECT_EQ(found.global, expected.global) << found.type;
}

host::QuestionCoverage coverage_of(const std::string& file) {
  return host::cover_questions(host::read_listed_questions(reference_data(file)));
}

TEST(QuestionCoverage, Navqa) {
  constexpr const char* kFile = "navqa_coda/navqa_questions.tsv";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  const host::QuestionCoverage coverage = coverage_of(kFile);
  expect_coverage(coverage.all, {150, 25, 14, 4, 7});
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
  for (const host::TypeCoverage& type : coverage.by_type) {
    if (type.type == "object localization") expect_coverage(type, {180, 78, 78, 0, 0});
    if (type.type == "spatial understanding") expect_coverage(type, {136, 2, 2, 0, 0});
  }
}

}  // namespace
}  // namespace sightline::tests
