// Checks of images: the noisy oracle's draws, and the exchange of files with a model.
#include "host/meta_memory/verifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/meta_memory/external_verifier.h"
#include "support/entries.h"
#include "support/errors.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::CheckAnswer;
using host::EntryTable;
using host::ExternalVerifier;
using host::NounPhrase;
using host::OracleNoise;
using host::OracleVerifier;
using host::RawCheck;

constexpr OracleNoise kNoNoise{1, 1, 0};

/// So many entries that each show a red mug (object 1, confidence 1/2), a blue mug (object 2,
/// confidence 1) and a red chair (object 3).
EntryTable mugs(std::int64_t num) {
  EntryTable table;
  table.width = 1;
  for (std::int64_t row = 0; row < num; ++row) {
    host::Entry entry;
    entry.visible = {{1, class_of("mug"), attribute_of("red"), {1, 0, 0}, 0.5},
                     {2, class_of("mug"), attribute_of("blue"), {2, 0, 0}, 1},
                     {3, class_of("chair"), attribute_of("red"), {3, 0, 0}, 1}};
    append_entry(entry, {1}, &table);
  }
  return table;
}

std::vector<RawCheck> checks_of_all(const EntryTable& entries, const NounPhrase& asked) {
  std::vector<RawCheck> checks;
  for (std::int64_t row = 0; row < entries.size(); ++row) checks.push_back({row, &asked});
  return checks;
}

CheckAnswer look_once(const OracleNoise& noise, const NounPhrase& asked) {
  OracleVerifier oracle(noise);
  return oracle.check(mugs(1), {{0, &asked}}, 1)[0];
}

TEST(OracleVerifier, WithoutNoiseSeesWhatIsThere) {
  const CheckAnswer red = look_once(kNoNoise, phrase_of("mug", "red"));
  EXPECT_TRUE(red.seen);
  EXPECT_EQ(red.probability, 0.5);
  ASSERT_TRUE(red.position_m);
  EXPECT_EQ(red.position_m->x, 1);
  EXPECT_EQ(red.matched, attribute_of("red"));
  const CheckAnswer any = look_once(kNoNoise, phrase_of("mug"));
  EXPECT_EQ(any.position_m->x, 2) << "the one of highest confidence";
  NounPhrase both = phrase_of("chair", "blue");
  both.attributes |= attribute_of("red");
  const CheckAnswer chair = look_once(kNoNoise, both);
  EXPECT_FALSE(chair.seen);
  EXPECT_EQ(chair.probability, 0);
  EXPECT_FALSE(chair.position_m);
  EXPECT_EQ(chair.matched, attribute_of("red")) << "half of it";
  EXPECT_FALSE(look_once(kNoNoise, phrase_of("printer")).seen);
  EXPECT_FALSE(look_once(kNoNoise, NounPhrase()).seen);
}

TEST(OracleVerifier, OfEquallyConfidentThingsTakesTheLowestId) {
  EntryTable entries;
  entries.width = 1;
  host::Entry entry;
  for (const std::uint32_t id : {8u, 5u, 6u}) {
    entry.visible.push_back({id, class_of("mug"), 0, {static_cast<double>(id), 0, 0}, 0.5});
  }
  append_entry(entry, {1}, &entries);
  const NounPhrase mug = phrase_of("mug");
  OracleVerifier oracle(kNoNoise);
  EXPECT_EQ(oracle.check(entries, {{0, &mug}}, 1)[0].position_m->x, 5);
}

TEST(OracleVerifier, ErrsAtItsRates) {
  constexpr std::int64_t kNum = 20000;
  // Four standard deviations of a binomial share; a seed in 16,000 would fail.
  const auto within = [](double share, double rate) {
    return std::fabs(share - rate) <= 4 * std::sqrt(rate * (1 - rate) / double{kNum});
  };
  const EntryTable entries = mugs(kNum);
  const OracleNoise noise{5, 0.85, 0.03};
  OracleVerifier oracle(noise);
  const auto share_seen = [&](const NounPhrase& asked) {
    const auto answers = oracle.check(entries, checks_of_all(entries, asked), 2);
    const auto seen = std::count_if(answers.begin(), answers.end(),
                                    [](const CheckAnswer& answer) { return answer.seen; });
    return static_cast<double>(seen) / double{kNum};
  };
  EXPECT_TRUE(within(share_seen(phrase_of("chair")), 0.85 + 0.15 * 0.03));
  EXPECT_TRUE(within(share_seen(phrase_of("printer")), 0.03));
  EXPECT_TRUE(within(share_seen(phrase_of("mug")), 1 - 0.15 * 0.15 * 0.97));
  EXPECT_EQ(oracle.num_checks(), 3 * kNum);
}

