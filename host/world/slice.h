// A cut through a world as a picture.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/world/image.h"
#include "host/world/world.h"

namespace sightline::host {

struct SlicePalette {
  Rgb free{246, 244, 239};
  Rgb occupied{41, 45, 54};
  Rgb unknown{168, 183, 199};
};

struct SliceOptions {
  int axis = -1;  ///< 0, 1, 2: normal of the cut; -1: the world's up axis
  std::optional<double>
      at_m;       ///< where it cuts its axis; default: eye height (up), else the middle
  int scale = 0;  ///< pixels per cell; 0: so that the longer side has about 1000
  SlicePalette palette;
};

/// Eye height of the default cut, above the lowest point of the world.
constexpr double kSliceHeight_m = 1.6;

/// A picture and how it lies in the world. A level cut is seen from above: x points right, z (y up)
/// or y (z up) points up. An upright cut has the up axis up.
struct Slice {
  Image image;
  int axis = 0;  ///< the cut's normal
  double at_m = 0;
  int right_axis = 0, up_axis = 0;  ///< world axes along the picture's sides
  double left_m = 0, bottom_m = 0;  ///< world coordinates of the lower left corner
  double right_m_per_px = 1, up_m_per_px = 1;

  /// Pixel coordinates (column, row) of a point, counted from the picture's upper left corner.
  std::array<double, 2> pixel_of(const kernels::Vec3& p_world) const;
};

/// Cuts the grid; a world without one has its analytic set sampled at the pixels' centres. Throws
/// InputError if the cut misses the world or the picture would be too large.
Slice render_slice(const World& world, const SliceOptions& options = {});

}  // namespace sightline::host
