#include "index/checksum.h"

#include <algorithm>
#include <cstring>

namespace sightline::index {
namespace {

/// One to one in each argument while the other stays, so no single changed word is forgotten.
std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15u;
  return state << 29 | state >> 35;
}

}  // namespace

void Checksum::add_word(std::uint64_t word) {
  std::uint64_t& lane = lanes_[num_words_ & 3];  // four chains, which a processor runs side by side
  lane = mix(lane, word);
  ++num_words_;
}

void Checksum::add(const void* bytes, std::size_t num_bytes) {
  const auto* next = static_cast<const unsigned char*>(bytes);
  std::uint64_t word = 0;
  while (num_bytes > 0) {
    const std::size_t held = num_bytes_ % 8;
    const std::size_t num = std::min(num_bytes, 8 - held);
    if (num == 8) {
      std::memcpy(&word, next, 8);
      add_word(word);
    } else {
      std::memcpy(rest_.data() + held, next, num);
      if (held + num == 8) {
        std::memcpy(&word, rest_.data(), 8);
        add_word(word);
      }
    }
    num_bytes_ += num;
    next += num;
    num_bytes -= num;
  }
}

std::uint64_t Checksum::value() const {
  std::uint64_t last = 0;
  std::memcpy(&last, rest_.data(), num_bytes_ % 8);
  std::uint64_t value = mix(mix(0, num_bytes_), last);
  for (const std::uint64_t lane : lanes_) value = mix(value, lane);
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93u;
  return value ^ value >> 32;
}

std::uint64_t checksum(const void* bytes, std::size_t num_bytes) {
  Checksum sum;
  sum.add(bytes, num_bytes);
  return sum.value();
}

}  // namespace sightline::index
