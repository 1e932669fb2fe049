// IEEE 754 half precision (binary16): 1 sign, 5 exponent and 10 mantissa bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace sightline::host {

/// Exact: every half is a float. A NaN stays one.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1f, mantissa = half & 0x3ffu;
  std::uint32_t bits;
  if (exponent == 0) {  // zero, or a multiple of 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    std::memcpy(&bits, &magnitude, sizeof bits);
  } else {
    const std::uint32_t wide = exponent == 0x1f ? 0xffu : exponent + (127 - 15);
    bits = wide << 23 | mantissa << 13;
  }
  bits |= sign;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds to nearest, half to even; from 65520 on to infinity. A NaN stays one.
inline std::uint16_t float_to_half(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  constexpr std::uint32_t kInfinity = 0x7f800000u, kSmallestNormal = (127 - 14) << 23;
  if (magnitude > kInfinity) return static_cast<std::uint16_t>(sign | 0x7e00u);
  const auto rounded = [](std::uint32_t number, int shift) {  // number / 2^shift
    const std::uint32_t half_way = (1u << (shift - 1)) - 1;
    return (number + half_way + (number >> shift & 1u)) >> shift;
  };
  std::uint32_t half;
  if (magnitude >= kSmallestNormal) {
    // A carry out of the mantissa is the next exponent; beyond the last one it is infinity.
    half = rounded(magnitude - ((127u - 15u) << 23), 13);
    if (half > 0x7c00u) half = 0x7c00u;
  } else {
    const int exponent = static_cast<int>(magnitude >> 23);
    const int shift = 126 - exponent;  // to multiples of 2^-24: 14 to 24, or all bits are lost
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | (exponent == 0 ? 0u : 0x800000u);
    half = shift > 24 ? 0 : rounded(mantissa, shift);
  }
  return static_cast<std::uint16_t>(sign | half);
}

}  // namespace sightline::host
