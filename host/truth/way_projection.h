// Where a point lies beside a way of straight pieces.
#pragma once

#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

struct BesideWay {
  double distance_m = 0;  ///< to the nearest point of the way
  double s_m = 0;         ///< of that point, along the way; of equally near ones the first
  /// The first and last s whose points are farther by no more than the slack.
  double first_s_m = 0, last_s_m = 0;
};

/// `way`: at least one point.
BesideWay beside(const std::vector<kernels::Vec3>& way_m, const kernels::Vec3& point_m,
                 double slack_m);

double length_of(const std::vector<kernels::Vec3>& way_m);

}  // namespace sightline::host
