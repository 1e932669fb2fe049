// Campuses whose things change from day to day: some are carried elsewhere, some vanish, some
// appear; and walks over them, day after day.
//
// Meta-Memory (Mao et al.), limitations, leaves scenes that change open, and has no data of one:
// these are drawn. A thing keeps its number for good. Frame and units: campus.h.
#pragma once

#include <cstdint>
#include <vector>

#include "host/truth/campus.h"
#include "host/truth/campus_walk.h"

namespace sightline::host {

/// Shares are of the small things, each time that the campus changes; landmarks stay.
struct MovingSettings {
  int num_rounds = 4;            ///< days: the campus changes between one and the next
  double share_moved = 0.2;      ///< of those that are there
  double share_vanished = 0.05;  ///< of those that are there; they never come back
  double share_appeared = 0.05;  ///< of all: not there before
  /// From every place where the thing was before: who goes to an old place is far from the new one.
  double least_move_m = 40;
};

/// One campus in all its states. Objects have their numbers in every round; one that is not there
/// stands where it last was, or will be, and is_there says so.
struct MovingCampus {
  std::vector<Campus> rounds;
  std::vector<std::vector<std::uint8_t>> is_there;  ///< [rounds][objects]
};

/// Lets things of a campus move. A thing that moves is put beside a path, as plant_small_things
/// puts it: any path, by its length, and any side of it. One for which kMoveTries draws find no
/// place stays. A larger share moves the same things and more. The same arguments give the same
/// bits. Throws InputError for settings that cannot be.
MovingCampus make_moving_campus(const Campus& campus, const PlantingSettings& planting,
                                const MovingSettings& settings, std::uint64_t seed);
constexpr int kMoveTries = 50;

/// Which way is walked on the days after the first.
enum class PatrolWay : std::uint8_t {
  kSame,       ///< the first day's
  kAlternate,  ///< the same, every other day from its end to its beginning
  kOther       ///< another walk each day
};

/// A walk on each day, a day apart in time. It begins up to a period's way later than the first
/// day's, by kPhases steps, so that nobody stands twice just where they stood. Of what is not there
/// no sighting is reported. The same arguments give the same bits. Throws InputError as
/// walk_campus() does.
std::vector<CampusWalk> walk_rounds(const MovingCampus& campus, const CampusWalkSettings& settings,
                                    PatrolWay way, std::uint64_t seed);
constexpr int kPhases = 6;
constexpr double kDay_s = 86400;

/// What became of a thing from the first day to the last.
enum class ThingFate : std::uint8_t { kStayed, kMoved, kVanished, kAppeared };

/// Where a thing is after the last day.
struct LatestPlace {
  std::uint32_t object = 0;
  ThingFate fate = ThingFate::kStayed;
  kernels::Vec3 object_m;     ///< kVanished: where it last was
  std::int32_t round = -1;    ///< of the viewpoint; kVanished: -1
  std::int32_t pose = -1;     ///< in that round's walk
  kernels::Vec3 viewpoint_m;  ///< the nearest pose of those that see it there, the first of equals
};

/// Of the small things that one can ask about, ascending. One can ask about a thing if its class
/// and attributes are those of no other that was ever seen, and its latest state was to be seen:
///
///     kStayed, kAppeared  some pose sees it, and each that does lies at most kSureView_m
///                         (place_questions.h) from the viewpoint
///     kMoved              the same of poses since it last moved; and it was seen elsewhere before
///     kVanished           it was seen where it last was; and on a later day some pose looked there
std::vector<LatestPlace> latest_places(const MovingCampus& campus,
                                       const std::vector<CampusWalk>& walks,
                                       const CampusWalkSettings& settings);

}  // namespace sightline::host
