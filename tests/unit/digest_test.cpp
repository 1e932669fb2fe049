// What a report makes of the rows of a run: which it adds up, and which it draws a line for.
#include "host/report/digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/report/page.h"
#include "host/report/takeaway.h"
#include "support/errors.h"
#include "support/hand_made_run.h"

namespace sightline::host::report {
namespace {

using tests::answers_of;
using tests::HandMadeRun;
using tests::input_error_of;
using tests::occlusion_pilot;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

AxisUse::Role role_of(const Digest& digest, const std::string& key) {
  const auto axis = std::find_if(digest.axes.begin(), digest.axes.end(),
                                 [&](const AxisUse& use) { return use.key == key; });
  return axis->role;
}

TEST(Digest, PutsTheMarchStepAlongXInAscendingOrder) {
  const Digest digest = make_digest(occlusion_pilot().data);
  EXPECT_EQ(digest.steps_m, (std::vector<double>{0.1, 0.5, 1}));
  EXPECT_EQ(digest.arms, (std::vector<std::string>{"text", "march"}));
  EXPECT_EQ(digest.baseline, 0u);
  EXPECT_EQ(digest.primary, 1u);
  EXPECT_EQ(digest.arm_uses_step, (std::vector<bool>{false, true}));
  EXPECT_EQ(digest.at(1, 0, 2).answers.false_visible, 43);
}

TEST(Digest, AddsUpSeedsAndDrawsALinePerWorld) {
  HandMadeRun run({"world.scene", "seed", "visibility.step_m"});
  for (const char* world : {"thin", "solid"}) {
    for (int seed = 1; seed <= 3; ++seed) {
      for (const double step_m : {0.1, 0.5}) {
        const bool misses = std::string(world) == "thin" && step_m == 0.5;
        run.add({ConfigValue::text(world), ConfigValue::integer(seed), ConfigValue::number(step_m)},
                "march", answers_of(10, 90, misses ? 40 + seed : 0));
      }
    }
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(role_of(digest, "world.scene"), AxisUse::Role::kLine);
  EXPECT_EQ(role_of(digest, "seed"), AxisUse::Role::kPooled);
  EXPECT_EQ(digest.lines, (std::vector<std::string>{"thin", "solid"}));
  EXPECT_EQ(digest.at(0, 0, 1).answers.false_visible, 41 + 42 + 43);
  EXPECT_EQ(digest.at(0, 0, 1).num_known(), 300);
  EXPECT_EQ(digest.over_lines(0, 1).num_known(), 600);
  EXPECT_TRUE(contains(pooling_notes(digest)[0], "the 3 values of seed"));
  EXPECT_FALSE(digest.is_partial);
}

TEST(Digest, OfARunThatLeavesSettingsOutSaysThatItDoes) {
  HandMadeRun run({"visibility.step_m", "visibility.unknown"},
                  "{baseline: march, exclude: [{visibility.step_m: 0.8}]}");
  for (const double step_m : {0.1, 0.8}) {
    for (const char* unknown : {"free", "blocks"}) {
      if (step_m == 0.8 && std::string(unknown) == "blocks") continue;
      run.add({ConfigValue::number(step_m), ConfigValue::text(unknown)}, "march",
              answers_of(50, 50, step_m == 0.8 ? 5 : 1));
    }
  }
  const Digest digest = make_digest(run.data);
  EXPECT_TRUE(digest.is_partial);
  EXPECT_TRUE(contains(pooling_notes(digest).back(), "leaves settings out"));
  EXPECT_TRUE(contains(takeaway(digest), "compare like with like")) << takeaway(digest);
}

/// Two steps by each of the settings of observers, 10 rays that are visible and 90 hidden each.
Digest digest_by_observers(const std::string& observers, const std::string& key = "replicate",
                           const std::vector<int>& values = {0}) {
  HandMadeRun run({key, "visibility.step_m"}, "{baseline: text, observers: " + observers + "}");
  for (const int value : values) {
    for (const double step_m : {0.1, 0.5}) {
      for (const char* arm : {"text", "march"}) {
        run.add({ConfigValue::integer(value), ConfigValue::number(step_m)}, arm,
                answers_of(10, 90, step_m > 0.2 ? 9 : 0));
      }
    }
  }
  return make_digest(run.data);
}

TEST(Digest, SaysHowManyObserversItsRaysAreOf) {
  const Digest digest = digest_by_observers("{random_free: {count: 20, height_m: 1.6}}");
  EXPECT_EQ(digest.fewest_observers, 20);
  EXPECT_EQ(digest.most_observers, 20);
  const std::string note =
      "The rays of a configuration are of 20 observers, and intervals and p values take each ray "
      "as a trial of its own: they hold for these observers and say nothing of others.";
  EXPECT_EQ(pooling_notes(digest).back(), note) << "under the first figure";
  EXPECT_TRUE(contains(tests_table(digest), note)) << "beside the tests";
  EXPECT_TRUE(contains(observers_note(digest_by_observers("{list: [[1, 1, 1]]}")),
                       "of 1 observer, and intervals and p values take each ray as a trial of its "
                       "own: they hold for this observer and"));
  const std::string both =
      "{union: [{list: [[1, 1, 1]]}, {lattice: {x: {start: 0, stop: 5, step: 1}, y: 1, z: {start: "
      "0, stop: 3, step: 1}}}]}";
  EXPECT_EQ(digest_by_observers(both).most_observers, 25);
}

TEST(Digest, SaysSoOfObserversThatAnAxisVaries) {
  const Digest digest = digest_by_observers("{random_free: {count: 20, height_m: 1.6}}",
                                            "observers.random_free.count", {5, 60, 30});
  EXPECT_EQ(digest.fewest_observers, 5);
  EXPECT_EQ(digest.most_observers, 60);
  EXPECT_TRUE(contains(observers_note(digest), "of 5 to 60 observers"));
}

TEST(Digest, SaysNothingOfObserversThatHaveARayEachOrAreGone) {
  for (const char* observers :
       {"{random_free: {count: 100, height_m: 1.6}}", "{file: /nowhere/observers.npy}"}) {
    const Digest digest = digest_by_observers(observers);
    EXPECT_EQ(digest.most_observers, 0) << observers;
    EXPECT_EQ(observers_note(digest), "");
    EXPECT_FALSE(contains(tests_table(digest), "observer"));
  }
}

TEST(Digest, NeverDrawsALinePerSeedNorMoreThanColoursTell) {
  HandMadeRun run({"seed", "count", "visibility.step_m"});
  for (int seed = 1; seed <= 2; ++seed) {
    for (int count = 0; count < 9; ++count) {
      run.add({ConfigValue::integer(seed), ConfigValue::integer(count), ConfigValue::number(0.5)},
              "march", answers_of(10, 90, 40 * seed + count));
    }
  }
  const Digest digest = make_digest(run.data);
  EXPECT_FALSE(digest.has_lines());
  EXPECT_EQ(digest.at(0, 0, 0).num_known(), 18 * 100);
}

TEST(Digest, ShowsAnAxisWithoutEffectAtOneValue) {
  HandMadeRun run({"visibility.unknown", "visibility.step_m"});
  for (const char* policy : {"free", "blocks"}) {
    for (const double step_m : {0.1, 0.5}) {
      run.add({ConfigValue::text(policy), ConfigValue::number(step_m)}, "march",
              answers_of(10, 90, step_m > 0.2 ? 9 : 0));
    }
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(role_of(digest, "visibility.unknown"), AxisUse::Role::kNoEffect);
  EXPECT_EQ(digest.at(0, 0, 1).num_known(), 100);  // not 200: the same rays
  EXPECT_TRUE(contains(pooling_notes(digest)[0], "No answer depends on visibility.unknown"));
}

TEST(Digest, CountsAnAxisThatMovesWithAnotherOnce) {
  HandMadeRun run({"world.scene", "targets", "visibility.step_m"});
  for (int world = 0; world < 3; ++world) {
    for (const double step_m : {0.1, 0.5}) {
      run.add({ConfigValue::text("w" + std::to_string(world)), ConfigValue::integer(world),
               ConfigValue::number(step_m)},
              "march", answers_of(10, 90, world));
    }
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(role_of(digest, "world.scene"), AxisUse::Role::kLine);
  EXPECT_EQ(role_of(digest, "targets"), AxisUse::Role::kTied);
  EXPECT_EQ(digest.over_lines(0, 0).num_known(), 300);
}

TEST(Digest, FollowsTheSweepFileWhereItChooses) {
  HandMadeRun run({"a", "b", "visibility.step_m"},
                  "{baseline: text, report: {arm: text, lines: a}, visibility: {step_m: 0.1}}");
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (const double step_m : {0.1, 0.5, 1.0}) {
        const std::vector<ConfigValue> at{ConfigValue::integer(a), ConfigValue::integer(b),
                                          ConfigValue::number(step_m)};
        run.add(at, "text", answers_of(10, 90, 90));
        run.add(at, "march", answers_of(10, 90, a + 20 * b + (step_m > 0.2 ? 3 : 0)));
      }
    }
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(digest.line_key, "a");  // b would change more
  EXPECT_EQ(digest.arms[digest.primary], "text");
  EXPECT_EQ(digest.usual_step, 0u);
}

TEST(Digest, RefusesWhatTheRunDoesNotHave) {
  HandMadeRun no_rows({"visibility.step_m"});
  EXPECT_TRUE(contains(input_error_of([&] { make_digest(no_rows.data); }), "no results yet"));
  HandMadeRun run = occlusion_pilot();
  run.data.resolved = ConfigValue::parse_yaml("report: {arm: nobody}", "test.yaml");
  EXPECT_TRUE(contains(input_error_of([&] { make_digest(run.data); }), "no arm nobody"));
  run.data.resolved = ConfigValue::parse_yaml("report: {lines: nothing}", "test.yaml");
  EXPECT_TRUE(contains(input_error_of([&] { make_digest(run.data); }), "no axis nothing"));
}

}  // namespace
}  // namespace sightline::host::report
