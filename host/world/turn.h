// Cosines, sines and tangents of angles, exact where a person expects it.
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

/// Of the half-angle of a field of view: exact at 60, 90 and 120 degrees, so that what stands at a
/// right angle is on the edge of a cone of 90 degrees and not outside. At 45 and 135, whose cosine
/// is no float, a little less, by what rounding may do to the cosine of a direction: what stands on
/// that edge is inside, too, where the difference of its place and the observer's is exact.
inline double cos_of_degrees(double degrees) {
  constexpr double kRounding = 0x1p-51;
  if (degrees == 45) return std::sqrt(0.5) - kRounding;
  if (degrees == 60) return 0.5;
  if (degrees == 120) return -0.5;
  if (degrees == 135) return -std::sqrt(0.5) - kRounding;
  return exact_turn(degrees * (kPi / 180)).cos;
}
/// Exact at 45 degrees.
inline double tan_of_degrees(double degrees) {
  return degrees == 45 ? 1 : std::tan(degrees * (kPi / 180));
}

}  // namespace sightline::host
