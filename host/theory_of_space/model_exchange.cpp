#include "host/theory_of_space/model_exchange.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/error.h"

namespace sightline::host::tos {
namespace {

bool begins_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/// What a measure (SceneEvaluation::scores) can be: shares, but for counts, gains and inertia.
stats::Interval range_of(const std::string& measure) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (measure == "belief inertia position") return {-1, 1};
  if (measure == "redundant looks") return {0, kAny};
  if (!begins_with(measure, "exploration")) return {0, 1};
  if (measure.find("coverage") != std::string::npos) return {0, 1};
  if (measure.find("information gain") != std::string::npos) return {-kAny, 1};
  return {0, kAny};
}

/// The interval ends where the measure does.
MeasureScore score_of(const std::string& measure, const std::vector<double>& values) {
  stats::Sums sums;
  for (const double value : values) {
    ++sums.n;
    sums.sum += value, sums.squares += value * value;
  }
  MeasureScore score;
  score.n = sums.n;
  score.mean = sums.mean();
  if (sums.n < 2) return score;
  const stats::Interval range = range_of(measure), interval = stats::mean_interval(sums);
  score.interval = {std::max(range.low, interval.low), std::min(range.high, interval.high)};
  return score;
}

/// Answers a scene's open prompts, and those after them, as far as asked. What came of it so far,
/// without the last answers unless nothing is open.
SceneEvaluation solve_scene(const EvaluatedScene& scene, const EvaluationSettings& settings,
                            SolverKind kind, bool to_the_end, ChatAnswers* answers,
                            PromptLines* solved) {
  while (true) {
    SceneEvaluation evaluation = evaluate(scene, settings, *answers);
    if (evaluation.open.empty()) return evaluation;
    for (const ModelPrompt& prompt : evaluation.open) {
      const std::string answer = belief_answer(prompt, kind);
      solved->lines += answer_line(prompt.id, answer);
      ++solved->count;
      answers->emplace(prompt.id, ChatAnswer{answer, ""});
    }
    if (!to_the_end) return evaluation;
  }
}

}  // namespace

std::vector<EvaluatedScene> scenes_to_evaluate(const std::vector<Scene>& scenes,
                                               const std::vector<SceneQuestion>& questions,
                                               int count, std::uint64_t seed) {
  std::vector<EvaluatedScene> evaluated;
  for (const Scene& scene : scenes) {
    EvaluatedScene& one = evaluated.emplace_back();
    one.scene = scene;
    one.number = evaluated.size() - 1;
    if (questions.empty()) {
      one.questions = draw_scene_questions(scene, count, seed, one.number);
      continue;
    }
    for (const SceneQuestion& question : questions) {
      if (question.scene == scene.id) one.questions.push_back(question);
    }
  }
  return evaluated;
}

ChatAnswers read_answers(const ModelExchange& exchange, const std::vector<std::string>& paths) {
  ChatAnswers answers;
  for (const std::string& path : paths) {
    const std::size_t before = answers.size();
    read_chat_answers(path, &answers);
    if (answers.size() == before) throw InputError(path + ": holds no answer");
  }
  if (answers.empty()) return answers;
  std::set<std::string> ids;
  for (const EvaluatedScene& scene : exchange.scenes) {
    ids.merge(evaluate(scene, exchange.settings, answers).ids);
  }
  check_answers_are_known(
      answers, [&](const std::string& id) { return ids.count(id) > 0; }, "these scenes",
      "answers are read with the scenes, the questions and the options that their prompts were "
      "written with, and of turns all answers before them are needed too");
  return answers;
}

PromptLines prompt_lines(const ModelExchange& exchange, const ChatAnswers& answers,
                         const ChatModel& model) {
  PromptLines prompts;
  for (const EvaluatedScene& scene : exchange.scenes) {
    for (const ModelPrompt& prompt : evaluate(scene, exchange.settings, answers).open) {
      prompts.lines += chat_line(chat_prompt(prompt), model);
      ++prompts.count;
    }
  }
  return prompts;
}

PromptLines solver_lines(const ModelExchange& exchange, const ChatAnswers& answers,
                         bool to_the_end) {
  PromptLines solved;
  for (const EvaluatedScene& scene : exchange.scenes) {
    ChatAnswers all = answers;
    solve_scene(scene, exchange.settings, SolverKind::kSettles, to_the_end, &all, &solved);
  }
  return solved;
}

SceneEvaluation evaluate_solver(const EvaluatedScene& scene, const EvaluationSettings& settings,
                                SolverKind kind) {
  ChatAnswers answers;
  PromptLines solved;
  return solve_scene(scene, settings, kind, true, &answers, &solved);
}

ExchangeScore score_exchange(const ModelExchange& exchange, const ChatAnswers& answers) {
  ExchangeScore score;
  std::map<std::string, std::vector<double>> values;
  for (const EvaluatedScene& scene : exchange.scenes) {
    const SceneEvaluation evaluation = evaluate(scene, exchange.settings, answers);
    ++score.num_scenes;
    score.num_ended += evaluation.has_ended ? 1 : 0;
    for (const auto& [ask, counts] : evaluation.counts) {
      AnswerCounts& total = score.counts[ask];
      total.asked += counts.asked;
      total.missing += counts.missing;
      total.failed += counts.failed;
      total.unparsed += counts.unparsed;
    }
    for (const auto& [measure, of_scene] : evaluation.scores) {
      std::vector<double>& all = values[measure];
      all.insert(all.end(), of_scene.begin(), of_scene.end());
    }
  }
  for (const auto& [measure, all] : values) score.scores[measure] = score_of(measure, all);
  return score;
}

std::string score_json(const ExchangeScore& score) {
  nlohmann::ordered_json json{{"scenes", score.num_scenes}, {"ended", score.num_ended}};
  json["prompts"] = nlohmann::ordered_json::object();
  for (const auto& [ask, counts] : score.counts) {
    json["prompts"][std::string(name_of(ask))] = {{"asked", counts.asked},
                                                  {"missing", counts.missing},
                                                  {"failed", counts.failed},
                                                  {"unparsed", counts.unparsed}};
  }
  json["scores"] = nlohmann::ordered_json::object();
  for (const auto& [measure, of_measure] : score.scores) {
    nlohmann::ordered_json& entry = json["scores"][measure];
    entry = {{"n", of_measure.n}, {"mean", of_measure.mean}};
    if (!of_measure.interval) continue;
    entry["low"] = of_measure.interval->low;
    entry["high"] = of_measure.interval->high;
  }
  return json_text(json);
}

}  // namespace sightline::host::tos
