// Standard normal random numbers whose bits do not depend on the machine: of the functions that
// libraries round as they like, they use none.
#pragma once

#include <cmath>

#include "host/random.h"

namespace sightline::host {

/// Natural logarithm of a finite x > 0, by + - * / alone: equal bits everywhere, within 4 units in
/// the last place.
inline double portable_log(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1, kRootHalf = 0x1.6a09e667f3bcdp-1;
  constexpr int kTerms = 12;  // of the series; the next is below 2^-60 of the first
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < kRootHalf) {
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 (s + s^3/3 + s^5/5 + ..), s = (m - 1) / (m + 1), |s| < 0.172
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  double sum = 0;
  for (int term = kTerms - 1; term >= 0; --term) sum = sum * square + 1.0 / (2 * term + 1);
  return exponent * kLn2 + 2 * s * sum;
}

/// Independent standard normal numbers from the draws of one item: the polar method (Marsaglia and
/// Bray, "A Convenient Method for Generating Normal Variables", 1964).
class NormalDraws {
 public:
  explicit NormalDraws(const RandomItem& item) : item_(item) {}

  double operator()() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u, v, square;
    do {
      u = 2 * item_.uniform() - 1;
      v = 2 * item_.uniform() - 1;
      square = u * u + v * v;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * portable_log(square) / square);
    spare_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }

 private:
  RandomItem item_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace sightline::host
