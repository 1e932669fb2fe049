#include "host/studies/occlusion_arms.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "host/memory/parallel_rows.h"
#include "host/random.h"
#include "host/studies/occluder_texts.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Answers = std::vector<std::uint8_t>;  ///< [num_queries] 1: visible

/// One arm at the questions: which pose and which target it takes each of them to name.
class Asked {
 public:
  Asked(const OcclusionArm& arm, const OcclusionTask& task, Device& device)
      : arm_(arm), task_(task), device_(device), frame_(task.set.frame) {
    for (const OcclusionQuery& query : task.set.queries) {
      const auto shift = arm.has_anothers_pose ? task.given.poses.size() / 2 : 0;
      const auto pose = (static_cast<std::size_t>(query.pose) + shift) % task.given.poses.size();
      pose_.push_back(static_cast<std::int64_t>(pose));
      target_m_.push_back(query.target_m);
    }
    constexpr std::uint64_t kStream = stream_of("occlusion arms: shuffled targets");
    RandomItem random(task.settings.seed, kStream, 0);
    if (arm.has_shuffled_targets) shuffle(&target_m_, &random);
  }

  Answers answers() const {
    switch (arm_.answer) {
      case OcclusionAnswer::kText:
      case OcclusionAnswer::kCoordinates:
        return from_text();
      case OcclusionAnswer::kFieldOfView:
        return from_gate();
      case OcclusionAnswer::kLineOfSight:
        return from_rays();
      case OcclusionAnswer::kView:
        break;
    }
    return arm_.from == Viewpoint::kObserver ? from_own_picture() : from_turned_pictures();
  }

  Prompt prompt(std::size_t i) const {
    ToldOccluders told;
    if (arm_.answer == OcclusionAnswer::kCoordinates) {
      told.has_places = true;
      told.from_m = eye(i);
      told.target_m = target_m_[i];
      told.boxes = boxes_between(task_.boxes, told.from_m, told.target_m, arm_.num_boxes);
    }
    return occluder_prompt(told, task_.set.queries[i].visible);
  }

 private:
  std::size_t size() const { return target_m_.size(); }
  const Stand& stand(std::size_t i) const {
    return task_.given.poses[static_cast<std::size_t>(pose_[i])];
  }
  const Vec3& eye(std::size_t i) const { return stand(i).eye_m; }
  std::vector<kernels::Pose> poses_of(const std::vector<Stand>& stands) const {
    std::vector<kernels::Pose> poses;
    for (const Stand& one : stands) {
      poses.push_back(make_pose_deg(frame_, one.eye_m, one.yaw_deg, 0));
    }
    return poses;
  }
  template <class Make>
  void each(const Make& make) const {
    for_each_row(static_cast<std::int64_t>(size()), device_.num_threads(),
                 [&](std::int64_t row) { make(static_cast<std::size_t>(row)); });
  }
  /// From every question's observer to its target.
  RayBatch rays() const {
    RayBatch rays;
    rays.shape = kernels::RayShape::kPairs;
    for (const Stand& one : task_.given.poses) rays.observers.push_back(one.eye_m);
    rays.targets = target_m_;
    for (std::size_t i = 0; i < size(); ++i) {
      rays.pairs.insert(rays.pairs.end(), {pose_[i], static_cast<std::int64_t>(i)});
    }
    return rays;
  }

  Answers from_text() const {
    Answers said(size());
    each([&](std::size_t i) {
      const Prompt asked = prompt(i);
      said[i] = read_answer(asked.answers, read_occluder_prompt(asked.question)) == std::size_t{0};
    });
    return said;
  }

  Answers from_rays() const {
    Answers said;
    for (const kernels::Visibility one :
         line_of_sight(task_.given.world, rays(), arm_.sight.query, arm_.sight.step_m, device_)) {
      said.push_back(one == kernels::Visibility::kVisible);
    }
    return said;
  }

