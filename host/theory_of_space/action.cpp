#include "host/theory_of_space/action.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/core.h>

#include "host/theory_of_space/answer_words.h"

namespace sightline::host::tos {
namespace {

struct ActionWord {
  std::string_view name;
  ActionKind kind;
};

constexpr std::array<ActionWord, 7> kWords{{{"jumpto", ActionKind::kJump},
                                            {"goto", ActionKind::kJump},
                                            {"rotate", ActionKind::kRotate},
                                            {"return", ActionKind::kReturn},
                                            {"observe", ActionKind::kObserve},
                                            {"query", ActionKind::kQuery},
                                            {"term", ActionKind::kTerm}}};

std::optional<ActionKind> kind_of(std::string_view word) {
  const std::string small = lower(word);
  for (const ActionWord& known : kWords) {
    if (known.name == small) return known.kind;
  }
  return std::nullopt;
}

/// Reads the argument of an action; false if it is not one.
bool read_argument(std::string_view text, Action* action) {
  switch (action->kind) {
    case ActionKind::kJump:
    case ActionKind::kQuery:
      action->name = text;
      return !text.empty();
    case ActionKind::kRotate: {
      if (!text.empty() && text[0] == '+') text.remove_prefix(1);
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), action->degrees);
      return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
    }
    default:
      return text.empty();
  }
}

/// Reads "Word(argument)" off the front of the text; nothing if none stands there.
std::optional<Action> take_action(std::string_view* text) {
  const std::size_t open = text->find('('), close = text->find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const std::optional<ActionKind> kind = kind_of(trimmed(text->substr(0, open)));
  if (!kind) return std::nullopt;
  Action action;
  action.kind = *kind;
  if (!read_argument(trimmed(text->substr(open + 1, close - open - 1)), &action)) {
    return std::nullopt;
  }
  *text = trimmed(text->substr(close + 1));
  return action;
}

/// What stands in the last brackets that begin with an action.
std::string_view last_list(std::string_view answer) {
  for (std::size_t end = answer.rfind(']'); end != std::string_view::npos && end > 0;
       end = answer.rfind(']', end - 1)) {
    const std::size_t begin = answer.rfind('[', end);
    if (begin == std::string_view::npos) break;
    const std::string_view inside = trimmed(answer.substr(begin + 1, end - begin - 1));
    std::string_view rest = inside;
    if (take_action(&rest)) return inside;
  }
  return trimmed(answer);
}

}  // namespace

ParsedActions parse_actions(std::string_view answer) {
  ParsedActions parsed;
  std::string_view rest = last_list(answer);
  while (!rest.empty()) {
    const std::optional<Action> action = take_action(&rest);
    if (!action) {
      constexpr std::size_t kShown = 60;
      parsed.error = fmt::format("\"{}\" is no action; write [Rotate(90), JumpTo(name), Observe()]",
                                 rest.substr(0, kShown));
      break;
    }
    parsed.actions.push_back(*action);
    if (rest.empty()) break;
    if (rest.front() != ',') {
      parsed.error = "actions are divided by commas";
      break;
    }
    rest = trimmed(rest.substr(1));
    if (rest.empty()) parsed.error = "an action is missing after the last comma";
  }
  if (parsed.actions.empty() && parsed.error.empty()) parsed.error = "no action was given";
  if (!parsed.error.empty()) parsed.actions.clear();
  return parsed;
}

std::string turn_error(const std::vector<Action>& actions, bool allows_return) {
  if (actions.empty()) return "a turn needs Observe(), Query(name) or Term()";
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Action& action = actions[i];
    const bool is_last = i + 1 == actions.size();
    if (action.is_move() == is_last) {
      return "a turn is moves and, last, one of Observe(), Query(name) and Term()";
    }
    if (action.kind == ActionKind::kReturn && !allows_return) return "there is no Return()";
    if (action.kind == ActionKind::kRotate && !is_rotation(action.degrees)) {
      return fmt::format("Rotate({}): one rotates by 0, 90, 180 or 270, or as much the other way",
                         action.degrees);
    }
  }
  if (actions.back().kind == ActionKind::kTerm) {
    const auto is_return = [](const Action& a) { return a.kind == ActionKind::kReturn; };
    if (!std::all_of(actions.begin(), actions.end() - 1, is_return)) return "Term() stands alone";
  }
  return {};
}

std::string action_text(const Scene& scene, const Action& action) {
  const std::string& name = action.item >= 0 ? scene.name_of(action.item) : action.name;
  switch (action.kind) {
    case ActionKind::kJump:
      return "JumpTo(" + name + ")";
    case ActionKind::kRotate:
      return fmt::format("Rotate({})", action.degrees);
    case ActionKind::kReturn:
      return "Return()";
    case ActionKind::kObserve:
      return "Observe()";
    case ActionKind::kQuery:
      return "Query(" + name + ")";
    case ActionKind::kTerm:
      break;
  }
  return "Term()";
}

std::string actions_text(const Scene& scene, const std::vector<Action>& actions) {
  std::string text = "[";
  for (const Action& action : actions) {
    if (text.size() > 1) text += ", ";
    text += action_text(scene, action);
  }
  return text + "]";
}

}  // namespace sightline::host::tos
