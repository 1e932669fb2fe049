#include "host/truth/place_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "host/truth/place_geometry.h"
#include "host/truth/way_projection.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kTurn_deg = 360, kEighth_deg = 45;
constexpr double kStraight_deg = 45, kDiagonal_deg = 22.5;
constexpr double kLeastBetween_m = 5, kShareBetween = 0.25;
constexpr double kOneStretch_m = 10;   // of a route beside a thing: longer, and it has two
constexpr double kSameWay_m = 4;       // another way this near to the route is the same one
constexpr double kRightAnswer_m = 15;  // that an answer may be off
constexpr double kNever = std::numeric_limits<double>::infinity();

/// A thing by a rule.
struct Standing {
  std::uint32_t object = 0;
  bool is_in = false;
  double slack = 0;  ///< by how many margins it is in; below 0: out
  double order = 0;  ///< metres: of those that are in, the least is the answer
};

/// One question to things in given positions.
class Judge {
 public:
  Judge(const PlaceOracle& oracle, const PlaceSight& sight, const PlaceQuestion& question,
        const std::vector<Vec3>& positions)
      : oracle_(oracle), sight_(sight), question_(question), at_(positions) {}

  PlaceVerdict judge() {
    switch (question_.relation) {
      case PlaceRelation::kBasic:
        return only_one(standings([](std::uint32_t) { return Standing{0, true, 1, 0}; }));
      case PlaceRelation::kLocal:
        return local();
      case PlaceRelation::kRoute:
      case PlaceRelation::kKth:
        return on_route();
      case PlaceRelation::kDirection:
        return nearest(standings([this](std::uint32_t object) { return in_direction(object); }));
      case PlaceRelation::kBetween:
        return only_one(standings([this](std::uint32_t object) { return in_between(object); }));
      case PlaceRelation::kVisible:
        return only_one(standings([this](std::uint32_t object) { return in_sight(object); }));
      case PlaceRelation::kNear:
        break;
    }
    return question_.on_foot ? near_on_foot() : nearest(standings([this](std::uint32_t object) {
      return Standing{object, true, 1, distance_m(reference(0), at_[object])};
    }));
  }

 private:
  Vec3 reference(std::size_t number) const { return at_[question_.references[number]]; }

  template <class Rule>
  std::vector<Standing> standings(const Rule& rule) const {
    std::vector<Standing> found;
    for (const std::uint32_t object : oracle_.seen_of(question_.things[0])) {
      const auto& references = question_.references;
      if (std::find(references.begin(), references.end(), object) != references.end()) continue;
      found.push_back(rule(object));
      found.back().object = object;
    }
    return found;
  }

  static bool all_sure(const std::vector<Standing>& found) {
    return std::all_of(found.begin(), found.end(), [](const Standing& one) {
      return one.is_in ? one.slack >= 1 : one.slack <= -1;
    });
  }

  static PlaceVerdict only_one(const std::vector<Standing>& found) {
    PlaceVerdict verdict;
    int count = 0;
    for (const Standing& one : found) {
      if (!one.is_in) continue;
      verdict.object = static_cast<std::int32_t>(one.object);
      ++count;
    }
    if (count != 1) verdict.object = -1;
    verdict.is_clear = count == 1 && all_sure(found);
    return verdict;
  }

  static PlaceVerdict nearest(const std::vector<Standing>& found) {
    const Standing* best = nullptr;
    for (const Standing& one : found) {
      if (one.is_in && (best == nullptr || one.order < best->order)) best = &one;
    }
    PlaceVerdict verdict;
    if (best == nullptr) return verdict;
    verdict.object = static_cast<std::int32_t>(best->object);
    verdict.is_clear = best->slack >= 1 && best->order < kNever;
    for (const Standing& one : found) {
      if (&one == best || one.slack <= -1) continue;
      verdict.is_clear = verdict.is_clear && one.order >= best->order + kMargin_m;
    }
    return verdict;
  }

  Standing in_direction(std::uint32_t object) const {
    const Vec3 from = reference(0), to = at_[object];
    const double axis_deg = kEighth_deg * question_.direction;  // clockwise from north
    const double half_deg = question_.direction % 2 == 0 ? kStraight_deg : kDiagonal_deg;
    const double bearing_deg = std::atan2(to.x - from.x, to.y - from.y) * 180 / kPi;
    const double off_deg = std::remainder(bearing_deg - axis_deg, kTurn_deg);
    return {object, off_deg >= -half_deg && off_deg < half_deg,
            std::min(off_deg + half_deg, half_deg - off_deg) / kMargin_deg, distance_m(from, to)};
  }