  Answers from_gate() const {
    const kernels::Camera camera =
        make_camera({4, 3, task_.settings.horizontal_deg, 0, task_.settings.range_m});
    kernels::FieldOfView fov;
    fov.kind = kernels::FieldOfViewKind::kFrustum;
    fov.tan_horizontal = camera.tan_horizontal;
    fov.tan_vertical = camera.tan_vertical;
    fov.far_m = task_.settings.range_m;
    Answers said = in_field_of_view(poses_of(task_.given.poses), rays(), {fov}, device_).front();
    if (arm_.from != Viewpoint::kFrames) return said;
    RayBatch cross;
    cross.shape = kernels::RayShape::kCross;
    cross.targets = target_m_;
    const Answers covers =
        in_field_of_view(poses_of(task_.given.frames), cross, {fov}, device_).front();
    each([&](std::size_t i) {
      bool is_covered = false;
      for (std::size_t ray = i; ray < covers.size(); ray += size()) is_covered |= covers[ray] != 0;
      said[i] = said[i] != 0 && is_covered;
    });
    return said;
  }

  Answers from_own_picture() const {
    std::vector<Sighted> asked;
    for (std::size_t i = 0; i < size(); ++i) asked.push_back({pose_[i], target_m_[i]});
    // In the order of the pictures, which another's poses are not in.
    std::vector<std::size_t> order(size());
    for (std::size_t i = 0; i < size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return pose_[a] < pose_[b]; });
    std::vector<Sighted> sorted;
    for (const std::size_t i : order) sorted.push_back(asked[i]);
    const Answers shown = shows_in_pictures(task_.given.world, poses_of(task_.given.poses),
                                            make_camera(arm_.camera), arm_.rule, sorted, device_);
    Answers said(size());
    for (std::size_t i = 0; i < size(); ++i) said[order[i]] = shown[i];
    return said;
  }

  Answers from_turned_pictures() const {
    std::vector<kernels::Pose> poses(size());
    std::vector<Sighted> asked;
    const std::vector<Vec3> places = viewpoints();
    for (std::size_t i = 0; i < size(); ++i) {
      poses[i] = look_at(frame_, places[i], target_m_[i]);
      asked.push_back({static_cast<std::int64_t>(i), target_m_[i]});
    }
    return shows_in_pictures(task_.given.world, poses, make_camera(arm_.camera), arm_.rule, asked,
                             device_);
  }

  /// Where each question's picture is taken.
  std::vector<Vec3> viewpoints() const {
    std::vector<Vec3> places(size());
    if (arm_.from == Viewpoint::kBestFrame) return best_frames();
    each([&](std::size_t i) {
      places[i] = arm_.from == Viewpoint::kQuery ? eye(i) : nearest_frames(eye(i), 1).front();
    });
    return places;
  }

  /// The places of the stored frames that are nearest to a point; of equally near ones the earlier.
  std::vector<Vec3> nearest_frames(const Vec3& point_m, std::size_t most) const {
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (std::size_t i = 0; i < task_.given.frames.size(); ++i) {
      const Vec3 apart = kernels::minus(task_.given.frames[i].eye_m, point_m);
      by_distance.emplace_back(kernels::dot(apart, apart), i);
    }
    const auto end =
        by_distance.begin() + static_cast<std::ptrdiff_t>(std::min(most, by_distance.size()));
    std::partial_sort(by_distance.begin(), end, by_distance.end());
    std::vector<Vec3> places;
    for (auto one = by_distance.begin(); one != end; ++one) {
      places.push_back(task_.given.frames[one->second].eye_m);
    }
    return places;
  }

  /// For each target the nearest frame from which the map shows it; the nearest, if none does.
  std::vector<Vec3> best_frames() const {
    const auto most =
        std::min(static_cast<std::size_t>(arm_.candidates), task_.given.frames.size());
    RayBatch rays;
    rays.observers.resize(most * size());
    rays.targets.resize(most * size());
    each([&](std::size_t i) {
      const std::vector<Vec3> nearest = nearest_frames(target_m_[i], most);
      for (std::size_t k = 0; k < most; ++k) {
        rays.observers[i * most + k] = nearest[k];
        rays.targets[i * most + k] = target_m_[i];
      }
    });
    const auto seen = line_of_sight(task_.given.world, rays, {}, 0, device_);
    std::vector<Vec3> places(size());
    each([&](std::size_t i) {
      const auto first = seen.begin() + static_cast<std::ptrdiff_t>(i * most);
      const auto end = first + static_cast<std::ptrdiff_t>(most);
      const auto best = std::find(first, end, kernels::Visibility::kVisible);
      const auto k = static_cast<std::size_t>(best == end ? 0 : best - first);
      places[i] = rays.observers[i * most + k];
    });
    return places;
  }

  const OcclusionArm& arm_;
  const OcclusionTask& task_;
  Device& device_;
  Frame frame_;
  std::vector<std::int64_t> pose_;  ///< [num_queries]
  std::vector<Vec3> target_m_;      ///< [num_queries]
};

