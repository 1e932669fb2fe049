#include "host/meta_memory/memory_integration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Relation = GlobalQuery::Relation;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegrees = 180 / 3.14159265358979323846;

/// Where the line from a to b is nearest to p: the share of it, within [0, 1].
double share_nearest(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 line = kernels::minus(b, a);
  const double squared = kernels::dot(line, line);
  if (squared == 0) return 0;
  return std::clamp(kernels::dot(kernels::minus(p, a), line) / squared, 0.0, 1.0);
}

Vec3 point_at(const Vec3& a, const Vec3& b, double share) {
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)};
}

void measure_along(const std::vector<RoutePoint>& route, Candidate* candidate) {
  candidate->off_route_m = INFINITY;
  for (std::size_t i = 0; i + 1 < route.size(); ++i) {
    const Vec3 &a = route[i].position_m, &b = route[i + 1].position_m;
    const double share = share_nearest(a, b, candidate->position_m);
    const double off = distance(point_at(a, b, share), candidate->position_m);
    if (off < candidate->off_route_m) {
      candidate->off_route_m = off;
      candidate->along_m = route[i].along_m + share * (route[i + 1].along_m - route[i].along_m);
    }
  }
  if (route.size() == 1) {
    candidate->off_route_m = distance(route[0].position_m, candidate->position_m);
    candidate->along_m = 0;
  }
}

/// Degrees clockwise from north, in [0, 360).
double bearing_to(const Vec3& from, const Vec3& to, double north_offset_rad) {
  const double counter_clockwise = std::atan2(to.y - from.y, to.x - from.x) - north_offset_rad;
  const double bearing = std::fmod(90 - counter_clockwise * kDegrees, 360);
  return bearing < 0 ? bearing + 360 : bearing;
}

/// On that side of `from`, as seen from above: the way there has a part along the direction. Whole
/// steps tell the sign exactly, of the diagonals too, where north is +y.
bool is_on_side(const Vec3& from, const Vec3& to, Cardinal direction, double north_offset_rad) {
  constexpr int kEast[] = {0, 1, 1, 1, 0, -1, -1, -1}, kNorth[] = {1, 1, 0, -1, -1, -1, 0, 1};
  const double c = std::cos(north_offset_rad), s = std::sin(north_offset_rad);
  const double x = to.x - from.x, y = to.y - from.y;
  const double east = c * x + s * y, north = c * y - s * x;
  const auto step = static_cast<std::size_t>(direction);
  return kEast[step] * east + kNorth[step] * north > 0;
}

/// What a candidate is chosen by: the lowest comes first.
struct Choice {
  double first = 0, second = 0;
  double probability = 0;
  std::int64_t index = 0;

  bool operator<(const Choice& other) const {
    return std::make_tuple(first, second, -probability, index) <
           std::make_tuple(other.first, other.second, -other.probability, other.index);
  }
};

/// One question being answered.
class Integration {
 public:
  Integration(const TopologicalMap& map, const SightTest& is_free, const IntegrationRules& rules,
              double north_offset_rad, CognitiveMap* result)
      : map_(map), is_free_(is_free), rules_(rules), north_(north_offset_rad), result_(*result) {}

  void run() {
    for (Candidate& candidate : result_.candidates) {
      candidate.along_m = candidate.off_route_m = candidate.straight_m = candidate.walk_m =
          candidate.between = candidate.off_line_m = candidate.bearing_deg = kNaN;
    }
    switch (result_.question.relation) {
      case Relation::kRoute:
      case Relation::kKth:
        return choose_on_route();
      case Relation::kDirection:
        return choose_in_direction();
      case Relation::kBetween:
        return choose_between();
      case Relation::kVisible:
        return choose_visible();
      case Relation::kNear:
        return choose_nearest();
    }
  }

 private:
  /// The best of those that `passes`; true if there is one.
  template <class Passes, class Keys>
  bool choose(const Passes& passes, const Keys& keys) {
    std::optional<Choice> best;
    for (std::size_t i = 0; i < result_.candidates.size(); ++i) {
      const Candidate& candidate = result_.candidates[i];
      if (!passes(candidate)) continue;
      const auto [first, second] = keys(candidate);
      const Choice choice{first, second, candidate.probability, static_cast<std::int64_t>(i)};
      if (!best || choice < *best) best = choice;
    }
    if (best) result_.selected = best->index;
    return best.has_value();
  }

