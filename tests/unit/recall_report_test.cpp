// What a report makes of a run of recall: its sentences, its figures, its page.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/report/child_process.h"
#include "host/report/recall_digest.h"
#include "host/report/recall_figures.h"
#include "host/report/recall_tables.h"
#include "host/report/recall_words.h"
#include "host/report/report.h"
#include "support/hand_made_run.h"
#include "support/matplotlib.h"

namespace sightline::host::report {
namespace {

using tests::HandMadeRun;
using tests::recall_of;
using tests::recall_pilot;
using Json = nlohmann::ordered_json;

constexpr double kRounding = 1e-12;  // absolute: a few double operations on values near 1

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// --- Words and tests -----------------------------------------------------------------------------

TEST(RecallTakeaway, SaysWherePlaceLeadsAndWhereNot) {
  const stats::Interval near = stats::difference_interval(240, 131, 0);
  ASSERT_GT(near.low, 0.48);  // so that the sentence below is about a lead
  ASSERT_LT(near.high, 0.61);
  EXPECT_EQ(takeaway(make_recall_digest(recall_pilot().data)),
            "Hit@5 is highest for spatial at 1 m (87.9 %), and for vector from afar (33.3 %). "
            "Against the baseline (vector), the best that uses place leads at 1 m (spatial +54.6 "
            "points, 95 % CI +48.3 to +60.8). It trails from afar (spatial \u221226.7 points, 95 % "
            "CI \u221232.6 to \u221221.5).");
}

TEST(RecallTakeaway, SaysThatOthersHitAsOften) {
  HandMadeRun run({}, "{baseline: a, memories: {}, recall: {k: 5}}");
  for (const char* arm : {"a", "b", "c"}) run.add({}, arm, recall_of(10, 4, 0, 0));
  EXPECT_TRUE(contains(takeaway(make_recall_digest(run.data)),
                       "highest for a (40 %, shared with 2 others)"));
}

TEST(RecallTakeaway, TestsNothingOnQuestionsThatReplicatesAskAgain) {
  HandMadeRun run = recall_pilot();
  ASSERT_FALSE(compare_with_baseline(make_recall_digest(run.data)).empty());
  run.data.resolved.set_path("memories", ConfigValue::parse_yaml("{file: m.jsonl}", "test.yaml"));
  const RecallDigest digest = make_recall_digest(run.data);
  EXPECT_TRUE(digest.questions_repeat);
  EXPECT_TRUE(compare_with_baseline(digest).empty());
  EXPECT_FALSE(contains(takeaway(digest), "leads")) << takeaway(digest);
  EXPECT_TRUE(contains(pooling_notes(digest).back(), "same questions again"));
  EXPECT_TRUE(contains(recall_tests_table(digest, {}), "replicates: 1"));
}

TEST(RecallTakeaway, CallsNoDifferenceSureThatIsNot) {
  HandMadeRun run = recall_pilot();
  for (RunData::Row& row : run.data.rows) {
    if (row.result.arm == "spatial") row.result.recall = recall_of(120, 41, 9, 8);
  }
  const std::string text = takeaway(make_recall_digest(run.data));
  EXPECT_TRUE(contains(text,
                       "Against the baseline (vector), the best that uses place makes no sure "
                       "difference at 1 m (spatial +0.833 points"))
      << text;
  EXPECT_FALSE(contains(text, "leads")) << text;
}

TEST(RecallTakeaway, CallsNoLeadWhatTheExactTestDoesNot) {
  HandMadeRun run = recall_pilot();
  int num_seen = 0;  // near and from afar, in the first corpus; then in the second, which differs
  for (RunData::Row& row : run.data.rows) {
    if (row.result.arm != "spatial") continue;
    const int more = num_seen++ / 2;
    row.result.recall = recall_of(120, 42 + more, 2 + more, 0);
  }
  ASSERT_GT(stats::difference_interval(240, 5, 0).low, 0);  // alone it would be a lead
  const std::string text = takeaway(make_recall_digest(run.data));
  EXPECT_TRUE(contains(text, "makes no sure difference at 1 m (spatial +2.08 points")) << text;
}

TEST(RecallComparisons, GiveExactPAndHolmOverTheRun) {
  const std::vector<RecallComparison> tests =
      compare_with_baseline(make_recall_digest(recall_pilot().data));
  ASSERT_EQ(tests.size(), 2u);  // one arm at two offsets
  EXPECT_EQ(tests[0].only_arm, 131);
  EXPECT_EQ(tests[0].only_baseline, 0);
  EXPECT_EQ(tests[0].p, 0x1p-130);           // 2 * 2^-131
  EXPECT_EQ(tests[0].p_adjusted, 0x1p-129);  // the smaller of two
  EXPECT_EQ(tests[1].p, 0x1p-63);
  EXPECT_EQ(tests[1].p_adjusted, 0x1p-63);
}

// --- The triangle of weights ---------------------------------------------------------------------

/// Three weights in steps of 1/2 at two scales, and a mix beside the lattice. The number of hits
/// grows with the weight of place near, and falls with it from afar; scale 50 is better.
HandMadeRun simplex_pilot(const std::string& arms = "mix: {recall: {}}") {
  HandMadeRun run({"queries.offset_m", "recall.proximity.scale_m", "recall.weights.relevance",
                   "recall.weights.spatial", "recall.weights.recency"},
                  "{baseline: mix, memories: {calibrated: {activities: 8, per_activity: 15}}, "
                  "queries: {offset_m: 1}, recall: {k: 5, proximity: {form: linear}}, arms: {" +
                      arms +
                      "}, axes: {weights: {simplex: {dims: [recall.weights.relevance, "
                      "recall.weights.spatial, recall.weights.recency], step: 0.5, also: {named: "
                      "[0.7, 0.2, 0.1], halves: [0.5, 0.5, 0]}}}}}");
  const std::vector<std::vector<double>> mixes{{0, 0, 1},      {0, 0.5, 0.5}, {0, 1, 0},
                                               {0.5, 0, 0.5},  {0.5, 0.5, 0}, {1, 0, 0},
                                               {0.7, 0.2, 0.1}};
  for (const char* offset : {"1", "far"}) {
    for (const int scale : {50, 100}) {
      for (const std::vector<double>& mix : mixes) {
        const bool near = offset == std::string("1");
        const ConfigValue where = near ? ConfigValue::integer(1) : ConfigValue::text(offset);
        const auto gain = static_cast<std::int64_t>(10 * mix[1] + 4 * mix[0]);
        run.add({where, ConfigValue::integer(scale), ConfigValue::number(mix[0]),
                 ConfigValue::number(mix[1]), ConfigValue::number(mix[2])},
                "mix", recall_of(100, 50 + (near ? 4 : -1) * gain - scale / 50, 0, 0));
      }
    }
  }
  return run;
}

TEST(MixMap, FoldsTheMixesAndMarksTheNamedOnes) {
  const HandMadeRun run = simplex_pilot();
  const RecallDigest digest = make_recall_digest(run.data);
  const std::optional<MixMap> map = find_mixes(run.data, digest);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->others, (std::vector<std::string>{"recency"}));
  EXPECT_EQ(map->context, "scale 50 m");
  EXPECT_EQ(map->num_contexts, 2);
  EXPECT_EQ(map->num_mixes, 7);
  ASSERT_EQ(map->panels.size(), 2u);
  EXPECT_EQ(map->panels[0].cells.size(), 6u);  // the named mix lies off the lattice
  EXPECT_EQ(variant_label(digest, map->panels[0].best), "1 spatial, scale 50 m");
  EXPECT_EQ(variant_label(digest, map->panels[1].best), "1 recency, scale 50 m");
  ASSERT_EQ(map->named.size(), 2u);
  EXPECT_EQ(map->named[0].name, "named");
  EXPECT_NEAR(map->named[0].point.spatial, 0.2, kRounding);
  EXPECT_EQ(digest.at(map->named[0].variant, 0).answers.hits, 50 + 4 * 4 - 1);
  ASSERT_TRUE(map->relevance_alone);
  EXPECT_EQ(variant_label(digest, *map->relevance_alone), "1 relevance, scale 50 m");
}

TEST(MixMap, IsShownWhereTheFileHasItBesideTheAxis) {
  HandMadeRun run = simplex_pilot();
  run.data.resolved.set_path("recall.proximity.scale_m", ConfigValue::integer(100));
  const RecallDigest digest = make_recall_digest(run.data);
  const std::optional<MixMap> map = find_mixes(run.data, digest);
  ASSERT_TRUE(map);
  EXPECT_TRUE(map->context_is_usual);
  EXPECT_EQ(map->context, "scale 100 m");
  EXPECT_EQ(variant_label(digest, map->best), "1 spatial, scale 100 m");
}

TEST(MixMap, TakesTheBestOfMixesThatShareAPoint) {
  HandMadeRun run({"recall.weights.relevance", "recall.weights.spatial", "recall.weights.recency",
                   "recall.weights.importance"},
                  "{memories: {}, axes: {w: {simplex: {dims: [recall.weights.relevance, "
                  "recall.weights.spatial, recall.weights.recency, recall.weights.importance], "
                  "step: 1}}}}");
  const std::vector<std::vector<int>> mixes{{0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
  for (std::size_t i = 0; i < mixes.size(); ++i) {
    std::vector<ConfigValue> values;
    for (const int weight : mixes[i]) values.push_back(ConfigValue::integer(weight));
    run.add(values, "mix", recall_of(10, 5 + (i == 1 ? 2 : 0), 0, 0));
  }
  const RecallDigest digest = make_recall_digest(run.data);
  const std::optional<MixMap> map = find_mixes(run.data, digest);
  ASSERT_TRUE(map);
  ASSERT_EQ(map->panels[0].cells.size(), 3u);
  EXPECT_EQ(map->panels[0].cells[0].point.other, 1);
  EXPECT_EQ(map->panels[0].cells[0].variant, 1u);
  EXPECT_EQ(map->panels[0].num_best, 1);
}

TEST(MixMap, IsAbsentWithoutASimplex) {
  const HandMadeRun run = recall_pilot();
  EXPECT_FALSE(find_mixes(run.data, make_recall_digest(run.data)));
}

TEST(RecallTakeaway, ComparesMixesWithPlaceToThoseWithout) {
  const std::string text = takeaway(make_recall_digest(simplex_pilot().data));
  EXPECT_TRUE(contains(text,
                       "The best that uses place, against the best that does not, leads, 95 % "
                       "intervals apart, at 1 m (89 % with, 65 % without)."))
      << text;
  EXPECT_TRUE(contains(text, "makes no sure difference from afar (45 % with, 49 % without)"))
      << text;
}

// --- Figures -------------------------------------------------------------------------------------

TEST(RecallFigures, DrawLinesOverOffsetsAndBarsForMany) {
  const RecallDigest digest = make_recall_digest(recall_pilot().data);
  const FigureData lines = recall_rate_figure(digest, shown_variants(digest, {}), "hit_rate");
  EXPECT_EQ(lines.drawing.at("kind"), "offsets");
  EXPECT_EQ(lines.drawing.at("ticks"), (Json{"1 m", "far"}));
  EXPECT_EQ(lines.drawing.at("joined"), 1);
  const Json& spatial = lines.drawing.at("curves")[1];
  EXPECT_EQ(spatial.at("y")[0], 211.0 / 240);
  EXPECT_EQ(spatial.at("low")[0], stats::wilson(211, 240).low);
  EXPECT_EQ(spatial.at("color"), 0);
  EXPECT_TRUE(contains(lines.alt, "spatial: 87.9 % at 1 m and 6.67 % at far."));

  HandMadeRun many({"queries.offset_m"}, "{baseline: a0, memories: {}}");
  for (const char* offset : {"1", "far"}) {
    for (int arm = 0; arm < 9; ++arm) {
      many.add({ConfigValue::text(offset)}, "a" + std::to_string(arm), recall_of(10, arm, 0, 0));
    }
  }
  const RecallDigest more = make_recall_digest(many.data);
  const FigureData bars = recall_rate_figure(more, shown_variants(more, {}), "hit_rate");
  EXPECT_EQ(bars.drawing.at("kind"), "intervals");
  EXPECT_EQ(bars.drawing.at("panels").size(), 2u);
  EXPECT_EQ(bars.drawing.at("baseline"), 0);
}

TEST(RecallFigures, ShowWhatCanBeSeenOnlyWhereItWasAsked) {
  HandMadeRun run = recall_pilot();
  RecallDigest digest = make_recall_digest(run.data);
  EXPECT_EQ(make_recall_figures(run.data, digest, shown_variants(digest, {}), {}).size(),
            1u);  // hits
  for (RunData::Row& row : run.data.rows) {
    row.result.recall.num_recalled = 600;
    row.result.recall.recalled_visible = 120;
  }
  digest = make_recall_digest(run.data);
  const std::vector<FigureData> figures =
      make_recall_figures(run.data, digest, shown_variants(digest, {}), {});
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[1].drawing.at("name"), "visible");
  EXPECT_EQ(figures[1].drawing.at("curves")[0].at("y")[0], 0.2);
}

TEST(RecallFigures, DrawCostsOnlyWhereTheyDiffer) {
  HandMadeRun run = recall_pilot();
  RecallDigest digest = make_recall_digest(run.data);
  EXPECT_FALSE(recall_cost_figure(digest, shown_variants(digest, {})));  // shares of one pass
  for (RunData::Row& row : run.data.rows) {
    if (row.result.arm == "spatial") row.cost.seconds *= 10;
  }
  digest = make_recall_digest(run.data);
  const auto cost = recall_cost_figure(digest, shown_variants(digest, {}));
  ASSERT_TRUE(cost);
  const Json& series = cost->drawing.at("series");
  EXPECT_EQ(cost->drawing.at("log"), true);
  EXPECT_NEAR(series[0].at("x")[0], 1, kRounding);  // 120 queries in 120 us
  EXPECT_NEAR(series[1].at("x")[0], 10, 10 * kRounding);
  EXPECT_EQ(series[1].at("y")[0], 227.0 / 480);
}

TEST(RecallFigures, ShowTheNamedOfTooMany) {
  HandMadeRun run = simplex_pilot();
  // A second arm whose weights are its own: one variant per scale, whatever the mix.
  run.data.resolved.set_path("arms.fixed.recall.weights.relevance", ConfigValue::integer(1));
  const std::size_t num_rows = run.data.rows.size();
  for (std::size_t i = 0; i < num_rows; ++i) {
    run.data.rows.push_back(run.data.rows[i]);
    run.data.rows.back().result.arm = "fixed";
    run.data.rows.back().result.recall = recall_of(100, 33, 0, 0);
  }
  for (int extra = 0; extra < 20; ++extra) {  // more scales, all worse
    RunData::Row row = run.data.rows[0];
    row.axis_values[1] = ConfigValue::integer(200 + extra);
    row.axis_labels[1] = std::to_string(200 + extra);
    row.result.recall = recall_of(100, 1, 0, 0);
    run.data.rows.push_back(row);
  }
  const RecallDigest digest = make_recall_digest(run.data);
  ASSERT_GT(digest.variants.size(), kMaxBars);
  std::vector<std::string> labels;
  for (const ShownVariant& one : shown_variants(digest, find_mixes(run.data, digest))) {
    labels.push_back(one.label);
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"fixed, scale 50 m", "relevance alone", "named",
                                              "halves", "best: 1 spatial, scale 50 m"}));
}

