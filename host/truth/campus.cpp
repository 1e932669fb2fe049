#include "host/truth/campus.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/place_geometry.h"
#include "host/truth/place_sight.h"
#include "host/truth/planting.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;

constexpr std::uint64_t kGridStream = stream_of("campus grid");
constexpr std::uint64_t kLandmarkStream = stream_of("campus landmarks");
// Of a landmark from the middle of a crossing, on each axis: any way past it sees it.
constexpr double kNearestCorner_m = 2.5, kFarthestCorner_m = 4.5;

/// Which nodes hang together (Tarjan's disjoint sets, by halving paths).
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  /// False if the two hung together before.
  bool join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::size_t root(std::size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  std::vector<std::size_t> parent_;
};

/// The edges that are paths: a random tree over all nodes first, then others, in random order.
Edges kept_edges(Edges edges, std::size_t num_nodes, double share, RandomItem* random) {
  shuffle(&edges, random);
  Sets sets(num_nodes);
  Edges kept, spare;
  for (const auto& edge : edges) {
    const bool joins =
        sets.join(static_cast<std::size_t>(edge.first), static_cast<std::size_t>(edge.second));
    (joins ? kept : spare).push_back(edge);
  }
  const auto wanted = static_cast<std::size_t>(std::lround(share * double(edges.size())));
  for (std::size_t i = 0; i < spare.size() && kept.size() < wanted; ++i) kept.push_back(spare[i]);
  std::sort(kept.begin(), kept.end());
  return kept;
}

void lay_grid(const GridCampusSettings& settings, std::uint64_t seed, Campus* campus) {
  const int side = settings.nodes_per_side;
  const double step = settings.spacing_m, inset = settings.building_inset_m;
  Edges edges;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const int node = row * side + column;
      campus->paths.nodes_m.push_back({column * step, row * step, 0});
      if (column + 1 < side) edges.push_back({node, node + 1});
      if (row + 1 < side) edges.push_back({node, node + side});
      if (column + 1 == side || row + 1 == side) continue;
      const double west = column * step + inset, east = (column + 1) * step - inset;
      const double south = row * step + inset, north = (row + 1) * step - inset;
      campus->rings.push_back({{west, south}, {east, south}, {east, north}, {west, north}});
    }
  }
  RandomItem random(seed, kGridStream, 0);
  campus->paths.edges =
      kept_edges(edges, campus->paths.nodes_m.size(), settings.share_of_edges, &random);
}

/// Beside some of the places, each of which gets one at most.
void put_landmarks(const PlantingSettings& settings, std::vector<Vec3> places, std::uint64_t seed,
                   Campus* campus) {
  if (settings.landmarks.size() > places.size()) {
    throw InputError("settings of a campus: " + std::to_string(settings.landmarks.size()) +
                     " landmarks for " + std::to_string(places.size()) + " places to put them");
  }
  RandomItem random(seed, kLandmarkStream, 0);
  shuffle(&places, &random);
  for (std::size_t i = 0; i < settings.landmarks.size(); ++i) {
    const auto off = [&] {
      const double side = random.below(2) == 0 ? 1 : -1;
      return side * (kNearestCorner_m + random.uniform() * (kFarthestCorner_m - kNearestCorner_m));
    };
    Vec3 place = places[i];
    place.x += off();
    place.y += off();
    const LandmarkThing& landmark = settings.landmarks[i];
    add_object({0, landmark.class_id, 0, place, landmark.name, true, true}, campus);
  }
}

/// The point of a piece of path that is nearest, seen from above.
Vec3 nearest_on(const Vec3& a, const Vec3& b, const Vec3& p) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
  const double share = std::clamp(along, 0.0, 1.0);
  return {a.x + share * dx, a.y + share * dy, a.z + share * (b.z - a.z)};
}