  /// Keeps what is known of the route, if that is worse.
  void settle(bool found) {
    if (!found) {
      result_.status = MapStatus::kNotFound;
    } else if (result_.status == MapStatus::kNotFound) {
      result_.status = MapStatus::kFound;
    }
  }

  void choose_on_route() {
    result_.status = route_between(result_.landmarks[0], result_.landmarks[1], map_, &result_);
    for (Candidate& candidate : result_.candidates) measure_along(result_.route, &candidate);
    const double last = result_.route_length_m - rules_.route_margin_m;
    const auto is_on_route = [&](const Candidate& c) {
      return c.off_route_m <= rules_.route_reach_m && c.along_m >= rules_.route_margin_m &&
             c.along_m <= last;
    };
    if (result_.question.relation == Relation::kKth) return choose_kth(is_on_route);
    const auto nearest = [](const Candidate& c) { return std::pair(c.off_route_m, c.along_m); };
    bool found = choose(is_on_route, nearest);
    if (!found) {
      result_.relax_level = 1;
      found = choose([](const Candidate&) { return true; }, nearest);
    }
    settle(found);
  }

  template <class IsOnRoute>
  void choose_kth(const IsOnRoute& is_on_route) {
    std::vector<Choice> in_order;
    for (std::size_t i = 0; i < result_.candidates.size(); ++i) {
      const Candidate& c = result_.candidates[i];
      if (is_on_route(c)) {
        in_order.push_back({c.along_m, 0, c.probability, static_cast<std::int64_t>(i)});
      }
    }
    std::sort(in_order.begin(), in_order.end());
    const auto k = static_cast<std::size_t>(result_.question.k);
    const std::size_t rank = k == 0 ? in_order.size() : k;  // 0: the last
    const bool found = rank >= 1 && rank <= in_order.size();
    if (found) result_.selected = in_order[rank - 1].index;
    settle(found);
  }

  void measure_straight() {
    for (Candidate& candidate : result_.candidates) {
      candidate.straight_m = distance(from(), candidate.position_m);
    }
  }

  void choose_in_direction() {
    measure_straight();
    for (Candidate& candidate : result_.candidates) {
      candidate.bearing_deg = bearing_to(from(), candidate.position_m, north_);
    }
    const double middle = bearing_of(result_.question.direction);
    const bool is_diagonal = static_cast<int>(result_.question.direction) % 2 == 1;
    const double half = is_diagonal ? rules_.diagonal_half_deg : rules_.sector_half_deg;
    const auto is_within = [&](const Candidate& c) {
      // From the lower edge, which is closed, to the upper, which is open.
      const double turned = std::fmod(c.bearing_deg - middle + half + 720, 360);
      // What is straight above or below lies in no direction.
      const bool is_aside = c.position_m.x != from().x || c.position_m.y != from().y;
      return is_aside && turned < 2 * half;
    };
    const auto nearest = [](const Candidate& c) { return std::pair(c.straight_m, 0.0); };
    result_.sector_half_deg = half;
    for (Candidate& c : result_.candidates) c.is_in_sector = is_within(c);
    bool found = choose([](const Candidate& c) { return *c.is_in_sector; }, nearest);
    if (!found) {
      result_.relax_level = 1;
      const Cardinal direction = result_.question.direction;
      found = choose(
          [&](const Candidate& c) { return is_on_side(from(), c.position_m, direction, north_); },
          nearest);
    }
    if (!found) {
      result_.relax_level = 2;
      found = choose([](const Candidate&) { return true; }, nearest);
    }
    settle(found);
  }

  void choose_between() {
    const Vec3 &a = result_.landmarks[0].position_m, &b = result_.landmarks[1].position_m;
    const double squared = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    const double length = std::sqrt(squared);
    for (Candidate& c : result_.candidates) {
      const double x = b.x - a.x, y = b.y - a.y, px = c.position_m.x - a.x,
                   py = c.position_m.y - a.y;
      c.between = length == 0 ? kNaN : (px * x + py * y) / squared;
      c.off_line_m = length == 0 ? kNaN : std::fabs(x * py - y * px) / length;
    }
    const double reach = std::max(rules_.between_least_m, rules_.between_share * length);
    settle(choose(
        [&](const Candidate& c) {
          return c.between >= 0 && c.between <= 1 && c.off_line_m <= reach;
        },
        [](const Candidate& c) { return std::pair(c.off_line_m, std::fabs(c.between - 0.5)); }));
  }

