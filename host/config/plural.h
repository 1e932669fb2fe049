// Counts in sentences: "1 step", "2 steps", "1 entry", "3 entries".
#pragma once

#include <string>

namespace sightline::host {

/// `several`: of a word that does not take an s.
template <typename Count>
std::string plural(Count count, const char* one, const char* several = nullptr) {
  const std::string number = std::to_string(count) + " ";
  if (count == 1) return number + one;
  return several != nullptr ? number + several : number + one + "s";
}

}  // namespace sightline::host
