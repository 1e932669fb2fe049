#include "host/theory_of_space/model_evaluation.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "host/error.h"
#include "host/random.h"
#include "host/theory_of_space/answer_words.h"
#include "host/theory_of_space/cognitive_map.h"
#include "host/theory_of_space/cognitive_map_json.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/false_belief.h"
#include "host/theory_of_space/map_probe_scores.h"
#include "host/theory_of_space/model_answers.h"
#include "host/theory_of_space/question_text.h"
#include "host/theory_of_space/revised_beliefs.h"
#include "host/theory_of_space/scene_jsonl.h"

namespace sightline::host::tos {
namespace {

constexpr const char* kAgain = "_again";  ///< in ids: after the change

/// One of the two explorations of a scene.
struct Phase {
  const Scene& scene;
  std::string suffix;  ///< of ids
  int budget = 0;
  LivedExploration lived;
  UnexploredCells explored;
  std::vector<std::optional<SpatialMap>> maps;  ///< [turns]; none: not asked; empty: no answer
  std::vector<std::optional<SpatialMap>> answered_maps;  ///< [turns]; none: no answer
};

class SceneEvaluator {
 public:
  SceneEvaluator(const EvaluatedScene& asked, const EvaluationSettings& settings,
                 const ChatAnswers& answers)
      : asked_(asked),
        settings_(settings),
        answers_(answers),
        digest_(scene_line(asked.scene) + fmt::format(" {} {} {} {} {}", settings.from,
                                                      settings.budget, settings.budget_after_change,
                                                      settings.seed, asked.number)) {
    told_.briefing = briefing_of(asked.scene);
    told_.field = settings.field;
    // What was asked before there were such options keeps its ids.
    if (settings.field != FieldOfView::k90 || settings.noise > 0) {
      digest_ += fmt::format(" {} {}", degrees_of(settings.field), settings.noise);
    }
  }

  SceneEvaluation evaluate() {
    if (settings_.from == kFromTruth) {
      told_ = told_truth(asked_.scene);
      ask_tasks();
      result_.has_ended = true;
      return std::move(result_);
    }
    Phase first{asked_.scene, "", settings_.budget, {}, UnexploredCells(asked_.scene), {}, {}};
    const bool has_ended = explore(&first);
    result_.lived = first.lived;
    result_.maps = first.answered_maps;
    if (!has_ended) return std::move(result_);
    score_exploration(first, "exploration");
    told_.turns = told_turns(first.lived);
    told_.turns_left = 0;
    ask_tasks();
    result_.has_ended = asks(Ask::kChanges) ? explore_again(first) : true;
    return std::move(result_);
  }

 private:
  bool asks(Ask ask) const { return settings_.asks.count(ask) > 0; }
  bool model_explores() const { return settings_.from == kFromModel; }

  ModelPrompt prompt(Ask ask, const std::string& what, const std::string& more = {}) const {
    ModelPrompt made;
    made.ask = ask;
    made.id = fmt::format("{}-{}-{:08x}", id_text(asked_.scene.id), id_text(what),
                          stream_of(digest_ + what + more) & 0xffffffff);
    made.told = told_;
    return made;
  }

  /// The text that answers a prompt; none: there is none, which is counted.
  std::optional<std::string> answer_to(const ModelPrompt& prompt) {
    AnswerCounts& counts = result_.counts[prompt.ask];
    ++counts.asked;
    result_.ids.insert(prompt.id);
    const auto answer = answers_.find(prompt.id);
    if (answer == answers_.end()) {
      ++counts.missing;
      result_.open.push_back(prompt);
      return std::nullopt;
    }
    if (!answer->second.text) {  // a request that failed is made again
      ++counts.failed;
      result_.open.push_back(prompt);
    }
    return answer->second.text;
  }
  void count_unparsed(Ask ask, bool is_unparsed) {
    result_.counts[ask].unparsed += is_unparsed ? 1 : 0;
  }

  // ---- explorations ---------------------------------------------------------------------------

