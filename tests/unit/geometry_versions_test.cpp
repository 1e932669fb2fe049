// The study of worlds that change: what each policy can answer, what it keeps, and that what is
// broken is found out.
#include "host/studies/geometry_versions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "host/studies/study.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;

constexpr const char* kWorld =
    "world: w, worlds: {w: {scene: {name: rooms, size_m: [24, 3, 18], room_m: 5}, walk: {floor_m: "
    "0}}}, voxel_m: 0.25, memories: 120, pairs_per_memory: 15, objects: 24";

std::unique_ptr<host::Study> study_of(const std::string& question, const std::string& arms,
                                      const std::string& more = ", edits: 60") {
  const ConfigValue config = ConfigValue::parse_yaml(
      "study: {question: " + question + ", " + kWorld + more + "}\narms: {" + arms + "}\n",
      "s.yaml");
  return host::make_geometry_versions({config.at("study"), config.at("arms").entries(), 1});
}

std::vector<ArmAnswers> ask(const std::string& question, const std::string& arms,
                            const std::string& more = ", edits: 60", int num_threads = 1) {
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return study_of(question, arms, more)->run(device);
}

std::int64_t num_right(const ArmAnswers& arm) {
  return std::accumulate(arm.right.begin(), arm.right.end(), std::int64_t{0});
}
std::int64_t num_trials(const ArmAnswers& arm) {
  return static_cast<std::int64_t>(arm.right.size());
}
std::int64_t num_wrong(const ArmAnswers& arm) {
  return num_trials(arm) - num_right(arm) - arm.num_unanswered;
}

const char* kPolicies =
    "current: {keeps: [current]}, ids: {keeps: [current, object_places]}, bits: {keeps: "
    "[seen_bits]}, bricks: {keeps: [crossed_bricks]}, snapshots: {keeps: [snapshots]}, shared: "
    "{keeps: [shared_snapshots]}, versions: {keeps: [versions]}, all: {keeps: [versions, "
    "object_places]}";

/// Who answers which question; all that is answered is right.
TEST(GeometryVersions, EachPolicyAnswersWhatItKeepsAndIsNeverWrong) {
  const std::vector<std::pair<std::string, std::vector<bool>>> expected{
      {"then", {false, false, true, true, true, true, true, true}},
      {"now", {true, true, false, false, false, false, true, true}},
      {"object_now", {false, true, false, false, false, false, false, true}}};
  for (const auto& [question, answers] : expected) {
    const auto arms = ask(question, kPolicies);
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
      EXPECT_EQ(num_trials(arms[arm]), study_of(question, kPolicies)->num_trials());
      EXPECT_EQ(num_wrong(arms[arm]), 0) << question << ", arm " << arm;
      EXPECT_EQ(arms[arm].num_unanswered, answers[arm] ? 0 : num_trials(arms[arm]))
          << question << ", arm " << arm;
    }
  }
}

TEST(GeometryVersions, APlaceThatNobodyAskedAboutNeedsTheGeometry) {
  const auto arms = ask("elsewhere_then", kPolicies);
  for (const std::size_t arm : {4, 5, 6, 7}) EXPECT_EQ(num_right(arms[arm]), num_trials(arms[arm]));
  for (const std::size_t arm : {0, 1, 2}) {
    EXPECT_EQ(arms[arm].num_unanswered, num_trials(arms[arm]));
  }
  EXPECT_EQ(num_wrong(arms[3]), 0) << "what its bricks do not show it does not say";
  EXPECT_GT(arms[3].num_unanswered, num_trials(arms[3]) / 2);
  EXPECT_LT(arms[3].num_unanswered, num_trials(arms[3]));
}

TEST(GeometryVersions, CurrentGeometryIsWrongOnExactlyWhatChanged) {
  const auto arms =
      ask("then",
          "guess: {keeps: [current], stands_in: true}, audit: {keeps: [current], stands_in: true, "
          "judged_by: changed_pairs}, never_wrong: {keeps: [snapshots, current], stands_in: true, "
          "judged_by: changed_pairs}, mixed: {keeps: [versions], log: shuffled, stands_in: true, "
          "judged_by: changed_pairs}");
  EXPECT_GT(num_wrong(arms[0]), 20) << "or nothing is shown";
  EXPECT_EQ(num_right(arms[1]), num_trials(arms[1]));
  EXPECT_EQ(num_trials(arms[2]) - num_right(arms[2]), num_wrong(arms[0]))
      << "who is never wrong misses each changed pair";
  EXPECT_LT(num_right(arms[3]), num_trials(arms[3]));
  EXPECT_TRUE(ask("now", "audit: {keeps: [current], stands_in: true, judged_by: changed_pairs}")[0]
                  .right.empty())
      << "asked of the past only";
}

