// What captions say and get wrong: rates over many draws, and what they may not depend on.
#include "host/meta_memory/caption_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::AttributeBits;
using host::CaptionNoise;
using host::CaptionView;
using host::ClassId;
using host::Mention;

constexpr std::uint32_t kObjects = 400, kViews = 100;

ClassId id_of(const char* name) { return host::find_class(name).value(); }
AttributeBits red() { return host::find_attribute("red").value(); }

/// Things 0 .. kObjects - 1, in turn: a small one, a large one, a landmark, one without a colour.
std::vector<host::ThingInView> things() {
  std::vector<host::ThingInView> all;
  for (std::uint32_t id = 0; id < kObjects; ++id) {
    switch (id % 4) {
      case 0:
        all.push_back({id, id_of("mug"), red(), "", false, false});
        break;
      case 1:
        all.push_back({id, id_of("sofa"), red(), "", false, true});
        break;
      case 2:
        all.push_back({id, id_of("library"), 0, "Norris", true, true});
        break;
      default:
        all.push_back({id, id_of("mug"), 0, "", false, false});
    }
  }
  return all;
}

CaptionView view_of(std::uint32_t view, std::uint64_t campus = 1) {
  return {campus, view, things()};
}

/// Is a share of n independent draws what it should be, to within 5 standard errors?
testing::AssertionResult is_rate(double count, double n, double rate) {
  constexpr double kErrors = 5;
  const double error = kErrors * std::sqrt(rate * (1 - rate) / n) + 1 / n;
  if (std::abs(count / n - rate) <= error) return testing::AssertionSuccess();
  return testing::AssertionFailure() << count / n << " of " << n << ", not " << rate;
}

struct Counts {
  std::map<std::int64_t, int> of_object;
  double mentions = 0, colourless = 0, wrong = 0, renamed = 0, false_ones = 0;
};

Counts count(const CaptionNoise& noise) {
  Counts counts;
  for (std::uint32_t view = 0; view < kViews; ++view) {
    for (const Mention& mention : host::mentions_of(view_of(view), {id_of("car")}, noise)) {
      if (mention.object_id < 0) {
        ++counts.false_ones;
        continue;
      }
      ++counts.of_object[mention.object_id];
      if (mention.object_id % 4 > 1) continue;  // the rest is of things with a colour
      ++counts.mentions;
      counts.colourless += mention.attributes == 0;
      counts.wrong += mention.attributes != 0 && mention.attributes != red();
      const std::string own = mention.object_id % 4 == 0 ? "mug" : "sofa";
      const std::size_t at = mention.words.size() - std::min(mention.words.size(), own.size());
      counts.renamed += mention.words.substr(at) != own || mention.words.find("coffee") == 0 ||
                        mention.words.find(" coffee") != std::string::npos;
    }
  }
  return counts;
}

void expect_rates(const CaptionNoise& noise) {
  const Counts counts = count(noise);
  const double of_a_kind = kObjects / 4;
  double never_small = 0, never_large = 0, said_small = 0, said_landmark = 0, landmarks = 0;
  for (std::uint32_t id = 0; id < kObjects; ++id) {
    const auto found = counts.of_object.find(id);
    const double said = found == counts.of_object.end() ? 0 : found->second;
    if (id % 4 == 0) never_small += said == 0;
    if (id % 4 == 0) said_small += said;
    if (id % 4 == 1) never_large += said == 0;
    if (id % 4 == 2) said_landmark += said;
    if (id % 4 == 2) landmarks += said > 0;
  }
  // In 100 views one who may be mentioned is, but for a chance below 1e-26.
  EXPECT_TRUE(is_rate(never_small, of_a_kind, noise.never_small));
  EXPECT_TRUE(is_rate(never_large, of_a_kind, noise.never_large));
  EXPECT_TRUE(is_rate(said_small, (of_a_kind - never_small) * kViews, noise.mention));
  EXPECT_TRUE(is_rate(said_landmark, landmarks * kViews, noise.mention_landmark));
  EXPECT_TRUE(is_rate(counts.colourless, counts.mentions, noise.attribute_dropped));
  EXPECT_TRUE(is_rate(counts.wrong, counts.mentions, noise.attribute_wrong));
  EXPECT_TRUE(is_rate(counts.renamed, counts.mentions, noise.other_name));
  EXPECT_TRUE(is_rate(counts.false_ones, kViews, noise.hallucination));
}

TEST(CaptionNoise, RatesAreThoseOfThePresets) {
  const CaptionNoise noise = host::caption_noise_preset("default");
  EXPECT_EQ(noise.never_small, 0.35);
  EXPECT_EQ(noise.never_large, 0.12);
  EXPECT_EQ(noise.mention, 0.45);
  EXPECT_EQ(noise.mention_landmark, 0.9);
  EXPECT_EQ(noise.attribute_dropped, 0.45);
  EXPECT_EQ(noise.attribute_wrong, 0.08);
  EXPECT_EQ(noise.other_name, 0.12);
  EXPECT_EQ(noise.hallucination, 0.25);
  EXPECT_EQ(noise.similarity_sigma, 0.12);
  expect_rates(noise);
  expect_rates(host::caption_noise_preset("mild"));
}

