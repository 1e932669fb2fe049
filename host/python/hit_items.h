// First hits and pixels as NumPy shows them: the fields of `sightline gaze --out hits.npy` and of
// `sightline render --raw`. NumPy wants them flat, so a pixel has those of a hit once more.
#pragma once

#include <array>
#include <cstdint>

#include "host/world/gaze.h"

namespace sightline::python {

struct HitItem {
  double distance_m;
  std::array<std::int32_t, 3> voxel;
  std::array<std::int8_t, 3> normal;
  std::uint8_t sight;
  bool through_unknown;
};

struct PixelItem {
  double distance_m;
  std::array<std::int32_t, 3> voxel;
  std::array<std::int8_t, 3> normal;
  std::uint8_t sight;
  bool through_unknown;
  std::int32_t id;
};

/// Either, the fields of a hit filled in.
template <class Item>
Item item_of(const kernels::FirstHit& hit) {
  const kernels::Vec3 n = host::normal_of(hit.face);
  Item item{};
  item.distance_m = hit.distance_m;
  item.voxel = {hit.voxel[0], hit.voxel[1], hit.voxel[2]};
  item.normal = {static_cast<std::int8_t>(n.x), static_cast<std::int8_t>(n.y),
                 static_cast<std::int8_t>(n.z)};
  item.sight = static_cast<std::uint8_t>(hit.sight);
  item.through_unknown = hit.through_unknown != 0;
  return item;
}

}  // namespace sightline::python
