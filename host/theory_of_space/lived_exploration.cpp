#include "host/theory_of_space/lived_exploration.h"

#include <utility>

#include <fmt/core.h>

#include "host/theory_of_space/answer_words.h"

namespace sightline::host::tos {
namespace {

/// What an answer asks for, and how it is repeated to its agent.
struct ReadAnswer {
  std::vector<Action> actions;
  std::string said, error;
};

ReadAnswer read_turn(const Scene& scene, const std::string& answer) {
  constexpr std::size_t kShown = 200;
  ParsedActions parsed = parse_actions(answer);
  if (!parsed.error.empty()) {
    return {{}, std::string(trimmed(answer)).substr(0, kShown), std::move(parsed.error)};
  }
  for (Action& action : parsed.actions) {
    if (!action.name.empty()) action.item = scene.item_named(action.name);
  }
  const std::string said = actions_text(scene, parsed.actions);
  return {std::move(parsed.actions), said, {}};
}

/// Acts by answers, and leaves when there are no more.
class AnsweredExplorer final : public Explorer {
 public:
  AnsweredExplorer(const Scene& scene, const std::vector<std::string>& answers) {
    for (const std::string& answer : answers) turns_.push_back(read_turn(scene, answer));
  }
  void explore(World* world) override {
    for (const ReadAnswer& turn : turns_) {
      if (world->has_ended()) return;
      world->act(turn.actions);
      ++num_acted_;
    }
    has_ended_ = world->has_ended();
  }
  const ReadAnswer& turn(std::size_t index) const { return turns_[index]; }
  std::size_t num_acted() const { return num_acted_; }
  bool has_ended() const { return has_ended_ || num_acted_ < turns_.size(); }

 private:
  std::vector<ReadAnswer> turns_;
  std::size_t num_acted_ = 0;
  bool has_ended_ = false;
};

std::string query_text(const Scene& scene, const QueryAnswer& answer) {
  std::string text = fmt::format("The {} is at ({}, {})", scene.name_of(answer.item),
                                 answer.offset.x, answer.offset.y);
  if (answer.facing) text += fmt::format(", facing {}", name_of(*answer.facing));
  return text + ".";
}

std::string told_text(const Scene& scene, const Turn& turn) {
  if (!turn.error.empty()) return "Nothing was done: " + turn.error + ".";
  std::string text;
  for (const ExecutedAction& done : turn.actions) {
    if (done.ok) continue;
    text += fmt::format("{} failed: {}. You looked instead.\n", action_text(scene, done.action),
                        why_failed(done.action));
  }
  if (turn.observation) text += observation_text(scene, *turn.observation);
  if (turn.query) text += query_text(scene, *turn.query);
  return text.empty() ? "You ended the exploration." : text;
}

LivedTurn lived_turn(const Episode& episode, std::uint64_t seen_before) {
  LivedTurn lived;
  lived.truth = episode.last();
  lived.told.turn = as_told(episode.last());
  lived.told.told = told_text(episode.scene(), episode.last());
  lived.seen = episode.seen();
  if (lived.truth.observation) {
    for (const SeenItem& item : lived.truth.observation->items) {
      lived.in_view |= std::uint64_t{1} << item.item;
    }
  }
  lived.first_seen = lived.in_view & ~seen_before;
  return lived;
}

}  // namespace

LivedExploration live(const Scene& scene, Explorer* explorer, const EpisodeOptions& options) {
  LivedExploration lived;
  lived.exploration = explore(
      scene, explorer, options, Profile::kCode, [&](const Episode& episode, const RevisingBelief&) {
        lived.turns.push_back(
            lived_turn(episode, lived.turns.empty() ? 0 : lived.turns.back().seen));
      });
  for (std::size_t i = 0; i < lived.turns.size(); ++i) {
    ToldTurn& told = lived.turns[i].told;
    told.actions = lived.exploration.turns[i].actions;
    told.said = actions_text(scene, told.actions);
  }
  lived.has_ended = true;
  return lived;
}

LivedExploration live_by_answers(const Scene& scene, const std::vector<std::string>& answers,
                                 const EpisodeOptions& options) {
  AnsweredExplorer explorer(scene, answers);
  LivedExploration lived = live(scene, &explorer, options);
  lived.has_ended = explorer.has_ended();
  // Who stops without a word has Term said for them, which this agent may yet say or not.
  lived.turns.resize(explorer.num_acted());
  lived.exploration.turns.resize(explorer.num_acted());
  for (std::size_t i = 0; i < lived.turns.size(); ++i) {
    ToldTurn& told = lived.turns[i].told;
    told.said = explorer.turn(i).said;
    if (explorer.turn(i).error.empty()) continue;
    told.turn.error = lived.turns[i].truth.error = explorer.turn(i).error;
    told.told = told_text(scene, lived.turns[i].truth);
  }
  return lived;
}

std::vector<ToldTurn> told_turns(const LivedExploration& lived) {
  std::vector<ToldTurn> told;
  for (const LivedTurn& turn : lived.turns) told.push_back(turn.told);
  return told;
}

}  // namespace sightline::host::tos