  /// Explores as far as the answers go, and probes what is believed on the way. False: it goes on.
  bool explore(Phase* phase) {
    EpisodeOptions options = episode_of(settings_, asked_.number, !phase->suffix.empty());
    if (model_explores()) {
      options.budget = phase->budget;
      live_by_model(phase, options);
    } else {
      options.budget = phase->suffix.empty() ? settings_.budget_of_explorer : phase->budget;
      const auto explorer = make_explorer(settings_.from, phase->scene, options, Profile::kCode,
                                          settings_.seed + asked_.number, "from");
      phase->lived = live(phase->scene, explorer.get(), options);
    }
    probe_turns(phase);
    return phase->lived.has_ended;
  }

  std::vector<ToldTurn>& told_turns_of(const Phase& phase) {
    return phase.suffix.empty() ? told_.turns : told_.turns_after_change;
  }

  /// Asks for one turn after the other, until an answer is missing.
  void live_by_model(Phase* phase, const EpisodeOptions& options) {
    std::vector<std::string> said;
    while (true) {
      phase->lived = live_by_answers(phase->scene, said, options);
      if (phase->lived.has_ended) break;
      told_turns_of(*phase) = told_turns(phase->lived);
      told_.turns_left = phase->budget - static_cast<int>(said.size());
      const ModelPrompt next =
          prompt(Ask::kTurn, fmt::format("turn{}-{:03}", phase->suffix, said.size() + 1));
      const std::optional<std::string> answer = answer_to(next);
      if (!answer) break;
      said.push_back(*answer);
    }
    for (const LivedTurn& turn : phase->lived.turns) {
      count_unparsed(Ask::kTurn, !turn.truth.error.empty());
    }
  }

  void score_exploration(const Phase& phase, const std::string& name) {
    const Exploration& exploration = phase.lived.exploration;
    std::int64_t num_failed = 0;
    for (const LivedTurn& turn : phase.lived.turns) num_failed += turn.truth.failed ? 1 : 0;
    score(name + " turns", static_cast<double>(exploration.turns.size()));
    score(name + " failed turns", static_cast<double>(num_failed));
    score(name + " observes", exploration.last().num_observes);
    score(name + " cost", exploration.last().cost);
    score(name + " information gain", exploration.last().information_gain);
    score(name + " node coverage", exploration.last().node_coverage);
    score(name + " edge coverage", exploration.last().edge_coverage);
  }
  void score(const std::string& measure, double value) { result_.scores[measure].push_back(value); }

  // ---- probes ---------------------------------------------------------------------------------

  void probe_turns(Phase* phase) {
    TurnScores scores;
    phase->maps.resize(phase->lived.turns.size());
    phase->answered_maps.resize(phase->lived.turns.size());
    const std::vector<ToldTurn> all = told_turns(phase->lived);
    const std::size_t num_turns = all.size();
    told_.turns_left = 0;
    for (std::size_t i = 0; i < num_turns; ++i) {
      const LivedTurn& turn = phase->lived.turns[i];
      if (turn.truth.observation) phase->explored.observe(turn.truth.pose, settings_.field);
      const bool is_last = phase->lived.has_ended && i + 1 == num_turns;
      if (!is_last && !settings_.probes_each_turn) continue;
      told_turns_of(*phase).assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      const std::string what = fmt::format("{}-{:03}", phase->suffix, i + 1);
      const ProbedMaps maps = ask_maps(*phase, turn, what);
      score_probed_maps(phase->scene, turn, maps, i > 0 ? phase->maps[i - 1] : std::nullopt,
                        is_last, &scores);
      if (asks(Ask::kRelations)) ask_relations(*phase, turn, what, maps, &scores);
      if (asks(Ask::kUnexplored)) ask_unexplored(*phase, turn, what, i, &scores);
      phase->maps[i] = maps.global;
      if (maps.has_global) phase->answered_maps[i] = maps.global;
    }
    // Until it has ended nothing is scored: means of turns would not be those of the whole.
    if (!phase->lived.has_ended) return;
    for (const auto& [measure, values] : scores) {
      const double sum = std::accumulate(values.begin(), values.end(), 0.0);
      const std::string name = phase->suffix.empty() ? measure : measure + " after change";
      score(name, sum / static_cast<double>(values.size()));
    }
  }

