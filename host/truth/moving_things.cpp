#include "host/truth/moving_things.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/place_geometry.h"
#include "host/truth/place_questions.h"
#include "host/truth/place_sight.h"
#include "host/truth/planting.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kChangeStream = stream_of("campus changes");
constexpr std::uint64_t kArrivalStream = stream_of("campus arrivals");
constexpr std::uint64_t kPlaceStream = stream_of("campus new places");
constexpr std::uint64_t kPhaseStream = stream_of("campus walk phases");
constexpr std::uint64_t kOtherWalkStream = stream_of("campus other walks");

void check(const MovingSettings& settings) {
  const auto is_share = [](double share) { return share >= 0 && share <= 1; };
  const bool is_good = settings.num_rounds >= 1 && is_share(settings.share_moved) &&
                       is_share(settings.share_vanished) && is_share(settings.share_appeared) &&
                       settings.share_moved + settings.share_vanished <= 1 &&
                       settings.share_appeared * (settings.num_rounds - 1) <= 1 &&
                       settings.least_move_m >= 0;
  if (is_good) return;
  throw InputError(
      "settings of moving things: num_rounds must be at least 1, shares from 0 to 1, "
      "share_moved + share_vanished and share_appeared times the changes at most 1, least_move_m 0 "
      "or more");
}

/// Draws places beside paths.
class Mover {
 public:
  Mover(const Campus& campus, const PlantingSettings& planting, const MovingSettings& settings,
        std::uint64_t seed)
      : planting_(planting), settings_(settings), seed_(seed), sight_(campus.rings) {
    for (const auto& [a, b] : campus.paths.edges) {
      const Vec3 from = campus.paths.nodes_m.at(static_cast<std::size_t>(a));
      const Vec3 to = campus.paths.nodes_m.at(static_cast<std::size_t>(b));
      if (!(flat_distance_m(from, to) > 0)) continue;
      length_m_ += flat_distance_m(from, to);
      pieces_.push_back({from, to, length_m_});
    }
  }

  /// Moves an object among those that are there. `places`: where it was before.
  void move(std::size_t round, std::uint32_t object, const std::vector<std::uint8_t>& is_there,
            std::vector<Vec3>* places, Campus* campus) const {
    if (pieces_.empty()) return;
    const std::uint64_t item = round * campus->objects.size() + object;
    RandomItem random(seed_, kPlaceStream, item);
    for (int attempt = 0; attempt < kMoveTries; ++attempt) {
      const Vec3 place = draw(&random);
      if (sight_.is_inside(place) || is_near_one_of(place, *places) ||
          is_crowded(place, object, is_there, *campus)) {
        continue;
      }
      places->push_back(place);
      campus->objects[object].position_m = place;
      return;
    }
  }

 private:
  struct Piece {
    Vec3 from_m, to_m;
    double end_m = 0;  ///< of all pieces up to this one
  };

  Vec3 draw(RandomItem* random) const {
    const double at_m = random->uniform() * length_m_;
    const auto piece = std::find_if(pieces_.begin(), pieces_.end() - 1,
                                    [&](const Piece& p) { return at_m < p.end_m; });
    const double dx = piece->to_m.x - piece->from_m.x, dy = piece->to_m.y - piece->from_m.y;
    const double length = std::hypot(dx, dy);
    const double along = std::clamp((at_m - (piece->end_m - length)) / length, 0.0, 1.0);
    const double side = random->below(2) == 0 ? 1 : -1;
    const double off =
        side * (planting_.nearest_side_m +
                random->uniform() * (planting_.farthest_side_m - planting_.nearest_side_m));
    return {piece->from_m.x + along * dx - off * dy / length,
            piece->from_m.y + along * dy + off * dx / length,
            piece->from_m.z + along * (piece->to_m.z - piece->from_m.z)};
  }
  bool is_near_one_of(const Vec3& place, const std::vector<Vec3>& places) const {
    return std::any_of(places.begin(), places.end(), [&](const Vec3& before) {
      return flat_distance_m(before, place) < settings_.least_move_m;
    });
  }
  /// Is another of the class too near?
  bool is_crowded(const Vec3& place, std::uint32_t object,
                  const std::vector<std::uint8_t>& is_there, const Campus& campus) const {
    const std::uint16_t class_id = campus.objects[object].class_id;
    return std::any_of(campus.objects.begin(), campus.objects.end(), [&](const auto& other) {
      return other.id != object && is_there[other.id] != 0 && other.class_id == class_id &&
             flat_distance_m(other.position_m, place) < planting_.apart_m;
    });
  }

  const PlantingSettings& planting_;
  const MovingSettings& settings_;
  std::uint64_t seed_;
  PlaceSight sight_;
  std::vector<Piece> pieces_;
  double length_m_ = 0;
};