TEST(GeometryVersions, AsMuchIsWrongOfThePresentWhereASnapshotStandsIn) {
  const auto past = ask("then", "guess: {keeps: [current], stands_in: true}");
  const auto present = ask("now", "guess: {keeps: [snapshots], stands_in: true}");
  EXPECT_EQ(past[0].right, present[0].right) << "the same pairs";
}

TEST(GeometryVersions, WhatIsBrokenIsFoundOut) {
  const auto arms = ask("then",
                        "snapshots: {keeps: [snapshots], late_by: 10}, versions: {keeps: "
                        "[versions], late_by: 10}, bits: {keeps: [seen_bits], late_by: 10}, "
                        "bricks: {keeps: [crossed_bricks], late_by: 10}, log: {keeps: [versions], "
                        "log: shuffled}",
                        ", edits: 400");
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    EXPECT_GT(num_wrong(arms[arm]), 0) << arm;
    EXPECT_EQ(arms[arm].stored_bytes, 0) << "weighed once, by its sound twin";
  }
  EXPECT_EQ(arms[0].right, arms[1].right) << "one late geometry, kept in two ways";
  EXPECT_GT(num_wrong(ask("now", "log: {keeps: [versions], log: shuffled}")[0]), 0);
}

TEST(GeometryVersions, EachKindOfEditChangesWhatIsVisible) {
  for (const char* kind : {"door", "wall", "object"}) {
    const std::string kinds = std::string(", kinds: [") + kind + "], range_m: 12, edits: 60";
    const auto arms = ask(
        "then", "guess: {keeps: [current], stands_in: true}, versions: {keeps: [versions]}", kinds);
    EXPECT_GT(num_wrong(arms[0]), 0) << kind;
    EXPECT_EQ(num_wrong(arms[1]), 0) << kind;
  }
}

TEST(GeometryVersions, VersionsGrowByWhatChangesAndSnapshotsByTheWorld) {
  const std::string arms =
      "versions: {keeps: [versions]}, snapshots: {keeps: [snapshots]}, shared: {keeps: "
      "[shared_snapshots]}, bits: {keeps: [seen_bits]}, both: {keeps: [seen_bits, versions]}, "
      "current: {keeps: [current]}";
  const auto few = ask("then", arms, ", edits: 10"), more = ask("then", arms);
  EXPECT_GT(more[0].stored_bytes, few[0].stored_bytes);
  EXPECT_LT(more[0].stored_bytes, 8 * few[0].stored_bytes);
  EXPECT_GT(few[1].stored_bytes, 20 * few[0].stored_bytes);
  EXPECT_GT(more[1].stored_bytes, 100 * more[5].stored_bytes) << "a grid for each of 120";
  EXPECT_GT(more[2].stored_bytes, 50 * more[5].stored_bytes) << "one for each of 60 versions";
  EXPECT_LT(more[2].stored_bytes, 70 * more[5].stored_bytes);
  EXPECT_EQ(more[3].stored_bytes, 15) << "120 bits";
  EXPECT_EQ(more[4].stored_bytes, more[3].stored_bytes + more[0].stored_bytes);
  EXPECT_EQ(more[0].memory_size, 120);
  EXPECT_EQ(ask("now", arms)[1].stored_bytes, more[1].stored_bytes) << "whatever is asked";
}

TEST(GeometryVersions, AnswersAreTheSameOnAnyNumberOfThreads) {
  const auto one = ask("elsewhere_then", kPolicies, ", edits: 60", 1),
             three = ask("elsewhere_then", kPolicies, ", edits: 60", 3);
  for (std::size_t arm = 0; arm < one.size(); ++arm) {
    EXPECT_EQ(one[arm].right, three[arm].right);
    EXPECT_EQ(one[arm].stored_bytes, three[arm].stored_bytes);
  }
}

}  // namespace
}  // namespace sightline::tests