  Standing in_between(std::uint32_t object) const {
    const Vec3 a = reference(0), b = reference(1), p = at_[object];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    const double along = (p.x - a.x) * ux + (p.y - a.y) * uy;
    const double off = std::abs((p.x - a.x) * uy - (p.y - a.y) * ux);
    const double room =
        std::min({along, length - along, std::max(kLeastBetween_m, kShareBetween * length) - off});
    return {object, room >= 0, room / kMargin_m, off};
  }

  Standing in_sight(std::uint32_t object) const {
    const Vec3 from = reference(0), to = at_[object];
    const double room = kInSight_m - distance_m(from, to);
    // A wall between is as good as a margin: what moves tell is left to them.
    if (!sight_.is_free(from, to)) return {object, false, -1, kNever};
    return {object, room >= 0, room / kMargin_m, distance_m(from, to)};
  }

  PlaceVerdict near_on_foot() const {
    const DrivenGraph& graph = oracle_.graph();
    const std::int32_t start = graph.snap(reference(0));
    if (start < 0) return {};
    const auto by_foot = [&](bool with_ends) {
      return nearest(standings([&](std::uint32_t object) {
        const std::int32_t end = graph.snap(at_[object]);
        if (end < 0) return Standing{object, false, -1, kNever};
        const auto place = static_cast<std::size_t>(end);
        const double way_m = graph.distances_from(start)[place];
        return Standing{object, true, 1,
                        way_m + (with_ends ? distance_m(graph.places_m()[place], at_[object]) : 0)};
      }));
    };
    PlaceVerdict verdict = by_foot(false);
    const PlaceVerdict other = by_foot(true);
    verdict.is_clear = verdict.is_clear && other.is_clear && other.object == verdict.object;
    return verdict;
  }

  PlaceVerdict on_route() const {
    const DrivenGraph& graph = oracle_.graph();
    const std::int32_t start = graph.snap(reference(0)), end = graph.snap(reference(1));
    if (start < 0 || end < 0) return {};
    std::vector<std::int32_t> way = graph.way(start, end);
    if (way.empty()) return {};
    std::vector<Vec3> way_m;
    for (const auto place : way) way_m.push_back(graph.places_m()[static_cast<std::size_t>(place)]);
    const auto found = standings([&](std::uint32_t object) { return beside_way(way_m, object); });
    PlaceVerdict verdict =
        question_.relation == PlaceRelation::kRoute ? only_one(found) : kth(found);
    verdict.is_clear = verdict.is_clear && is_only_way(way_m, start, end);
    verdict.way = std::move(way);
    return verdict;
  }

  Standing beside_way(const std::vector<Vec3>& way_m, std::uint32_t object) const {
    const BesideWay near = beside(way_m, at_[object], kMargin_m);
    const double room = std::min({kBesideRoute_m - near.distance_m, near.s_m - kRouteEnd_m,
                                  length_of(way_m) - kRouteEnd_m - near.s_m});
    const bool has_two = near.distance_m < kBesideRoute_m + kMargin_m &&
                         near.last_s_m - near.first_s_m > kOneStretch_m;
    return {object, room >= 0, has_two ? 0 : room / kMargin_m, near.s_m};
  }

  PlaceVerdict kth(std::vector<Standing> found) const {
    PlaceVerdict verdict;
    const bool sure = all_sure(found);
    found.erase(
        std::remove_if(found.begin(), found.end(), [](const Standing& one) { return !one.is_in; }),
        found.end());
    std::stable_sort(found.begin(), found.end(),
                     [](const Standing& a, const Standing& b) { return a.order < b.order; });
    const std::size_t number = question_.k == 0 ? found.size() : std::size_t(question_.k);
    if (number == 0 || number > found.size()) return verdict;
    const Standing& chosen = found[number - 1];
    verdict.object = static_cast<std::int32_t>(chosen.object);
    verdict.is_clear = sure;
    for (const Standing& one : found) {
      const bool is_apart = std::abs(one.order - chosen.order) >= kMargin_m;
      verdict.is_clear = verdict.is_clear && (&one == &chosen || is_apart);
    }
    return verdict;
  }

