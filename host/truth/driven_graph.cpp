#include "host/truth/driven_graph.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "host/truth/place_geometry.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kStep_m = 1, kTurn_rad = kPi / 6;
constexpr double kLeastDriven_m = 5, kMostSteps = 3, kMostPeriods = 3;
constexpr double kLeastNear_m = 3, kNearSteps = 2.5, kMostRise_m = 1;
constexpr std::size_t kMostNear = 8;
constexpr double kSnap_m = 15, kSnapRise_m = 1.5;
constexpr double kNoWay = std::numeric_limits<double>::infinity();

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

DrivenGraph::DrivenGraph(const CampusWalk& walk, const PlaceSight& sight) {
  keep_places(walk);
  edges_.resize(places_m_.size());
  std::vector<double> steps_m;
  for (std::size_t i = 1; i < walk.poses.size(); ++i) {
    steps_m.push_back(distance_m(walk.poses[i - 1].position_m, walk.poses[i].position_m));
  }
  const double step_m = median(std::move(steps_m));
  join_driven(walk, step_m);
  join_near(sight, std::max(kLeastNear_m, kNearSteps * step_m));
  for (std::size_t place = 0; place < places_m_.size(); ++place) {
    distances_m_.push_back(measure_from(static_cast<std::int32_t>(place)));
  }
}

void DrivenGraph::keep_places(const CampusWalk& walk) {
  for (std::size_t i = 0; i < walk.poses.size(); ++i) {
    const WalkPose& pose = walk.poses[i];
    if (!poses_.empty() && i + 1 < walk.poses.size()) {
      const WalkPose& last = walk.poses[static_cast<std::size_t>(poses_.back())];
      const double turn = std::abs(std::remainder(pose.yaw_rad - last.yaw_rad, 2 * kPi));
      // No yaw is known: no turn.
      if (distance_m(pose.position_m, last.position_m) < kStep_m && !(turn >= kTurn_rad)) continue;
    }
    poses_.push_back(static_cast<std::int32_t>(i));
    places_m_.push_back(pose.position_m);
  }
}

void DrivenGraph::join(std::int32_t a, std::int32_t b) {
  auto& from = edges_[static_cast<std::size_t>(a)];
  const bool is_joined =
      std::any_of(from.begin(), from.end(), [b](const Edge& edge) { return edge.to == b; });
  if (is_joined) return;
  const double length =
      distance_m(places_m_[static_cast<std::size_t>(a)], places_m_[static_cast<std::size_t>(b)]);
  from.push_back({b, length});
  edges_[static_cast<std::size_t>(b)].push_back({a, length});
}

void DrivenGraph::join_driven(const CampusWalk& walk, double step_m) {
  std::vector<double> periods;
  for (std::size_t i = 1; i < walk.poses.size(); ++i) {
    periods.push_back(walk.poses[i].time_s - walk.poses[i - 1].time_s);
  }
  const double longest_m = std::max(kLeastDriven_m, kMostSteps * step_m);
  const double longest_s = kMostPeriods * median(periods);
  for (std::size_t i = 1; i < poses_.size(); ++i) {
    const WalkPose& a = walk.poses[static_cast<std::size_t>(poses_[i - 1])];
    const WalkPose& b = walk.poses[static_cast<std::size_t>(poses_[i])];
    if (distance_m(a.position_m, b.position_m) > longest_m) continue;
    if (b.time_s - a.time_s > longest_s) continue;
    join(static_cast<std::int32_t>(i - 1), static_cast<std::int32_t>(i));
  }
}

void DrivenGraph::join_near(const PlaceSight& sight, double reach_m) {
  for (std::size_t i = 0; i < places_m_.size(); ++i) {
    std::vector<std::pair<double, std::int32_t>> near;
    for (std::size_t j = 0; j < places_m_.size(); ++j) {
      const double apart_m = distance_m(places_m_[i], places_m_[j]);
      if (i == j || apart_m > reach_m) continue;
      if (std::abs(places_m_[i].z - places_m_[j].z) > kMostRise_m) continue;
      near.push_back({apart_m, static_cast<std::int32_t>(j)});
    }
    std::sort(near.begin(), near.end());
    if (near.size() > kMostNear) near.resize(kMostNear);
    for (const auto& [apart_m, j] : near) {
      if (sight.is_free(places_m_[i], places_m_[static_cast<std::size_t>(j)])) {
        join(static_cast<std::int32_t>(i), j);
      }
    }
  }
}

std::vector<double> DrivenGraph::measure_from(std::int32_t start) const {
  std::vector<double> distance(places_m_.size(), kNoWay);
  using Reached = std::pair<double, std::int32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  distance[static_cast<std::size_t>(start)] = 0;
  open.push({0, start});
  while (!open.empty()) {
    const auto [so_far, place] = open.top();
    open.pop();
    if (so_far > distance[static_cast<std::size_t>(place)]) continue;
    for (const Edge& edge : edges_[static_cast<std::size_t>(place)]) {
      const double there = so_far + edge.length_m;
      if (there >= distance[static_cast<std::size_t>(edge.to)]) continue;
      distance[static_cast<std::size_t>(edge.to)] = there;
      open.push({there, edge.to});
    }
  }
  return distance;
}

std::int32_t DrivenGraph::snap(const Vec3& point_m) const {
  std::int32_t best = -1;
  double least = kSnap_m;
  for (std::size_t i = 0; i < places_m_.size(); ++i) {
    if (std::abs(places_m_[i].z - point_m.z) > kSnapRise_m) continue;
    const double apart_m = distance_m(places_m_[i], point_m);
    if (apart_m > least || (apart_m == least && best >= 0)) continue;
    least = apart_m;
    best = static_cast<std::int32_t>(i);
  }
  return best;
}

std::int32_t DrivenGraph::predecessor(const std::vector<std::int32_t>& back,
                                      const std::vector<double>& distance) const {
  const double here = distance[static_cast<std::size_t>(back.back())];
  std::int32_t nearer = -1, equal = -1;
  for (const Edge& edge : edges_[static_cast<std::size_t>(back.back())]) {
    const double before = distance[static_cast<std::size_t>(edge.to)];
    if (before + edge.length_m != here) continue;
    if (before < here && (nearer < 0 || edge.to < nearer)) nearer = edge.to;
    // Two places on one spot are no distance apart: one must not go to and fro between them.
    if (before == here && (equal < 0 || edge.to < equal) &&
        std::find(back.begin(), back.end(), edge.to) == back.end()) {
      equal = edge.to;
    }
  }
  return nearer >= 0 ? nearer : equal;
}

std::vector<std::int32_t> DrivenGraph::way(std::int32_t start, std::int32_t end) const {
  const std::vector<double>& distance = distances_from(start);
  if (distance[static_cast<std::size_t>(end)] == kNoWay) return {};
  std::vector<std::int32_t> back{end};
  while (back.back() != start) {
    const std::int32_t from = predecessor(back, distance);
    if (from < 0) return {};
    back.push_back(from);
  }
  std::reverse(back.begin(), back.end());
  return back;
}

}  // namespace sightline::host
