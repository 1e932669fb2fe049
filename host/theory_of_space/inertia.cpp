#include "host/theory_of_space/inertia.h"

#include <algorithm>
#include <cmath>

#include "host/random.h"
#include "host/random_normal.h"

namespace sightline::host::tos {

double position_inertia(Place before, Place now, Place truth, double sigma) {
  const double ex = now.x - truth.x, ey = now.y - truth.y;
  const double vx = before.x - truth.x, vy = before.y - truth.y;
  const double lengths = std::hypot(ex, ey) * std::hypot(vx, vy);
  if (lengths == 0) return 0;
  const double moved = std::hypot(now.x - before.x, now.y - before.y);
  const double ratio = sigma > 0 ? moved / sigma : moved == 0 ? 0 : HUGE_VAL;
  return (ex * vx + ey * vy) / lengths * std::exp(-ratio * ratio / 2);
}

double facing_inertia(std::optional<Heading> before, std::optional<Heading> now) {
  return before.has_value() && before == now ? 1 : 0;
}

double isotropic_inertia(double offset) {
  // In polar coordinates around the truth, sigma being 1: the error's square has a mean of 1 and is
  // exponential. Beyond 9 sigma nothing is left.
  constexpr double kPi = 3.14159265358979323846, kFarthest = 9;
  constexpr int kSteps = 1200;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double radius = kFarthest * (i + 0.5) / kSteps;
    double around = 0;
    for (int j = 0; j < kSteps; ++j) {
      const double angle = 2 * kPi * (j + 0.5) / kSteps;
      const Place now{radius * std::cos(angle), radius * std::sin(angle)};
      around += position_inertia({offset, 0}, now, {}, 1);
    }
    sum += 2 * radius * std::exp(-radius * radius) * around;
  }
  return sum * (kFarthest / kSteps) / kSteps;
}

DrawnInertia drawn_isotropic_inertia(double offset, std::int64_t num_draws, std::uint64_t seed) {
  constexpr std::uint64_t kStream = stream_of("theory of space: beliefs without a bias");
  const double spread = std::sqrt(0.5);  // of each coordinate: the error's square has a mean of 1
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < num_draws; ++i) {
    NormalDraws normal(RandomItem(seed, kStream, static_cast<std::uint64_t>(i)));
    const double x = spread * normal(), y = spread * normal();
    const double inertia = position_inertia({offset, 0}, {x, y}, {}, 1);
    sum += inertia, squares += inertia * inertia;
  }
  const auto count = static_cast<double>(num_draws);
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / count)};
}

}  // namespace sightline::host::tos