// --- Tables and the page -------------------------------------------------------------------------

TEST(RecallFigures, ShowTheWorldWhereThereIsOne) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(recall_world_figure(recall_pilot().data, directory.path()));
  HandMadeRun run({}, R"(
baseline: vector
world: {scene: village, solid: {grid: {voxel_m: 0.5}}}
memories:
  calibrated: {activities: 8, per_activity: 15}
  capture: {random_free: {height_m: 1.6}, range_m: 12}
queries: {random_free: {height_m: 1.6, within_m: 8}, targets: {random: 30}}
recall: {k: 5}
arms: {vector: {recall: {weights: {relevance: 1}}}}
)");
  run.add({}, "vector", recall_of(30, 10, 0, 0));
  const std::optional<FigureData> figure = recall_world_figure(run.data, directory.path());
  ASSERT_TRUE(figure);
  const Json &groups = figure->drawing.at("groups"), &window = figure->drawing.at("window");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_TRUE(contains(groups[0].at("label"), "of 120)")) << groups[0].at("label");
  EXPECT_EQ(groups[1].at("label"), "asked from (30)") << "all stand on one floor";
  for (const Json& group : groups) {
    for (const Json& point : group.at("points")) {
      EXPECT_GE(point[0], window[0]);
      EXPECT_LE(point[0], window[1]);
      EXPECT_GE(point[1], window[2]);
      EXPECT_LE(point[1], window[3]);
    }
  }
  run.data.rows.front().cost.num_rays = 30 * 1'000'000;
  EXPECT_FALSE(recall_world_figure(run.data, directory.path())) << "too many to make again";
}