  ProbedMaps ask_maps(const Phase& phase, const LivedTurn& turn, const std::string& what) {
    ProbedMaps maps;
    if (asks(Ask::kGlobalMap)) {
      const auto answer = answer_to(prompt(Ask::kGlobalMap, "global_map" + what));
      const auto map = answer ? parse_global_map(*answer, phase.scene) : std::nullopt;
      count_unparsed(Ask::kGlobalMap, answer && !map);
      maps.has_global = map.has_value();
      maps.global = map.value_or(SpatialMap{});
    }
    if (asks(Ask::kLocalMap) && turn.in_view != 0) {
      const auto answer = answer_to(prompt(Ask::kLocalMap, "local_map" + what));
      const auto map =
          answer ? parse_local_map(*answer, phase.scene, turn.truth.pose.heading) : std::nullopt;
      count_unparsed(Ask::kLocalMap, answer && !map);
      maps.has_local = map.has_value();
      maps.local = map.value_or(SpatialMap{});
    }
    return maps;
  }

  void ask_relations(const Phase& phase, const LivedTurn& turn, const std::string& what,
                     const ProbedMaps& maps, TurnScores* scores) {
    ModelPrompt asked = prompt(Ask::kRelations, "relations" + what);
    asked.pairs = drawn_pairs(phase.scene, turn.seen, settings_.seed, asked_.number);
    if (asked.pairs.empty()) return;
    const auto answer = answer_to(asked);
    const auto told = answer ? told_relations(*answer, asked.pairs.size()) : std::nullopt;
    count_unparsed(Ask::kRelations, answer && !told);
    const std::vector<std::string> relations = told.value_or(std::vector<std::string>{});
    (*scores)["relations"].push_back(
        score_relations(true_map(phase.scene), asked.pairs, relations));
    if (!maps.global) return;
    (*scores)["relations and global map"].push_back(
        score_relations(*maps.global, asked.pairs, relations));
  }

  void ask_unexplored(const Phase& phase, const LivedTurn& turn, const std::string& what,
                      std::size_t number, TurnScores* scores) {
    const Cell start = phase.scene.start.cell;
    const std::vector<Cell> candidates = unexplored_candidates(
        phase.explored, turn.truth.pose.cell, settings_.seed + asked_.number, number);
    if (candidates.empty()) return;
    ModelPrompt asked = prompt(Ask::kUnexplored, "unexplored" + what);
    for (const Cell cell : candidates) asked.shown.candidates.push_back(cell - start);
    for (const RoomCells& room : phase.explored.rooms()) {
      if (!room.is_visited) continue;
      std::vector<Cell>& cells = asked.shown.rooms.emplace_back();
      for (const Cell cell : room.cells) cells.push_back(cell - start);
    }
    const auto answer = answer_to(asked);
    const auto chosen = answer ? chosen_cells(*answer, candidates) : std::nullopt;
    count_unparsed(Ask::kUnexplored, answer && !chosen);
    (*scores)["unexplored F1"].push_back(chosen ? unexplored_f1(candidates, *chosen, phase.explored)
                                                : 0);
  }

  // ---- tasks ----------------------------------------------------------------------------------

  void ask_tasks() {
    for (const Ask ask : {Ask::kTask, Ask::kMapThenTask}) {
      if (!asks(ask)) continue;
      for (const SceneQuestion& question : asked_.questions) ask_task(ask, question);
    }
  }

  void ask_task(Ask ask, const SceneQuestion& asked) {
    const Scene& scene = asked_.scene;
    const SpatialMap truth = true_map(scene);
    const TaskKind kind = asked.question.kind;
    ModelPrompt made =
        prompt(ask, fmt::format("{}-{}", name_of(ask), asked.id), question_line(asked));
    made.question = without_answer(asked.question);
    if (kind == TaskKind::kAct2View) {
      const auto steps = steps_of_plan(truth, shared_rooms_of(scene), asked.question.plan);
      if (!steps) throw InputError("question \"" + asked.id + "\" has a plan that fails");
      made.steps = *steps;
    }
    const auto answer = answer_to(made);
    const std::string_view said = answer ? final_answer(*answer) : std::string_view{};
    count_unparsed(ask, answer && !is_task_answer(kind, said));
    score(fmt::format("{} {}", name_of(ask), name_of(kind)),
          score_answer(asked.question, truth, said, settings_.scoring));
    if (ask != Ask::kMapThenTask || model_explores() || settings_.from == kFromTruth) return;
    score_map_of(answer);
  }

