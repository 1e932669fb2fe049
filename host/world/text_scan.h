// Lines, words and numbers of the text in world files. Nothing here depends on the locale.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "host/config/number_text.h"

namespace sightline::host {

/// The next line without its end, taken off `text`. False if `text` holds no end of a line.
inline bool next_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  line = text.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  text.remove_prefix(end + 1);
  return true;
}

/// The next word of a line, taken off it; empty at its end.
inline std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

/// Is the whole word a number of this type? It may be an infinity or NaN.
template <typename Number>
bool parse_number(std::string_view word, Number& number) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size();
}

}  // namespace sightline::host