/// Of the map, of the stored frames, of the boxes: what the arm answers from.
std::int64_t bytes_kept(const OcclusionArm& arm, const OcclusionTask& task) {
  const auto map = static_cast<std::int64_t>(task.given.world.grid->bytes());
  const auto frames = static_cast<std::int64_t>(task.given.frames.size() * sizeof(Stand));
  switch (arm.answer) {
    case OcclusionAnswer::kText:
      return 0;
    case OcclusionAnswer::kCoordinates:
      return static_cast<std::int64_t>(task.boxes.size() * sizeof(Bounds));
    case OcclusionAnswer::kFieldOfView:
      return arm.from == Viewpoint::kFrames ? frames : 0;
    case OcclusionAnswer::kLineOfSight:
      return map;
    case OcclusionAnswer::kView:
      break;
  }
  return arm.from == Viewpoint::kObserver || arm.from == Viewpoint::kQuery ? map : map + frames;
}

/// The answers, and the seconds that they took: of what is over in a moment the fastest of several
/// times, as whatever else the machine does would be most of one.
Answers timed(const Asked& asked, double* seconds) {
  constexpr double kMoment_s = 0.02;
  constexpr int kMostTimes = 10;
  double total_s = 0;
  for (int time = 0;; ++time) {
    const auto start = std::chrono::steady_clock::now();
    Answers said = asked.answers();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    total_s += took.count();
    *seconds = time == 0 ? took.count() : std::min(*seconds, took.count());
    if (total_s >= kMoment_s || time + 1 == kMostTimes) return said;
  }
}

}  // namespace

ArmAnswers ask_occlusion(const OcclusionArm& arm, const OcclusionTask& task, Device& device) {
  const Asked asked(arm, task, device);
  ArmAnswers answers;
  const Answers said = timed(asked, &answers.seconds);
  const auto count = static_cast<std::int64_t>(said.size());
  for (std::size_t i = 0; i < said.size(); ++i) {
    answers.right.push_back((said[i] != 0) == task.set.queries[i].visible);
  }
  answers.coordinate_reads = arm.answer == OcclusionAnswer::kText ? 0 : count;
  answers.num_candidates = arm.from == Viewpoint::kBestFrame ? arm.candidates * count : count;
  answers.stored_bytes = bytes_kept(arm, task);
  return answers;
}

std::vector<Prompt> occlusion_prompts(const OcclusionArm& arm, const OcclusionTask& task,
                                      Device& device) {
  if (!arm.is_text()) return {};
  const Asked asked(arm, task, device);
  std::vector<Prompt> prompts;
  for (std::size_t i = 0; i < task.set.queries.size(); ++i) prompts.push_back(asked.prompt(i));
  return prompts;
}

}  // namespace sightline::host
