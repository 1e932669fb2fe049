// Which side of an edge a point lies on, without rounding. Not for users of the folder.
#pragma once

#include <array>

namespace sightline::index {

/// The sign of the cross product (b - a) x (p - a): 1 if p lies to the left of the line from a to
/// b, -1 to the right, 0 on it. Exact for coordinates up to 1e150 whose products do not underflow
/// (Shewchuk 1997: error-free transformations, summed as an expansion).
int side_of_line(const std::array<double, 2>& a, const std::array<double, 2>& b,
                 const std::array<double, 2>& p);

}  // namespace sightline::index