TEST(RecallTables, ListTheBestAtEachOffsetWithTheirTests) {
  const RecallDigest digest = make_recall_digest(recall_pilot().data);
  const std::vector<RecallComparison> tests = compare_with_baseline(digest);
  const std::string best = best_section(digest, tests);
  EXPECT_EQ(count_of(best, "<tr>"), 1u + 4u);  // two arms at two offsets
  EXPECT_LT(best.find("<td>spatial</td>"), best.find("<td>vector</td>"));
  EXPECT_TRUE(contains(best, "87.9 %"));
  EXPECT_TRUE(contains(best, "+54.6"));
  const std::string table = recall_tests_table(digest, tests);
  EXPECT_TRUE(contains(table, "<td class=\"number\">131</td><td class=\"number\">0</td>"));
  EXPECT_TRUE(contains(recall_tests_table(digest, {}), "one arm only"));
}

TEST(RecallPage, HoldsFiguresInWordsAndNoWordOfRays) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = make_report(recall_pilot().data);
  EXPECT_EQ(count_of(page, "<svg role=\"img\" aria-label=\""), 1u);  // hits
  for (const char* part : {"Hit@5 is highest for spatial", "The best configurations",
                           "spatial: 87.9 % at 1 m", "memories/s"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  for (const char* part : {"{{", "Every ray", "march step", "<script", "href=\"http"}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
  EXPECT_EQ(page, make_report(recall_pilot().data));
}

TEST(RecallPage, DrawsTheTriangleOfWeights) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = make_report(simplex_pilot().data);
  EXPECT_TRUE(contains(page, "Where geometry must lead"));
  EXPECT_TRUE(contains(page, "named 65 %"));
  EXPECT_TRUE(contains(page, "Shown at scale 50 m"));
}

TEST(RecallPage, EscapesAllTextOfTheRun) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string hostile = "<script>alert('x')</script>";
  HandMadeRun run({"queries.offset_m", hostile},
                  "{memories: {}, description: \"" + hostile + "\"}");
  for (const int offset : {1, 3}) {
    for (const int value : {1, 2}) {
      run.add({ConfigValue::integer(offset), ConfigValue::text(hostile + std::to_string(value))},
              hostile, recall_of(10, value, 0, 0));
    }
  }
  EXPECT_FALSE(contains(make_report(run.data), "<script"));
}

}  // namespace
}  // namespace sightline::host::report