  /// Does any way that is as short, to within the margin, keep close to this one?
  bool is_only_way(const std::vector<Vec3>& way_m, std::int32_t start, std::int32_t end) const {
    const DrivenGraph& graph = oracle_.graph();
    const auto &before = graph.distances_from(start), &after = graph.distances_from(end);
    const double longest = before[static_cast<std::size_t>(end)] + kMargin_m;
    for (std::size_t place = 0; place < before.size(); ++place) {
      if (before[place] + after[place] > longest) continue;
      if (beside(way_m, graph.places_m()[place], 0).distance_m > kSameWay_m) return false;
    }
    return true;
  }

  struct Group {
    std::vector<std::uint32_t> members;
    double reach_m = kNever;  ///< from that member from which the others are nearest
    double sum_m = 0;         ///< of the distances from each to each
    std::uint32_t middle = 0;
  };

  Group group_of(const std::vector<std::uint32_t>& members) const {
    Group group;
    group.members = members;
    double least = kNever;
    std::uint32_t lowest = 0;
    for (const std::uint32_t a : members) {
      double farthest = 0, sum = 0;
      for (const std::uint32_t b : members) {
        farthest = std::max(farthest, distance_m(at_[a], at_[b]));
        sum += distance_m(at_[a], at_[b]);
      }
      group.reach_m = std::min(group.reach_m, farthest);
      group.sum_m += sum / 2;
      if (sum < least || (sum == least && a < lowest)) {
        least = sum;
        lowest = a;
      }
    }
    group.middle = lowest;
    return group;
  }

  /// Every choice of one for each thing that could be a place, with its margin.
  void each_group(std::vector<std::uint32_t>* members, std::vector<Group>* groups) const {
    if (members->size() == question_.things.size()) {
      groups->push_back(group_of(*members));
      return;
    }
    for (const std::uint32_t object : oracle_.seen_of(question_.things[members->size()])) {
      const bool is_far = std::any_of(members->begin(), members->end(), [&](std::uint32_t other) {
        return other == object || distance_m(at_[object], at_[other]) > 2 * (kPlace_m + kMargin_m);
      });
      if (is_far) continue;
      members->push_back(object);
      each_group(members, groups);
      members->pop_back();
    }
  }

  PlaceVerdict local() const {
    std::vector<std::uint32_t> members;
    std::vector<Group> groups;
    each_group(&members, &groups);
    const Group* best = nullptr;
    for (const Group& group : groups) {
      if (group.reach_m > kPlace_m) continue;
      if (best == nullptr || group.sum_m < best->sum_m) best = &group;
    }
    PlaceVerdict verdict;
    if (best == nullptr) return verdict;
    verdict.object = static_cast<std::int32_t>(best->middle);
    verdict.members.assign(best->members.begin(), best->members.end());
    verdict.is_clear = best->reach_m <= kPlace_m - kMargin_m;
    for (const Group& group : groups) {
      if (group.reach_m >= kPlace_m + kMargin_m) continue;
      const double apart = distance_m(at_[group.middle], at_[best->middle]);
      verdict.is_clear = verdict.is_clear && apart <= kRightAnswer_m - kMargin_m;
    }
    return verdict;
  }

  const PlaceOracle& oracle_;
  const PlaceSight& sight_;
  const PlaceQuestion& question_;
  const std::vector<Vec3>& at_;
};

}  // namespace

PlaceOracle::PlaceOracle(const Campus& campus, const CampusWalk& walk)
    : campus_(&campus),
      walk_(&walk),
      sight_(campus.rings),
      graph_(walk, sight_),
      poses_seeing_(campus.objects.size()) {
  for (const PlaceSighting& sighting : walk.sightings) {
    poses_seeing_[sighting.object].push_back(sighting.pose);
  }
  for (const CampusObject& object : campus.objects) {
    positions_m_.push_back(object.position_m);
    if (!poses_seeing_[object.id].empty()) seen_.push_back(object.id);
  }
}

std::vector<std::uint32_t> PlaceOracle::seen_of(const AskedThing& thing) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t id : seen_) {
    const CampusObject& object = campus_->objects[id];
    if (object.class_id != thing.class_id) continue;
    if ((object.attributes & thing.attributes) == thing.attributes) found.push_back(id);
  }
  return found;
}

PlaceVerdict PlaceOracle::judge(const PlaceQuestion& question) const {
  return judge_at(question, positions_m_);
}

PlaceVerdict PlaceOracle::judge_at(const PlaceQuestion& question,
                                   const std::vector<Vec3>& positions_m) const {
  return Judge(*this, sight_, question, positions_m).judge();
}

}  // namespace sightline::host
