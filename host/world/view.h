// Rendered views: what a camera at a pose would see of a world's voxels.
//
// A picture is one reading of visibility (render-as-recall): a thing is seen if it covers enough
// pixels. What Spatial Memory Must Store (2026), section 4, arm M4.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "host/world/visibility.h"

namespace sightline::host {

/// A camera by its full angles, in degrees, each below 180. vertical 0: square pixels.
struct CameraSettings {
  std::int64_t width = 640, height = 480;
  double horizontal_deg = 90;
  double vertical_deg = 0;
  double range_m = 100;
};
/// Throws InputError naming the setting that is out of bounds.
kernels::Camera make_camera(const CameraSettings& settings);

/// Whose a voxel is: an object's or a memory's id, 0 or more.
class VoxelLabels {
 public:
  /// Labels the occupied voxels of the grid that the box [low_m, high_m) of a thing overlaps. Where
  /// things share a voxel, the smallest id has it.
  void add_box(const OccupancyGrid& grid, kernels::Vec3 low_m, kernels::Vec3 high_m,
               std::int32_t id);
  /// Labels one voxel, occupied or not.
  void add_voxel(const OccupancyGrid& grid, const std::array<std::int64_t, 3>& voxel,
                 std::int32_t id);

  std::size_t size() const { return ids_.size(); }
  /// As kernels::LabelView wants them.
  std::vector<std::int64_t> voxels() const;
  std::vector<std::int32_t> ids() const;

 private:
  void add(std::int64_t voxel, std::int32_t id);

  std::map<std::int64_t, std::int32_t> ids_;
};

/// Pixels of views, one view after the other, rows from the top left.
struct Views {
  kernels::Camera camera;
  std::vector<kernels::FirstHit> hits;  ///< [num_views, height, width]
  std::vector<std::int32_t> ids;        ///< the same; kernels::kNoLabel where nobody's

  std::int64_t pixels_per_view() const { return std::int64_t{camera.width} * camera.height; }
  std::int64_t num_views() const {
    return static_cast<std::int64_t>(hits.size()) / pixels_per_view();
  }
};

/// Renders a view from every pose. The query's method must be dda or hdda. Throws InputError.
Views render_views(const World& world, const std::vector<kernels::Pose>& poses,
                   const kernels::Camera& camera, const VisibilityQuery& query,
                   const VoxelLabels& labels, Device& device);

/// The same in blocks of as many views as max_bytes hold, one at least, so that any number of poses
/// fits the memory: `take` is given one block after the other. Every pose is checked before the
/// first block is rendered. Throws InputError.
void render_views_in_blocks(const World& world, const std::vector<kernels::Pose>& poses,
                            const kernels::Camera& camera, const VisibilityQuery& query,
                            const VoxelLabels& labels, std::int64_t max_bytes, Device& device,
                            const std::function<void(const Views&)>& take);

/// How many pixels of view `view` each id covers.
std::map<std::int32_t, std::int64_t> pixels_by_id(const Views& views, std::int64_t view);

/// How much of its observer's view the box of size_m around each ray's target takes up: a pixel
/// shows it if line of sight from the camera to where the pixel's ray enters the box says visible.
/// poses [num_observers] replace rays.observers. Returns [num_rays], in pixels; the same counts as
/// from a whole picture, at the cost of the pixels around the box. Throws InputError.
std::vector<kernels::SampleCounts> covered_pixels(const World& world,
                                                  const std::vector<kernels::Pose>& poses,
                                                  const RayBatch& rays,
                                                  const std::array<double, 3>& size_m,
                                                  const kernels::Camera& camera,
                                                  const VisibilityQuery& query, Device& device);

/// Where each ray's target is in the picture of its observer's pose (poses [num_observers] replace
/// rays.observers): the pixel, and how far ahead. Walls play no part. Returns [num_rays]. What
/// Spatial Memory Must Store (2026), Table 1, viewpoint. Throws InputError.
std::vector<kernels::Projection> project(const std::vector<kernels::Pose>& poses,
                                         const RayBatch& rays, const kernels::Camera& camera,
                                         Device& device);

/// Visible if it covers at least min_pixels; unknown if it could.
kernels::Visibility judge_pixels(const kernels::SampleCounts& counts, std::int64_t min_pixels);

}  // namespace sightline::host
