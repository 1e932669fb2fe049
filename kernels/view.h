// The op of a rendered view: one primary ray per pixel of a pinhole camera, and its first hit.
#pragma once

#include <cmath>

#include "kernels/field_of_view.h"
#include "kernels/first_hit.h"
#include "kernels/kernels.h"

namespace sightline::kernels {

/// To the lattice of a grid, half to even. The point must lie in the lattice's bounds.
SL_HD inline LatticePoint lattice_point(const VoxelFrame& frame, int bits, Vec3 p) {
  const double scale = static_cast<double>(std::int32_t{1} << bits);
  const auto unit = [&](double p_m, int a) {
    return static_cast<std::int32_t>(
        std::rint((p_m - frame.origin_m[a]) / frame.voxel_m[a] * scale));
  };
  return {unit(p.x, 0), unit(p.y, 1), unit(p.z, 2)};
}

/// From the camera through the middle of a pixel to range_m. Pixel (0, 0) is at the top left.
SL_HD inline Vec3 pixel_end(const Camera& camera, const Pose& pose, std::int64_t pixel) {
  const auto column = static_cast<double>(pixel % camera.width);
  const auto row = static_cast<double>(pixel / camera.width);
  const double right = (2 * (column + 0.5) / camera.width - 1) * camera.tan_horizontal;
  const double up = (1 - 2 * (row + 0.5) / camera.height) * camera.tan_vertical;
  const Vec3 d{pose.forward.x + right * pose.right.x + up * pose.up.x,
               pose.forward.y + right * pose.right.y + up * pose.up.y,
               pose.forward.z + right * pose.right.z + up * pose.up.z};
  const double scale = camera.range_m / std::sqrt(dot(d, d));
  return {pose.position.x + scale * d.x, pose.position.y + scale * d.y,
          pose.position.z + scale * d.z};
}

/// Slot i is pixel i % (width * height) of view i / (width * height).
struct RenderViews {
  GazeRules gaze;
  VoxelFrame frame;
  Camera camera;
  const Pose* poses;
  std::int64_t first_pixel;
  FirstHit* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t num_pixels = std::int64_t{camera.width} * camera.height;
    const std::int64_t pixel = first_pixel + i;
    const Pose& pose = poses[pixel / num_pixels];
    const int bits = gaze.rules.lattice_bits;
    out[i] =
        gaze.first_hit(lattice_point(frame, bits, pose.position),
                       lattice_point(frame, bits, pixel_end(camera, pose, pixel % num_pixels)));
  }
};

/// Looks up whose voxels were hit, by bisection in the labels.
struct LabelHits {
  GridLayout layout;
  LabelView labels;
  const FirstHit* hits;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const FirstHit& hit = hits[i];
    out[i] = hit.sight == Visibility::kHidden ? id_at(hit.voxel) : kNoLabel;
  }

 private:
  SL_HD std::int32_t id_at(const std::int32_t voxel[3]) const {
    const std::int64_t wanted =
        voxel[0] + layout.dims[0] * (voxel[1] + std::int64_t{layout.dims[1]} * voxel[2]);
    std::int64_t low = 0, high = labels.num_voxels;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      labels.voxels[middle] < wanted ? low = middle + 1 : high = middle;
    }
    const bool found = low < labels.num_voxels && labels.voxels[low] == wanted;
    return found ? labels.ids[low] : kNoLabel;
  }
};

}  // namespace sightline::kernels
