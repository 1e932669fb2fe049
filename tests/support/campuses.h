// Campuses for tests: forty classes 0 to 39, eight colours, ten landmarks of classes 100 to 109.
#pragma once

#include <cmath>
#include <string>

#include "host/truth/campus.h"
#include "host/truth/campus_walk.h"

namespace sightline::tests {

inline host::GridCampusSettings grid_settings() {
  host::GridCampusSettings settings;
  for (int i = 0; i < 40; ++i) {
    settings.planting.things.push_back({static_cast<std::uint16_t>(i), i % 2 == 0});
  }
  for (int bit = 0; bit < 8; ++bit) settings.planting.colours.push_back(1U << bit);
  for (int i = 0; i < 10; ++i) {
    settings.planting.landmarks.push_back(
        {static_cast<std::uint16_t>(100 + i), "Landmark " + std::to_string(i)});
  }
  return settings;
}

struct CampusWorld {
  explicit CampusWorld(std::uint64_t seed)
      : campus(host::make_grid_campus(grid_settings(), seed)),
        walk(host::walk_campus(campus, {}, seed)) {}
  host::Campus campus;
  host::CampusWalk walk;
};

inline double apart_m(const kernels::Vec3& a, const kernels::Vec3& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

}  // namespace sightline::tests
