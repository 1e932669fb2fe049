// The geometry arm of the landscape study.
#include <array>
#include <cmath>
#include <utility>

#include "host/random.h"
#include "host/studies/counted_places.h"
#include "host/studies/landscape_arms.h"
#include "host/studies/scene_graph.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// [num_trials][num_notes]: the anchors that the arm is told.
std::vector<std::vector<Vec3>> anchors_of(Anchors anchors,
                                          const std::vector<LandscapeTrial>& trials,
                                          std::uint64_t seed) {
  std::vector<Vec3> all;
  for (const LandscapeTrial& trial : trials) {
    const auto& places = anchors == Anchors::kObserver ? trial.observers_m : trial.scene.things_m;
    all.insert(all.end(), places.begin(), places.end());
  }
  constexpr std::uint64_t kStream = 0x6c73686675666c65;  // "lshuffle"
  RandomItem random(seed, kStream, 0);
  if (anchors == Anchors::kShuffled) shuffle(&all, &random);
  std::vector<std::vector<Vec3>> told;
  auto next = all.begin();
  for (const LandscapeTrial& trial : trials) {
    const auto end = next + static_cast<std::ptrdiff_t>(trial.scene.things_m.size());
    told.emplace_back(next, end);
    next = end;
  }
  return told;
}

/// Notes of the object that the question names; all where it names none.
std::vector<std::size_t> notes_asked_for(const LandscapeTrial& trial) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < trial.notes.size(); ++i) {
    if (trial.object_key.empty() || trial.notes[i].object_key == trial.object_key) {
      rows.push_back(i);
    }
  }
  return rows;
}

std::int64_t quadrant_of(const LandscapeScene& scene, const Vec3& anchor) {
  const auto pose = make_pose_deg(Frame::kSceneYUp, scene.standpoint_m, scene.yaw_deg, 0);
  return static_cast<std::int64_t>(side_of(pose, anchor));
}

std::int64_t nearest_of(const LandscapeScene& scene, const std::vector<std::size_t>& rows,
                        CountedPlaces* anchors) {
  std::size_t nearest = rows[0];
  double least = INFINITY;
  for (const std::size_t row : rows) {
    const Vec3 apart = kernels::minus((*anchors)[row], scene.standpoint_m);
    const double squared = kernels::dot(apart, apart);
    if (squared < least) {
      least = squared;
      nearest = row;
    }
  }
  return static_cast<std::int64_t>(nearest);
}

std::int64_t fuller_of(const LandscapeScene& scene, const std::vector<std::size_t>& rows,
                       CountedPlaces* anchors) {
  std::array<int, 2> count{0, 0};
  for (const std::size_t row : rows) {
    const Vec3 anchor = (*anchors)[row];
    for (std::size_t r = 0; r < 2; ++r) count[r] += scene.regions[r].holds(anchor) ? 1 : 0;
  }
  return count[1] > count[0] ? 1 : 0;
}

/// Visible or hidden, of all trials in one batch.
std::vector<std::int64_t> seen_of(const LandscapeArm& arm, const RayBatch& rays, const World& world,
                                  Device& device) {
  std::vector<std::int64_t> seen;
  for (const kernels::Visibility answer :
       line_of_sight(world, rays, arm.sight.query, arm.sight.step_m, device)) {
    seen.push_back(answer == kernels::Visibility::kVisible ? kYes : kNo);
  }
  return seen;
}

}  // namespace

ArmAnswers answer_by_geometry(const LandscapeArm& arm, LandscapeType type,
                              const std::vector<LandscapeTrial>& trials, std::uint64_t seed,
                              const World& world, Device& device) {
  const std::vector<std::vector<Vec3>> told = anchors_of(arm.anchors, trials, seed);
  ArmAnswers answers;
  std::vector<std::int64_t> options;
  RayBatch rays;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const LandscapeScene& scene = trials[t].scene;
    CountedPlaces anchors(told[t]);
    const std::vector<std::size_t> rows = notes_asked_for(trials[t]);
    switch (type) {
      case LandscapeType::kOcclusion:
        rays.observers.push_back(scene.standpoint_m);
        rays.targets.push_back(anchors[rows[0]]);
        break;
      case LandscapeType::kRelation:
        options.push_back(quadrant_of(scene, anchors[rows[0]]));
        break;
      case LandscapeType::kMultiRegion:
        options.push_back(fuller_of(scene, rows, &anchors));
        break;
      case LandscapeType::kNearDuplicate:
      case LandscapeType::kControl:
        options.push_back(nearest_of(scene, rows, &anchors));
        break;
    }
    answers.coordinate_reads += anchors.num_reads();
    answers.num_candidates += static_cast<std::int64_t>(rows.size());
  }
  if (type == LandscapeType::kOcclusion) options = seen_of(arm, rays, world, device);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    answers.right.push_back(options[t] == trials[t].scene.truth ? 1 : 0);
  }
  return answers;
}

}  // namespace sightline::host
