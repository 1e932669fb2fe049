#include "host/theory_of_space/belief_solver.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "host/theory_of_space/agent_memory.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/cognitive_map.h"
#include "host/theory_of_space/cognitive_map_json.h"
#include "host/theory_of_space/gain_explorer.h"
#include "host/theory_of_space/task_solvers.h"

namespace sightline::host::tos {
namespace {

std::string final_line(const std::string& answer) { return "FINAL ANSWER: " + answer; }

/// A world that is what was told of it. The first turn beyond that is what an explorer wants to do.
class ToldWorld final : public World {
 public:
  explicit ToldWorld(const std::vector<ToldTurn>& turns) : turns_(turns) {}
  const Turn& act(const std::vector<Action>& actions) override {
    if (num_acted_ < turns_.size()) return turns_[num_acted_++].turn;
    wanted_ = actions;
    return nothing_;
  }
  bool has_ended() const override { return wanted_.has_value(); }
  /// Who wants nothing more says Term.
  std::vector<Action> wanted() const { return wanted_.value_or(std::vector{Action::term()}); }

 private:
  const std::vector<ToldTurn>& turns_;
  std::size_t num_acted_ = 0;
  std::optional<std::vector<Action>> wanted_;
  Turn nothing_;
};

std::string next_turn(const Told& told) {
  ToldWorld world(told.has_changed ? told.turns_after_change : told.turns);
  GainExplorer(told.briefing, told.field).explore(&world);
  std::vector<Action> actions = world.wanted();
  for (Action& action : actions) {
    if (action.item < 0) continue;
    action.name = told.briefing.names[static_cast<std::size_t>(action.item)];
    action.item = -1;
  }
  return actions_text(Scene{}, actions);
}

/// What follows from the turns that were told.
class Believer {
 public:
  Believer(const Told& told, const PlaceChoice& choice)
      : told_(told),
        choice_(choice),
        belief_(told.briefing.num_items(), told.briefing.grid,
                BeliefOptions{Profile::kCode, {}, 0, told.field}),
        memory_(told.briefing, told.field) {
    for (const ToldTurn& turn : told.turns) learn(turn);
    if (!told.has_changed) return;
    // One is back at the start; what was seen before is remembered.
    memory_ = AgentMemory(told.briefing, told.field);
    for (const ToldTurn& turn : told.turns_after_change) learn(turn);
  }

  SpatialMap map() const {
    return believed_map(belief_, told_.briefing, memory_.node(), memory_.heading(), choice_);
  }
  const RevisingBelief& belief() const { return belief_; }
  const AgentMemory& memory() const { return memory_; }

  /// Rooms as far as they can be told.
  SharesRoom shared_rooms() const {
    return [this](const std::string& a, const std::string& b) {
      const int from = node_of(a), to = node_of(b);
      return to != kStartNode && (memory_.rooms().neighbours(from) >> to & 1) != 0;
    };
  }

  /// A look that was made: from where, and which way.
  struct Look {
    Cell cell;
    Heading heading = Heading::kNorth;
  };
  std::vector<Look> looks() const {
    AgentMemory replayed(told_.briefing, told_.field);
    std::vector<Look> looks;
    const std::vector<ToldTurn>& turns = told_.has_changed ? told_.turns_after_change : told_.turns;
    for (const ToldTurn& turn : turns) {
      replayed.learn(turn.turn, turn.actions);
      if (!turn.turn.observation) continue;
      // Where it stood is known better by now.
      const int node = replayed.node();
      looks.push_back({choice_(node, memory_.domain_of(node)), replayed.heading()});
    }
    return looks;
  }

