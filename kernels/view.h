// The ops of rendered views: one primary ray per pixel of a pinhole camera. What it meets first,
// and how much of the picture a box takes up.
#pragma once

#include <cmath>

#include "kernels/field_of_view.h"
#include "kernels/first_hit.h"
#include "kernels/kernels.h"
#include "kernels/line_of_sight.h"

namespace sightline::kernels {

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

/// The inverse of pixel_end: where in the picture a point is. Walls play no part.
SL_HD inline Projection project(const Camera& camera, const Pose& pose, Vec3 point) {
  const Vec3 d = minus(point, pose.position);
  Projection at;
  at.ahead_m = dot(d, pose.forward);
  if (!(at.ahead_m > 0)) return at;
  const double right = dot(d, pose.right) / at.ahead_m / camera.tan_horizontal;
  const double up = dot(d, pose.up) / at.ahead_m / camera.tan_vertical;
  at.column = (right + 1) / 2 * camera.width;
  at.row = (1 - up) / 2 * camera.height;
  at.is_inside =
      at.column >= 0 && at.column < camera.width && at.row >= 0 && at.row < camera.height;
  return at;
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
    const LatticeSegment ray = ends(i);
    out[i] = gaze.first_hit(ray.from, ray.to);
  }

  /// Of the ray of slot i.
  SL_HD LatticeSegment ends(std::int64_t i) const {
    const std::int64_t num_pixels = std::int64_t{camera.width} * camera.height;
    const std::int64_t pixel = first_pixel + i;
    const Pose& pose = poses[pixel / num_pixels];
    const int bits = gaze.rules.lattice_bits;
    return {lattice_point(frame, bits, pose.position),
            lattice_point(frame, bits, pixel_end(camera, pose, pixel % num_pixels))};
  }
};

/// The fraction of a ray from `from` to `to` at which it is in a box; above 1 if it never is.
SL_HD inline double box_entry(Vec3 from, Vec3 to, Vec3 centre, const double size_m[3]) {
  const double start[3] = {from.x, from.y, from.z}, end[3] = {to.x, to.y, to.z};
  const double middle[3] = {centre.x, centre.y, centre.z};
  double entry = 0, exit = 1;
  for (int a = 0; a < 3; ++a) {
    const double low = middle[a] - size_m[a] / 2 - start[a];
    const double high = middle[a] + size_m[a] / 2 - start[a];
    const double along = end[a] - start[a];
    if (along == 0) {
      if (low > 0 || high < 0) return 2;
      continue;
    }
    const double near = (along > 0 ? low : high) / along;
    const double far = (along > 0 ? high : low) / along;
    entry = near > entry ? near : entry;
    exit = far < exit ? far : exit;
  }
  return entry <= exit ? entry : 2;
}

/// Pixels [first, last) of a picture, by column and row.
struct PixelRange {
  std::int32_t first[2], last[2];
};

/// The pixels that may show a box: all of them if part of it is beside the camera.
SL_HD inline PixelRange pixels_around(const Camera& camera, const Pose& pose, Vec3 centre,
                                      const double size_m[3]) {
  const std::int32_t num[2] = {camera.width, camera.height};
  const double tangent[2] = {camera.tan_horizontal, camera.tan_vertical};
  PixelRange range{{num[0], num[1]}, {0, 0}};
  constexpr double kSteepest = 1e6;  // beyond it, a projection is of no use
  int num_behind = 0, num_beside = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const double half[3] = {(corner & 1 ? 0.5 : -0.5) * size_m[0],
                            (corner & 2 ? 0.5 : -0.5) * size_m[1],
                            (corner & 4 ? 0.5 : -0.5) * size_m[2]};
    const Vec3 d =
        minus({centre.x + half[0], centre.y + half[1], centre.z + half[2]}, pose.position);
    const double ahead = dot(d, pose.forward);
    const double aside[2] = {dot(d, pose.right), -dot(d, pose.up)};
    num_behind += ahead < 0;
    if (!(ahead * kSteepest > std::fabs(aside[0]) + std::fabs(aside[1]))) {
      ++num_beside;
      continue;
    }
    for (int a = 0; a < 2; ++a) {
      // One pixel more on either side than the projection says: rounding must not cut any off.
      const double at = (aside[a] / ahead / tangent[a] + 1) / 2 * num[a];
      const double low = std::floor(at) - 1, high = std::floor(at) + 2;
      if (low < range.first[a]) range.first[a] = low > 0 ? static_cast<std::int32_t>(low) : 0;
      if (high > range.last[a]) {
        range.last[a] = high < num[a] ? static_cast<std::int32_t>(high) : num[a];
      }
    }
  }
  if (num_behind == 8) return {{0, 0}, {0, 0}};
  return num_beside == 0 ? range : PixelRange{{0, 0}, {num[0], num[1]}};
}

/// Counts the pixels of its observer's view that show a target's box.
struct CoveredPixels {
  ExactLineOfSight sight;  ///< of it, only the grid and the rules are used
  VoxelFrame frame;
  Camera camera;
  double size_m[3];
  const Pose* poses;
  const Vec3* targets;
  RayIndexing rays;
  SampleCounts* out;

  SL_HD void operator()(std::int64_t i) const {
    SampleCounts counts;
    for_each_line(
        i, [&](const LatticeSegment& line) { count(sight.answer(line.from, line.to), counts); });
    out[i] = counts;
  }

  SL_HD static void count(Visibility answer, SampleCounts& counts) {
    counts.visible += answer == Visibility::kVisible;
    counts.unknown += answer == Visibility::kUnknown;
  }

  /// Calls visit(line) for the line of sight that each pixel which may show the box of slot i asks.
  template <class Visit>
  SL_HD void for_each_line(std::int64_t i, const Visit& visit) const {
    const RayEnds ray = ray_ends(rays, i);
    const Pose& pose = poses[ray.observer];
    const Vec3 target = targets[ray.target], from = pose.position;
    const PixelRange range = pixels_around(camera, pose, target, size_m);
    const int bits = sight.rules.lattice_bits;
    const LatticePoint eye = lattice_point(frame, bits, from);
    for (std::int32_t row = range.first[1]; row < range.last[1]; ++row) {
      for (std::int32_t column = range.first[0]; column < range.last[0]; ++column) {
        const Vec3 end = pixel_end(camera, pose, std::int64_t{row} * camera.width + column);
        const double entry = box_entry(from, end, target, size_m);
        if (entry > 1) continue;
        const Vec3 d = minus(end, from);
        const Vec3 met{from.x + entry * d.x, from.y + entry * d.y, from.z + entry * d.z};
        visit(LatticeSegment{eye, lattice_point(frame, bits, met)});
      }
    }
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
