#include "host/studies/occlusion_queries.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/error.h"
#include "host/memory/parallel_rows.h"
#include "host/random.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kPoseStream = stream_of("occlusion queries: poses");
constexpr std::uint64_t kFrameStream = stream_of("occlusion queries: frames");
constexpr std::uint64_t kMostAttempts = 400;   ///< at a pose that sees enough of each kind
constexpr std::int64_t kMostCandidates = 100;  ///< for each target wanted
constexpr double kAspect = 0.75, kRadiansPerDegree = 3.14159265358979323846 / 180;
constexpr std::size_t kKinds = 4;  ///< hidden or visible, clear or grazing

std::size_t kind_of(bool visible, bool grazing) {
  return (visible ? 2u : 0u) + (grazing ? 1u : 0u);
}

bool is_asked(const OcclusionSettings& settings, bool visible, bool grazing) {
  if (settings.asked != AskedSight::kAny && visible != (settings.asked == AskedSight::kVisible)) {
    return false;
  }
  return settings.cases == AskedCases::kAny || grazing == (settings.cases == AskedCases::kGrazing);
}

/// Moved along the axes of a pose.
Vec3 moved(const Vec3& from, const kernels::Pose& pose, double right, double up, double ahead) {
  return plus(plus(from, scaled(ahead, pose.forward)),
              plus(scaled(right, pose.right), scaled(up, pose.up)));
}

/// Draws what one pose is asked.
class PoseDraw {
 public:
  PoseDraw(const OcclusionSettings& settings, Frame frame, const std::vector<Vec3>& stops,
           const VoxelSight& sight)
      : settings_(settings), frame_(frame), stops_(stops), sight_(sight) {}

  /// Tries poses until one has enough targets of each kind.
  bool draw(std::int64_t index, Stand* stand, std::vector<OcclusionQuery>* queries) const {
    for (std::uint64_t attempt = 0; attempt < kMostAttempts; ++attempt) {
      RandomItem random(settings_.seed, kPoseStream,
                        static_cast<std::uint64_t>(index) * kMostAttempts + attempt);
      *stand = draw_stand(&random);
      if (!has_room(stand->eye_m)) continue;
      if (draw_targets(index, *stand, &random, queries)) return true;
    }
    return false;
  }

 private:
  /// Beside a stop of the walk, half a step to either side at most.
  Stand draw_stand(RandomItem* random) const {
    const FrameAxes axes = frame_axes(frame_);
    Stand stand;
    stand.eye_m = stops_[static_cast<std::size_t>(random->below(stops_.size()))];
    const double a_m = (random->uniform() - 0.5) * settings_.walk.step_m;
    const double b_m = (random->uniform() - 0.5) * settings_.walk.step_m;
    stand.eye_m = plus(stand.eye_m, plus(scaled(a_m, axes.yaw_0), scaled(b_m, axes.yaw_90)));
    stand.yaw_deg = 360 * random->uniform();
    return stand;
  }

  /// Nobody's eyes touch a wall.
  bool has_room(const Vec3& eye_m) const {
    constexpr double kHead_m = 0.15;
    const FrameAxes axes = frame_axes(frame_);
    for (const double aside_m : {-kHead_m, 0.0, kHead_m}) {
      for (const Vec3& axis : {axes.yaw_0, axes.yaw_90, axes.up}) {
        if (!sight_.is_free(plus(eye_m, scaled(aside_m, axis)))) return false;
      }
    }
    return true;
  }

  bool draw_targets(std::int64_t index, const Stand& stand, RandomItem* random,
                    std::vector<OcclusionQuery>* queries) const {
    const auto wanted = static_cast<std::size_t>(settings_.num_targets) / kKinds;
    const kernels::Pose pose = make_pose_deg(frame_, stand.eye_m, stand.yaw_deg, 0);
    const double tangent = std::tan(settings_.horizontal_deg / 2 * kRadiansPerDegree);
    std::vector<OcclusionQuery> kinds[kKinds];
    std::size_t num_full = 0;
    const std::int64_t most = kMostCandidates * settings_.num_targets;
    for (std::int64_t i = 0; i < most && num_full < kKinds; ++i) {
      const double right = (2 * random->uniform() - 1) * tangent;
      const double up = (2 * random->uniform() - 1) * tangent * kAspect;
      const double away_m =
          settings_.nearest_m + random->uniform() * (settings_.range_m - settings_.nearest_m);
      const double share = away_m / std::sqrt(1 + right * right + up * up);
      const Vec3 target_m = moved(stand.eye_m, pose, share * right, share * up, share);
      if (!sight_.is_free(target_m)) continue;
      const bool visible = sight_.is_clear(stand.eye_m, target_m);
      if (kinds[kind_of(visible, false)].size() + kinds[kind_of(visible, true)].size() ==
          2 * wanted) {
        continue;
      }
      auto& kind = kinds[kind_of(visible, is_grazing(pose, target_m, visible))];
      if (kind.size() == wanted) continue;
      kind.push_back({index, target_m, visible});
      num_full += kind.size() == wanted;
    }
    if (num_full < kKinds) return false;
    queries->clear();
    for (const bool visible : {false, true}) {
      for (const bool grazing : {false, true}) {
        if (!is_asked(settings_, visible, grazing)) continue;
        const auto& kind = kinds[kind_of(visible, grazing)];
        queries->insert(queries->end(), kind.begin(), kind.end());
      }
    }
    return true;
  }

