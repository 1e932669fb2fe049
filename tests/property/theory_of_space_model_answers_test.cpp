// Whatever a language model answers, its evaluation goes on and its scores stay within bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "host/random.h"
#include "host/theory_of_space/belief_solver.h"
#include "host/theory_of_space/model_evaluation.h"
#include "host/theory_of_space/scene_generator.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::ChatAnswers;

const std::set<Ask> kAll{Ask::kTask,       Ask::kMapThenTask, Ask::kGlobalMap, Ask::kLocalMap,
                         Ask::kUnexplored, Ask::kRelations,   Ask::kChanges};

/// The solver's answer with some letters added, dropped or changed; now and then nothing at all.
std::string disturbed(const ModelPrompt& prompt, host::RandomItem* random) {
  constexpr std::string_view kLetters =
      "()[]{}\",;:.-'0123456789 \n\tJumpToRotateQueryTermanswer: none\xff\x80";
  constexpr std::uint64_t kKinds = 4, kMostEdits = 12;
  if (random->below(kKinds) == 0) return {};
  std::string answer = belief_answer(prompt);
  for (std::uint64_t edits = random->below(kMostEdits); edits > 0 && !answer.empty(); --edits) {
    const auto at = static_cast<std::size_t>(random->below(answer.size()));
    const char letter = kLetters[static_cast<std::size_t>(random->below(kLetters.size()))];
    const std::uint64_t kind = random->below(3);
    if (kind == 0) answer.insert(at, 1, letter);
    if (kind == 1) answer.erase(at, 1);
    if (kind == 2) answer[at] = letter;
  }
  return answer;
}

/// Scores that are no counts are shares, or an inertia from -1 to 1.
void expect_within_bounds(const SceneEvaluation& evaluation) {
  for (const auto& [measure, values] : evaluation.scores) {
    for (const double value : values) {
      EXPECT_TRUE(std::isfinite(value)) << measure;
      const bool is_share = measure.rfind("task", 0) == 0 || measure.rfind("map", 0) == 0 ||
                            measure.rfind("changes", 0) == 0 || measure.rfind("local", 0) == 0;
      if (!is_share) continue;
      EXPECT_GE(value, 0) << measure;
      EXPECT_LE(value, 1) << measure;
    }
  }
}

TEST(ModelAnswersOfAllKinds, NeverStopAnEvaluation) {
  const int num_scenes = effort(12);
  for (int number = 0; number < num_scenes; ++number) {
    const auto place = static_cast<std::uint64_t>(number);
    EvaluatedScene scene{generate_scene({}, 31, place), place, {}};
    scene.questions = draw_scene_questions(scene.scene, 1, 1, place);
    EvaluationSettings settings;
    settings.asks = kAll;
    settings.budget = 6;
    settings.budget_after_change = 4;
    ChatAnswers answers;
    host::RandomItem random(41, 1, place);
    SceneEvaluation evaluation = evaluate(scene, settings, answers);
    const int most_rounds = settings.budget + settings.budget_after_change + 2;
    for (int round = 0; round < most_rounds && !evaluation.open.empty(); ++round) {
      for (const ModelPrompt& prompt : evaluation.open) {
        answers[prompt.id] = {disturbed(prompt, &random), "here"};
      }
      evaluation = evaluate(scene, settings, answers);
      EXPECT_EQ(evaluation.ids.size(), answers.size() + evaluation.open.size())
          << "scene " << number << ": an id was asked twice or an answer is of none";
      expect_within_bounds(evaluation);
    }
    EXPECT_TRUE(evaluation.open.empty()) << "scene " << number;
    EXPECT_TRUE(evaluation.has_ended) << "scene " << number;
  }
}

TEST(ModelAnswersOfAllKinds, BetterOnesScoreNoLess) {
  // A right answer in place of a wrong one raises its task to 1 and leaves the others.
  const int num_scenes = effort(10);
  for (int number = 0; number < num_scenes; ++number) {
    const auto place = static_cast<std::uint64_t>(number);
    EvaluatedScene scene{generate_scene({}, 37, place), place, {}};
    scene.questions = draw_scene_questions(scene.scene, 1, 1, place);
    EvaluationSettings settings;
    settings.from = kFromTruth;
    ChatAnswers answers;
    const std::vector<ModelPrompt> open = evaluate(scene, settings, answers).open;
    for (const ModelPrompt& prompt : open) answers[prompt.id] = {"Unclear.", "here"};
    for (const ModelPrompt& prompt : open) {
      answers[prompt.id] = {belief_answer(prompt), "here"};
      const std::string measure = "task " + std::string(name_of(prompt.question.kind));
      EXPECT_EQ(evaluate(scene, settings, answers).scores.at(measure).front(), 1) << measure;
      answers[prompt.id] = {"Unclear.", "here"};
      EXPECT_LT(evaluate(scene, settings, answers).scores.at(measure).front(), 1) << measure;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
