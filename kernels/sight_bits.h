// Answers to lines of sight as bits, a thirty-second of a word each: what a GPU sends back.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

constexpr std::int64_t kRaysPerSightWord = 32;

/// The lowest bits of eight bytes, in order.
SL_HD inline std::uint32_t low_bits_of_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kLow = 0x0101010101010101u, kGather = 0x0102040810204080u;
  return static_cast<std::uint32_t>(((bytes & kLow) * kGather) >> 56);
}
/// Eight bytes, of which byte i is 1 where bit i is set and else 0.
SL_HD inline std::uint64_t bytes_of_bits(std::uint32_t bits) {
  constexpr std::uint64_t kLow = 0x0101010101010101u, kDiagonal = 0x8040201008040201u;
  constexpr std::uint64_t kAllButHigh = 0x7f7f7f7f7f7f7f7fu;
  return ((((bits & 255u) * kLow & kDiagonal) + kAllButHigh) >> 7) & kLow;
}
static_assert(static_cast<int>(Visibility::kVisible) == 1, "a plane each for bit 0 and bit 1");
static_assert(static_cast<int>(Visibility::kUnknown) == 2, "a plane each for bit 0 and bit 1");

/// Slot w: rays 32 w to 32 w + 31, or up to the last.
struct PackSight {
  const Visibility* answers;  ///< aligned to eight bytes
  std::int64_t num_rays;
  std::uint32_t* visible;
  std::uint32_t* unknown;  ///< null: no answer is

  SL_HD void operator()(std::int64_t w) const {
    const std::int64_t first = w * kRaysPerSightWord;
    std::uint32_t seen = 0, unsure = 0;
    for (int part = 0; part < 4; ++part) {
      const std::int64_t from = first + 8 * part;
      const std::uint64_t bytes = from + 8 <= num_rays
                                      ? reinterpret_cast<const std::uint64_t*>(answers)[from / 8]
                                      : last_bytes(from);
      seen |= low_bits_of_bytes(bytes) << (8 * part);
      unsure |= low_bits_of_bytes(bytes >> 1) << (8 * part);
    }
    visible[w] = seen;
    if (unknown != nullptr) unknown[w] = unsure;
  }

 private:
  SL_HD std::uint64_t last_bytes(std::int64_t from) const {
    std::uint64_t bytes = 0;
    for (std::int64_t i = from; i < num_rays; ++i) {
      bytes |= static_cast<std::uint64_t>(answers[i]) << (8 * (i - from));
    }
    return bytes;
  }
};

/// The other way.
struct UnpackSight {
  const std::uint32_t* visible;
  const std::uint32_t* unknown;
  std::int64_t num_rays;
  Visibility* answers;

  void operator()(std::int64_t w) const {
    const std::int64_t first = w * kRaysPerSightWord;
    for (int part = 0; part < 4; ++part) {
      const std::int64_t from = first + 8 * part, left = num_rays - from;
      if (left <= 0) return;
      std::uint64_t bytes = bytes_of_bits(visible[w] >> (8 * part));
      if (unknown != nullptr) bytes |= bytes_of_bits(unknown[w] >> (8 * part)) << 1;
      std::memcpy(answers + from, &bytes, static_cast<std::size_t>(left < 8 ? left : 8));
    }
  }
};

}  // namespace sightline::kernels