  void choose_visible() {
    measure_straight();
    std::vector<Vec3> eyes, targets;
    for (const Candidate& candidate : result_.candidates) {
      eyes.push_back({from().x, from().y, from().z + rules_.eye_height_m});
      targets.push_back({candidate.position_m.x, candidate.position_m.y,
                         candidate.position_m.z + rules_.eye_height_m});
    }
    const auto nearest = [](const Candidate& c) { return std::pair(c.straight_m, 0.0); };
    const auto is_near = [&](const Candidate& c) { return c.straight_m <= rules_.visible_range_m; };
    if (!is_free_) {
      result_.relax_level = 1;
      return settle(choose(is_near, nearest));
    }
    const std::vector<std::uint8_t> free = is_free_(eyes, targets);
    for (std::size_t i = 0; i < free.size(); ++i) result_.candidates[i].is_visible = free[i] != 0;
    settle(choose([&](const Candidate& c) { return *c.is_visible && is_near(c); }, nearest));
  }

  void choose_nearest() {
    measure_straight();
    const auto nearest = [](const Candidate& c) { return std::pair(c.straight_m, 0.0); };
    const auto is_any = [](const Candidate&) { return true; };
    if (!result_.question.on_foot) return settle(choose(is_any, nearest));
    const Snapped& start = result_.snapped[0];
    std::vector<double> distances;
    if (start.node >= 0) distances = distances_from(map_, start.node);
    for (Candidate& c : result_.candidates) {
      const Snapped end = snap(map_, c.position_m);
      const bool is_reached = !distances.empty() && end.is_on_map;
      c.walk_m = is_reached ? distances[static_cast<std::size_t>(end.node)] : INFINITY;
    }
    bool found = choose([](const Candidate& c) { return std::isfinite(c.walk_m); },
                        [](const Candidate& c) { return std::pair(c.walk_m, 0.0); });
    if (!found && choose(is_any, nearest)) {
      found = true;
      result_.status = MapStatus::kDisconnected;
    }
    settle(found);
    if (found && !start.is_on_map) result_.status = MapStatus::kOffGraph;
  }

  const Vec3& from() const { return result_.landmarks[0].position_m; }

  const TopologicalMap& map_;
  const SightTest& is_free_;
  const IntegrationRules& rules_;
  double north_;
  CognitiveMap& result_;
};

void add_waypoint(std::int32_t node, const Vec3& place, CognitiveMap* map) {
  double along = 0;
  if (!map->route.empty()) {
    const RoutePoint& last = map->route.back();
    along = last.along_m + distance(last.position_m, place);
  }
  map->route.push_back({node, place, along});
  map->route_length_m = along;
}

}  // namespace

const char* name_of(MapStatus status) {
  constexpr const char* kNames[] = {"found", "not_found", "off_graph", "disconnected"};
  return kNames[static_cast<std::size_t>(status)];
}

double bearing_of(Cardinal direction) {
  constexpr double kStep_deg = 45;
  return kStep_deg * static_cast<double>(direction);
}

MapStatus route_between(const Landmark& start, const Landmark& end, const TopologicalMap& map,
                        CognitiveMap* cognitive_map) {
  cognitive_map->route.clear();
  cognitive_map->route_length_m = 0;
  const Snapped from = snap(map, start.position_m), to = snap(map, end.position_m);
  MapStatus status = MapStatus::kOffGraph;
  if (from.is_on_map && to.is_on_map) {
    const Route route = shortest_route(map, from.node, to.node);
    status = route.nodes.empty() ? MapStatus::kDisconnected : MapStatus::kFound;
    for (const std::int32_t node : route.nodes) {
      add_waypoint(node, map.position_m[static_cast<std::size_t>(node)], cognitive_map);
    }
  }
  if (status != MapStatus::kFound) {
    add_waypoint(-1, start.position_m, cognitive_map);
    add_waypoint(-1, end.position_m, cognitive_map);
  }
  return status;
}

CognitiveMap integrate(const GlobalQuery& question, const std::vector<Landmark>& landmarks,
                       std::vector<Candidate> candidates, const TopologicalMap& map,
                       const SightTest& is_free, const IntegrationRules& rules,
                       double north_offset_rad) {
  CognitiveMap result;
  result.question = question;
  result.landmarks = landmarks;
  result.candidates = std::move(candidates);
  result.north_offset_rad = north_offset_rad;
  for (const Landmark& landmark : landmarks)
    result.snapped.push_back(snap(map, landmark.position_m));
  Integration(map, is_free, rules, north_offset_rad, &result).run();
  return result;
}

}  // namespace sightline::host
