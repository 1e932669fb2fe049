// A run of recall as its report takes it: variants, offsets, what is pooled, which arms use place.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/report/recall_digest.h"
#include "host/report/recall_words.h"
#include "support/errors.h"
#include "support/hand_made_run.h"

namespace sightline::host::report {
namespace {

using tests::HandMadeRun;
using tests::input_error_of;
using tests::recall_of;
using tests::recall_pilot;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RecallDigest, AddsUpReplicatesAndTellsOffsetsApart) {
  const RecallDigest digest = make_recall_digest(recall_pilot().data);
  EXPECT_EQ(digest.hit_name, "Hit@5");
  EXPECT_EQ(digest.arms, (std::vector<std::string>{"vector", "spatial"}));
  EXPECT_EQ(digest.offsets, (std::vector<std::string>{"1", "far"}));
  ASSERT_EQ(digest.variants.size(), 2u);
  EXPECT_EQ(digest.at(1, 0).answers.hits, 105 + 106);
  EXPECT_EQ(digest.at(1, 0).answers.num_queries, 240);
  EXPECT_EQ(digest.at(1, 1).answers.only_baseline_hit, 64);
  EXPECT_EQ(digest.primary, 1u);
  EXPECT_EQ(pooling_notes(digest)[0], "Counts are added up over the 2 values of replicate.");
}

TEST(RecallDigest, ShowsReplicatesThatChangeNothingOnce) {
  HandMadeRun run({"replicate"}, "{baseline: a, memories: {}, recall: {k: 1}}");
  for (int replicate = 0; replicate < 3; ++replicate) {
    run.add({ConfigValue::integer(replicate)}, "a", recall_of(10, 4, 0, 0));
  }
  const RecallDigest digest = make_recall_digest(run.data);
  EXPECT_EQ(digest.at(0, 0).answers.num_queries, 10);  // not 30: the same queries
  EXPECT_TRUE(contains(pooling_notes(digest)[0], "No count depends on replicate"));
}

TEST(RecallDigest, TellsWhichArmsUsePlace) {
  HandMadeRun run({}, R"(
baseline: vector
memories: {calibrated: {activities: 8, per_activity: 15}}
queries: {offset_m: 1}
recall: {weights: {relevance: 1}}
arms:
  vector: {recall: {}}
  spatial: {recall: {weights: {relevance: 0.5, spatial: 0.5}}}
  near: {recall: {gate: {radius_m: 4}}}
  alike: {recall: {gate: {dense: {count: 20}}}}
  not_near: {recall: {gate: {all: [{dense: {count: 20}}, {not: {radius_m: 4}}]}}}
)");
  for (const char* arm : {"vector", "spatial", "near", "alike", "not_near"}) {
    run.add({}, arm, recall_of(10, 4, 0, 0));
  }
  const RecallDigest digest = make_recall_digest(run.data);
  ASSERT_TRUE(digest.knows_place);
  std::vector<bool> uses;
  for (const RecallVariant& variant : digest.variants) uses.push_back(variant.uses_place);
  EXPECT_EQ(uses, (std::vector<bool>{false, true, true, false, true}));
}

TEST(RecallDigest, CountsAnArmOnceAlongAnAxisThatItReplaces) {
  HandMadeRun run({"recall.k"}, R"(
{baseline: fixed, memories: {}, arms: {fixed: {recall: {k: 1}}, free: {recall: {}}}})");
  for (const int k : {1, 5}) {
    run.add({ConfigValue::integer(k)}, "fixed", recall_of(10, 4, 0, 0));
    run.add({ConfigValue::integer(k)}, "free", recall_of(10, 4 + k, k, 0));
  }
  const RecallDigest digest = make_recall_digest(run.data);
  ASSERT_EQ(digest.variants.size(), 3u);
  EXPECT_EQ(digest.at(0, 0).answers.num_queries, 10);
  EXPECT_EQ(variant_label(digest, 0), "fixed");
  EXPECT_EQ(variant_label(digest, 2), "free, k 5");
  EXPECT_EQ(digest.hit_name, "Hit@k");
}

TEST(RecallDigest, NamesTheNumberOfHitsThatAllArmsShareHoweverItIsSaid) {
  const auto hit_name = [](const char* arms) {
    HandMadeRun run({},
                    "{baseline: a, memories: {}, recall: {k: 3}, arms: " + std::string(arms) + "}");
    for (const char* arm : {"a", "b"}) run.add({}, arm, recall_of(10, 4, 0, 0));
    return make_recall_digest(run.data).hit_name;
  };
  EXPECT_EQ(hit_name("{a: {recall: {}}, b: {recall: {}}}"), "Hit@3");
  EXPECT_EQ(hit_name("{a: {recall: {k: 10}}, b: {recall: {k: 10}}}"), "Hit@10");
  EXPECT_EQ(hit_name("{a: {recall: {k: 3}}, b: {recall: {}}}"), "Hit@3");
  EXPECT_EQ(hit_name("{a: {recall: {k: 10}}, b: {recall: {}}}"), "Hit@k");
}

TEST(RecallDigest, TellsZippedAxesOfOneNameAndValueOnce) {
  HandMadeRun run({"memories.corpus.hashed", "memories.corpus.queries.hashed"},
                  "{baseline: a, memories: {}, recall: {k: 5}}");
  for (const int width : {64, 128}) {
    run.add({ConfigValue::integer(width), ConfigValue::integer(width)}, "a",
            recall_of(10, 4, 0, 0));
  }
  EXPECT_EQ(variant_label(make_recall_digest(run.data), 1), "hashed 128");
}

TEST(RecallDigest, RefusesWhatTheRunDoesNotHave) {
  HandMadeRun no_rows({}, "memories: {}");
  EXPECT_TRUE(
      contains(input_error_of([&] { make_recall_digest(no_rows.data); }), "no results yet"));
  HandMadeRun run = recall_pilot();
  run.data.resolved = ConfigValue::parse_yaml("{memories: {}, report: {arm: nobody}}", "test.yaml");
  EXPECT_TRUE(contains(input_error_of([&] { make_recall_digest(run.data); }), "no arm nobody"));
  run.data.resolved = ConfigValue::parse_yaml("{memories: {}, report: {lines: no}}", "test.yaml");
  EXPECT_TRUE(contains(input_error_of([&] { make_recall_digest(run.data); }), "no axis no"));
}

TEST(RecallDigest, AnAxisThatGoesWithTheOffsetIsNoSetting) {
  HandMadeRun run({"queries.offset_m", "arms.told.recall.weights"}, R"(
baseline: vector
memories: {uniform: {count: 10}}
arms: {vector: {recall: {}}, told: {recall: {}}}
)");
  const char* weights[] = {"{spatial: 1}", "{spatial: 1}", "{relevance: 1}"};
  const double offsets_m[] = {1, 3, 60};
  for (int i = 0; i < 3; ++i) {
    for (const char* arm : {"vector", "told"}) {
      run.add({ConfigValue::number(offsets_m[i]), ConfigValue::text(weights[i])}, arm,
              recall_of(10, 4 + i, 0, 0));
    }
  }
  const RecallDigest digest = make_recall_digest(run.data);
  EXPECT_TRUE(digest.settings.empty());
  ASSERT_EQ(digest.variants.size(), 2u);
  for (std::size_t offset = 0; offset < 3; ++offset) {
    EXPECT_EQ(digest.at(1, offset).answers.hits, 4 + static_cast<std::int64_t>(offset));
  }
}

TEST(RecallDigest, AnAxisOfOneArmZippedWithAnotherLosesNoRow) {
  // The radius of one arm goes with the weight of all: vector has three variants, one per weight.
  HandMadeRun run({"recall.weights.relevance", "arms.gated.recall.gate.radius_m", "replicate"}, R"(
baseline: vector
memories: {uniform: {count: 10}}
arms: {vector: {recall: {}}, gated: {recall: {}}}
)");
  for (const int step : {1, 2, 3}) {
    for (const int replicate : {0, 1}) {
      for (const char* arm : {"vector", "gated"}) {
        run.add({ConfigValue::number(0.1 * step), ConfigValue::integer(2 * step),
                 ConfigValue::integer(replicate)},
                arm, recall_of(10, step + replicate, 0, 0));
      }
    }
  }
  const RecallDigest digest = make_recall_digest(run.data);
  ASSERT_EQ(digest.variants.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto step = static_cast<std::int64_t>(i / 2 + 1);
    EXPECT_EQ(digest.at(i, 0).answers.num_queries, 20) << i;
    EXPECT_EQ(digest.at(i, 0).answers.hits, 2 * step + 1) << i;
  }
}

TEST(RecallDigest, AnAxisOfOneArmSaysNothingOfTheOthers) {
  HandMadeRun run({"arms.gated.recall.gate.radius_m"}, R"(
baseline: vector
memories: {uniform: {count: 10}}
arms: {vector: {recall: {}}, gated: {recall: {}}}
)");
  for (const int radius_m : {2, 4, 8}) {
    for (const char* arm : {"vector", "gated"}) {
      run.add({ConfigValue::integer(radius_m)}, arm, recall_of(10, 5, 0, 0));
    }
  }
  EXPECT_EQ(make_recall_digest(run.data).variants.size(), 4u);  // vector once, gated thrice
}

}  // namespace
}  // namespace sightline::host::report