  /// The map that was written before an answer.
  void score_map_of(const std::optional<std::string>& answer) {
    const auto map = answer ? parse_global_map(*answer, asked_.scene) : std::nullopt;
    const SpatialMap truth = true_map(asked_.scene);
    SpatialMap things = map.value_or(SpatialMap{});
    things.agent.reset();
    score("map before task overall", score_map(truth, things, map_scale(asked_.scene)).overall());
  }

  // ---- after a change -------------------------------------------------------------------------

  bool explore_again(const Phase& first) {
    const std::vector<SceneChange> changes =
        draw_changes(asked_.scene, {}, settings_.seed, asked_.number);
    const Scene after = changed_scene(asked_.scene, changes);
    told_.has_changed = true;
    Phase second{after, kAgain, settings_.budget_after_change, {}, UnexploredCells(after), {}, {}};
    if (!explore(&second)) return false;
    told_.turns_after_change = told_turns(second.lived);
    told_.turns_left = 0;
    score_exploration(second, "exploration after change");
    score("redundant looks", static_cast<double>(redundancy(second.lived, changes)));
    const auto answer = answer_to(prompt(Ask::kChanges, "changes"));
    const auto told = answer ? told_changes(*answer) : std::nullopt;
    count_unparsed(Ask::kChanges, answer && !told);
    const ChangeScores scores =
        score_changes(asked_.scene, changes, told.value_or(std::vector<ReportedChange>{}));
    score("changes F1", scores.overall);
    score("changes F1 moved", scores.position);
    score("changes F1 rotated", scores.facing);
    if (asks(Ask::kGlobalMap) && settings_.probes_each_turn) {
      score_beliefs(changes, first, second);
    }
    return true;
  }

  /// What the maps say of changed things before the change, and when these were seen again.
  void score_beliefs(const std::vector<SceneChange>& changes, const Phase& first,
                     const Phase& second) {
    const auto believed = [&](const SpatialMap& map, int item) -> std::optional<ThingBelief> {
      const auto entry = map.items.find(asked_.scene.name_of(item));
      if (entry == map.items.end()) return std::nullopt;
      return ThingBelief{entry->second.cell + asked_.scene.start.cell, entry->second.facing};
    };
    RevisedBeliefs beliefs;
    for (int item = 0; item < asked_.scene.num_items(); ++item) {
      beliefs.before.push_back(believed(*first.maps.back(), item));
    }
    beliefs.now = beliefs.before;
    for (std::size_t i = 0; i < second.maps.size(); ++i) {
      const std::uint64_t fresh = second.lived.turns[i].first_seen;
      beliefs.seen |= fresh;
      for (std::uint64_t open = fresh; open != 0; open &= open - 1) {
        const int item = __builtin_ctzll(open);
        beliefs.now[static_cast<std::size_t>(item)] = believed(*second.maps[i], item);
      }
    }
    const RevisionScores scores = score_revision(asked_.scene, changes, beliefs);
    score("belief correctness", scores.correctness);
    if (scores.num_moved > 0) score("belief inertia position", scores.inertia);
    if (scores.num_rotated > 0) score("belief inertia facing", scores.facing_inertia);
  }

  /// What was spent on looks after the last changed thing came into view.
  static int redundancy(const LivedExploration& lived, const std::vector<SceneChange>& changes) {
    std::uint64_t changed = 0;
    for (const SceneChange& change : changes) changed |= std::uint64_t{1} << change.item;
    int cost_when_seen = 0;
    for (std::size_t i = 0; i < lived.turns.size(); ++i) {
      if ((lived.turns[i].first_seen & changed) != 0) {
        cost_when_seen = lived.exploration.turns[i].cost;
      }
    }
    return lived.exploration.last().cost - cost_when_seen;
  }

  const EvaluatedScene& asked_;
  const EvaluationSettings& settings_;
  const ChatAnswers& answers_;
  std::string digest_;
  Told told_;
  SceneEvaluation result_;
};

}  // namespace

SceneEvaluation evaluate(const EvaluatedScene& scene, const EvaluationSettings& settings,
                         const ChatAnswers& answers) {
  return SceneEvaluator(scene, settings, answers).evaluate();
}

ChatPrompt chat_prompt(const ModelPrompt& prompt) {
  return {prompt.id, instructions_text(prompt), prompt_text(prompt)};
}

}  // namespace sightline::host::tos
