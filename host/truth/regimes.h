// Regimes of questions: how the thing that is asked for lies to who asks, and what the words tell.
//
// A gate that keeps memories by place or by sight helps in one regime and loses the answer in
// another; What Spatial Memory Must Store (2026), section 8, leaves that open. Things and questions
// are drawn here from the world alone, before there is a memory.
#pragma once

#include <cstdint>
#include <vector>

#include "host/device.h"
#include "host/world/walk.h"
#include "host/world/world.h"

namespace sightline::host {

enum class Regime : std::uint8_t {
  kInSight,       ///< near, nothing in between, in the field of view
  kTurnedAway,    ///< near, nothing in between, outside the field of view
  kBehindWall,    ///< near, and something in between
  kSameRoom,      ///< in the asker's region
  kOtherRoom,     ///< in another region, nearer than far
  kFar,           ///< at far_m or beyond
  kMeaningAlone,  ///< anywhere; the words fit it alone
  kPlaceAlone     ///< near; the words fit every memory
};
constexpr int kNumRegimes = 8;
constexpr const char* kRegimes[kNumRegimes] = {"in_sight",      "turned_away", "behind_wall",
                                               "same_room",     "other_room",  "far",
                                               "meaning_alone", "place_alone"};

/// What the words of a question fit.
enum class WordsFit : std::uint8_t { kSome, kOne, kAll };
/// Which place the words name.
enum class Scope : std::uint8_t { kHere, kThisRoom, kOtherRoom, kFarOff, kAnywhere };

/// What a question says of itself. Whether a wall stands in between, or where the asker looks, no
/// question says: in sight, turned away and behind a wall are declared alike.
struct Declared {
  Scope scope;
  WordsFit words;
  bool operator==(const Declared& other) const {
    return scope == other.scope && words == other.words;
  }
};
Declared declared_of(Regime regime);

struct RegimeSettings {
  std::uint64_t seed = 0;
  std::int64_t num_things = 0;
  double near_m = 8,
         far_m = 16;          ///< from the eyes: near is at most the one, far at least the other
  double range_m = 12;        ///< from how far a thing was seen
  double region_m = 6;        ///< regions are the world's plan cut into squares of about so much
  kernels::FieldOfView view;  ///< of the asker, and what turns away from
  WalkSettings walk;
};

struct PlacedThing {
  kernels::Vec3 place_m, seen_from_m;  ///< nothing in between
};

struct Surroundings {
  std::vector<kernels::Vec3> reach_m;  ///< where one can stand, at eye height
  std::vector<PlacedThing> things;
};

/// Puts things beside places where one can stand, lower than the eyes, each seen from another such
/// place. The world needs a grid; what is in sight its solids say where it has them (sight.h), else
/// its voxels (voxel_sight.h). Throws InputError if there is no room.
Surroundings make_surroundings(const World& world, const RegimeSettings& settings, Device& device);

struct RegimeQuestion {
  std::int64_t thing = 0;  ///< into Surroundings::things
  kernels::Vec3 from_m;
  double yaw_deg = 0;
};

/// Question i depends on (world, surroundings, settings, regime, i) alone: thing and standpoint are
/// drawn until they are as the regime has them. Throws InputError if the world has no such places.
std::vector<RegimeQuestion> ask_in(Regime regime, const World& world,
                                   const Surroundings& surroundings, const RegimeSettings& settings,
                                   std::int64_t count);

/// The region of a place, as a number from 0 on; outside the world that of the nearest place in it.
std::int64_t region_of(const World& world, double region_m, const kernels::Vec3& place_m);

}  // namespace sightline::host