  bool is_grazing(const kernels::Pose& pose, const Vec3& target_m, bool visible) const {
    const double aside_m = settings_.graze_m;
    for (const auto& [right, up] : {std::pair{aside_m, 0.0}, std::pair{-aside_m, 0.0},
                                    std::pair{0.0, aside_m}, std::pair{0.0, -aside_m}}) {
      if (sight_.is_clear(pose.position, moved(target_m, pose, right, up, 0)) != visible) {
        return true;
      }
    }
    return false;
  }

  const OcclusionSettings& settings_;
  Frame frame_;
  const std::vector<Vec3>& stops_;
  const VoxelSight& sight_;
};

/// Stops of the walk, evenly spaced along it, each looking somewhere.
std::vector<Stand> make_frames(const OcclusionSettings& settings, const std::vector<Vec3>& stops) {
  std::vector<Stand> frames;
  const auto count = static_cast<std::size_t>(settings.num_frames);
  for (std::size_t i = 0; i < count; ++i) {
    RandomItem random(settings.seed, kFrameStream, i);
    frames.push_back({stops[i * stops.size() / count], 360 * random.uniform()});
  }
  return frames;
}

/// Makes the answer whether any of the frames has the target in sight, wherever it looks.
void ask_frames(const VoxelSight& sight, const std::vector<Stand>& frames,
                std::vector<std::vector<OcclusionQuery>>* queries, const Device& device) {
  for_each_row(static_cast<std::int64_t>(queries->size()), device.num_threads(),
               [&](std::int64_t p) {
                 for (OcclusionQuery& query : (*queries)[static_cast<std::size_t>(p)]) {
                   query.visible = std::any_of(frames.begin(), frames.end(), [&](const auto& one) {
                     return sight.is_clear(one.eye_m, query.target_m);
                   });
                 }
               });
}

}  // namespace

std::int64_t OcclusionSettings::num_queries() const {
  std::int64_t count = num_poses * num_targets;
  if (asked != AskedSight::kAny) count /= 2;
  if (cases != AskedCases::kAny) count /= 2;
  return count;
}

OcclusionSet make_occlusion_set(const OcclusionSettings& settings, const World& world,
                                const VoxelSight& sight, Device& device) {
  const std::vector<Vec3> stops = walk_free_space(settings.walk, world, settings.seed, device);
  OcclusionSet set;
  set.frame = world.frame;
  set.frames = make_frames(settings, stops);
  const auto count = static_cast<std::size_t>(settings.num_poses);
  set.poses.resize(count);
  std::vector<std::vector<OcclusionQuery>> queries(count);
  const PoseDraw draw(settings, world.frame, stops, sight);
  for_each_row(settings.num_poses, device.num_threads(), [&](std::int64_t p) {
    const auto i = static_cast<std::size_t>(p);
    if (!draw.draw(p, &set.poses[i], &queries[i])) {
      throw InputError("in " + std::to_string(kMostAttempts) + " poses along the walk, none has " +
                       std::to_string(settings.num_targets / 4) +
                       " targets of each kind (hidden or visible, grazing or clear); lower "
                       "`targets`, raise `range_m` or `graze_m`, or give a world with more walls");
    }
  });
  if (settings.question == AskedFrom::kFrames) ask_frames(sight, set.frames, &queries, device);
  for (const auto& of_pose : queries) {
    set.queries.insert(set.queries.end(), of_pose.begin(), of_pose.end());
  }
  return set;
}

}  // namespace sightline::host