 private:
  void learn(const ToldTurn& turn) {
    memory_.learn(turn.turn, turn.actions);
    belief_.add(turn.turn, memory_.node());
  }
  int node_of(const std::string& name) const {
    if (name == kInitialPosition) return kStartNode;
    const auto& names = told_.briefing.names;
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  const Told& told_;
  PlaceChoice choice_;
  RevisingBelief belief_;
  AgentMemory memory_;
};

std::string answer_of(const ModelPrompt& prompt, const SpatialMap& map,
                      const SharesRoom& shares_room) {
  TaskQuestion question = prompt.question;
  if (question.kind == TaskKind::kAct2View) {
    const auto plan = plan_of_steps(map, shares_room, prompt.steps);
    if (!plan) return {};
    question.plan = *plan;
  }
  return solve(question, map);
}

std::string task_answer(const ModelPrompt& prompt, const PlaceChoice& choice) {
  if (prompt.told.map) {
    return answer_of(prompt, *prompt.told.map, shared_rooms_of(prompt.told.rooms));
  }
  const Believer believer(prompt.told, choice);
  return answer_of(prompt, believer.map(), believer.shared_rooms());
}

SpatialMap map_of(const Told& told, const PlaceChoice& choice) {
  return told.map ? *told.map : Believer(told, choice).map();
}

/// What the last look saw, from where one stands.
std::string local_answer(const Told& told, const PlaceChoice& choice) {
  const std::vector<ToldTurn>& turns = told.has_changed ? told.turns_after_change : told.turns;
  const SpatialMap map = Believer(told, choice).map();
  const std::optional<SpatialMap> seen = seen_by_agent(map);
  SpatialMap local;
  if (turns.empty() || !turns.back().turn.observation || !seen) return local_map_text(local, {});
  for (const SeenItem& item : turns.back().turn.observation->items) {
    const auto entry = seen->items.find(told.briefing.names[static_cast<std::size_t>(item.item)]);
    if (entry != seen->items.end()) local.items.insert(*entry);
  }
  return local_map_text(local, *map.agent->facing);
}

/// Does a room hold a cell, or stand beside it, as of its doors?
bool touches(const std::vector<Cell>& room, Cell cell) {
  return std::any_of(room.begin(), room.end(),
                     [&](Cell other) { return squared_length(other - cell) <= 1; });
}

std::string unexplored_answer(const ModelPrompt& prompt, const PlaceChoice& choice) {
  const std::vector<Believer::Look> looks = Believer(prompt.told, choice).looks();
  const auto is_seen = [&](Cell cell, const std::vector<Cell>& room) {
    return std::any_of(looks.begin(), looks.end(), [&](const Believer::Look& look) {
      const bool is_in_view = look.cell == cell || is_within(prompt.told.field, cell - look.cell,
                                                             eighth_of(look.heading));
      return is_in_view && touches(room, look.cell);
    });
  };
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < prompt.shown.candidates.size(); ++i) {
    const Cell cell = prompt.shown.candidates[i];
    const auto room = std::find_if(
        prompt.shown.rooms.begin(), prompt.shown.rooms.end(), [&](const std::vector<Cell>& cells) {
          return std::find(cells.begin(), cells.end(), cell) != cells.end();
        });
    if (room != prompt.shown.rooms.end() && !is_seen(cell, *room)) numbers.push_back(i + 1);
  }
  return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ", "));
}

std::string relations_answer(const ModelPrompt& prompt, const PlaceChoice& choice) {
  const SpatialMap map = map_of(prompt.told, choice);
  std::vector<std::string> answers;
  for (const auto& pair : prompt.pairs) {
    TaskQuestion question;
    question.target = pair.first, question.anchor = pair.second;
    answers.push_back(solve(question, map));
  }
  return fmt::format("{}", fmt::join(answers, "; "));
}

std::string changes_answer(const Told& told) {
  const Believer believer(told, {});
  std::string text;
  for (int item = 0; item < told.briefing.num_objects; ++item) {
    const bool is_moved = believer.belief().moved() >> item & 1;
    const bool is_rotated = believer.belief().rotated() >> item & 1;
    if (!is_moved && !is_rotated) continue;
    text += text.empty() ? "" : "; ";
    text += told.briefing.names[static_cast<std::size_t>(item)] + ": " +
            (is_moved && is_rotated ? "moved, rotated"
             : is_moved             ? "moved"
                                    : "rotated");
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string belief_answer(const ModelPrompt& prompt, SolverKind kind) {
  const PlaceChoice choice =
      kind == SolverKind::kGuesses ? PlaceChoice::drawn(prompt.id) : PlaceChoice();
  switch (prompt.ask) {
    case Ask::kTurn:
      return final_line(next_turn(prompt.told));
    case Ask::kTask:
      return final_line(task_answer(prompt, choice));
    case Ask::kMapThenTask:
      return map_text(map_of(prompt.told, choice)) + "\n" + final_line(task_answer(prompt, choice));
    case Ask::kGlobalMap:
      return final_line(map_text(map_of(prompt.told, choice)));
    case Ask::kLocalMap:
      return final_line(local_answer(prompt.told, choice));
    case Ask::kUnexplored:
      return final_line(unexplored_answer(prompt, choice));
    case Ask::kRelations:
      return final_line(relations_answer(prompt, choice));
    case Ask::kChanges:
      break;
  }
  return final_line(changes_answer(prompt.told));
}

}  // namespace sightline::host::tos
