#include "host/truth/campus_walk.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/place_geometry.h"
#include "host/truth/place_sight.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kWalkStream = stream_of("campus walks");

void check(const CampusWalkSettings& settings) {
  const bool is_good = settings.duration_s >= 0 && settings.period_s > 0 &&
                       settings.speed_m_s > 0 && settings.range_m > 0 && settings.front_deg > 0 &&
                       settings.front_deg <= 360 && settings.num_tries > 0;
  if (is_good) return;
  throw InputError(
      "settings of a walk over a campus: period, speed, range and num_tries must be above 0, the "
      "duration 0 or more, front_deg above 0 and at most 360");
}

/// Who is joined to whom, ascending.
std::vector<std::vector<std::int32_t>> neighbours_of(const WalkGraph& paths) {
  std::vector<std::vector<std::int32_t>> next(paths.nodes_m.size());
  for (const auto& [a, b] : paths.edges) {
    next.at(static_cast<std::size_t>(a)).push_back(b);
    next.at(static_cast<std::size_t>(b)).push_back(a);
  }
  for (auto& list : next) std::sort(list.begin(), list.end());
  return next;
}

/// The nodes of the largest connected part, ascending; of equals that of the lowest node.
std::vector<std::int32_t> largest_part(const std::vector<std::vector<std::int32_t>>& next) {
  std::vector<char> visited(next.size());
  std::vector<std::int32_t> best;
  for (std::size_t start = 0; start < next.size(); ++start) {
    if (visited[start] != 0 || next[start].empty()) continue;
    std::vector<std::int32_t> part{static_cast<std::int32_t>(start)};
    visited[start] = 1;
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const std::int32_t node : next[static_cast<std::size_t>(part[i])]) {
        if (visited[static_cast<std::size_t>(node)] != 0) continue;
        visited[static_cast<std::size_t>(node)] = 1;
        part.push_back(node);
      }
    }
    if (part.size() > best.size()) best = std::move(part);
  }
  std::sort(best.begin(), best.end());
  return best;
}

/// The nodes of a random walk of at least that length.
std::vector<Vec3> random_way(const Campus& campus,
                             const std::vector<std::vector<std::int32_t>>& next,
                             const std::vector<std::int32_t>& starts, double length_m,
                             RandomItem* random) {
  const auto at = [&](std::int32_t node) {
    return campus.paths.nodes_m[static_cast<std::size_t>(node)];
  };
  std::int32_t node = starts[random->below(starts.size())], last = -1;
  std::vector<Vec3> way{at(node)};
  for (double walked_m = 0; walked_m <= length_m;) {
    std::vector<std::int32_t> ways = next[static_cast<std::size_t>(node)];
    if (ways.size() > 1) ways.erase(std::remove(ways.begin(), ways.end(), last), ways.end());
    if (ways.empty()) ways = {last};  // two edges that join the same nodes
    last = node;
    node = ways[random->below(ways.size())];
    walked_m += distance_m(at(last), at(node));
    way.push_back(at(node));
  }
  return way;
}

/// A pose each period_s along a way; on a bend the yaw is that of what comes.
std::vector<WalkPose> poses_along(const std::vector<Vec3>& way,
                                  const CampusWalkSettings& settings) {
  const auto count = static_cast<std::int64_t>(settings.duration_s / settings.period_s) + 1;
  std::vector<WalkPose> poses;
  std::size_t piece = 0;
  double before_m = 0;  // of the way, to the start of the piece
  for (std::int64_t i = 0; i < count; ++i) {
    const double time_s = static_cast<double>(i) * settings.period_s;
    const double at_m = time_s * settings.speed_m_s;
    double length_m = distance_m(way[piece], way[piece + 1]);
    while (at_m >= before_m + length_m && piece + 2 < way.size()) {
      before_m += length_m;
      ++piece;
      length_m = distance_m(way[piece], way[piece + 1]);
    }
    const Vec3 &a = way[piece], &b = way[piece + 1];
    const double share = (at_m - before_m) / length_m;
    poses.push_back(
        {time_s,
         {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)},
         std::atan2(b.y - a.y, b.x - a.x)});
  }
  return poses;
}

