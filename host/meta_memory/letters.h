// Lower case for names of things: ASCII and the letters of Latin-1, as in "CAFÉ". Text is UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace sightline::host {

/// Of the same length; bytes that are no letters stay as they are.
inline std::string lower_case(std::string_view text) {
  constexpr unsigned char kLatin1 = 0xc3;  // first byte of U+00C0 to U+00FF
  std::string lower(text);
  unsigned char before = 0;
  for (char& c : lower) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_ascii = byte >= 'A' && byte <= 'Z';
    const bool is_latin = before == kLatin1 && byte >= 0x80 && byte <= 0x9e && byte != 0x97;
    if (is_ascii || is_latin) c = static_cast<char>(byte + 0x20);
    before = byte;
  }
  return lower;
}

}  // namespace sightline::host