/// The round in which each object first is there.
std::vector<int> arrivals_of(const Campus& campus, const MovingSettings& settings,
                             std::uint64_t seed) {
  std::vector<int> arrivals;
  for (const CampusObject& object : campus.objects) {
    const double draw = RandomItem(seed, kArrivalStream, object.id).uniform();
    int round = 0;
    for (int change = 1; change < settings.num_rounds && !object.is_landmark; ++change) {
      const bool is_then =
          draw >= settings.share_appeared * (change - 1) && draw < settings.share_appeared * change;
      if (is_then) round = change;
    }
    arrivals.push_back(round);
  }
  return arrivals;
}

std::vector<WalkPose> every_phase(const std::vector<WalkPose>& fine, std::size_t offset,
                                  std::size_t count, double period_s) {
  std::vector<WalkPose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    poses.push_back(fine.at(offset + i * kPhases));
    poses.back().time_s = static_cast<double>(i) * period_s;
  }
  return poses;
}

/// The same places from the last to the first, looking where one then goes.
std::vector<WalkPose> turned_round(const std::vector<WalkPose>& poses) {
  std::vector<WalkPose> back(poses.rbegin(), poses.rend());
  for (std::size_t i = 0; i < back.size(); ++i) {
    back[i].time_s = poses[i].time_s;
    back[i].yaw_rad = std::remainder(back[i].yaw_rad + kPi, 2 * kPi);
  }
  return back;
}

/// A pose of a round that sees an object.
struct Seeing {
  std::int32_t round = 0, pose = 0;
};

/// What was seen of each object, and what would have been of those that were not there.
struct Looks {
  std::vector<std::vector<Seeing>> seen, missed;  ///< [objects], by round, then pose
};

Looks looks_of(const MovingCampus& campus, const std::vector<CampusWalk>& walks,
               const CampusWalkSettings& settings) {
  Looks looks;
  looks.seen.resize(campus.rounds.front().objects.size());
  looks.missed.resize(looks.seen.size());
  for (std::size_t round = 0; round < walks.size(); ++round) {
    const CampusWalk all = walk_of(campus.rounds[round], walks[round].poses, settings);
    for (const PlaceSighting& one : all.sightings) {
      auto& list = campus.is_there[round][one.object] != 0 ? looks.seen : looks.missed;
      list[one.object].push_back({static_cast<std::int32_t>(round), one.pose});
    }
  }
  return looks;
}

class LatestState {
 public:
  LatestState(const MovingCampus& campus, const std::vector<CampusWalk>& walks,
              const CampusWalkSettings& settings)
      : campus_(campus), walks_(walks), looks_(looks_of(campus, walks, settings)) {
    for (const CampusObject& object : campus.rounds.front().objects) {
      if (!looks_.seen[object.id].empty()) ++num_seen_[{object.class_id, object.attributes}];
    }
  }

  std::optional<LatestPlace> of(std::uint32_t object) const {
    const CampusObject& thing = campus_.rounds.back().objects[object];
    if (thing.is_landmark || looks_.seen[object].empty() ||
        num_seen_.at({thing.class_id, thing.attributes}) != 1) {
      return std::nullopt;
    }
    LatestPlace place;
    place.object = object;
    place.object_m = thing.position_m;
    place.fate = fate_of(object);
    const std::int32_t since = latest_move(object);
    if (place.fate == ThingFate::kVanished) {
      const std::int32_t last_seen = looks_.seen[object].back().round;
      const auto& missed = looks_.missed[object];
      const bool was_looked_for = !missed.empty() && missed.back().round > last_seen;
      if (last_seen < since || !was_looked_for) return std::nullopt;
      return place;
    }
    const bool was_elsewhere = looks_.seen[object].front().round < since;
    if (place.fate == ThingFate::kMoved && !was_elsewhere) return std::nullopt;
    if (!find_viewpoint(since, &place)) return std::nullopt;
    return place;
  }

 private:
  bool is_there(std::size_t round, std::uint32_t object) const {
    return campus_.is_there[round][object] != 0;
  }
  bool moved_in(std::size_t round, std::uint32_t object) const {
    return distance_m(campus_.rounds[round - 1].objects[object].position_m,
                      campus_.rounds[round].objects[object].position_m) > 0;
  }
  ThingFate fate_of(std::uint32_t object) const {
    if (!is_there(campus_.rounds.size() - 1, object)) return ThingFate::kVanished;
    for (std::size_t round = 1; round < campus_.rounds.size(); ++round) {
      if (moved_in(round, object)) return ThingFate::kMoved;
    }
    return is_there(0, object) ? ThingFate::kStayed : ThingFate::kAppeared;
  }
  /// The round since which it is where it is after the last, or last was.
  std::int32_t latest_move(std::uint32_t object) const {
    std::size_t round = campus_.rounds.size() - 1;
    while (round > 0 && !moved_in(round, object)) --round;
    return static_cast<std::int32_t>(round);
  }
  const Vec3& position_of(const Seeing& one) const {
    return walks_[static_cast<std::size_t>(one.round)]
        .poses[static_cast<std::size_t>(one.pose)]
        .position_m;
  }
  bool find_viewpoint(std::int32_t since, LatestPlace* place) const {
    double least_m = HUGE_VAL;
    for (const Seeing& one : looks_.seen[place->object]) {
      const double apart_m = distance_m(position_of(one), place->object_m);
      if (one.round < since || apart_m >= least_m) continue;
      least_m = apart_m;
      place->round = one.round;
      place->pose = one.pose;
      place->viewpoint_m = position_of(one);
    }
    const auto& seen = looks_.seen[place->object];
    return place->round >= 0 && std::all_of(seen.begin(), seen.end(), [&](const Seeing& one) {
             return one.round < since ||
                    distance_m(position_of(one), place->viewpoint_m) <= kSureView_m;
           });
  }