bool is_in_front(const WalkPose& pose, const Vec3& place, double half_rad) {
  if (std::isnan(pose.yaw_rad)) return true;
  const double bearing = std::atan2(place.y - pose.position_m.y, place.x - pose.position_m.x);
  return std::abs(std::remainder(bearing - pose.yaw_rad, 2 * kPi)) <= half_rad;
}

bool sees(const WalkPose& pose, const Vec3& place, const PlaceSight& sight,
          const CampusWalkSettings& settings) {
  return distance_m(pose.position_m, place) <= settings.range_m &&
         is_in_front(pose, place, settings.front_deg / 360 * kPi) &&
         sight.is_free(pose.position_m, place);
}

std::size_t landmarks_seen(const Campus& campus, const std::vector<WalkPose>& poses,
                           const PlaceSight& sight, const CampusWalkSettings& settings) {
  std::size_t count = 0;
  for (const CampusObject& object : campus.objects) {
    if (!object.is_landmark) continue;
    count += std::any_of(poses.begin(), poses.end(), [&](const WalkPose& pose) {
      return sees(pose, object.position_m, sight, settings);
    });
  }
  return count;
}

}  // namespace

CampusWalk walk_campus(const Campus& campus, const CampusWalkSettings& settings,
                       std::uint64_t seed) {
  check(settings);
  const auto next = neighbours_of(campus.paths);
  const auto starts = largest_part(next);
  if (starts.empty()) throw InputError("a campus without paths cannot be walked; give it an edge");
  const PlaceSight sight(campus.rings);
  const double length_m = settings.duration_s * settings.speed_m_s;
  std::vector<WalkPose> best;
  std::size_t most = 0;
  for (int attempt = 0; attempt < settings.num_tries; ++attempt) {
    RandomItem random(seed, kWalkStream, static_cast<std::uint64_t>(attempt));
    auto poses = poses_along(random_way(campus, next, starts, length_m, &random), settings);
    const std::size_t seen = landmarks_seen(campus, poses, sight, settings);
    if (!best.empty() && seen <= most) continue;
    most = seen;
    best = std::move(poses);
  }
  return walk_of(campus, std::move(best), settings);
}

CampusWalk walk_of(const Campus& campus, std::vector<WalkPose> poses,
                   const CampusWalkSettings& settings) {
  check(settings);
  const PlaceSight sight(campus.rings);
  CampusWalk walk;
  walk.poses = std::move(poses);
  for (std::size_t i = 0; i < walk.poses.size(); ++i) {
    for (const CampusObject& object : campus.objects) {
      if (!sees(walk.poses[i], object.position_m, sight, settings)) continue;
      walk.sightings.push_back({static_cast<std::int32_t>(i), object.id});
    }
  }
  return walk;
}

std::vector<WalkPose> driven_poses(const std::vector<double>& times_s,
                                   const std::vector<Vec3>& positions_m) {
  if (times_s.size() != positions_m.size()) {
    throw InputError("a driven way has " + std::to_string(times_s.size()) + " times for " +
                     std::to_string(positions_m.size()) + " positions; give one for each");
  }
  std::vector<WalkPose> poses;
  double yaw_rad = 0;
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    if (i > 0 && !(times_s[i] >= times_s[i - 1])) {
      throw InputError("a driven way: time " + std::to_string(i) + " is before the one before it");
    }
    if (i + 1 < times_s.size()) {
      const Vec3 step = kernels::minus(positions_m[i + 1], positions_m[i]);
      if (std::hypot(step.x, step.y) > 0) yaw_rad = std::atan2(step.y, step.x);
    }
    poses.push_back({times_s[i], positions_m[i], yaw_rad});
  }
  return poses;
}

}  // namespace sightline::host
