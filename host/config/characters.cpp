#include "host/config/characters.h"

#include <boost/locale/utf.hpp>

#include "host/error.h"

namespace sightline::host {
namespace {

namespace utf = boost::locale::utf;

std::string hexadecimal(unsigned char byte) {
  constexpr const char* kDigits = "0123456789abcdef";
  return {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

/// Both are faults that yaml-cpp passes over: it stops reading at some control characters in
/// silence, and keeps bytes that JSON cannot hold, so that two keys could be written as one.
void check_characters(const std::string& text, const std::string& source) {
  int line = 1, column = 1;
  for (auto next = text.begin(); next != text.end();) {
    const auto first = next;
    const utf::code_point c = utf::utf_traits<char>::decode(next, text.end());
    const auto fail = [&](const std::string& message) {
      throw InputError(source + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                       message);
    };
    if (c == utf::illegal || c == utf::incomplete) {
      fail("byte " + hexadecimal(static_cast<unsigned char>(*first)) +
           " is not UTF-8; save the file as UTF-8, or set the terminal to it");
    }
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
      fail("a control character (byte " + std::to_string(c) + "): is this a text file in UTF-8?");
    }
    column = c == '\n' ? 1 : column + static_cast<int>(next - first);
    line += c == '\n' ? 1 : 0;
  }
}

}  // namespace sightline::host