  const MovingCampus& campus_;
  const std::vector<CampusWalk>& walks_;
  Looks looks_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, int> num_seen_;  ///< by class and attributes
};

}  // namespace

MovingCampus make_moving_campus(const Campus& campus, const PlantingSettings& planting,
                                const MovingSettings& settings, std::uint64_t seed) {
  check(settings);
  check_planting(planting);
  const Mover mover(campus, planting, settings, seed);
  const std::vector<int> arrivals = arrivals_of(campus, settings, seed);
  std::vector<std::vector<Vec3>> places;
  MovingCampus moving{{campus}, {{}}};
  for (const CampusObject& object : campus.objects) {
    places.push_back({object.position_m});
    moving.is_there[0].push_back(arrivals[object.id] == 0 ? 1 : 0);
  }
  for (int round = 1; round < settings.num_rounds; ++round) {
    Campus next = moving.rounds.back();
    std::vector<std::uint8_t> is_there = moving.is_there.back();
    const auto number = static_cast<std::size_t>(round);
    for (const CampusObject& object : campus.objects) {
      if (arrivals[object.id] == round) is_there[object.id] = 1;
      if (object.is_landmark || moving.is_there.back()[object.id] == 0) continue;
      const std::uint64_t item = number * campus.objects.size() + object.id;
      const double draw = RandomItem(seed, kChangeStream, item).uniform();
      if (draw >= 1 - settings.share_vanished) {
        is_there[object.id] = 0;
      } else if (draw < settings.share_moved) {
        mover.move(number, object.id, is_there, &places[object.id], &next);
      }
    }
    moving.rounds.push_back(std::move(next));
    moving.is_there.push_back(std::move(is_there));
  }
  return moving;
}

std::vector<CampusWalk> walk_rounds(const MovingCampus& campus, const CampusWalkSettings& settings,
                                    PatrolWay way, std::uint64_t seed) {
  CampusWalkSettings fine = settings;
  fine.period_s = settings.period_s / kPhases;
  fine.duration_s = settings.duration_s + settings.period_s;
  const std::vector<WalkPose> first = walk_campus(campus.rounds.front(), fine, seed).poses;
  const auto count = static_cast<std::size_t>(settings.duration_s / settings.period_s) + 1;
  std::vector<CampusWalk> walks;
  for (std::size_t round = 0; round < campus.rounds.size(); ++round) {
    const std::size_t offset =
        round == 0 ? 0 : RandomItem(seed, kPhaseStream, round).below(kPhases);
    std::vector<WalkPose> walked = first;
    if (way == PatrolWay::kOther && round > 0) {
      const std::uint64_t other = RandomItem(seed, kOtherWalkStream, round)();
      walked = walk_campus(campus.rounds.front(), fine, other).poses;
    }
    std::vector<WalkPose> poses = every_phase(walked, offset, count, settings.period_s);
    if (way == PatrolWay::kAlternate && round % 2 != 0) poses = turned_round(poses);
    for (WalkPose& pose : poses) pose.time_s += static_cast<double>(round) * kDay_s;
    CampusWalk walk = walk_of(campus.rounds[round], std::move(poses), settings);
    auto& sightings = walk.sightings;
    sightings.erase(std::remove_if(sightings.begin(), sightings.end(),
                                   [&](const PlaceSighting& one) {
                                     return campus.is_there[round][one.object] == 0;
                                   }),
                    sightings.end());
    walks.push_back(std::move(walk));
  }
  return walks;
}

std::vector<LatestPlace> latest_places(const MovingCampus& campus,
                                       const std::vector<CampusWalk>& walks,
                                       const CampusWalkSettings& settings) {
  if (campus.rounds.empty() || walks.size() != campus.rounds.size()) {
    throw InputError("a moving campus of " + std::to_string(campus.rounds.size()) +
                     " rounds with " + std::to_string(walks.size()) +
                     " walks; give one for each, and at least one");
  }
  const LatestState state(campus, walks, settings);
  std::vector<LatestPlace> places;
  for (const CampusObject& object : campus.rounds.front().objects) {
    if (const auto place = state.of(object.id)) places.push_back(*place);
  }
  return places;
}

}  // namespace sightline::host
