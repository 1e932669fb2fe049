// Numbers in sentences.
#pragma once

#include <charconv>
#include <limits>
#include <string>

namespace sightline::host {

/// The shortest text that reads back as the same number.
template <typename Number>
std::string exact_text(Number number) {
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof(text), number).ptr);
}

/// For people: 10.1 where sums and products left 10.100000000000001, 1e-09 where fixed digits
/// would leave 0.
inline std::string short_text(double number) {
  constexpr int kDigits = 12;
  char text[64];
  return std::string(
      text,
      std::to_chars(text, text + sizeof(text), number, std::chars_format::general, kDigits).ptr);
}

/// With 15 digits, which double always holds: 0.2 where sums and powers leave 0.19999999999999998,
/// on every machine.
inline double without_rounding_error(double value) {
  constexpr int kDigits = std::numeric_limits<double>::digits10;
  char text[64];
  const char* end =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific, kDigits - 1)
          .ptr;
  std::from_chars(text, end, value);
  return value;
}

}  // namespace sightline::host
