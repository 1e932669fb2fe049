// A whole evaluation of a language model by files, with the belief solver in its place.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/theory_of_space/belief_solver.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/false_belief_phase.h"
#include "host/theory_of_space/gain_explorer.h"
#include "host/theory_of_space/model_answers.h"
#include "host/theory_of_space/model_evaluation.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/task_solvers.h"
#include "support/errors.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::ChatAnswers;

constexpr int kQuestions = 3;  ///< of each task

EvaluatedScene generated(std::uint64_t number) {
  EvaluatedScene scene{generate_scene({}, 23, number), number, {}};
  scene.questions = draw_scene_questions(scene.scene, kQuestions, 1, number);
  return scene;
}

EvaluatedScene two_rooms() {
  EvaluatedScene scene{parse_scene(kTwoRooms, "here"), 0, {}};
  scene.questions = draw_scene_questions(scene.scene, 1, 1, 0);
  return scene;
}

EvaluationSettings settings_of(const std::string& from, std::set<Ask> asks) {
  EvaluationSettings settings;
  settings.from = from;
  settings.asks = std::move(asks);
  return settings;
}

/// Answers what is open, round by round, until nothing is.
SceneEvaluation play(const EvaluatedScene& scene, const EvaluationSettings& settings,
                     ChatAnswers* answers) {
  constexpr int kMostRounds = 100;
  for (int round = 0; round < kMostRounds; ++round) {
    SceneEvaluation evaluation = evaluate(scene, settings, *answers);
    if (evaluation.open.empty()) return evaluation;
    for (const ModelPrompt& prompt : evaluation.open) {
      EXPECT_TRUE(answers->emplace(prompt.id, host::ChatAnswer{belief_answer(prompt), ""}).second)
          << prompt.id << " was asked twice";
    }
  }
  ADD_FAILURE() << "the evaluation does not end";
  return {};
}

double mean_of(const SceneEvaluation& evaluation, const std::string& measure) {
  const auto found = evaluation.scores.find(measure);
  if (found == evaluation.scores.end()) {
    ADD_FAILURE() << "no score is called " << measure;
    return -1;
  }
  double sum = 0;
  for (const double score : found->second) sum += score;
  return sum / static_cast<double>(found->second.size());
}

const std::set<Ask> kProbes{Ask::kGlobalMap, Ask::kLocalMap, Ask::kUnexplored, Ask::kRelations};

// ---- the solver in the model's place ----------------------------------------------------------

TEST(ModelEvaluation, SolvesAllTasksFromTheTrueMap) {
  for (std::uint64_t number = 0; number < 40; ++number) {
    const EvaluatedScene scene = generated(number);
    for (const Ask ask : {Ask::kTask, Ask::kMapThenTask}) {
      ChatAnswers answers;
      const SceneEvaluation end = play(scene, settings_of(kFromTruth, {ask}), &answers);
      std::size_t num_tasks = 0;
      for (const auto& [measure, scores] : end.scores) {
        for (const double score : scores) EXPECT_EQ(score, 1) << scene.scene.id << " " << measure;
        num_tasks += scores.size();
      }
      EXPECT_EQ(num_tasks, scene.questions.size());
      EXPECT_EQ(end.scores.size(), static_cast<std::size_t>(kNumTaskKinds));
      EXPECT_EQ(end.counts.at(ask).unparsed, 0);
    }
  }
}

