#include "host/meta_memory/caption_names.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "host/meta_memory/letters.h"

namespace sightline::host {
namespace {

bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || c == '\'';
}

bool is_quote(char c) { return c == '"' || c == '\''; }

std::string_view without_blanks_before(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first);
}

std::string_view without_blanks_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string_view first_word(std::string_view text) {
  text = without_blanks_before(text);
  return text.substr(0, static_cast<std::size_t>(
                            std::find_if_not(text.begin(), text.end(), is_letter) - text.begin()));
}

bool is_one_of_words(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), lower_case(word)) != words.end();
}

/// Does a name end before this text, or go on in it? Words in small letters that names are made
/// with ("Hall of Fame", in captions without capitals "south hall") go on.
bool is_end_of_name(std::string_view rest) {
  if (!rest.empty() && is_letter(rest.front())) return false;
  rest = without_blanks_before(rest);
  const std::string_view word = first_word(rest);
  if (word.empty()) return true;
  if (is_one_of_words(word, {"and", "or"})) {
    return is_one_of_words(first_word(rest.substr(word.size())), {"a", "an", "the", "some"});
  }
  return is_one_of_words(word,
                         {"with",   "in",     "on",    "at",     "near",    "by",       "next",
                          "behind", "beside", "under", "over",   "to",      "from",     "is",
                          "which",  "that",   "where", "beyond", "between", "opposite", "across"});
}

/// "library named", "library called": the library.
std::optional<NamedThing> thing_before_name(std::string_view before, bool is_quoted) {
  before = without_blanks_behind(before);
  for (const std::string_view word : {"named", "called"}) {
    const bool ends_so =
        before.size() > word.size() &&
        lower_case(before.substr(before.size() - word.size())) == std::string(word);
    if (ends_so) return thing_at_end(std::string(before.substr(0, before.size() - word.size())));
  }
  return is_quoted ? thing_at_end(std::string(before)) : std::nullopt;
}

}  // namespace

std::vector<CalledThing> things_called(std::string_view caption, std::string_view name) {
  std::vector<CalledThing> called;
  if (name.empty()) return called;
  const std::string lower = lower_case(caption), wanted = lower_case(name);
  for (std::size_t at = lower.find(wanted); at != std::string::npos;
       at = lower.find(wanted, at + 1)) {
    std::string_view before = caption.substr(0, at), behind = caption.substr(at + wanted.size());
    const bool is_quoted = !before.empty() && is_quote(before.back()) && !behind.empty() &&
                           behind.front() == before.back();
    if (is_quoted) {
      before.remove_suffix(1);
      behind.remove_prefix(1);
    } else if (!before.empty() && is_letter(before.back())) {
      continue;  // the end of a word
    }
    if (is_quoted || is_end_of_name(behind)) {
      if (const auto thing = thing_before_name(before, is_quoted)) {
        called.push_back({*thing, caption.size() - behind.size()});
        continue;
      }
    }
    if (!behind.empty() && is_letter(behind.front())) continue;  // the beginning of one
    bool is_whole = false;
    if (const auto thing = thing_at_start(std::string(behind), &is_whole)) {
      called.push_back({*thing, is_whole ? caption.size() : caption.size() - behind.size()});
    }
  }
  return called;
}

}  // namespace sightline::host
