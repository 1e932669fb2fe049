// One set of questions, whether a target can be seen from an observer's pose, that many mechanisms
// are asked alike. Not for users of the library: see render_as_recall.h.
//
// Observers stand beside the stops of a walk through the world, at other places than the stored
// frames. Every target lies in the observer's picture (4 : 3) and in range, in free space, so that
// what is asked is whether something stands between. Of each pose's targets a quarter each is
// hidden or visible, grazing or clear: grazing if moving it aside by graze_m changes the answer. So
// "visible" is right half of the time. What Spatial Memory Must Store (2026), section 9.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/truth/voxel_sight.h"
#include "host/world/walk.h"

namespace sightline::host {

enum class AskedSight : std::uint8_t { kAny, kHidden, kVisible };
/// What a question asks: is the target in sight from here, or is it from any of the stored frames?
enum class AskedFrom : std::uint8_t { kHere, kFrames };
enum class AskedCases : std::uint8_t { kAny, kClear, kGrazing };

struct OcclusionSettings {
  std::int64_t num_poses = 128;
  std::int64_t num_targets = 200;  ///< of each pose, before `asked` and `cases`; a multiple of 4
  std::int64_t num_frames = 256;   ///< stored
  double range_m = 20, nearest_m = 1, graze_m = 0.15;
  double horizontal_deg = 90;  ///< of the picture
  AskedSight asked = AskedSight::kAny;
  AskedCases cases = AskedCases::kAny;
  AskedFrom question = AskedFrom::kHere;
  WalkSettings walk;
  std::uint64_t seed = 0;

  std::int64_t num_queries() const;
};

/// Where somebody stands, metres, and looks, level: yaw as in make_pose_deg.
struct Stand {
  kernels::Vec3 eye_m;
  double yaw_deg = 0;
};

struct OcclusionQuery {
  std::int64_t pose = 0;  ///< index into OcclusionSet::poses
  kernels::Vec3 target_m;
  bool visible = false;  ///< in truth, from where the question asks
};

struct OcclusionSet {
  Frame frame = Frame::kSceneYUp;
  std::vector<Stand> poses, frames;
  std::vector<OcclusionQuery> queries;  ///< pose by pose
};

/// Pose p and its targets depend on the world and (seed, p) alone. Truth is by VoxelSight over the
/// world as it is. Throws InputError if no pose has enough targets of each kind, or if one cannot
/// walk in the world.
OcclusionSet make_occlusion_set(const OcclusionSettings& settings, const World& world,
                                const VoxelSight& sight, Device& device);

}  // namespace sightline::host