TEST(ModelEvaluation, ExploresByFilesAsItDoesDirectly) {
  for (std::uint64_t number = 0; number < 25; ++number) {
    const EvaluatedScene scene = generated(number);
    ChatAnswers answers;
    const EvaluationSettings settings = settings_of(kFromModel, {});
    const SceneEvaluation end = play(scene, settings, &answers);
    ASSERT_TRUE(end.has_ended);
    EpisodeOptions options;
    options.budget = settings.budget;
    GainExplorer explorer(briefing_of(scene.scene));
    const Exploration direct = explore(scene.scene, &explorer, options);
    EXPECT_EQ(answers.size(), direct.turns.size());
    EXPECT_EQ(mean_of(end, "exploration turns"), static_cast<double>(direct.turns.size()));
    EXPECT_EQ(mean_of(end, "exploration observes"), direct.num_observes());
    EXPECT_EQ(mean_of(end, "exploration information gain"), direct.last().information_gain);
    EXPECT_EQ(mean_of(end, "exploration node coverage"), direct.last().node_coverage);
    EXPECT_EQ(mean_of(end, "exploration edge coverage"), direct.last().edge_coverage);
    EXPECT_EQ(mean_of(end, "exploration failed turns"), 0);
  }
}

TEST(ModelEvaluation, AnswersEveryProbeOfItsOwnExploration) {
  std::set<Ask> asks = kProbes;
  asks.insert({Ask::kTask, Ask::kMapThenTask, Ask::kChanges});
  for (std::uint64_t number = 0; number < 6; ++number) {
    ChatAnswers answers;
    const SceneEvaluation end = play(generated(number), settings_of(kFromModel, asks), &answers);
    EXPECT_TRUE(end.has_ended);
    EXPECT_EQ(end.ids.size(), answers.size());
    for (const Ask ask : asks) {
      ASSERT_EQ(end.counts.count(ask), 1U) << name_of(ask);
      EXPECT_EQ(end.counts.at(ask).missing, 0) << name_of(ask);
      EXPECT_EQ(end.counts.at(ask).failed, 0) << name_of(ask);
    }
    for (const Ask ask : kProbes) EXPECT_EQ(end.counts.at(ask).unparsed, 0) << name_of(ask);
    EXPECT_EQ(mean_of(end, "map self-tracking facing"), 1) << "it knows which way it turned";
    EXPECT_EQ(mean_of(end, "perception facing"), 1) << "facings are told as they are";
    EXPECT_GT(mean_of(end, "map correctness overall"), 0.7);
    EXPECT_GT(mean_of(end, "unexplored F1"), 0.7);
    EXPECT_GT(mean_of(end, "relations"), 0.7);
  }
}

TEST(ModelEvaluation, FindsWhatChanged) {
  double f1 = 0;
  constexpr int kScenes = 10;
  for (int number = 0; number < kScenes; ++number) {
    ChatAnswers answers;
    const SceneEvaluation end = play(generated(static_cast<std::uint64_t>(number)),
                                     settings_of("scout", {Ask::kChanges}), &answers);
    EXPECT_EQ(answers.size(), 1U) << "one log, one question";
    f1 += mean_of(end, "changes F1") / kScenes;
    EXPECT_GE(mean_of(end, "redundant looks"), 0);
  }
  EXPECT_GT(f1, 0.8);
}

TEST(ModelEvaluation, SolvesTasksFromTheLogOfEveryExplorer) {
  for (const std::string& explorer : explorer_names()) {
    ChatAnswers answers;
    const SceneEvaluation end = play(generated(3), settings_of(explorer, {Ask::kTask}), &answers);
    EXPECT_EQ(end.counts.at(Ask::kTask).asked, static_cast<std::int64_t>(answers.size()));
    EXPECT_GT(mean_of(end, "task direction"), explorer == "random" ? 0 : 0.4) << explorer;
  }
}

