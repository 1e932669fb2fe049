// The study of a campus whose things move: what arms keep, what they answer, and what a broken
// update costs.
#include "host/studies/moving_places.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "host/studies/moving_memories.h"
#include "index/backend_info.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;

#define SKIP_WITHOUT_LIBRARIES()                                \
  if (index::backend_info().faiss_version.empty() ||            \
      index::backend_info().nanoflann_version.empty()) {        \
    GTEST_SKIP() << "this build has no FAISS, or no nanoflann"; \
  }

std::unique_ptr<host::Study> study_of(const std::string& study, const std::string& arms) {
  const ConfigValue config =
      ConfigValue::parse_yaml("study: {" + study + "}\narms: {" + arms + "}\n", "s.yaml");
  return host::make_moving_places({config.at("study"), config.at("arms").entries(), 1});
}

std::vector<ArmAnswers> answers_of(const std::string& study, const std::string& arms,
                                   int num_threads = 0) {
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return study_of(study, arms)->run(device);
}

int num_right(const ArmAnswers& answers) {
  return std::accumulate(answers.right.begin(), answers.right.end(), 0);
}

/// What is right of several sequences, by arm.
std::vector<int> right_of(const std::string& study, const std::string& arms, int num_sequences) {
  std::vector<int> right;
  for (int sequence = 0; sequence < num_sequences; ++sequence) {
    const auto answers = answers_of(study + ", sequence: " + std::to_string(sequence), arms);
    right.resize(answers.size());
    for (std::size_t arm = 0; arm < answers.size(); ++arm) right[arm] += num_right(answers[arm]);
  }
  return right;
}

TEST(MovingPlaces, WithoutNoiseOrChangesTheWholeMemoryIsRight) {
  SKIP_WITHOUT_LIBRARIES();
  const auto answers = answers_of(
      "sequence: 0, noise: perfect, asked: stayed, share_moved: 0, share_vanished: 0, "
      "share_appeared: 0, rounds: 2",
      "append: {update: none}, overlap: {update: overlap, threshold: 0.5}");
  EXPECT_EQ(num_right(answers[0]), host::kMovingQuestions);
  EXPECT_EQ(num_right(answers[1]), host::kMovingQuestions);
  EXPECT_LT(answers[1].memory_size, answers[0].memory_size);
}

TEST(MovingPlaces, EveryArmKeepsWhatItsRuleSays) {
  SKIP_WITHOUT_LIBRARIES();
  const auto answers = answers_of(
      "sequence: 1, noise: default, rounds: 2",
      "append: {update: none}, latest: {update: none, latest: true}, "
      "low: {update: overlap, threshold: 0.3}, high: {update: overlap, threshold: 0.7}, "
      "same: {update: overlap, threshold: 1}, random: {update: random, threshold: 0.7}, "
      "nearest: {update: nearest, reach_m: 3}, oldest: {update: oldest, threshold: 0.7}, "
      "spares: {update: overlap, threshold: 0.3, spares_own_walk: true}, "
      "broken: {update: keeps_old, threshold: 0.7}");
  constexpr std::int64_t kEntries = 2 * 334;  // of 1000 s, one for every 3 s
  EXPECT_EQ(answers[0].memory_size, kEntries);
  EXPECT_EQ(answers[1].memory_size, kEntries);
  EXPECT_LT(answers[2].memory_size, answers[3].memory_size);
  EXPECT_LT(answers[3].memory_size, kEntries);
  EXPECT_LE(answers[3].memory_size, answers[4].memory_size) << "hardly a view comes back as it was";
  EXPECT_EQ(answers[5].memory_size, answers[3].memory_size) << "as many, but others";
  EXPECT_LT(answers[6].memory_size, kEntries);
  EXPECT_EQ(answers[7].memory_size, answers[3].memory_size);
  EXPECT_GE(answers[8].memory_size, kEntries / 2) << "the last day is there as a whole";
  EXPECT_LT(answers[8].memory_size, kEntries);
  EXPECT_LT(answers[9].memory_size, kEntries);
  for (const ArmAnswers& arm : answers) {
    EXPECT_EQ(arm.right.size(), static_cast<std::size_t>(host::kMovingQuestions));
    EXPECT_GT(arm.num_candidates, 0) << "images were looked at";
  }
}

