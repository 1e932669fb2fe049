#include "host/memory/directions.h"

#include <cmath>

namespace sightline::host {
namespace {

double dot(const Direction& a, const Direction& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void normalise(Direction* vector) {
  const double length = std::sqrt(dot(*vector, *vector));
  for (double& x : *vector) x /= length;
}

/// Takes away what `vector` has of a unit vector's direction.
void reject(const Direction& unit, Direction* vector) {
  *vector = combined(1, *vector, -dot(unit, *vector), unit);
}

}  // namespace

Direction combined(double a, const Direction& x, double b, const Direction& y) {
  Direction sum(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] = a * x[i] + b * y[i];
  return sum;
}

Direction random_direction(std::int32_t dimensions, NormalDraws& draw) {
  Direction direction(static_cast<std::size_t>(dimensions));
  for (double& x : direction) x = draw();
  normalise(&direction);
  return direction;
}

Direction direction_near(const Direction& centre, double cosine, NormalDraws& draw) {
  Direction aside = random_direction(static_cast<std::int32_t>(centre.size()), draw);
  reject(centre, &aside);
  normalise(&aside);
  return combined(cosine, centre, std::sqrt(1 - cosine * cosine), aside);
}

void make_orthonormal(std::vector<Direction>* directions) {
  for (std::size_t k = 0; k < directions->size(); ++k) {
    Direction& direction = (*directions)[k];
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t before = 0; before < k; ++before) reject((*directions)[before], &direction);
      normalise(&direction);
    }
  }
}

}  // namespace sightline::host