TEST(ModelEvaluation, ScoresBeliefsAsThePhaseOfFalseBeliefsDoes) {
  for (std::uint64_t number = 0; number < 8; ++number) {
    const EvaluatedScene scene = generated(number);
    const EvaluationSettings settings = settings_of("scout", {Ask::kChanges, Ask::kGlobalMap});
    ChatAnswers answers;
    const SceneEvaluation end = play(scene, settings, &answers);
    FalseBeliefSettings phase;
    phase.first.allows_return = false;
    const FalseBeliefResult direct =
        run_false_belief(scene.scene, draw_changes(scene.scene, {}, settings.seed, number), phase);
    EXPECT_EQ(mean_of(end, "changes F1"), direct.f1.overall);
    EXPECT_EQ(mean_of(end, "redundant looks"), direct.redundancy);
    EXPECT_EQ(mean_of(end, "exploration after change turns"), direct.num_turns);
    EXPECT_NEAR(mean_of(end, "belief correctness"), direct.correctness, 1e-12);
    EXPECT_NEAR(mean_of(end, "belief inertia position"), direct.inertia, 1e-12);
    EXPECT_NEAR(mean_of(end, "belief inertia facing"), direct.facing_inertia, 1e-12);
  }
}

// ---- prompts ----------------------------------------------------------------------------------

TEST(ModelEvaluation, TellsAModelNoTruth) {
  // Scenes that differ in what was not seen yet give the same first prompt but for its id.
  EvaluatedScene scene = two_rooms();
  const EvaluationSettings settings = settings_of(kFromModel, {});
  const host::ChatPrompt before = chat_prompt(evaluate(scene, settings, {}).open.at(0));
  scene.scene.objects[2].cell = {6, 1};
  const host::ChatPrompt after = chat_prompt(evaluate(scene, settings, {}).open.at(0));
  EXPECT_EQ(before.question, after.question);
  EXPECT_EQ(before.instructions, after.instructions);
  EXPECT_NE(before.id, after.id);
}

TEST(ModelEvaluation, CarriesNoAnswerToWhoeverAnswers) {
  const SceneEvaluation start = evaluate(generated(1), settings_of("scout", {Ask::kTask}), {});
  ASSERT_FALSE(start.open.empty());
  for (const ModelPrompt& prompt : start.open) {
    EXPECT_TRUE(prompt.question.plan.empty());
    EXPECT_TRUE(prompt.question.answer_direction.empty());
    EXPECT_TRUE(prompt.question.answer_names.empty());
    EXPECT_TRUE(prompt.question.answer_cells.empty());
    EXPECT_FALSE(prompt.told.map);
    for (const ToldTurn& turn : prompt.told.turns) EXPECT_EQ(turn.turn.pose.cell, Cell{});
  }
}

TEST(ModelEvaluation, AsksTheTurnsOfOneEpisodeOneAfterTheOther) {
  const EvaluatedScene scene = two_rooms();
  const EvaluationSettings settings = settings_of(kFromModel, {Ask::kTask});
  ChatAnswers answers;
  const auto next = [&] { return evaluate(scene, settings, answers); };
  const auto answer = [&](const std::string& text) {
    const SceneEvaluation now = next();
    ASSERT_EQ(now.open.size(), 1U);
    answers[now.open[0].id] = {text, "here"};
  };
  EXPECT_NE(chat_prompt(next().open[0]).question.find("You have 20 turns left."),
            std::string::npos);
  answer("I look.\nFINAL ANSWER: [Observe()]");
  EXPECT_NE(chat_prompt(next().open[0]).question.find("Turn 1: [Observe()]\nYou observe:"),
            std::string::npos);
  answer("FINAL ANSWER: [JumpTo(desk), Observe()]");
  EXPECT_NE(chat_prompt(next().open[0]).question.find("JumpTo(desk) failed"), std::string::npos);
  answer("dance");
  const std::string after_dance = chat_prompt(next().open[0]).question;
  EXPECT_NE(after_dance.find("Turn 3: dance\nNothing was done: \"dance\" is no action"),
            std::string::npos)
      << after_dance;
  answer("[Term()]");
  const SceneEvaluation end = next();
  EXPECT_TRUE(end.has_ended);
  EXPECT_EQ(end.open.size(), scene.questions.size()) << "its tasks are asked now";
  EXPECT_EQ(end.counts.at(Ask::kTurn).unparsed, 1);
  EXPECT_EQ(mean_of(end, "exploration turns"), 4);
  EXPECT_EQ(mean_of(end, "exploration failed turns"), 2);
  EXPECT_EQ(mean_of(end, "exploration observes"), 2);
}

