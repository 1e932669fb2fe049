// Half precision: every half is a float and comes back; floats round to nearest, half to even.
#include "host/world/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sightline {
namespace {

using host::float_to_half;
using host::half_to_float;

/// By the definition of binary16, in double.
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

bool is_finite(std::uint32_t half) { return (half & 0x7c00u) != 0x7c00u; }

TEST(Half, IsReadExactlyAndComesBack) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (!is_finite(bits)) continue;
    ASSERT_EQ(static_cast<double>(half_to_float(half)), value_of(half)) << bits;
    ASSERT_EQ(std::signbit(half_to_float(half)), (bits & 0x8000u) != 0) << bits;
    ASSERT_EQ(float_to_half(half_to_float(half)), half) << bits;
  }
}

TEST(Half, RoundsToNearestAndHalfToEven) {
  for (std::uint32_t bits = 0; bits + 1 < 0x7c00; ++bits) {
    const double low = value_of(static_cast<std::uint16_t>(bits));
    const double high = value_of(static_cast<std::uint16_t>(bits + 1));
    const auto middle = static_cast<float>((low + high) / 2);  // exact
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(float_to_half(middle), even) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), bits) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9f)), bits + 1) << bits;
    ASSERT_EQ(float_to_half(-middle), even | 0x8000u) << bits;
  }
}

TEST(Half, OverflowsToInfinityFrom65520On) {
  EXPECT_EQ(float_to_half(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(-1e30f), 0xfc00);
  EXPECT_EQ(half_to_float(0x7c00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(half_to_float(0xfc00), -std::numeric_limits<float>::infinity());
}

TEST(Half, KeepsNaNAndLosesWhatIsTooSmall) {
  EXPECT_TRUE(std::isnan(half_to_float(0x7e00)));
  EXPECT_TRUE(std::isnan(half_to_float(0xfc01)));
  EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::nanf("")))));
  EXPECT_EQ(float_to_half(0x1p-25f), 0);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(float_to_half(-0.0f), 0x8000);
}

}  // namespace
}  // namespace sightline
