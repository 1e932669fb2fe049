#include "host/studies/prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

namespace sightline::host {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Runs of letters and digits, in lower case; an underscore may be a mark of emphasis. Bytes beyond
/// ASCII are letters, so that a word in another script is not passed over. So that "!visible" is
/// not taken for the word, what stands right before one to negate it is a word of its own.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false;
  char before = ' ';
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = std::isalnum(byte) || byte >= 0x80;
    if (is_letter && !in_word && (before == '!' || before == '~')) words.emplace_back(1, before);
    if (is_letter && !in_word) words.emplace_back();
    if (is_letter) words.back() += c;
    in_word = is_letter;
    before = c;
  }
  for (std::string& word : words) word = lower(word);
  return words;
}

std::vector<std::string> last_words(const std::string& text) {
  std::vector<std::string> last;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::vector<std::string> words = words_of(text.substr(at, end - at));
    if (!words.empty()) last = std::move(words);
    at = end + 1;
  }
  return last;
}

}  // namespace

std::string place_text(const kernels::Vec3& p) {
  return fmt::format("x {:.2f}, y {:.2f}, z {:.2f}", p.x, p.y, p.z);
}

std::string box_text(const Bounds& box) {
  return fmt::format("x {:.2f} to {:.2f}, y {:.2f} to {:.2f}, z {:.2f} to {:.2f}", box.min.x,
                     box.max.x, box.min.y, box.max.y, box.min.z, box.max.z);
}

std::vector<double> numbers_in(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t first = word.front() == '-' ? 1 : 0;
    if (first == word.size()) continue;
    if (!std::isdigit(static_cast<unsigned char>(word[first]))) continue;  // nor "nan" or "inf"
    double value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    numbers.push_back(value);
  }
  return numbers;
}

std::optional<std::size_t> read_answer(const std::vector<std::string>& answers,
                                       const std::string& text) {
  std::vector<std::string> words = last_words(text);
  if (words.empty()) return std::nullopt;
  const std::string said = words.back();
  words.pop_back();
  // What may lead up to it, all of it optional: "my final answer is".
  const auto drop = [&](const std::vector<const char*>& any) {
    const bool found =
        !words.empty() && std::find(any.begin(), any.end(), words.back()) != any.end();
    if (found) words.pop_back();
    return found;
  };
  drop({"is"});
  if (drop({"answer"})) {
    drop({"final"});
    drop({"the", "my"});
  }
  if (!words.empty()) return std::nullopt;
  const auto found = std::find_if(answers.begin(), answers.end(),
                                  [&](const std::string& word) { return lower(word) == said; });
  if (found == answers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - answers.begin());
}

}  // namespace sightline::host
