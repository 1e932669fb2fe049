#include "host/theory_of_space/answer_words.h"

#include <algorithm>
#include <charconv>

namespace sightline::host::tos {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Label {
  std::string_view name;
  std::vector<std::string_view> words, aliases;
};

const std::vector<Label>& labels() {
  static const std::vector<Label> all{
      {"frontleft", {"front", "left"}, {"leftfront", "fl"}},
      {"frontright", {"front", "right"}, {"rightfront", "fr"}},
      {"frontslightleft",
       {"front", "slight", "left"},
       {"frontslightlyleft", "slightlyfrontleft", "slightfrontleft"}},
      {"frontslightright",
       {"front", "slight", "right"},
       {"frontslightlyright", "slightlyfrontright", "slightfrontright"}},
      {"middistance", {"mid", "distance"}, {"mid", "medium", "mediumdistance"}},
      {"samedistance", {"same", "distance"}, {"same"}},
      {"slightlyfar", {"slightly", "far"}, {}},
      {"veryfar", {"very", "far"}, {}},
      {"extremelyfar", {"extremely", "far"}, {"extreme", "extremefar"}},
      {"north", {}, {"n"}},
      {"south", {}, {"s"}},
      {"east", {}, {"e"}},
      {"west", {}, {"w"}},
      {"northeast", {"north", "east"}, {"ne"}},
      {"northwest", {"north", "west"}, {"nw"}},
      {"southeast", {"south", "east"}, {"se"}},
      {"southwest", {"south", "west"}, {"sw"}}};
  return all;
}

/// What stands between the first `open` and the `close` after it.
std::optional<std::string_view> between(std::string_view text, char open, char close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(close, begin);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin + 1, end - begin - 1);
}

/// Takes a decimal number off the front of the text: a sign, digits, and perhaps a fraction.
std::optional<double> take_number(std::string_view* text) {
  std::size_t end = !text->empty() && text->front() == '-' ? 1 : 0;
  const std::size_t first_digit = end;
  while (end < text->size() && is_digit((*text)[end])) ++end;
  if (end == first_digit) return std::nullopt;
  if (end + 1 < text->size() && (*text)[end] == '.' && is_digit((*text)[end + 1])) {
    for (++end; end < text->size() && is_digit((*text)[end]);) ++end;
  }
  double number = 0;
  if (std::from_chars(text->data(), text->data() + end, number).ec != std::errc()) {
    return std::nullopt;
  }
  text->remove_prefix(end);
  return number;
}

void skip_blanks(std::string_view* text) {
  while (!text->empty() && is_blank(text->front())) text->remove_prefix(1);
}

/// "Word ( argument )", whatever follows it.
std::optional<std::string_view> argument_of(std::string_view token, std::string_view word) {
  if (lower(token.substr(0, word.size())) != word) return std::nullopt;
  token.remove_prefix(word.size());
  skip_blanks(&token);
  if (token.empty() || token.front() != '(') return std::nullopt;
  const std::size_t end = token.find(')');
  if (end == std::string_view::npos) return std::nullopt;
  return trimmed(token.substr(1, end - 1));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

std::vector<std::string_view> split(std::string_view text, std::string_view ends) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find_first_of(ends);
    const std::string_view part = trimmed(text.substr(0, end));
    if (!part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view final_answer(std::string_view answer) {
  constexpr std::string_view kMarker = "answer:", kEmphasis = "*_` \t\r\n";
  const std::size_t at = lower(answer).rfind(kMarker);
  if (at == std::string_view::npos) return trimmed(answer);
  const std::string_view said = answer.substr(at + kMarker.size());
  const std::size_t begin = said.find_first_not_of(kEmphasis);
  if (begin == std::string_view::npos) return {};
  return said.substr(begin, said.find_last_not_of(kEmphasis) - begin + 1);
}

std::string single_spaced(std::string_view text) {
  std::string spaced;
  for (const char c : trimmed(text)) {
    if (!is_blank(c)) {
      spaced += c;
    } else if (spaced.back() != ' ') {
      spaced += ' ';
    }
  }
  return lower(spaced);
}

std::string canonical_label(std::string_view label) {
  std::string joined;
  for (const char c : label) {
    if (!is_blank(c) && c != '-') joined += c;
  }
  joined = lower(joined);
  for (const Label& known : labels()) {
    const auto& aliases = known.aliases;
    if (std::find(aliases.begin(), aliases.end(), joined) != aliases.end()) {
      return std::string(known.name);
    }
  }
  return joined;
}

bool is_word_of(const std::string& word, const std::string& label) {
  for (const Label& known : labels()) {
    if (known.name != label) continue;
    return std::find(known.words.begin(), known.words.end(), word) != known.words.end();
  }
  return false;
}

std::vector<std::string> list_in(std::string_view answer) {
  std::string_view content = answer;
  const bool has_parentheses =
      answer.find('(') != std::string_view::npos && answer.find(')') != std::string_view::npos;
  const std::optional<std::string_view> inside =
      has_parentheses ? between(answer, '(', ')') : between(answer, '[', ']');
  if (inside) content = *inside;
  std::vector<std::string> items;
  for (std::string_view item : split(content, ",")) {
    const std::size_t begin = item.find_first_not_of("'\"");
    if (begin == std::string_view::npos) continue;
    item = item.substr(begin, item.find_last_not_of("'\"") - begin + 1);
    items.emplace_back(item);
  }
  return items;
}

std::optional<std::pair<std::string, std::string>> two_labels_in(std::string_view answer) {
  const std::vector<std::string> items = list_in(answer);
  if (items.size() >= 2) return std::pair{items[0], items[1]};
  const std::vector<std::string_view> segments = split(answer, ";\n");
  if (segments.size() >= 2) {
    return std::pair{std::string(segments[0]), std::string(segments[1])};
  }
  const std::vector<std::string_view> words = split(answer, " ,");
  if (words.size() < 2) return std::nullopt;
  std::string first;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) first += std::string(words[i]) + " ";
  return std::pair{first, std::string(words.back())};
}

std::vector<std::pair<double, double>> coordinates_in(std::string_view answer) {
  std::vector<std::pair<double, double>> pairs;
  while (!answer.empty()) {
    std::string_view rest = answer;
    const std::optional<double> x = take_number(&rest);
    if (!x) {
      answer.remove_prefix(1);
      continue;
    }
    const std::string_view after_x = rest;
    skip_blanks(&rest);
    if (rest.empty() || rest.front() != ',') {
      answer = after_x;
      continue;
    }
    rest.remove_prefix(1);
    skip_blanks(&rest);
    const std::optional<double> y = take_number(&rest);
    if (y) pairs.emplace_back(*x, *y);
    answer = y ? rest : after_x;
  }
  return pairs;
}

std::vector<Action> plan_in(std::string_view answer) {
  std::vector<Action> actions;
  for (const std::string_view token : split(answer, ",")) {
    Action action;
    if (const auto name = argument_of(token, "jumpto"); name && !name->empty()) {
      action.kind = ActionKind::kJump;
      action.name = *name;
    } else if (const auto degrees = argument_of(token, "rotate"); degrees) {
      action.kind = ActionKind::kRotate;
      const char* end = degrees->data() + degrees->size();
      const auto parsed = std::from_chars(degrees->data(), end, action.degrees);
      if (parsed.ec != std::errc() || parsed.ptr != end) return {};
    } else {
      return {};
    }
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace sightline::host::tos
