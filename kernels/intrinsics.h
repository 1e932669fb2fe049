// Small operations that the CPU and a GPU have under different names. The answers are the same, but
// where it is said.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/hd.h"

namespace sightline::kernels {

/// a * b + c where nothing is rounded, as among whole numbers below 2^24: there one instruction and
/// two come to the same, and a CPU without the one would call a function.
SL_HD inline float exact_multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return std::fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

/// a * b + c, the product in full.
SL_HD inline std::int64_t wide_multiply_add(std::int32_t a, std::int32_t b, std::int64_t c) {
#if defined(__CUDA_ARCH__)
  // Left to itself nvcc widens the factors before a loop and multiplies 64 bits by 64 within.
  asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(c) : "r"(a), "r"(b));
  return c;
#else
  return c + std::int64_t{a} * b;
#endif
}

/// The bits of 2^23. Those of 2^23 + n, n a whole number below 2^23, are these and the bits of n:
/// so a float and an index are made from each other by an addition, which a GPU does at a higher
/// rate than a conversion.
constexpr std::int32_t kWholeBits = 0x4b000000;

/// The bits of 2^23 + floor(x), 0 <= x < 2^23.
SL_HD inline std::int32_t whole_bits(float x) {
#if defined(__CUDA_ARCH__)
  return __float_as_int(__fadd_rd(x, 0x1p23f));
#else
  return kWholeBits | static_cast<std::int32_t>(x);
#endif
}
/// n from the bits of 2^23 + n.
SL_HD inline float whole_of(std::int32_t bits) {
  float sum = 0;
  std::memcpy(&sum, &bits, sizeof(sum));
  return sum - 0x1p23f;
}

/// floor(a b 2^149), no less than 0, if below 2^23; else no less than that. a and b are products of
/// whole numbers below 2^24, or of what floats are within 2^-24 to 1 of, with powers of two.
SL_HD inline std::uint32_t whole_bits_of_product(float a, float b) {
#if defined(__CUDA_ARCH__)
  // Among the least floats, whose bits are a whole number. What is below 0 becomes 0, and -0 too.
  float product = 0;
  asm("fma.rm.sat.f32 %0, %1, %2, 0f00000000;" : "=f"(product) : "f"(a), "f"(b));
  return __float_as_uint(product);
#else
  const double product = double{a} * double{b} * 0x1p149;
  return product < 0 ? 0 : product < 0x1p23 ? static_cast<std::uint32_t>(product) : 1u << 23;
#endif
}

/// The first `num` bits those of `first`, all set or none, the others not; num beyond 32 is 32.
SL_HD inline std::uint32_t shifted_bits(std::uint32_t first, std::uint32_t num) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_lc(first, ~first, num);
#else
  const std::uint64_t both = std::uint64_t{~first} << 32 | first;
  return static_cast<std::uint32_t>(both << (num < 32 ? num : 32) >> 32);
#endif
}

/// The bits of x as a float of 16 bits, for x that is one, other than those below 2^-14.
SL_HD inline std::uint32_t half_bits(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  constexpr std::uint32_t kLessBias = (127 - 15) << 10;
  return x == 0 ? 0 : (bits >> 16 & 0x8000u) | ((bits >> 13 & 0x3ffffu) - kLessBias);
}
/// What such bits are.
inline float half_value(std::uint32_t half) {
  if ((half & 0x7fffu) == 0) return 0;
  const std::uint32_t bits =
      (half & 0x8000u) << 16 | (((half & 0x7fffu) + ((127u - 15) << 10)) << 13);
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The lower halves of two words, that of `high` above.
SL_HD inline std::uint32_t low_halves(std::uint32_t low, std::uint32_t high) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, 0x5410);
#else
  return (low & 0xffffu) | high << 16;
#endif
}

/// 1 / x, off by 2^-24 (1 + 2^-20) of itself at most, for x within 2^-30 to 2^30; nothing that may
/// be used, for 0. The one of these operations whose bits the CPU and a GPU need not share.
SL_HD inline float reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float y = 0;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));  // within 2^-23, which a step squares
  return std::fmaf(y, std::fmaf(-x, y, 1.0f), y);
#else
  return 1.0f / x;
#endif
}

/// x. What is made of it is computed where it is written: nvcc would do so before a branch that is
/// seldom taken, and keep it in registers, of which there are few.
SL_HD inline float computed_here(float x) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+f"(x));
#endif
  return x;
}
/// The place of the lowest bit that is set; word != 0.
SL_HD inline int lowest_bit(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(word)) - 1;
#else
  return __builtin_ctzll(word);
#endif
}

/// Below zero if and only if x is; x is not -0. Of two numbers, a | b is so if either is, without a
/// comparison.
SL_HD inline std::int32_t sign_word(float x) {
  std::int32_t word = 0;
  std::memcpy(&word, &x, sizeof(word));
  return word;
}
SL_HD inline std::int32_t sign_word(std::int32_t x) { return x; }
SL_HD inline std::int32_t sign_word(std::int64_t x) { return static_cast<std::int32_t>(x >> 32); }

/// 1 if x is below zero, else 0: to count such by one shift and addition.
template <class Number>
SL_HD std::uint32_t sign_bit(Number x) {
  return static_cast<std::uint32_t>(sign_word(x)) >> 31;
}

/// All bits set if x is below zero, or -0, else none.
SL_HD inline std::uint32_t sign_bits(float x) {
  return static_cast<std::uint32_t>(sign_word(x) >> 31);
}
SL_HD inline std::uint32_t sign_bits(double x) { return x < 0 ? ~std::uint32_t{0} : 0; }

/// The lesser of two that are not below zero: of floats by their bits, in one instruction.
SL_HD inline float lesser_of_positive(float a, float b) {
  const std::int32_t least = sign_word(a) < sign_word(b) ? sign_word(a) : sign_word(b);
  float lesser = 0;
  std::memcpy(&lesser, &least, sizeof(lesser));
  return lesser;
}

/// Four numbers in one access of 16 bytes; p is aligned to that.
SL_HD inline void load_four(const float* p, float* out) {
  std::memcpy(out, __builtin_assume_aligned(p, 16), 16);
}
/// Two words in one access of 8 bytes; p is aligned to that.
SL_HD inline void load_two(const std::uint32_t* p, std::uint32_t* out) {
  std::memcpy(out, __builtin_assume_aligned(p, 8), 8);
}
SL_HD inline void store_four(const std::int32_t* values, std::int32_t* p) {
  void* const to = p;  // nvcc 13.0 takes nothing else
  std::memcpy(__builtin_assume_aligned(to, 16), values, 16);
}

}  // namespace sightline::kernels
