// Random directions in many dimensions: unit vectors in double, of which embeddings are made.
#pragma once

#include <cstdint>
#include <vector>

#include "host/random_normal.h"

namespace sightline::host {

using Direction = std::vector<double>;

/// Uniform on the sphere.
Direction random_direction(std::int32_t dimensions, NormalDraws& draw);

/// Uniform among the unit vectors that have this cosine, in [-1, 1], with a unit vector of two or
/// more dimensions.
Direction direction_near(const Direction& centre, double cosine, NormalDraws& draw);

/// Makes unit vectors orthogonal to each other, in their order (Gram and Schmidt, twice). As many
/// linearly independent ones as there are dimensions, or fewer.
void make_orthonormal(std::vector<Direction>* directions);

/// a x + b y
Direction combined(double a, const Direction& x, double b, const Direction& y);

}  // namespace sightline::host
