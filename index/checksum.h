// A checksum of bytes, for files. Not for users of the folder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sightline::index {

/// 64 bits over all bytes added, however they were divided. A change within one aligned word of
/// eight bytes always changes it; any other does but once in 2^64. No protection against intent.
class Checksum {
 public:
  void add(const void* bytes, std::size_t num_bytes);
  std::uint64_t value() const;

 private:
  void add_word(std::uint64_t word);

  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
  std::array<unsigned char, 8> rest_{};
  std::uint64_t num_bytes_ = 0, num_words_ = 0;
};

std::uint64_t checksum(const void* bytes, std::size_t num_bytes);

}  // namespace sightline::index