TEST(MovingPlaces, AnswersAreTheSameOnAnyNumberOfThreads) {
  SKIP_WITHOUT_LIBRARIES();
  const std::string study = "sequence: 2, noise: default, rounds: 2, voxel_m: 1",
                    arms =
                        "overlap: {update: overlap, threshold: 0.5}, "
                        "random: {update: random, threshold: 0.5}";
  const auto one = answers_of(study, arms, 1), three = answers_of(study, arms, 3);
  for (std::size_t arm = 0; arm < one.size(); ++arm) {
    EXPECT_EQ(one[arm].right, three[arm].right);
    EXPECT_EQ(one[arm].memory_size, three[arm].memory_size);
    EXPECT_EQ(one[arm].num_candidates, three[arm].num_candidates);
  }
}

/// The broken arm: as many entries are deleted, but the wrong ones.
TEST(MovingPlaces, UpdatesFindWhatMovedUnlessTheyKeepWhatIsOld) {
  SKIP_WITHOUT_LIBRARIES();
  const auto right = right_of("noise: perfect, asked: moved, rounds: 2",
                              "append: {update: none}, overlap: {update: overlap}, "
                              "broken: {update: keeps_old}",
                              3);
  EXPECT_GT(right[1], right[0] + 5) << "of 30";
  EXPECT_LT(right[2], right[0]);
}

/// What as many entries fewer do by themselves: the oldest ones are where nobody came by again.
TEST(MovingPlaces, UpdatesKeepPlacesThatWereNotSeenAgain) {
  SKIP_WITHOUT_LIBRARIES();
  const auto right = right_of("noise: perfect, asked: stayed, rounds: 3, way: other",
                              "overlap: {update: overlap}, oldest: {update: oldest}", 3);
  EXPECT_GT(right[0], right[1] + 2) << "of 30";
}

TEST(MovingPlaces, WhatVanishedIsForgottenByUpdatesAlone) {
  SKIP_WITHOUT_LIBRARIES();
  const auto right = right_of("noise: perfect, asked: vanished, rounds: 2, share_vanished: 0.2",
                              "append: {update: none}, latest: {update: none, latest: true}, "
                              "overlap: {update: overlap}",
                              3);
  EXPECT_EQ(right[0], 0) << "every sighting is still there";
  EXPECT_EQ(right[1], 0);
  EXPECT_GT(right[2], 10) << "of 30";
}

TEST(MovingPlaces, SettingsThatCannotBeAreToldAtTheirKey) {
  const auto error = [](const std::string& study, const std::string& arms) {
    return input_error_of([&] { study_of(study, arms); });
  };
  const std::string good = "sequence: 0, noise: default", arm = "a: {update: none}";
  EXPECT_EQ(error(good, arm), "no error");
  EXPECT_NE(error(good + ", share_move: 0.1", arm).find("did you mean \"share_moved\""),
            std::string::npos)
      << error(good + ", share_move: 0.1", arm);
  EXPECT_NE(error(good + ", share_moved: 0.7", arm).find("study.share_moved"), std::string::npos);
  EXPECT_NE(error(good + ", rounds: 1", arm).find("study.rounds"), std::string::npos);
  EXPECT_NE(error(good + ", way: sideways", arm).find("study.way"), std::string::npos);
  EXPECT_NE(error(good + ", asked: gone", arm).find("study.asked"), std::string::npos);
  EXPECT_NE(error(good + ", rounds: 20, share_appeared: 0.1", arm).find("lower one of them"),
            std::string::npos);
  EXPECT_NE(error("noise: default", arm).find("sequence"), std::string::npos);
  EXPECT_NE(error(good, "a: {update: overlap, threshold: 0}").find("arms.a.threshold"),
            std::string::npos);
  EXPECT_NE(error(good, "a: {update: overlap, treshold: 0.5}").find("did you mean \"threshold\""),
            std::string::npos);
  EXPECT_NE(error(good, "a: {update: none, threshold: 0.5}").find("threshold"), std::string::npos);
  EXPECT_NE(error(good, "a: {update: overlop}").find("did you mean \"overlap\""),
            std::string::npos);
}

TEST(MovingPlaces, WhatNobodyCanBeAskedIsSaid) {
  const auto study = study_of(
      "sequence: 0, noise: default, asked: moved, share_moved: 0, rounds: 2", "a: {update: none}");
  host::Device device(host::DeviceChoice::kCpu, 1);
  EXPECT_NE(input_error_of([&] { study->run(device); }).find("give more rounds, or a larger share"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
