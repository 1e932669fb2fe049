// Cosine and sine of a turn, exact where a person expects it.
#pragma once

#include <cmath>

namespace sightline::host {

struct Turn {
  double cos = 1, sin = 0;
};

constexpr double kPi = 3.14159265358979323846;

/// A turn this close to a multiple of 90 degrees is meant as one: degrees that were converted to
/// radians miss it by some 1e-16.
constexpr double kQuarterTurnTolerance_rad = 1e-12;

/// Cosine and sine of an angle; multiples of 90 degrees give exactly 0, 1 and -1.
inline Turn exact_turn(double angle_rad) {
  const double quarters = std::nearbyint(angle_rad / (kPi / 2));
  if (std::fabs(angle_rad - quarters * (kPi / 2)) > kQuarterTurnTolerance_rad) {
    return {std::cos(angle_rad), std::sin(angle_rad)};
  }
  switch (static_cast<int>(std::fmod(std::fmod(quarters, 4) + 4, 4))) {
    case 1:
      return {0, 1};
    case 2:
      return {-1, 0};
    case 3:
      return {0, -1};
    default:
      return {1, 0};
  }
}

}  // namespace sightline::host
