// The evaluation of a language model on many scenes (model_evaluation.h) as an exchange of files
// (host/memory/chat_lines.h): prompts out, answers in, scores.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/stats/paired.h"
#include "host/theory_of_space/belief_solver.h"
#include "host/theory_of_space/model_evaluation.h"

namespace sightline::host::tos {

/// What is asked: everything but the answers.
struct ModelExchange {
  std::vector<EvaluatedScene> scenes;
  EvaluationSettings settings;
};

/// With the given questions; without any, `count` of each task are drawn for every scene.
std::vector<EvaluatedScene> scenes_to_evaluate(const std::vector<Scene>& scenes,
                                               const std::vector<SceneQuestion>& questions,
                                               int count, std::uint64_t seed);

/// All answers of the files. Throws InputError, naming file and line, for a line of another format,
/// an id that is there twice, and one that this exchange has not asked by these answers.
ChatAnswers read_answers(const ModelExchange& exchange, const std::vector<std::string>& paths);

/// The lines of the prompts that wait for an answer, and how many there are.
struct PromptLines {
  std::string lines;
  std::int64_t count = 0;
};
PromptLines prompt_lines(const ModelExchange& exchange, const ChatAnswers& answers,
                         const ChatModel& model);

/// Answers of the belief solver (belief_solver.h) to the prompts that wait for one; with
/// `to_the_end` also to those that follow from its answers, until none is left.
PromptLines solver_lines(const ModelExchange& exchange, const ChatAnswers& answers,
                         bool to_the_end);

/// What the belief solver makes of a scene by itself, to the end.
SceneEvaluation evaluate_solver(const EvaluatedScene& scene, const EvaluationSettings& settings,
                                SolverKind kind = SolverKind::kSettles);

/// The mean of a measure, and its 95 % interval by Student's t, within what
/// the measure can be; none of one value.
struct MeasureScore {
  std::int64_t n = 0;
  double mean = 0;
  std::optional<stats::Interval> interval;
};

struct ExchangeScore {
  std::int64_t num_scenes = 0, num_ended = 0;
  std::map<Ask, AnswerCounts> counts;
  std::map<std::string, MeasureScore> scores;  ///< as SceneEvaluation::scores
};
ExchangeScore score_exchange(const ModelExchange& exchange, const ChatAnswers& answers);

/// {"scenes": .., "ended": .., "prompts": {"task": {"asked": .., "missing": .., ..}, ..},
///  "scores": {"task direction": {"n": .., "mean": .., "low": .., "high": ..}, ..}}
std::string score_json(const ExchangeScore& score);

}  // namespace sightline::host::tos
