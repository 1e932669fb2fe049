#include "host/theory_of_space/model_prompt.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/theory_of_space/briefing_text.h"
#include "host/theory_of_space/cognitive_map_json.h"
#include "host/theory_of_space/question_text.h"

namespace sightline::host::tos {
namespace {

constexpr const char* kGlobalMapForm =
    "{\"agent\": {\"position\": [3, 5], \"facing\": \"north\"}, \"lamp\": {\"position\": [0, 3]}}";

std::string turns_text(const std::vector<ToldTurn>& turns) {
  std::string text;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    text += fmt::format("Turn {}: {}\n{}\n", i + 1, turns[i].said, turns[i].told);
  }
  return text;
}

std::string told_map_text(const Told& told) {
  std::string text = "This is the true map, in cells from your start, x east and y north:\n" +
                     map_text(*told.map) + "\n";
  for (std::size_t i = 0; i < told.rooms.size(); ++i) {
    std::vector<std::string> names = told.rooms[i];
    std::replace(names.begin(), names.end(), std::string(kInitialPosition),
                 std::string("your start"));
    text += fmt::format("In room {}: {}.\n", i + 1, fmt::join(names, ", "));
  }
  return text;
}

std::string told_text(const Told& told) {
  if (told.map) return told_map_text(told);
  std::string text = told.turns.empty() ? "" : "So far:\n" + turns_text(told.turns);
  if (!told.has_changed) return text;
  return text +
         "\nThe exploration is over. Since then some objects were moved, perhaps to other rooms, "
         "and others were turned to face another way. You are back at your start, facing north, "
         "and explore again.\n" +
         turns_text(told.turns_after_change);
}

std::string turn_question(const Told& told) {
  const std::string left =
      told.turns_left > 0 ? fmt::format("You have {} turns left. ", told.turns_left) : "";
  const char* aim = told.has_changed
                        ? "Find out which objects changed with as few looks as possible."
                        : "Get to know where everything is with as few looks as possible.";
  return fmt::format(
      "{}{}\nWhat do you do next?\nForm: [move, ..., last action]\nExample: [Rotate(90), "
      "Observe()]",
      left, aim);
}

std::string task_question(const ModelPrompt& prompt) {
  const AnswerForm form = answer_form(prompt.question.kind);
  return fmt::format("{}\nForm: {}\nExample: {}", question_text(prompt.question, prompt.steps),
                     form.form, form.example);
}

std::string map_question(bool is_local) {
  if (is_local) {
    return "Write the map of what you see now, from where you stand: x cells to your right, y "
           "cells ahead of you. Facings are \"+y\" (as you face), \"+x\" (to your right), \"-y\" "
           "(towards you) and \"-x\" (to your left); doors and things that face nowhere have "
           "none.\nForm: JSON\nExample: {\"lamp\": {\"position\": [-1, 3], \"facing\": \"-y\"}}";
  }
  return fmt::format(
      "Write the map of all that you saw so far and of yourself (\"agent\"): whole cells from "
      "your start, x east, y north. Facings are north, east, south and west; doors and things "
      "that face nowhere have none.\nForm: JSON\nExample: {}",
      kGlobalMapForm);
}

/// Rooms as letters: '.' a cell, '?' one that is asked about, 'S' the start.
std::string drawing_of(const ShownRooms& shown) {
  Cell low, high;
  std::vector<Cell> cells;
  for (const std::vector<Cell>& room : shown.rooms) {
    cells.insert(cells.end(), room.begin(), room.end());
  }
  for (const Cell cell : cells) {
    low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
    high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
  }
  const auto width = static_cast<std::size_t>(high.x - low.x + 1);
  std::vector<std::string> rows(static_cast<std::size_t>(high.y - low.y + 1),
                                std::string(width, ' '));
  const auto put = [&](Cell cell, char mark) {
    rows[static_cast<std::size_t>(high.y - cell.y)][static_cast<std::size_t>(cell.x - low.x)] =
        mark;
  };
  for (const Cell cell : cells) put(cell, '.');
  put({}, 'S');
  for (const Cell cell : shown.candidates) put(cell, '?');
  return fmt::format("{}", fmt::join(rows, "\n"));
}

std::string unexplored_question(const ShownRooms& shown) {
  std::string text =
      "These are the rooms that you have been in, north up, without what stands in them ('.': a "
      "cell, 'S': your start, '?': a cell that is asked about):\n" +
      drawing_of(shown) + "\nAsked about, in cells from your start, x east and y north:\n";
  for (std::size_t i = 0; i < shown.candidates.size(); ++i) {
    const Cell cell = shown.candidates[i];
    text += fmt::format("{}: ({}, {})\n", i + 1, cell.x, cell.y);
  }
  return text +
         "Which of them were never in view when you looked?\nForm: <number>, <number>, ..., "
         "or: none\nExample: 2, 3";
}

std::string relations_question(const ModelPrompt& prompt) {
  std::string text = "On the map as seen from above, north up:\n";
  for (const auto& pair : prompt.pairs) {
    text += fmt::format("- Where is the {} from the {}?\n", pair.first, pair.second);
  }
  return text +
         "Form: <cardinal direction>, <distance>; ... in the order of the questions\n"
         "Example: north west, near; south, far";
}

std::string changes_question() {
  return "Which objects changed, and how?\nForm: <name>: moved; <name>: rotated; ..., or: none\n"
         "Example: lamp: moved; sofa: rotated";
}

std::string asked_text(const ModelPrompt& prompt) {
  switch (prompt.ask) {
    case Ask::kTurn:
      return turn_question(prompt.told);
    case Ask::kTask:
      return task_question(prompt);
    case Ask::kMapThenTask:
      return map_question(false) + "\n\nWrite that map first. Then answer this:\n" +
             task_question(prompt);
    case Ask::kGlobalMap:
    case Ask::kLocalMap:
      return map_question(prompt.ask == Ask::kLocalMap);
    case Ask::kUnexplored:
      return unexplored_question(prompt.shown);
    case Ask::kRelations:
      return relations_question(prompt);
    case Ask::kChanges:
      break;
  }
  return changes_question();
}

}  // namespace