TEST(ModelEvaluation, ATurnWhoseRequestFailedIsAskedAgain) {
  const EvaluatedScene scene = two_rooms();
  const EvaluationSettings settings = settings_of(kFromModel, {Ask::kTask});
  ChatAnswers answers;
  const std::string first = evaluate(scene, settings, answers).open.at(0).id;
  answers[first] = {std::nullopt, "here"};
  const SceneEvaluation failed = evaluate(scene, settings, answers);
  ASSERT_EQ(failed.open.size(), 1U);
  EXPECT_EQ(failed.open[0].id, first);
  EXPECT_EQ(failed.counts.at(Ask::kTurn).failed, 1);
  EXPECT_TRUE(failed.lived.turns.empty()) << "it costs no turn";
}

TEST(ModelEvaluation, EndsAnEpisodeWhoseTurnsAreSpent) {
  const EvaluatedScene scene = two_rooms();
  EvaluationSettings settings = settings_of(kFromModel, {});
  settings.budget = 3;
  ChatAnswers answers;
  for (int turn = 0; turn < settings.budget; ++turn) {
    const SceneEvaluation now = evaluate(scene, settings, answers);
    ASSERT_EQ(now.open.size(), 1U);
    EXPECT_FALSE(now.has_ended);
    answers[now.open[0].id] = {"[Observe()]", "here"};
  }
  const SceneEvaluation end = evaluate(scene, settings, answers);
  EXPECT_TRUE(end.has_ended);
  EXPECT_TRUE(end.open.empty());
}

// ---- scores -----------------------------------------------------------------------------------

TEST(ModelEvaluation, CountsWhatIsMissingFailedAndNoAnswer) {
  const EvaluatedScene scene = generated(2);
  const EvaluationSettings settings = settings_of("scout", {Ask::kTask});
  ChatAnswers answers;
  play(scene, settings, &answers);
  auto answer = answers.begin();
  answers.erase(answer++);
  answer++->second.text.reset();
  answer++->second.text = "";
  const SceneEvaluation end = evaluate(scene, settings, answers);
  const AnswerCounts& counts = end.counts.at(Ask::kTask);
  EXPECT_EQ(counts.asked, static_cast<std::int64_t>(scene.questions.size()));
  EXPECT_EQ(counts.missing, 1);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_GE(counts.unparsed, 1);
  EXPECT_EQ(end.open.size(), 2U) << "what is missing, and what failed";
  std::size_t num_scores = 0;
  for (const auto& [measure, scores] : end.scores) {
    if (measure.rfind("task", 0) == 0) num_scores += scores.size();
  }
  EXPECT_EQ(num_scores, scene.questions.size()) << "what has no answer scores 0";
}

TEST(ModelEvaluation, AnEmptyMapScoresNothing) {
  const EvaluatedScene scene = generated(4);
  const EvaluationSettings settings = settings_of("scout", kProbes);
  ChatAnswers answers;
  for (const ModelPrompt& prompt : evaluate(scene, settings, answers).open) {
    answers[prompt.id] = {"Unclear.", "here"};
  }
  const SceneEvaluation end = evaluate(scene, settings, answers);
  for (const auto& [measure, scores] : end.scores) {
    if (measure.rfind("exploration", 0) == 0) continue;  // SCOUT's own
    EXPECT_EQ(mean_of(end, measure), 0) << measure;
  }
  EXPECT_GE(end.scores.size(), 20U);
  for (const Ask ask : kProbes) {
    EXPECT_EQ(end.counts.at(ask).unparsed, end.counts.at(ask).asked) << name_of(ask);
  }
}

