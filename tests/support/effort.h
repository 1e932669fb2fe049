// How much a property is tried: less under a sanitizer, where each case takes ten times as long and
// looks for misuse of memory, not for the rare counterexample.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sightline::tests {

#ifdef SIGHTLINE_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// `cases`, or under a sanitizer a fifth of them; at least one.
template <class Count>
constexpr Count effort(Count cases) {
  return kSanitized ? std::max<Count>(1, cases / 5) : cases;
}

}  // namespace sightline::tests
