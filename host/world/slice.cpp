#include "host/world/slice.h"

#include <algorithm>
#include <cmath>

#include "host/error.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::int64_t kAimedSide_px = 1000;
constexpr std::int64_t kMaxPixels = 400'000'000;
constexpr std::int64_t kMaxSide_px = 1'000'000;  ///< that readers of PNG take
constexpr int kMaxScale = 256;

/// The cells of a cut: voxels of the grid, or samples of the analytic set.
struct Cells {
  std::array<std::int64_t, 3> dims;
  std::array<double, 3> size_m;
};

Cells cells_of(const World& world) {
  if (world.grid) return {world.grid->geometry().dims, world.grid->geometry().voxel_m};
  if (!world.analytic) throw InputError(world.name + " holds nothing to cut");
  const Bounds extent_m = extent_of(world);
  Cells cells;
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, component(extent_m.max, axis) - component(extent_m.min, axis));
  }
  cells.size_m.fill(longest / static_cast<double>(kAimedSide_px));
  for (int axis = 0; axis < 3; ++axis) {
    const double extent = component(extent_m.max, axis) - component(extent_m.min, axis);
    cells.dims[axis] = std::max<std::int64_t>(1, std::llround(extent / cells.size_m[axis]));
  }
  return cells;
}

double cut_of(const World& world, const SliceOptions& options, int axis) {
  const Bounds extent_m = extent_of(world);
  const double low = component(extent_m.min, axis), high = component(extent_m.max, axis);
  const bool level = axis == frame_axes(world.frame).up_axis;
  double at = 0.5 * (low + high);
  if (level && low + kSliceHeight_m < high) at = low + kSliceHeight_m;
  if (options.at_m) at = *options.at_m;
  if (at >= low && at < high) return at;
  throw InputError("a cut at " + std::to_string(at) + " m misses " + world.name + ", whose " +
                   "xyz"[axis] + " goes from " + std::to_string(low) + " to " +
                   std::to_string(high) + " m; choose a place between");
}

/// State of the cell that holds a point of the cut.
VoxelState state_at(const World& world, std::array<std::int64_t, 3> cell, const Vec3& center) {
  if (world.grid) return world.grid->at(cell[0], cell[1], cell[2]);
  return world.analytic->view().solid_at(center) ? VoxelState::kOccupied : VoxelState::kFree;
}

Rgb color_of(VoxelState state, const SlicePalette& palette) {
  if (state == VoxelState::kOccupied) return palette.occupied;
  return state == VoxelState::kUnknown ? palette.unknown : palette.free;
}

/// Fills one square of `scale` pixels; row 0 of the cells is the lowest of the picture.
void paint_cell(Image& image, std::int64_t column, std::int64_t row_from_below, int scale,
                Rgb color) {
  const std::int64_t first_row = image.height - (row_from_below + 1) * scale;
  for (std::int64_t y = first_row; y < first_row + scale; ++y) {
    std::uint8_t* pixel =
        &image.rgb[static_cast<std::size_t>(3 * (y * image.width + column * scale))];
    for (int x = 0; x < scale; ++x) {
      *pixel++ = color.red;
      *pixel++ = color.green;
      *pixel++ = color.blue;
    }
  }
}

Slice blank_slice(const World& world, const SliceOptions& options, const Cells& cells) {
  const int up = frame_axes(world.frame).up_axis;
  Slice slice;
  slice.axis = options.axis < 0 ? up : options.axis;
  slice.at_m = cut_of(world, options, slice.axis);
  slice.right_axis = slice.axis == 0 ? 3 - up : 0;
  slice.up_axis = 3 - slice.axis - slice.right_axis;
  const std::int64_t columns = cells.dims[slice.right_axis], rows = cells.dims[slice.up_axis];
  const int scale = options.scale > 0 ? options.scale
                                      : static_cast<int>(std::clamp<std::int64_t>(
                                            kAimedSide_px / std::max(columns, rows), 1, kMaxScale));
  if (scale > kMaxScale || columns * rows > kMaxPixels / (scale * scale) ||
      std::max(columns, rows) > kMaxSide_px / scale) {
    throw InputError("a picture of " + world.name + ", " + std::to_string(columns) + " x " +
                     std::to_string(rows) + " cells at " + std::to_string(scale) +
                     " pixels each, is too large; " +
                     (scale > 1 ? "use a smaller scale" : "cut across another axis"));
  }
  slice.image.width = columns * scale;
  slice.image.height = rows * scale;
  slice.image.rgb.resize(static_cast<std::size_t>(3 * slice.image.width * slice.image.height));
  const Vec3 low_corner = extent_of(world).min;
  slice.left_m = component(low_corner, slice.right_axis);
  slice.bottom_m = component(low_corner, slice.up_axis);
  slice.right_m_per_px = cells.size_m[slice.right_axis] / scale;
  slice.up_m_per_px = cells.size_m[slice.up_axis] / scale;
  return slice;
}

}  // namespace

std::array<double, 2> Slice::pixel_of(const Vec3& p_world) const {
  const double column = (component(p_world, right_axis) - left_m) / right_m_per_px;
  const double from_below = (component(p_world, up_axis) - bottom_m) / up_m_per_px;
  return {column, static_cast<double>(image.height) - from_below};
}

Slice render_slice(const World& world, const SliceOptions& options) {
  const Cells cells = cells_of(world);
  Slice slice = blank_slice(world, options, cells);
  const int scale = static_cast<int>(slice.image.width / cells.dims[slice.right_axis]);
  const double low = component(extent_of(world).min, slice.axis);
  std::array<std::int64_t, 3> cell{};
  cell[slice.axis] =
      std::min(cells.dims[slice.axis] - 1,
               static_cast<std::int64_t>((slice.at_m - low) / cells.size_m[slice.axis]));
  Vec3 center;
  component(center, slice.axis) = slice.at_m;
  for (std::int64_t row = 0; row < cells.dims[slice.up_axis]; ++row) {
    for (std::int64_t column = 0; column < cells.dims[slice.right_axis]; ++column) {
      cell[slice.right_axis] = column;
      cell[slice.up_axis] = row;
      component(center, slice.right_axis) =
          slice.left_m + (static_cast<double>(column) + 0.5) * cells.size_m[slice.right_axis];
      component(center, slice.up_axis) =
          slice.bottom_m + (static_cast<double>(row) + 0.5) * cells.size_m[slice.up_axis];
      paint_cell(slice.image, column, row, scale,
                 color_of(state_at(world, cell, center), options.palette));
    }
  }
  return slice;
}

}  // namespace sightline::host
