#include "index/polygon.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace sightline::index {
namespace {

/// A sum of doubles that do not overlap, the smallest first: its sign is that of its last.
class Expansion {
 public:
  /// Shewchuk 1997, figure 6 (grow expansion), zeros left out.
  void add(double value) {
    std::size_t num = 0;
    double carry = value;
    for (std::size_t i = 0; i < num_; ++i) {
      const double sum = carry + parts_[i];
      const double of_part = sum - carry;
      const double error = (carry - (sum - of_part)) + (parts_[i] - of_part);
      if (error != 0) parts_[num++] = error;
      carry = sum;
    }
    if (carry != 0) parts_[num++] = carry;
    num_ = num;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }
  int sign() const { return num_ == 0 ? 0 : parts_[num_ - 1] > 0 ? 1 : -1; }

 private:
  std::array<double, 16> parts_{};
  std::size_t num_ = 0;
};

}  // namespace

int side_of_line(const std::array<double, 2>& a, const std::array<double, 2>& b,
                 const std::array<double, 2>& p) {
  // Plain arithmetic decides unless it comes close to zero.
  const double left = (b[0] - a[0]) * (p[1] - a[1]), right = (b[1] - a[1]) * (p[0] - a[0]);
  const double cross = left - right;
  constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
  const double bound = (3 + 16 * kUnit) * kUnit * (std::fabs(left) + std::fabs(right));
  if (std::fabs(cross) > bound) return cross > 0 ? 1 : -1;
  // (bx - ax)(py - ay) - (by - ay)(px - ax), multiplied out; ax ay cancels.
  Expansion sum;
  sum.add_product(b[0], p[1]);
  sum.add_product(-b[0], a[1]);
  sum.add_product(-a[0], p[1]);
  sum.add_product(-b[1], p[0]);
  sum.add_product(b[1], a[0]);
  sum.add_product(a[1], p[0]);
  return sum.sign();
}

}  // namespace sightline::index