/// Where one gets to a place of a map from the nearest path.
Vec3 at_the_door(const Vec3& place, const WalkGraph& paths, const PlaceSight& sight) {
  if (!sight.is_inside(place)) return place;
  Vec3 start;
  double least = HUGE_VAL;
  for (const auto& [a, b] : paths.edges) {
    const Vec3 point = nearest_on(paths.nodes_m[static_cast<std::size_t>(a)],
                                  paths.nodes_m[static_cast<std::size_t>(b)], place);
    const double distance = flat_distance_m(point, place);
    if (distance >= least) continue;
    least = distance;
    start = point;
  }
  if (sight.is_inside(start)) return place;  // a path through the building
  const double wall_m = std::min(1.0, sight.first_wall(start, place)) * least;
  const double share = std::max(0.0, wall_m - kBeforeDoor_m) / least;
  return {start.x + share * (place.x - start.x), start.y + share * (place.y - start.y), start.z};
}

void check_paths(const WalkGraph& paths) {
  if (paths.edges.empty()) throw InputError("a campus's map has no path; give it an edge");
  const auto count = static_cast<std::int64_t>(paths.nodes_m.size());
  for (std::size_t e = 0; e < paths.edges.size(); ++e) {
    const auto& [a, b] = paths.edges[e];
    if (a >= 0 && b >= 0 && a < count && b < count && a != b) continue;
    throw InputError("a campus's map: edge " + std::to_string(e) + " joins " + std::to_string(a) +
                     " and " + std::to_string(b) + "; it must join two of " +
                     std::to_string(count) + " nodes");
  }
}

}  // namespace

Campus make_grid_campus(const GridCampusSettings& settings, std::uint64_t seed) {
  check_planting(settings.planting);
  if (settings.nodes_per_side < 2 || !(settings.spacing_m > 2 * settings.building_inset_m) ||
      !(settings.building_inset_m > 0) || !(settings.share_of_edges >= 0) ||
      settings.share_of_edges > 1) {
    throw InputError(
        "settings of a campus: a grid needs nodes_per_side of at least 2, building_inset_m above 0 "
        "and below half of spacing_m, share_of_edges from 0 to 1");
  }
  Campus campus;
  lay_grid(settings, seed, &campus);
  put_landmarks(settings.planting, campus.paths.nodes_m, seed, &campus);
  plant_small_things(settings.planting, seed, &campus);
  return campus;
}

Campus make_map_campus(const WalkGraph& paths, const std::vector<MapPlace>& places,
                       const std::vector<WallRing>& rings, const PlantingSettings& settings,
                       std::uint64_t seed) {
  check_planting(settings);
  check_paths(paths);
  Campus campus;
  campus.paths = paths;
  campus.rings = rings;
  const PlaceSight sight(rings);
  for (const MapPlace& place : places) {
    const Vec3 door = at_the_door(place.position_m, paths, sight);
    add_object({0, place.class_id, 0, door, place.name, true, true}, &campus);
  }
  plant_small_things(settings, seed, &campus);
  return campus;
}

Campus make_driven_campus(const std::vector<Vec3>& trajectory_m, const PlantingSettings& settings,
                          std::uint64_t seed) {
  check_planting(settings);
  if (trajectory_m.size() < 2) {
    throw InputError("a campus around a trajectory needs at least two positions");
  }
  Campus campus;
  std::vector<Vec3> places;  // for landmarks: a room apart
  for (const Vec3& position : trajectory_m) {
    const std::vector<Vec3>& nodes = campus.paths.nodes_m;
    if (nodes.empty() || flat_distance_m(position, nodes.back()) > 0) {
      campus.paths.nodes_m.push_back(position);
    }
    const bool is_far = std::none_of(places.begin(), places.end(), [&](const Vec3& place) {
      return flat_distance_m(position, place) < settings.room_m;
    });
    if (is_far) places.push_back(position);
  }
  for (std::size_t i = 1; i < campus.paths.nodes_m.size(); ++i) {
    campus.paths.edges.push_back({static_cast<std::int32_t>(i - 1), static_cast<std::int32_t>(i)});
  }
  check_paths(campus.paths);
  put_landmarks(settings, std::move(places), seed, &campus);
  plant_small_things(settings, seed, &campus);
  return campus;
}

}  // namespace sightline::host
