#include "host/truth/planting.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/place_geometry.h"
#include "host/truth/place_sight.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kKindStream = stream_of("campus room kinds");
constexpr std::uint64_t kRoomStream = stream_of("campus rooms");
constexpr int kTries = 20;  // to find a thing a place; then the room goes without

void check(bool is_good, const std::string& what) {
  if (!is_good) throw InputError("settings of a campus: " + what);
}

/// The classes that a kind of room draws from.
std::vector<SmallThing> classes_of_kind(const PlantingSettings& settings, std::uint64_t seed,
                                        std::uint64_t kind) {
  RandomItem random(seed, kKindStream, kind);
  std::vector<SmallThing> classes = settings.things;
  shuffle(&classes, &random);
  classes.resize(static_cast<std::size_t>(settings.classes_of_room));
  return classes;
}

/// A stretch of a path.
struct Room {
  Vec3 from_m, to_m;
};

class Planter {
 public:
  Planter(const PlantingSettings& settings, std::uint64_t seed, Campus* campus)
      : settings_(settings), seed_(seed), sight_(campus->rings), campus_(campus) {
    for (int kind = 0; kind < settings.num_room_kinds; ++kind) {
      kinds_.push_back(classes_of_kind(settings, seed, static_cast<std::uint64_t>(kind)));
    }
  }

  void furnish(const Room& room, std::uint64_t number) {
    RandomItem random(seed_, kRoomStream, number);
    std::vector<SmallThing> classes = kinds_[random.below(kinds_.size())];
    shuffle(&classes, &random);
    const double side = random.below(2) == 0 ? 1 : -1;
    const auto spread =
        static_cast<std::uint64_t>(settings_.most_in_room - settings_.least_in_room + 1);
    const auto count = static_cast<std::size_t>(settings_.least_in_room) + random.below(spread);
    for (std::size_t i = 0; i < std::min(count, classes.size()); ++i) {
      put(room, side, classes[i], &random);
    }
  }

 private:
  void put(const Room& room, double side, const SmallThing& thing, RandomItem* random) {
    const std::uint32_t colour = settings_.colours[random->below(settings_.colours.size())];
    const double dx = room.to_m.x - room.from_m.x, dy = room.to_m.y - room.from_m.y;
    const double length = std::hypot(dx, dy);
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const double along = random->uniform();
      const double off =
          side * (settings_.nearest_side_m +
                  random->uniform() * (settings_.farthest_side_m - settings_.nearest_side_m));
      const Vec3 place{room.from_m.x + along * dx - off * dy / length,
                       room.from_m.y + along * dy + off * dx / length,
                       room.from_m.z + along * (room.to_m.z - room.from_m.z)};
      if (sight_.is_inside(place) || is_crowded(place, thing.class_id)) continue;
      add_object({0, thing.class_id, colour, place, "", false, thing.is_large}, campus_);
      return;
    }
  }
  /// Is another of the class too near?
  bool is_crowded(const Vec3& place, std::uint16_t class_id) const {
    return std::any_of(campus_->objects.begin(), campus_->objects.end(), [&](const auto& other) {
      return other.class_id == class_id &&
             flat_distance_m(other.position_m, place) < settings_.apart_m;
    });
  }

  const PlantingSettings& settings_;
  std::uint64_t seed_;
  PlaceSight sight_;
  Campus* campus_;
  std::vector<std::vector<SmallThing>> kinds_;
};

/// The paths as chains of nodes that go on from crossing to crossing: on a map a path is cut into
/// pieces far shorter than a room.
std::vector<std::vector<std::int32_t>> chains_of(const WalkGraph& paths) {
  std::vector<std::vector<std::size_t>> edges_at(paths.nodes_m.size());
  for (std::size_t e = 0; e < paths.edges.size(); ++e) {
    edges_at[static_cast<std::size_t>(paths.edges[e].first)].push_back(e);
    edges_at[static_cast<std::size_t>(paths.edges[e].second)].push_back(e);
  }
  std::vector<char> used(paths.edges.size());
  std::vector<std::vector<std::int32_t>> chains;
  const auto follow = [&](std::int32_t start, std::size_t edge) {
    std::vector<std::int32_t> chain{start};
    for (bool goes_on = true; goes_on;) {
      used[edge] = 1;
      const auto& [a, b] = paths.edges[edge];
      chain.push_back(a == chain.back() ? b : a);
      const auto& next = edges_at[static_cast<std::size_t>(chain.back())];
      goes_on = next.size() == 2 && used[next[0] == edge ? next[1] : next[0]] == 0;
      if (goes_on) edge = next[0] == edge ? next[1] : next[0];
    }
    chains.push_back(std::move(chain));
  };
  for (const bool at_crossings : {true, false}) {  // what then is left are rings
    for (std::size_t node = 0; node < edges_at.size(); ++node) {
      if (at_crossings && edges_at[node].size() == 2) continue;
      for (const std::size_t edge : edges_at[node]) {
        if (used[edge] == 0) follow(static_cast<std::int32_t>(node), edge);
      }
    }
  }
  return chains;
}

/// Cuts a chain into rooms: pieces of a straight edge, or runs of edges of about room_m together.
std::vector<Room> rooms_of(const WalkGraph& paths, const std::vector<std::int32_t>& chain,
                           double room_m) {
  std::vector<Room> rooms;
  const auto at = [&](std::size_t i) { return paths.nodes_m[static_cast<std::size_t>(chain[i])]; };
  Vec3 from = at(0);
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const Vec3 to = at(i);
    const double length = flat_distance_m(from, to);
    const auto count = static_cast<std::int64_t>(length / room_m);
    if (count == 0) continue;  // the room goes on beyond the bend
    for (std::int64_t k = 0; k < count; ++k) {
      const auto point = [&](std::int64_t step) {
        const double share = static_cast<double>(step) / static_cast<double>(count);
        return Vec3{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y),
                    from.z + share * (to.z - from.z)};
      };
      rooms.push_back({point(k), point(k + 1)});
    }
    from = to;
  }
  return rooms;
}

}  // namespace

void check_planting(const PlantingSettings& settings) {
  check(settings.classes_of_room > 0, "classes_of_room must be at least 1");
  check(settings.things.size() >= static_cast<std::size_t>(settings.classes_of_room),
        "there are " + std::to_string(settings.things.size()) + " classes of things, rooms need " +
            std::to_string(settings.classes_of_room));
  check(!settings.colours.empty(), "there is no colour; give at least one");
  check(settings.num_room_kinds > 0, "num_room_kinds must be at least 1");
  check(settings.room_m > 0, "room_m must be above 0");
  check(settings.least_in_room >= 0 && settings.most_in_room >= settings.least_in_room,
        "least_in_room must be 0 or more, most_in_room no less");
  check(settings.nearest_side_m >= 0 && settings.farthest_side_m >= settings.nearest_side_m,
        "nearest_side_m must be 0 or more, farthest_side_m no less");
}

void plant_small_things(const PlantingSettings& settings, std::uint64_t seed, Campus* campus) {
  Planter planter(settings, seed, campus);
  std::uint64_t number = 0;
  for (const auto& chain : chains_of(campus->paths)) {
    for (const Room& room : rooms_of(campus->paths, chain, settings.room_m)) {
      planter.furnish(room, number++);
    }
  }
}

void add_object(CampusObject object, Campus* campus) {
  object.id = static_cast<std::uint32_t>(campus->objects.size());
  campus->objects.push_back(std::move(object));
}

}  // namespace sightline::host
