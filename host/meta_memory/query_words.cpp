#include "host/meta_memory/query_words.h"

#include <boost/locale/utf.hpp>
#include <cmath>
#include <string_view>
#include <utility>

#include "host/meta_memory/letters.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

namespace utf = boost::locale::utf;

/// A character, written as the one of ASCII that means the same here.
struct Character {
  char as_ascii = 0;  ///< 'a' for every letter beyond ASCII, '\0' for what no question holds
  std::size_t begin = 0, end = 0;  ///< bytes
};

struct SameAs {
  utf::code_point code;
  char ascii;
};
constexpr SameAs kSameAs[]{
    {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2010, '-'}, {0x2011, '-'},
    {0x2012, '-'},  {0x2013, '-'},  {0x2212, '-'}, {0xff0d, '-'}, {0xff1f, '?'}, {0xff01, '!'},
    {0x3002, '.'},  {0xff0e, '.'},  {0xff0c, ','}, {0xff1b, ','}, {0xff1a, ','}, {';', ','},
    {':', ','},     {0x00a0, ' '},  {0x202f, ' '}, {0x3000, ' '}, {'\t', ' '},   {'\n', ' '},
    {'\r', ' '},    {0xff08, '('},  {0xff09, ')'}};

char ascii_of(utf::code_point c) {
  if (c == utf::illegal || c == utf::incomplete) return 0;
  for (const SameAs& same : kSameAs) {
    if (same.code == c) return same.ascii;
  }
  if (c > 0x9f) return 'a';
  return c >= 0x20 && c < 0x7f ? static_cast<char>(c) : '\0';
}

std::vector<Character> characters_of(const std::string& text) {
  std::vector<Character> characters;
  for (auto next = text.begin(); next != text.end();) {
    const auto begin = next;
    const utf::code_point c = utf::utf_traits<char>::decode(next, text.end());
    characters.push_back({ascii_of(c), static_cast<std::size_t>(begin - text.begin()),
                          static_cast<std::size_t>(next - text.begin())});
  }
  return characters;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

class Cutter {
 public:
  explicit Cutter(const std::string& text) : text_(text), characters_(characters_of(text)) {}

  std::vector<QueryWord> cut() {
    while (at_ < characters_.size()) cut_one();
    words_.push_back(word_of(QueryWord::Kind::kEnd, 0));
    return std::move(words_);
  }

 private:
  using Kind = QueryWord::Kind;

  char ascii(std::size_t at) const {
    return at < characters_.size() ? characters_[at].as_ascii : 0;
  }
  std::size_t byte(std::size_t at) const {
    return at < characters_.size() ? characters_[at].begin : text_.size();
  }
  std::string bytes(std::size_t begin, std::size_t end) const {
    return text_.substr(byte(begin), byte(end) - byte(begin));
  }
  QueryWord word_of(Kind kind, std::size_t length) const {
    QueryWord word;
    word.kind = kind;
    word.begin = byte(at_);
    word.end = byte(at_ + length);
    word.character = at_ + 1;
    return word;
  }
  void push(QueryWord word, std::size_t length) {
    words_.push_back(std::move(word));
    at_ += length;
  }

  void cut_one() {
    const char c = ascii(at_);
    if (c == ' ') {
      ++at_;
    } else if (is_letter_or_digit(c)) {
      cut_word();
    } else if (c == '-' && at_ > 0 && is_letter_or_digit(ascii(at_ - 1)) &&
               is_letter_or_digit(ascii(at_ + 1))) {
      ++at_;
    } else if (c == '"') {
      cut_quoted();
    } else if (c == '(') {
      cut_point();
    } else {
      const bool is_stop = c == '.' || c == '?' || c == '!';
      push(word_of(c == ',' ? Kind::kComma : is_stop ? Kind::kStop : Kind::kOther, 1), 1);
    }
  }

  void cut_word() {
    std::size_t end = at_;
    while (true) {
      const char c = ascii(end), next = ascii(end + 1);
      const bool is_within = (c == '\'' && is_letter_or_digit(next)) ||
                             (c == '.' && is_digit(ascii(end - 1)) && is_digit(next));
      if (!is_letter_or_digit(c) && !is_within) break;
      ++end;
    }
    QueryWord word = word_of(Kind::kWord, end - at_);
    for (std::size_t at = at_; at < end; ++at) {
      word.word += ascii(at) == '\'' ? "'" : bytes(at, at + 1);
    }
    word.word = lower_case(word.word);
    push(std::move(word), end - at_);
  }

  void cut_quoted() {
    std::size_t end = at_ + 1;
    while (end < characters_.size() && ascii(end) != '"' && ascii(end) != 0) ++end;
    if (ascii(end) != '"') return push(word_of(Kind::kOther, 1), 1);
    QueryWord word = word_of(Kind::kQuoted, end + 1 - at_);
    word.word = with_single_blanks(bytes(at_ + 1, end));
    push(std::move(word), end + 1 - at_);
  }

  /// "( -14.849 , 55.468 )"
  void cut_point() {
    QueryWord word;
    std::size_t end = at_ + 1;
    const bool is_point = take_number(&end, ',', &word.x) && take_number(&end, ')', &word.y);
    if (!is_point) return push(word_of(Kind::kOther, 1), 1);
    QueryWord point = word_of(Kind::kPoint, end - at_);
    point.x = word.x;
    point.y = word.y;
    push(std::move(point), end - at_);
  }

  /// Goes past a number and the sign that ends it.
  bool take_number(std::size_t* at, char sign, double* number) const {
    std::string digits;
    for (; ascii(*at) != sign; ++*at) {
      if (ascii(*at) == 0) return false;
      digits += ascii(*at);
    }
    ++*at;
    std::string_view rest = digits;
    const std::string_view first = next_word(rest);
    return next_word(rest).empty() && parse_number(first, *number) && std::isfinite(*number);
  }

  const std::string& text_;
  const std::vector<Character> characters_;
  std::size_t at_ = 0;
  std::vector<QueryWord> words_;
};

}  // namespace

std::vector<QueryWord> words_of_question(const std::string& question) {
  return Cutter(question).cut();
}

std::string with_single_blanks(const std::string& text) {
  std::string single;
  bool was_blank = false;
  for (const Character& c : characters_of(text)) {
    const bool is_blank = c.as_ascii == ' ';
    if (!is_blank && was_blank && !single.empty()) single += ' ';
    if (!is_blank) single.append(text, c.begin, c.end - c.begin);
    was_blank = is_blank;
  }
  return single;
}

}  // namespace sightline::host
