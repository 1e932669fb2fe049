// Numbers and text taken off the content of a binary file, never past its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "host/world/binary_file.h"

namespace sightline::host {

/// The content of a whole file.
inline std::string read_content(InputFile& file) {
  std::string content(static_cast<std::size_t>(file.size_bytes()), '\0');
  file.read(content.data(), content.size());
  return content;
}

/// Reads a part of a file's content from its front. Refers to the file and to the content.
class ByteScan {
 public:
  /// `first_byte`: where the part begins in the file, for messages.
  ByteScan(const InputFile& file, std::string_view bytes, std::uint64_t first_byte = 0)
      : file_(file), rest_(bytes), position_(first_byte) {}

  std::uint64_t position() const { return position_; }
  std::size_t remaining() const { return rest_.size(); }

  /// The next bytes. Throws InputError, naming file and byte, if there are fewer.
  std::string_view take(std::uint64_t num_bytes) {
    if (num_bytes > rest_.size()) {
      fail("ends after " + std::to_string(rest_.size()) + " of " + std::to_string(num_bytes) +
           " bytes; the file was cut short, fetch or write it again");
    }
    const std::string_view taken = rest_.substr(0, num_bytes);
    rest_.remove_prefix(taken.size());
    position_ += num_bytes;
    return taken;
  }
  ByteScan take_scan(std::uint64_t num_bytes) {
    const std::uint64_t first = position_;
    return ByteScan(file_, take(num_bytes), first);
  }
  /// A number as it lies in this machine's memory, or with its bytes the other way round.
  template <typename Number>
  Number number(bool swap_bytes = false) {
    char bytes[sizeof(Number)];
    std::memcpy(bytes, take(sizeof(Number)).data(), sizeof(Number));
    if (swap_bytes) std::reverse(bytes, bytes + sizeof(Number));
    Number value;
    std::memcpy(&value, bytes, sizeof(Number));
    return value;
  }

  /// Throws InputError: the file, the byte reached, the message.
  [[noreturn]] void fail(const std::string& message) const {
    file_.fail("byte " + std::to_string(position_) + ": " + message);
  }

 private:
  const InputFile& file_;
  std::string_view rest_;
  std::uint64_t position_;
};

}  // namespace sightline::host
