#include "host/memory/unit_embedding.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sightline::host {
namespace {

/// Of the squared length: twice 2^-23.
constexpr double kSquareTolerance = 0x1p-22;

template <typename Number>
double squared_length(const Number* vector, std::int32_t width) {
  double sum = 0;
  for (std::int32_t i = 0; i < width; ++i) {
    const double x = vector[i];
    sum += x * x;
  }
  return sum;
}

/// Divides by the length, the root of `square`.
template <typename Number>
void divide(const Number* vector, std::int32_t width, double square, float* unit) {
  const double length = std::sqrt(square);
  for (std::int32_t i = 0; i < width; ++i) unit[i] = static_cast<float>(vector[i] / length);
}

/// A vector whose squares overflow or vanish: its largest component is brought into [1, 2) first.
const char* extreme_to_unit_length(const double* vector, std::int32_t width, float* unit) {
  double largest = 0;
  for (std::int32_t i = 0; i < width; ++i) largest = std::max(largest, std::fabs(vector[i]));
  if (largest == 0) return "is a zero vector, which has no direction";
  std::vector<double> scaled(vector, vector + width);
  for (double& x : scaled) x = std::scalbn(x, -std::ilogb(largest));
  return to_unit_length(scaled.data(), width, unit);
}

}  // namespace

float length_of(const float* vector, std::int32_t width) {
  return static_cast<float>(std::sqrt(squared_length(vector, width)));
}

bool has_unit_length(const float* vector, std::int32_t width) {
  return std::fabs(squared_length(vector, width) - 1) <= kSquareTolerance;
}

const char* to_unit_length(const double* vector, std::int32_t width, float* unit) {
  for (std::int32_t i = 0; i < width; ++i) {
    if (!std::isfinite(vector[i])) return "holds a NaN or an infinity";
    unit[i] = static_cast<float>(vector[i]);
  }
  if (has_unit_length(unit, width)) return nullptr;
  const double square = squared_length(vector, width);
  constexpr double kSmall = 0x1p-900, kLarge = 0x1p900;
  if (!(square >= kSmall && square <= kLarge)) return extreme_to_unit_length(vector, width, unit);
  divide(vector, width, square, unit);
  return nullptr;
}

const char* to_unit_length(float* vector, std::int32_t width) {
  if (has_unit_length(vector, width)) return nullptr;
  const double square = squared_length(vector, width);
  if (!std::isfinite(square)) return "holds a NaN or an infinity";
  if (square == 0) return "is a zero vector, which has no direction";
  divide(vector, width, square, vector);
  return nullptr;
}

}  // namespace sightline::host
