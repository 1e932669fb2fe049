// How much a property is tried: less under a sanitizer, where each case takes ten times as long and
// looks for misuse of memory, not for the rare counterexample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

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

/// All the cases, or under a sanitizer the middle one of them.
template <class Case>
std::vector<Case> some_of(std::initializer_list<Case> cases) {
  if (!kSanitized) return cases;
  return {*(cases.begin() + cases.size() / 2)};
}

}  // namespace sightline::tests