TEST(ModelEvaluation, ProbesTheLastTurnAloneIfAsked) {
  EvaluationSettings settings = settings_of("scout", {Ask::kGlobalMap});
  const std::size_t each = evaluate(generated(0), settings, {}).open.size();
  settings.probes_each_turn = false;
  EXPECT_EQ(evaluate(generated(0), settings, {}).open.size(), 1U);
  EXPECT_GT(each, 5U);
}

TEST(ModelEvaluation, ItsIdsAreOfTheSceneAndTheSettings) {
  EvaluationSettings settings = settings_of("scout", {Ask::kTask});
  const std::set<std::string> ids = evaluate(generated(0), settings, {}).ids;
  EXPECT_EQ(ids.size(), generated(0).questions.size());
  settings.seed = 2;
  for (const std::string& id : evaluate(generated(0), settings, {}).ids) {
    EXPECT_EQ(ids.count(id), 0U) << id;
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789-_"),
              std::string::npos)
        << id;
  }
}

TEST(ModelEvaluation, RefusesSettingsThatCannotBe) {
  EXPECT_NE(
      input_error_of([] { check_settings(settings_of("scoot", {Ask::kTask})); }).find("\"scout\""),
      std::string::npos);
  EXPECT_NE(input_error_of([] {
              check_settings(settings_of(kFromTruth, {Ask::kGlobalMap}));
            }).find("name an explorer"),
            std::string::npos);
  EXPECT_EQ(input_error_of([] { check_settings(settings_of(kFromModel, {Ask::kChanges})); }),
            "no error");
}

// ---- answers in words -------------------------------------------------------------------------

TEST(ModelAnswers, ChooseCandidatesByNumber) {
  const std::vector<Cell> cells{{1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(chosen_cells("thinking 9\nFinal Answer: 1, 3", cells),
            (std::vector<Cell>{{1, 1}, {3, 3}}));
  EXPECT_EQ(chosen_cells("**FINAL ANSWER:** none", cells), std::vector<Cell>{});
  EXPECT_EQ(chosen_cells("FINAL ANSWER: 0, 2, 4, x", cells), (std::vector<Cell>{{2, 2}}));
  EXPECT_EQ(chosen_cells("", cells), std::nullopt);
  EXPECT_EQ(chosen_cells("all", cells), std::nullopt);
}

TEST(ModelAnswers, TellChanges) {
  const auto changes = told_changes("FINAL ANSWER: Lamp: moved; sofa: rotated\ndesk: gone");
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 2U);
  EXPECT_TRUE((*changes)[0].moved);
  EXPECT_FALSE((*changes)[0].rotated);
  EXPECT_EQ((*changes)[1].name, "sofa");
  EXPECT_TRUE((*changes)[1].rotated);
  EXPECT_TRUE(told_changes("none")->empty());
  EXPECT_FALSE(told_changes("lamp moved"));
}

TEST(ModelAnswers, TellRelationsInOrder) {
  const auto told = told_relations("answer: north, near; south west, far", 3);
  EXPECT_EQ(told, (std::vector<std::string>{"north, near", "south west, far", ""}));
  EXPECT_FALSE(told_relations("", 2));
}

TEST(ModelAnswers, KnowWhatCouldBeAnAnswer) {
  EXPECT_TRUE(is_task_answer(TaskKind::kDirection, "up, far"));
  EXPECT_FALSE(is_task_answer(TaskKind::kDirection, "north"));
  EXPECT_TRUE(is_task_answer(TaskKind::kView2Act, "Rotate(90), JumpTo(lamp)"));
  EXPECT_FALSE(is_task_answer(TaskKind::kView2Act, "go to the lamp"));
  EXPECT_TRUE(is_task_answer(TaskKind::kView2Loc, "(1, 2)"));
  EXPECT_FALSE(is_task_answer(TaskKind::kAllocMap, "here"));
  EXPECT_FALSE(is_task_answer(TaskKind::kPercDec, " "));
}

}  // namespace
}  // namespace sightline::tests
