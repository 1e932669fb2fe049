// Generated questions: sound, solvable from the true map, and harmless whatever is answered.
#include <gtest/gtest.h>

#include "host/random.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/task_questions.h"
#include "host/theory_of_space/task_scorers.h"
#include "host/theory_of_space/task_solvers.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

constexpr int kQuestions = 3;  ///< of each kind and scene, as in the paper

template <class Check>
void for_each_question(int num_scenes, const Check& check) {
  for (int number = 0; number < num_scenes; ++number) {
    const Scene scene = generate_scene({}, 11, static_cast<std::uint64_t>(number));
    for (int kind = 0; kind < kNumTaskKinds; ++kind) {
      for (const TaskQuestion& question :
           draw_questions(scene, static_cast<TaskKind>(kind), kQuestions, 3,
                          static_cast<std::uint64_t>(number))) {
        check(scene, question);
      }
    }
  }
}

TEST(TheoryOfSpaceQuestions, AreSolvedFromTheTrueMap) {
  const int kScenes = effort(300);
  std::array<int, kNumTaskKinds> count{};
  for_each_question(kScenes, [&](const Scene& scene, const TaskQuestion& question) {
    ++count[static_cast<std::size_t>(question.kind)];
    const SpatialMap map = true_map(scene);
    EXPECT_EQ(score_answer(question, map, solve(question, map)), 1)
        << scene.id << " " << name_of(question.kind);
    ScoringOptions strict;
    strict.is_strict = strict.checks_facts = true;
    EXPECT_EQ(score_answer(question, map, answer_text(question), strict), 1)
        << scene.id << " " << answer_text(question);
    EXPECT_LE(question.facts.size(), 3u);
  });
  for (int kind = 0; kind < kNumTaskKinds; ++kind) {
    std::printf("%s: %d of %d\n", std::string(name_of(static_cast<TaskKind>(kind))).c_str(),
                count[static_cast<std::size_t>(kind)], kQuestions * kScenes);
    EXPECT_GE(count[static_cast<std::size_t>(kind)], kQuestions * kScenes * 9 / 10);
  }
}

TEST(TheoryOfSpaceQuestions, AreTheSameEachTime) {
  const Scene scene = generate_scene({}, 11, 4);
  for (int kind = 0; kind < kNumTaskKinds; ++kind) {
    const auto once = draw_questions(scene, static_cast<TaskKind>(kind), kQuestions, 3, 4);
    const auto again = draw_questions(scene, static_cast<TaskKind>(kind), kQuestions, 3, 4);
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t i = 0; i < once.size(); ++i)
      EXPECT_EQ(answer_text(once[i]), answer_text(again[i]));
  }
}

TEST(TheoryOfSpaceQuestions, AMapThatLacksThingsIsAnsweredFrom) {
  for_each_question(effort(20), [&](const Scene& scene, const TaskQuestion& question) {
    const SpatialMap truth = true_map(scene);
    const double score = score_answer(question, truth, solve(question, SpatialMap{}));
    EXPECT_GE(score, 0);
    EXPECT_LT(score, 1) << name_of(question.kind);
  });
}

/// Each thing a cell off: seldom are all facts seen from anywhere, yet one pose sees them best.
TEST(TheoryOfSpaceQuestions, AMapThatIsNotQuiteRightIsAnsweredFrom) {
  std::array<double, kNumTaskKinds> sums{};
  std::array<int, kNumTaskKinds> counts{};
  std::uint64_t item = 0;
  for_each_question(effort(40), [&](const Scene& scene, const TaskQuestion& question) {
    SpatialMap map = true_map(scene);
    for (auto& [name, entry] : map.items) {
      host::RandomItem random(6, 1, item++);
      entry.cell.x += static_cast<int>(random.below(3)) - 1;
      entry.cell.y += static_cast<int>(random.below(3)) - 1;
    }
    const std::string answer = solve(question, map);
    EXPECT_FALSE(answer.empty()) << name_of(question.kind);
    const auto kind = static_cast<std::size_t>(question.kind);
    sums[kind] += score_answer(question, true_map(scene), answer);
    ++counts[kind];
  });
  for (std::size_t kind = 0; kind < kNumTaskKinds; ++kind) {
    const double mean = sums[kind] / counts[kind];
    std::printf("%s: %.3f\n", std::string(name_of(static_cast<TaskKind>(kind))).c_str(), mean);
    EXPECT_GT(mean, 0.3) << name_of(static_cast<TaskKind>(kind));
    EXPECT_LT(mean, 1) << name_of(static_cast<TaskKind>(kind));
  }
}

TEST(TheoryOfSpaceQuestions, NoAnswerBreaksAScorer) {
  constexpr std::string_view kLetters = "()[],;.-'\"0123456789 \n\tabJumpToRotate\xff\x80northfar";
  std::uint64_t item = 0;
  for_each_question(effort(20), [&](const Scene& scene, const TaskQuestion& question) {
    const SpatialMap truth = true_map(scene);
    for (int i = 0; i < 30; ++i) {
      host::RandomItem random(5, 1, item++);
      std::string answer = i % 2 == 0 ? answer_text(question) : "";
      const std::uint64_t edits = 1 + random.below(20);
      for (std::uint64_t edit = 0; edit < edits; ++edit) {
        const std::size_t at = static_cast<std::size_t>(random.below(answer.size() + 1));
        answer.insert(at, 1, kLetters[static_cast<std::size_t>(random.below(kLetters.size()))]);
      }
      const double score = score_answer(question, truth, answer, {i % 3 == 0, i % 5 == 0});
      EXPECT_GE(score, 0);
      EXPECT_LE(score, 1);
    }
  });
}

}  // namespace
}  // namespace sightline::tests
