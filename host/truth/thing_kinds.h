// Kinds of things that lie about in worlds, and the sentence that people write down of each.
#pragma once

#include <array>
#include <cstddef>

namespace sightline::host {

struct ThingKind {
  const char* name;
  const char* sentence;  ///< names the kind, and no other
};

constexpr std::size_t kNumThingKinds = 32;
extern const std::array<ThingKind, kNumThingKinds> kThingKinds;

}  // namespace sightline::host
