// A walk over a campus, what can be asked about it, and the memory that a robot has of it: what
// location_questions.h asks about.
//
//     campus: grid                       (default) a drawn grid of paths, one for each sequence
//     campus: {osm: FOLDER}              a campus of OpenStreetMap (osm_campus.h): its footways,
//                                        named places, buildings; one campus, and a walk over it
//                                        for each sequence
//     campus: {navqa: FOLDER, run: N}    a way that a robot drove (navqa.h), things and landmarks
//                                        planted along it, other ones for each sequence
//
// On each of them small things are planted: nobody has mapped the mugs of a campus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/meta_memory/caption_noise.h"
#include "host/meta_memory/entries.h"
#include "host/meta_memory/memory_integration.h"
#include "host/meta_memory/question_set.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {

enum class CampusKind : std::uint8_t { kGrid, kOsm, kNavqa };

/// Which walk.
struct LocationWalkSettings {
  std::uint64_t seed = 1;
  std::int64_t sequence = 0;
  CampusKind campus = CampusKind::kGrid;
  std::string folder;    ///< kOsm, kNavqa
  std::int64_t run = 0;  ///< kNavqa
  double clip_s = 3;     ///< from a pose to the next; of kNavqa what was driven
  std::string place;     ///< of the campus in the settings, for messages
};

/// Reads the keys `sequence`, `campus` and `clip_s`. Throws InputError at the key.
LocationWalkSettings parse_walk(const ConfigValue& study, std::uint64_t seed);
/// The files that the walk is made from.
std::vector<std::string> files_of(const LocationWalkSettings& settings);

struct RememberedWalk {
  QuestionWorld world;
  EntryTable entries;
  TopologicalMap map;

  /// Those of a type, in their order; they live as long as the walk.
  std::vector<const PlaceQuery*> questions_of(PlaceQuestionType type) const;
};

/// The same arguments give the same bits. Throws InputError for files that cannot be read, and
/// where none of kMostDraws walks can be asked all questions.
RememberedWalk remember_walk(const LocationWalkSettings& settings, const CaptionNoise& noise);

/// Past the campus' buildings: the robot knows their outlines.
SightTest sight_over(const Campus& campus);

}  // namespace sightline::host
