// exp(x) and 2^x for x <= 0, with + - * and a power of two alone: the same bits on every CPU and
// GPU, which no library promises of its exp.
//
// x = n ln 2 + r with |r| <= ln 2 / 2; exp(r) by its Taylor series to r^13, whose remainder is
// below 2^-57 of it; times 2^n. The result is within kPortableExpUlps of the true value, and 0
// where that is below 2^-1000.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/hd.h"

namespace sightline::kernels {

constexpr int kPortableExpUlps = 2;  ///< bound of the error, units in the last place

/// Rounded to an integer, half to even. |x| < 2^51.
SL_HD inline double rounded(double x) {
  constexpr double kShift = 0x1.8p52;  // beyond it a double has no fraction
  return (x + kShift) - kShift;
}

/// 2^n, -1022 <= n <= 0.
SL_HD inline double power_of_two(int n) {
  const std::uint64_t bits = static_cast<std::uint64_t>(n + 1023) << 52;
  double power = 0;
  std::memcpy(&power, &bits, sizeof(power));
  return power;
}

/// exp(r), |r| <= 0.35.
SL_HD inline double exp_near_zero(double r) {
  double sum = 1.0 / 6227020800;
  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  return (sum * (r * r) + r) + 1.0;
}

/// exp(x), x <= 0.
SL_HD inline double portable_exp(double x) {
  if (!(x > -693.0)) return 0;
  const double n = rounded(x * 0x1.71547652b82fep0);
  // ln 2 in two parts (fdlibm's), the first short enough for an exact product with n.
  const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  return exp_near_zero(r) * power_of_two(static_cast<int>(n));
}

/// 2^x, x <= 0.
SL_HD inline double portable_exp2(double x) {
  if (!(x > -1000.0)) return 0;
  const double n = rounded(x);
  return exp_near_zero((x - n) * 0x1.62e42fefa39efp-1) * power_of_two(static_cast<int>(n));
}

}  // namespace sightline::kernels