TEST(OracleVerifier, DrawsOfTheSameThingAreTheSame) {
  const EntryTable entries = mugs(500);
  const OracleNoise noise{9, 0.5, 0};
  const NounPhrase chair = phrase_of("chair"), red_chair = phrase_of("chair", "red");
  OracleVerifier one(noise), other(noise);
  const auto a = one.check(entries, checks_of_all(entries, chair), 1);
  const auto b = other.check(entries, checks_of_all(entries, red_chair), 3);
  const auto alone = other.check(entries, {{17, &chair}}, 1);
  EXPECT_EQ(alone[0].seen, a[17].seen) << "whatever else is asked";
  std::int64_t num_seen = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].seen, b[i].seen) << "whatever the phrase and the threads";
    num_seen += a[i].seen ? 1 : 0;
  }
  EXPECT_GT(num_seen, 0);
  EXPECT_LT(num_seen, 500);
  OracleVerifier reseeded({10, 0.5, 0});
  const auto c = reseeded.check(entries, checks_of_all(entries, chair), 1);
  EXPECT_FALSE(std::equal(a.begin(), a.end(), c.begin(),
                          [](const auto& x, const auto& y) { return x.seen == y.seen; }));
}

TEST(OracleVerifier, ImaginesWithoutAPlace) {
  const CheckAnswer imagined = look_once({1, 1, 1}, phrase_of("printer", "red"));
  EXPECT_TRUE(imagined.seen);
  EXPECT_EQ(imagined.matched, attribute_of("red"));
  EXPECT_FALSE(imagined.position_m);
  EXPECT_EQ(look_once({1, 1, 1}, phrase_of("mug")).position_m->x, 2) << "what is there comes first";
}

TEST(OracleVerifier, ImaginesEachClassByADrawOfItsOwn) {
  constexpr std::int64_t kNum = 500;
  const host::ClassId printer = class_of("printer");
  EntryTable entries;
  entries.width = 1;
  for (std::int64_t row = 0; row < kNum; ++row) {
    host::Entry entry;  // the thing's number is that of the class which is imagined
    entry.visible = {{printer, class_of("chair"), 0, {1, 0, 0}, 1}};
    append_entry(entry, {1}, &entries);
  }
  OracleVerifier oracle({4, 0.5, 0.5});
  const auto seen = [&](const NounPhrase& asked) {
    return oracle.check(entries, checks_of_all(entries, asked), 1);
  };
  const auto printers = seen(phrase_of("printer")), sofas = seen(phrase_of("sofa")),
             chairs = seen(phrase_of("chair"));
  int num_apart = 0, num_without_chair = 0;
  for (std::size_t i = 0; i < printers.size(); ++i) {
    num_apart += printers[i].seen != sofas[i].seen ? 1 : 0;
    num_without_chair += printers[i].seen && !chairs[i].seen ? 1 : 0;
  }
  EXPECT_NEAR(num_apart, 250, 45) << "four standard deviations";
  EXPECT_GT(num_without_chair, 30) << "of 62, were the chair's draw not the printer's";
}

TEST(OracleVerifier, RefusesRatesAndRowsThatAreNone) {
  EXPECT_NE(input_error_of([] { OracleVerifier oracle({1, 1.5, 0}); }), "no error");
  EXPECT_NE(input_error_of([] { OracleVerifier oracle({1, 1, -0.1}); }), "no error");
  OracleVerifier oracle(kNoNoise);
  const NounPhrase mug = phrase_of("mug");
  const EntryTable entries = mugs(1);
  EXPECT_NE(input_error_of([&] { oracle.check(entries, {{1, &mug}}, 1); }), "no error");
  EXPECT_EQ(oracle.num_checks(), 0);
}