TEST(CaptionNoise, PerfectCaptionsSayAllThatIsInView) {
  const CaptionNoise noise = host::caption_noise_preset("perfect");
  const CaptionView view = view_of(7);
  const auto mentions = host::mentions_of(view, {id_of("car")}, noise);
  ASSERT_EQ(mentions.size(), view.things.size());
  for (std::size_t i = 0; i < mentions.size(); ++i) {
    EXPECT_EQ(mentions[i].object_id, view.things[i].object_id);
    EXPECT_EQ(mentions[i].class_id, view.things[i].class_id);
    EXPECT_EQ(mentions[i].attributes, view.things[i].attributes);
  }
  EXPECT_EQ(mentions[0].words, "red mug");
  EXPECT_EQ(mentions[2].words, "library named Norris");
  EXPECT_EQ(host::similarity_noise("where is the mug?", 3, noise), 0);
}

TEST(CaptionNoise, DrawsDependOnObjectAndViewAlone) {
  const CaptionNoise noise;
  const auto all = host::mentions_of(view_of(3), {}, noise);
  CaptionView half = view_of(3);
  half.things.erase(half.things.begin(), half.things.begin() + kObjects / 2);
  const auto some = host::mentions_of(half, {}, noise);
  ASSERT_LT(some.size(), all.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    const Mention& same = all[all.size() - some.size() + i];
    EXPECT_EQ(some[i].words, same.words);
    EXPECT_EQ(some[i].object_id, same.object_id);
  }
  // A higher rate keeps what a lower one said.
  CaptionNoise louder = noise;
  louder.mention = 0.8;
  std::set<std::int64_t> loud;
  for (const Mention& mention : host::mentions_of(view_of(3), {}, louder)) {
    loud.insert(mention.object_id);
  }
  for (const Mention& mention : all) EXPECT_EQ(loud.count(mention.object_id), 1U);
  EXPECT_GT(loud.size(), all.size());
}

TEST(CaptionNoise, SeedsViewsAndCampusesDrawForThemselves) {
  const auto words = [](const CaptionView& view, std::uint64_t seed) {
    CaptionNoise noise;
    noise.seed = seed;
    std::string all;
    for (const Mention& mention : host::mentions_of(view, {}, noise)) all += mention.words + ";";
    return all;
  };
  const std::string first = words(view_of(1), 1);
  EXPECT_EQ(words(view_of(1), 1), first);
  EXPECT_NE(words(view_of(1), 2), first);
  EXPECT_NE(words(view_of(2), 1), first);
  EXPECT_NE(words(view_of(1, 2), 1), first);
}

TEST(CaptionNoise, SentencesNameWhatTheyMentionAndNothingElse) {
  const CaptionNoise noise;
  std::set<std::string> beginnings;
  for (std::uint32_t number = 0; number < 200; ++number) {
    CaptionView view = view_of(number);
    view.things.resize(number % 4);
    const auto mentions = host::mentions_of(view, {id_of("car")}, noise);
    const std::string caption = host::caption_of(view, mentions, noise);
    std::set<ClassId> expected;
    for (const Mention& mention : mentions) {
      EXPECT_NE(caption.find(mention.words), std::string::npos);
      expected.insert(mention.class_id);
    }
    const auto named = host::classes_named_in(caption);
    EXPECT_EQ(std::set<ClassId>(named.begin(), named.end()), expected) << caption;
    beginnings.insert(caption.substr(0, 5));
  }
  EXPECT_GE(beginnings.size(), 4U);
}

TEST(CaptionNoise, SimilaritiesErrByANormalNumber) {
  const CaptionNoise noise;
  constexpr int kDraws = 20000;
  // Five standard errors of a mean, and of a standard deviation, of so many normal numbers.
  const double error = 5 * noise.similarity_sigma / std::sqrt(double{kDraws});
  double sum = 0, squares = 0;
  for (int entry = 0; entry < kDraws; ++entry) {
    const double added = host::similarity_noise("where is the mug?", std::uint64_t(entry), noise);
    sum += added;
    squares += added * added;
  }
  EXPECT_NEAR(sum / kDraws, 0, error);
  EXPECT_NEAR(std::sqrt(squares / kDraws), noise.similarity_sigma, error);
  EXPECT_NE(host::similarity_noise("where is the mug?", 1, noise),
            host::similarity_noise("where is the sofa?", 1, noise));
  EXPECT_EQ(host::similarity_noise("where is the mug?", 1, noise),
            host::similarity_noise("where is the mug?", 1, noise));
}

TEST(CaptionNoise, WhatCannotBeIsNamed) {
  EXPECT_NE(input_error_of([] { host::caption_noise_preset("loud"); }).find("\"loud\""),
            std::string::npos);
  CaptionNoise noise;
  noise.mention = 1.5;
  EXPECT_NE(input_error_of([&] { host::check_caption_noise(noise); }).find("mention is 1.5"),
            std::string::npos);
  noise = {};
  noise.attribute_wrong = 0.6;
  EXPECT_NE(input_error_of([&] { host::check_caption_noise(noise); }).find("attribute_dropped +"),
            std::string::npos);
  noise = {};
  noise.similarity_sigma = -1;
  EXPECT_NE(input_error_of([&] { host::check_caption_noise(noise); }).find("similarity_sigma"),
            std::string::npos);
  EXPECT_EQ(input_error_of([] { host::check_caption_noise({}); }), "no error");
}

}  // namespace
}  // namespace sightline::tests
