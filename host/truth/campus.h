// Campuses with things in them, all of which is known: the worlds of Meta-Memory's experiment.
//
// Meta-Memory (Mao et al.), section V, asks about six walks over a campus; its data are not public.
// These stand in for it: a drawn grid of paths, a map that somebody made, or a way that somebody
// drove, with things planted. Frame: x east, y north, z up, metres. Classes and attributes are
// plain numbers here; what they are called, others know.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

struct CampusObject {
  std::uint32_t id = 0;  ///< into Campus::objects
  std::uint16_t class_id = 0;
  std::uint32_t attributes = 0;  ///< a bit each
  kernels::Vec3 position_m;
  std::string name;  ///< of its own, such as "Harper Hall"; empty: none
  bool is_landmark = false;
  bool is_large = false;
};

/// Where one can walk: straight pieces between nodes, both ways.
struct WalkGraph {
  std::vector<kernels::Vec3> nodes_m;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
};

/// The outline of a building, x and y, as tall as need be. The last corner joins the first, which
/// may be repeated there.
using WallRing = std::vector<std::array<double, 2>>;

struct Campus {
  std::vector<CampusObject> objects;
  WalkGraph paths;
  std::vector<WallRing> rings;
};

struct SmallThing {
  std::uint16_t class_id = 0;
  bool is_large = false;
};
struct LandmarkThing {
  std::uint16_t class_id = 0;
  std::string name;
};

/// What there is to put anywhere.
struct PlantingSettings {
  std::vector<SmallThing> things;       ///< classes of small things, at least classes_of_room
  std::vector<std::uint32_t> colours;   ///< attributes, of which each small thing gets one
  std::vector<LandmarkThing> landmarks; /**< each is put once (not on a given map, which has its
                                             own) */
  double room_m = 17;                   ///< a stretch of path, about as long, with a side of it
  int num_room_kinds = 8;               ///< each draws from some classes of its own
  int classes_of_room = 12;
  int least_in_room = 2, most_in_room = 5;
  double nearest_side_m = 1.5, farthest_side_m = 6;  ///< from the path to a thing
  double apart_m = 5;                                ///< of things of one class, at least
};

struct GridCampusSettings {
  PlantingSettings planting;
  int nodes_per_side = 9;
  double spacing_m = 35;
  double share_of_edges = 0.72;  ///< that are paths; every node stays within reach
  double building_inset_m = 8;   ///< of the building in each block, from the grid's lines
};

/// A grid of paths with a building in each block. The same settings and seed: the same bits. Throws
/// InputError for settings that cannot be.
Campus make_grid_campus(const GridCampusSettings& settings, std::uint64_t seed);

/// A place of a map: a library, a cafe.
struct MapPlace {
  std::uint16_t class_id = 0;
  std::string name;
  kernels::Vec3 position_m;
};

/// A campus of a given map: its places are the landmarks, and small things are planted along its
/// paths. A place inside a building stands where one gets to it: kBeforeDoor_m outside the wall,
/// towards the nearest path. Throws InputError for an edge to no node, or a map without paths.
Campus make_map_campus(const WalkGraph& paths, const std::vector<MapPlace>& places,
                       const std::vector<WallRing>& rings, const PlantingSettings& settings,
                       std::uint64_t seed);
constexpr double kBeforeDoor_m = 0.5;

/// A campus around a way that somebody drove: things and landmarks planted along it, no buildings.
/// Throws InputError for less than two positions.
Campus make_driven_campus(const std::vector<kernels::Vec3>& trajectory_m,
                          const PlantingSettings& settings, std::uint64_t seed);

}  // namespace sightline::host
