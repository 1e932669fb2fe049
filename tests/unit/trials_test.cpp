// What the files of trials say: which trial a row is, what is true, what every arm made of it.
#include "host/sweep/trials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/sweep/run.h"
#include "host/sweep/store.h"
#include "host/sweep/study_experiment.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/trial_files.h"

namespace sightline::tests {
namespace {

/// Runs a sweep with trials in a folder.
host::RunData run_with_trials(const std::string& sweep, const std::string& out,
                              std::int64_t memory_bytes = host::kTrialMemoryBytes) {
  host::SweepOptions options;
  options.output_directory = out;
  options.trials = true;
  options.trial_memory_bytes = memory_bytes;
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::run_sweep(host::SweepPlan::parse(sweep, "sweep.yaml", {}), options, device);
  return host::read_run(out);
}

TrialFile trials_of(const host::RunData& run, const host::RunData::Row& row) {
  return read_trial_file(run.directory + "/trials/" + row.result.configuration_id + ".npy");
}

/// Counts every row again from the trials, and expects what the run has counted but for `left_out`.
void expect_recounted(const host::RunData& run, const std::vector<std::string>& left_out,
                      const std::function<host::ResultRow(const TrialFile&, const std::string& arm,
                                                          const std::string& baseline)>& recount) {
  ASSERT_TRUE(run.complete());
  const std::string baseline = run.rows.front().result.arm;
  for (const host::RunData::Row& row : run.rows) {
    const host::ResultRow again = recount(trials_of(run, row), row.result.arm, baseline);
    for (const host::CountColumn& column : host::measures_of(run.kind()).counts) {
      if (std::count(left_out.begin(), left_out.end(), column.name) > 0) continue;
      EXPECT_EQ(column.of(again), column.of(row.result)) << column.name << " of " << row.result.arm;
    }
  }
}

/// Sums of fractions are whole numbers of this.
std::int64_t whole_of(double value) {
  return std::llround(std::ldexp(value, host::RecallAnswers::kFractionBits));
}

// ---- What is seen

/// Two observers and four targets, of which number 1 lies in a box, and number 2 far away.
std::string sweep_of_points(const TemporaryFolder& folder, const std::string& rest) {
  write_text(folder / "observers.csv", "x,y,z\n1,1,1\n1,1,9\n");
  write_text(folder / "targets.csv", "x,y,z\n3,1,1\n5.5,1,5.5\n15,1,15\n3,1,9\n");
  return "world:\n"
         "  scene:\n"
         "    bounds_m: {min: [0, 0, 0], max: [16, 4, 16]}\n"
         "    solids: [{box: {min: [5, 0, 5], max: [6, 2, 6]}}]\n"
         "  solid: {grid: {voxel_m: 0.5}}\n"
         "observers: {file: " +
         (folder / "observers.csv") + "}\narms: {sight: {predict: line_of_sight}}\n" + rest;
}

using Numbers = std::vector<std::pair<double, double>>;  // observer, target
Numbers numbers_of(const std::string& sweep, const std::string& out) {
  const host::RunData run = run_with_trials(sweep, out);
  const TrialFile trials = trials_of(run, run.rows.front());
  Numbers numbers;
  for (std::size_t i = 0; i < trials["observer"].size(); ++i) {
    numbers.emplace_back(trials["observer"][i], trials["target"][i]);
  }
  return numbers;
}

TEST(TrialsOfRays, NumberPointsAsTheyWereGivenWhateverFiltersDrop) {
  const TemporaryFolder folder;
  const std::string all = "targets: {file: " + (folder / "targets.csv");
  const std::string free = all + ", in_solid: drop}\n";
  const std::string kept = all + ", in_solid: keep}\n";
  EXPECT_EQ(numbers_of(sweep_of_points(folder, kept + "rays: cross\n"), folder / "cross"),
            (Numbers{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(numbers_of(sweep_of_points(folder, free + "rays: cross\n"), folder / "free"),
            (Numbers{{0, 0}, {0, 2}, {0, 3}, {1, 0}, {1, 2}, {1, 3}}));
  EXPECT_EQ(numbers_of(sweep_of_points(folder, free + "rays: {pairing: cross, max_range_m: 10}\n"),
                       folder / "near"),
            (Numbers{{0, 0}, {0, 3}, {1, 0}, {1, 3}}));
}

TEST(TrialsOfRays, OfOneTargetToEachObserverHaveTheNumberOfBoth) {
  const TemporaryFolder folder;
  std::string sweep = sweep_of_points(
      folder, "targets: {file: " + (folder / "targets.csv") +
                  ", in_solid: drop}\nrays: {pairing: elementwise, max_range_m: 15}\n");
  // Of four: the second is in the box, the third too far.
  write_text(folder / "observers.csv", "x,y,z\n1,1,1\n1,1,9\n1,1,1\n1,1,9\n");
  EXPECT_EQ(numbers_of(sweep, folder / "run"), (Numbers{{0, 0}, {3, 3}}));
}

constexpr const char* kSeen = R"(
world: {scene: {name: clutter, seed: 3, size_m: [16, 4, 16], count: 40}, solid: {grid: {voxel_m: 0.2}}}
observers: {random_free: {count: 20, height_m: 1.6}}
targets: {random_free: {count: 30, height_m: 1}}
visibility: {method: march, step_m: 0.5}
arms:
  text: {predict: visible}
  sight: {predict: line_of_sight}
axes: {visibility.step_m: [1, 0.5, 0.1], visibility.unknown: [free, blocks]}
)";

TEST(TrialsOfRays, AreTheSameWhereMemoryHoldsOneConfigurationAtATime) {
  const TemporaryFolder folder;
  run_with_trials(kSeen, folder / "at_once");
  run_with_trials(kSeen, folder / "one_by_one", 1);
  EXPECT_EQ(trial_bytes(folder / "at_once").size(), 6u);
  EXPECT_EQ(trial_bytes(folder / "at_once"), trial_bytes(folder / "one_by_one"));
  EXPECT_EQ(read_text(folder / "at_once/results.csv"),
            read_text(folder / "one_by_one/results.csv"));
}

TEST(TrialsOfRays, HaveNamesOfArmsThatPythonReadsBack) {
  const TemporaryFolder folder;
  const auto said = std::make_shared<const std::vector<std::uint8_t>>();
  std::filesystem::create_directory(folder / "trials");
  host::write_trials(folder.path().string(),
                     host::sight_trials("id", {}, said, {{"l'\xc5\x93il\\", said}}));
  const std::string bytes = read_text(folder / "trials/id.npy");
  EXPECT_NE(bytes.find(R"(('l\U00000027\U00000153il\U0000005c.answer', '|u1'))"), std::string::npos)
      << bytes;
}

TEST(TrialsOfRays, ThatAreNotWhatWasWrittenAreNotTakenForIt) {
  const TemporaryFolder folder;
  const std::string file = folder / "trials/id.npy";
  std::filesystem::create_directory(folder / "trials");
  const auto said = std::make_shared<const std::vector<std::uint8_t>>(100, 1);
  host::RaySet rays;
  rays.batch.observers.resize(100);
  rays.batch.targets.resize(100);
  const std::string run = folder.path().string();
  const std::int64_t checksum =
      host::write_trials(run, host::sight_trials("id", rays, said, {{"a)], (", said}}));
  EXPECT_TRUE(host::has_trials(run, "id", checksum));
  EXPECT_TRUE(host::has_trials(run, "id", std::nullopt));
  EXPECT_FALSE(host::has_trials(run, "id", checksum + 1));
  EXPECT_FALSE(host::has_trials(run, "other", std::nullopt));
  const std::uintmax_t whole = std::filesystem::file_size(file);
  for (const std::uintmax_t size :
       {whole + 1, whole - 1, std::uintmax_t{100}, std::uintmax_t{8}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(file, size);
    EXPECT_FALSE(host::has_trials(run, "id", std::nullopt)) << size;
    EXPECT_FALSE(host::has_trials(run, "id", checksum)) << size;
  }
}

TEST(TrialsOfRays, NeedNamesThatAFileHasRoomFor) {
  const auto said = std::make_shared<const std::vector<std::uint8_t>>();
  const std::vector<host::SaidByArm> arms(40, {std::string(1000, 'a'), said});
  EXPECT_NE(input_error_of([&] {
              host::check_trials("run", host::sight_trials("id", {}, said, arms));
            }).find("run/trials/id.npy: the names of 83 columns have no room"),
            std::string::npos);
}

// ---- What is recalled

constexpr const char* kRecalled = R"(
memories: {calibrated: {activities: 3, per_activity: 12, dimensions: 32}}
queries: {offset_m: 2, direction: sphere, draws: 2}
recall: {proximity: {form: linear, scale_m: 40}, recency: {form: half_life, scale_days: 14}}
arms:
  vector: {recall: {weights: {relevance: 1}}}
  near: {recall: {gate: {radius_m: 5}, weights: {relevance: 1}}}
  judged: {recall: {k: 4, weights: {relevance: 1}, verify: {radius_m: 9}, truth: {radius_m: 6}}}
  said: {recall: {k: 2, weights: {spatial: 1}, verify: {radius_m: 3}}}
axes: {queries.offset_m: [2, 6], recall.k: [1, 5], seed: [1, 2]}
)";

host::ResultRow recall_recounted(const TrialFile& trials, const std::string& arm,
                                 const std::string& baseline) {
  host::ResultRow row;
  host::RecallAnswers& counts = row.recall;
  const bool verified = trials.columns.count(arm + ".recalled") > 0;
  for (std::size_t i = 0; i < trials["query"].size(); ++i) {
    const double rank = trials[arm + ".rank"][i];
    const bool right = trials[arm + ".right"][i] != 0;
    const bool baseline_right = trials[baseline + ".right"][i] != 0;
    ++counts.num_queries;
    counts.hits += right;
    counts.num_gated += rank == 0;
    if (rank > 0) counts.reciprocal_rank_sum += whole_of(1 / rank);
    if (right) counts.gain_sum += whole_of(1 / std::log2(1 + rank));
    counts.only_arm_hit += right && !baseline_right;
    counts.only_baseline_hit += baseline_right && !right;
    if (!verified) continue;
    counts.num_recalled += static_cast<std::int64_t>(trials[arm + ".recalled"][i]);
    counts.recalled_visible += static_cast<std::int64_t>(trials[arm + ".visible"][i]);
    counts.recalled_hidden += static_cast<std::int64_t>(trials[arm + ".hidden"][i]);
    counts.recalled_false_visible += static_cast<std::int64_t>(trials[arm + ".false_visible"][i]);
  }
  return row;
}

TEST(TrialsOfQueries, AddUpToTheCounts) {
  const TemporaryFolder folder;
  const host::RunData run = run_with_trials(kRecalled, folder / "run");
  expect_recounted(run, {}, recall_recounted);
  const TrialFile trials = trials_of(run, run.rows.front());
  EXPECT_EQ(trials.num_rows, 3 * 12 * 2);
  // Two standpoints for each memory, one after the other.
  for (std::size_t i = 0; i < trials["memory"].size(); ++i) {
    EXPECT_EQ(trials["query"][i], static_cast<double>(i));
    EXPECT_EQ(trials["memory"][i], static_cast<double>(i / 2));
  }
}

TEST(TrialsOfQueries, AreTheSameWhereMemoryHoldsOneConfigurationAtATime) {
  const TemporaryFolder folder;
  run_with_trials(kRecalled, folder / "at_once");
  run_with_trials(kRecalled, folder / "one_by_one", 1);
  EXPECT_EQ(trial_bytes(folder / "at_once").size(), 8u);
  EXPECT_EQ(trial_bytes(folder / "at_once"), trial_bytes(folder / "one_by_one"));
  EXPECT_EQ(read_text(folder / "at_once/results.csv"),
            read_text(folder / "one_by_one/results.csv"));
}

// ---- Studies

constexpr const char* kStudy = R"(
study: {storage_medium: {trials: 30}}
arms:
  stored_label: {answer: stored_label}
  reader: {answer: coordinates_and_occluder}
axes: {seed: [1, 2]}
)";

host::ResultRow study_recounted(const TrialFile& trials, const std::string& arm,
                                const std::string& baseline) {
  host::ResultRow row;
  host::StudyAnswers& counts = row.study;
  for (std::size_t i = 0; i < trials["trial"].size(); ++i) {
    const bool right = trials[arm + ".right"][i] != 0;
    const bool baseline_right = trials[baseline + ".right"][i] != 0;
    const double score = trials[arm + ".score"][i];
    const double gain = score - trials[baseline + ".score"][i];
    ++counts.num_trials;
    counts.right += right;
    counts.only_arm_right += right && !baseline_right;
    counts.only_baseline_right += baseline_right && !right;
    counts.score_sum += whole_of(score);
    counts.score_square_sum += whole_of(score * score);
    counts.score_gain_sum += whole_of(gain);
    counts.score_gain_square_sum += whole_of(gain * gain);
    counts.scores_higher += gain > 0;
    counts.scores_lower += gain < 0;
  }
  return row;
}

TEST(TrialsOfAStudy, AddUpToTheCounts) {
  const TemporaryFolder folder;
  expect_recounted(run_with_trials(kStudy, folder / "run"),
                   {"num_unanswered", "coordinate_reads", "truth_reads", "num_candidates",
                    "memory_size", "stored_bytes"},
                   study_recounted);
}

TEST(TrialsOfAStudy, TellWhoWasAskedAndWhatIsHalfRight) {
  const TemporaryFolder folder;
  auto answers = std::make_shared<std::vector<host::ArmAnswers>>(3);
  (*answers)[0].right = {1, 0};
  (*answers)[1].right = {0, 1};
  (*answers)[1].score = {0.25, 0.75};
  std::filesystem::create_directory(folder / "trials");
  host::write_trials(folder.path().string(),
                     host::study_trials("id", {"plain", "scored", "not_asked"}, answers));
  const TrialFile trials = read_trial_file(folder / "trials/id.npy");
  EXPECT_EQ(trials.num_rows, 2);
  EXPECT_EQ(trials["trial"], (std::vector<double>{0, 1}));
  EXPECT_EQ(trials["plain.right"], (std::vector<double>{1, 0}));
  EXPECT_EQ(trials["plain.score"], (std::vector<double>{1, 0}));
  EXPECT_EQ(trials["scored.right"], (std::vector<double>{0, 1}));
  EXPECT_EQ(trials["scored.score"], (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(trials["not_asked.right"], (std::vector<double>{0, 0}));
  for (const double score : trials["not_asked.score"]) EXPECT_TRUE(std::isnan(score));
}

}  // namespace
}  // namespace sightline::tests
