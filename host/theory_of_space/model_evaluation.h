// What a language model knows of a scene, asked and scored by files: Theory of Space (ToS), 4
// and 5.
//
// The answers so far are the whole state. From a scene, the settings and the answers follows what
// was asked, what that scores, and what is to be asked next: an exploration goes on, turn by turn,
// as answers come in, and its probes and tasks with it. Asked of one scene, with their ids:
//
//     A000-turn-003-...             what to do in turn 3, where the model itself explores
//     A000-global_map-003-...       a probe after turn 3; also local_map, unexplored, relations
//     A000-task-direction-0-...     a task, once the exploration has ended; also map_task
//     A000-turn_again-003-...       a turn after some objects changed, and so on
//     A000-changes-...              which they are
//
// The last part of an id is of the scene, the question and the settings that it depends on, so that
// answers to others are strangers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/memory/chat_lines.h"
#include "host/theory_of_space/lived_exploration.h"
#include "host/theory_of_space/model_prompt.h"
#include "host/theory_of_space/question_jsonl.h"
#include "host/theory_of_space/task_scorers.h"

namespace sightline::host::tos {

/// Who explores, when it is neither the model nor nobody: an explorer's name (explorer_kinds.h).
constexpr const char* kFromModel = "model";
constexpr const char* kFromTruth = "truth";  ///< nobody: the true map is told

struct EvaluationSettings {
  std::string from = kFromModel;
  std::set<Ask> asks{Ask::kTask};  ///< turns are asked for whenever the model explores
  bool probes_each_turn = true;    ///< else after the last alone
  int budget = 20;                 ///< turns, where the model explores
  int budget_after_change = 15;
  int budget_of_explorer = 0;  ///< turns, where an explorer does; 0: as many as it takes
  FieldOfView field = FieldOfView::k90;
  double noise = 0;  ///< probability that a bin, or a facing, is seen as another
  std::uint64_t seed =
      1;  ///< of errors of perception, of what is drawn to be asked, and of explorers that draw
  ScoringOptions scoring;
};

/// Throws InputError for an explorer that there is not, and for probes of a map that is told.
void check_settings(const EvaluationSettings& settings);

/// How the `scene`-th is explored, without its budget; errors of perception are others after a
/// change.
EpisodeOptions episode_of(const EvaluationSettings& settings, std::uint64_t scene,
                          bool has_changed);

/// One scene and what is asked of it.
struct EvaluatedScene {
  Scene scene;
  std::uint64_t number = 0;  ///< which of all: what is drawn depends on it
  std::vector<SceneQuestion> questions;
};

/// How the answers to one kind of prompt came out.
struct AnswerCounts {
  std::int64_t asked = 0;
  std::int64_t missing = 0;   ///< no line
  std::int64_t failed = 0;    ///< a line with an error or without text
  std::int64_t unparsed = 0;  ///< a text that is no answer
};

/// What came of one scene, given the answers so far. Missing and unparsed answers score 0.
struct SceneEvaluation {
  std::vector<ModelPrompt> open;  ///< to be answered next
  std::set<std::string> ids;      ///< of all that was asked
  std::map<Ask, AnswerCounts> counts;
  /// By measure: "task direction", "global_map correctness". Of tasks a value each; of turns
  /// their mean, one value.
  std::map<std::string, std::vector<double>> scores;
  bool has_ended = false;  ///< all explorations have
  /// The first exploration, as far as it went, and the global map after each of its turns: what was
  /// answered, empty where that was none; no map where none was asked for or answered.
  LivedExploration lived;
  std::vector<std::optional<SpatialMap>> maps;
};

SceneEvaluation evaluate(const EvaluatedScene& scene, const EvaluationSettings& settings,
                         const ChatAnswers& answers);

/// The prompt as a line of a file takes it.
ChatPrompt chat_prompt(const ModelPrompt& prompt);

}  // namespace sightline::host::tos