class Exchange : public testing::Test {
 protected:
  void SetUp() override {
    ask();
    verifier_.write_questions(entries_, questions_);
  }
  std::vector<CheckAnswer> ask() {
    return verifier_.check(entries_, {{1, &red_mug_}, {0, &mug_}, {1, &red_mug_}}, 1);
  }
  std::string fault_of(const std::string& answers) {
    write_text(answers_, answers);
    return input_error_of([&] { verifier_.read_answers(entries_, questions_, answers_); });
  }

  const TemporaryFolder folder_;
  const std::string questions_ = folder_ / "q.jsonl", answers_ = folder_ / "a.jsonl";
  const EntryTable entries_ = captioned_entries({"a mug", "a red mug on a desk"});
  const NounPhrase mug_ = phrase_of("mug"), red_mug_ = phrase_of("mug", "red");
  ExternalVerifier verifier_;
};

TEST_F(Exchange, AsksEachQuestionOnceAndTakesItsAnswer) {
  EXPECT_EQ(verifier_.num_checks(), 3);
  EXPECT_EQ(verifier_.num_unanswered(), 2);
  EXPECT_EQ(read_text(questions_),
            R"({"id":0,"entry":0,"image":"","caption":"a mug","class":"mug","attributes":[],)"
            R"("name":"","text":"the mug"})"
            "\n"
            R"({"id":1,"entry":1,"image":"","caption":"a red mug on a desk","class":"mug",)"
            R"("attributes":["red"],"name":"","text":"the red mug"})"
            "\n");
  EXPECT_FALSE(ask()[0].seen);
  ASSERT_EQ(fault_of("{\"id\": 1, \"probability\": 0.75, \"position\": [1, 2, 3]}\n"
                     "{\"id\": 0, \"probability\": 0.25}\n"),
            "no error");
  EXPECT_EQ(verifier_.num_unanswered(), 0);
  const std::vector<CheckAnswer> answers = ask();
  EXPECT_TRUE(answers[0].seen);
  EXPECT_EQ(answers[0].probability, 0.75);
  EXPECT_EQ(answers[0].position_m->z, 3);
  EXPECT_EQ(answers[0].matched, attribute_of("red"));
  EXPECT_FALSE(answers[1].seen);
  EXPECT_EQ(answers[1].probability, 0);
  ExternalVerifier later;  // another process, with the files alone
  later.read_answers(entries_, questions_, answers_);
  EXPECT_TRUE(later.check(entries_, {{1, &red_mug_}}, 1)[0].seen);
}

TEST_F(Exchange, NamesTheLineOfWhatIsWrong) {
  const std::string good = "{\"id\": 0, \"probability\": 1}\n";
  const auto expect_fault = [&](const std::string& line, const std::string& part) {
    const std::string fault = fault_of(good + line);
    EXPECT_EQ(fault.rfind(answers_ + ":2: ", 0), 0u) << fault;
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  };
  expect_fault(R"({"id": 7, "probability": 1})", "id 7 is no question");
  expect_fault(R"({"id": 0, "probability": 1})", "twice");
  expect_fault(R"({"probability": 1})", "id is missing");
  expect_fault(R"({"id": 1})", "probability is missing");
  expect_fault(R"({"id": 1, "probability": 1.5})", "[0, 1]");
  expect_fault(R"({"id": 1, "probability": 1, "position": [1]})", "position");
  expect_fault(R"({"id": 1, "probability": 1, "seen": true})", "unknown key");
  const std::string missing = fault_of(good);
  EXPECT_EQ(missing.rfind(questions_ + ":2: id 1 has no answer", 0), 0u) << missing;
  EXPECT_EQ(verifier_.num_unanswered(), 2) << "a file with an error answers nothing";
}

TEST_F(Exchange, RefusesQuestionsOfAnotherStore) {
  const EntryTable smaller = captioned_entries({"a mug"});
  write_text(answers_, "{\"id\": 0, \"probability\": 1}\n{\"id\": 1, \"probability\": 1}\n");
  const std::string fault =
      input_error_of([&] { ExternalVerifier().read_answers(smaller, questions_, answers_); });
  EXPECT_EQ(fault.rfind(questions_ + ":2: ", 0), 0u) << fault;
}

}  // namespace
}  // namespace sightline::tests
