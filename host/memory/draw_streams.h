// The random streams of memory generators: one for each purpose, told apart from those of points.
#pragma once

#include <cstdint>

#include "host/random.h"

namespace sightline::host {

enum class Draw : std::uint8_t { kLayout, kTraits, kDirection, kEmbedding, kQuery, kPair };

/// Of one generator: its seed, and the stream that its context names.
struct DrawStreams {
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;

  RandomItem item(Draw purpose, std::int64_t index) const {
    constexpr std::uint64_t kMemories = std::uint64_t{1} << 40;  // points draw from lower ones
    const std::uint64_t number =
        kMemories + (std::uint64_t{stream} << 8) + static_cast<std::uint64_t>(purpose);
    return RandomItem(seed, number, static_cast<std::uint64_t>(index));
  }
};

}  // namespace sightline::host