std::string_view name_of(Ask ask) {
  constexpr std::array<std::string_view, kNumAsks> kNames{
      "turn", "task", "map_task", "global_map", "local_map", "unexplored", "relations", "changes"};
  return kNames[static_cast<std::size_t>(ask)];
}

EpisodeOptions evaluated_episode() {
  EpisodeOptions options;
  options.allows_return = false;
  options.queries_need_sight = true;
  return options;
}

Told told_truth(const Scene& scene) {
  Told told;
  told.briefing = briefing_of(scene);
  told.map = true_map(scene);
  told.rooms.resize(static_cast<std::size_t>(scene.num_rooms()));
  for (std::size_t i = 0; i < told.rooms.size(); ++i) {
    const int room = static_cast<int>(i) + 1;
    if (scene.start.rooms.has(room)) told.rooms[i].emplace_back(kInitialPosition);
    for (int item = 0; item < scene.num_items(); ++item) {
      if (scene.rooms_of(item).has(room)) told.rooms[i].push_back(scene.name_of(item));
    }
  }
  return told;
}

std::string instructions_text(const ModelPrompt& prompt) {
  EpisodeOptions options = evaluated_episode();
  options.field = prompt.told.field;
  return briefing_text(prompt.told.briefing, options) +
         fmt::format(
             "All rooms together are at most {} cells wide and as many high.\n"
             "Cardinal directions: north, north east, east, south east, south, south west, west, "
             "north west, of 45 degrees each.\n"
             "A door is on the wall in front of you, on your left or right, or behind you (back).\n"
             "Think as long as you like. End with a line \"FINAL ANSWER: \" and your answer in the "
             "form that is asked for, and nothing after it.",
             prompt.told.briefing.grid);
}

std::string prompt_text(const ModelPrompt& prompt) {
  const std::string told = told_text(prompt.told);
  return told + (told.empty() ? "" : "\n") + asked_text(prompt);
}

}  // namespace sightline::host::tos
